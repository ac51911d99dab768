import { describe, expect, it } from 'vitest'
import { eventOf } from '../../../../src/service/ingest/hec/envelope.js'

describe('a field whose name is in use', () => {
  it('gets prefixes only until the store would reject its name', () => {
    const nested = (prefixes: number) => `${'fields.'.repeat(prefixes)}a`
    const used = Array.from({ length: 200 }, (_, prefixes) => [nested(prefixes), 1] as const)
    const text = JSON.stringify({ ...Object.fromEntries(used), fields: { a: 2 }, event: {} })
    const { line } = eventOf(text, { position: 0, defaults: new Map() })
    const event = JSON.parse(line) as Record<string, number>
    // The first name of more than 1,024 characters has 147 prefixes.
    expect([nested(146).length, nested(147).length]).toEqual([1023, 1030])
    expect([event[nested(146)], event[nested(147)], event[nested(200)]]).toEqual([1, 2, undefined])
  })
})
