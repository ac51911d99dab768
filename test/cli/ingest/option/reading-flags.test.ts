import { describe, expect, it } from 'vitest'
import {
  fixedFlags,
  isScannable,
  READING_FLAGS,
  type ReadingFlags,
} from '../../../../src/cli/ingest/option/reading-flags.js'
import { timeZone } from '../../../../src/wire/time/time-zone.js'

describe('the flags for reading', () => {
  it.each(Object.entries(READING_FLAGS))('have the name of their option: %s', (key, flag) => {
    const option = flag.option({})
    expect(option.long).toBe(flag.name)
    expect(option.attributeName()).toBe(key)
  })

  it('are in checkpoints by their names when they determine events', () => {
    const flags: ReadingFlags = {
      inputFormat: 'csv',
      recursive: true,
      parse: ['a'],
      csvFields: ['x', 'y'],
      timezone: timeZone('Europe/Berlin')!,
      label: { env: 'prod' },
    }
    expect(fixedFlags(flags)).toEqual({
      '--parse': 'a',
      '--timezone': 'Europe/Berlin',
      '--label': { env: 'prod' },
      '--csv-fields': ['x', 'y'],
    })
  })

  it('prevent a scan that would ignore one of them', () => {
    expect(isScannable({ timestampField: 'at' })).toBe(true)
    expect(isScannable({ timestampField: 'at', label: { env: 'prod' } })).toBe(false)
  })
})
