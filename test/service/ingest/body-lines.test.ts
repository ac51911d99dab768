import { describe, expect, it } from 'vitest'
import { chunksOf } from '../../../src/engine/line-reader.js'
import type { ServiceRequest } from '../../../src/service/http.js'
import { bodyLines } from '../../../src/service/ingest/body-lines.js'

function request(type: string, keepsBody: boolean): ServiceRequest {
  return {
    method: 'POST',
    path: '/v1/ingest/logs',
    query: new URLSearchParams(),
    headers: { 'content-type': type },
    body: (async function* () {})(),
    keepsBody,
    signal: new AbortController().signal,
    trusted: true,
  }
}

/** The same bytes in each format, and the lines that they become. */
const BODIES = {
  'application/x-ndjson': ['{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":2}\n'],
  'application/json': ['[{"a":1},{"a":2}]', ' {"a":1}\n{"a":2}\n'],
  'text/csv': ['a\n1\n2\n', '\n{"a":1}\n{"a":2}\n'],
} as const

/** Returns the lines of a body that arrives in two pieces, and the pieces afterward. */
async function read(type: string, text: string, keepsBody: boolean) {
  const half = Math.floor(text.length / 2)
  const pieces = [Buffer.from(text.slice(0, half)), Buffer.from(text.slice(half))]
  const lines = bodyLines(request(type, keepsBody))
  const made = pieces.map((piece) => Buffer.from(lines.push(piece)))
  const bytes = Buffer.concat([...made, lines.end().bytes])
  const converted: Buffer[] = []
  const all = chunksOf({ kind: 'bytes', bytes, convert: lines.convert })
  for await (const chunk of all) converted.push(Buffer.from(chunk))
  return { lines: Buffer.concat(converted).toString(), body: Buffer.concat(pieces).toString() }
}

describe('the lines of a body', () => {
  it.each(Object.entries(BODIES))(
    'that is %s leave a body that is kept unchanged',
    async (type, body) => {
      const [text, lines] = body
      expect(await read(type, text, true)).toEqual({ lines, body: text })
    },
  )

  it('are made of an array in place when the body is not kept', async () => {
    const { lines, body } = await read('application/json', '[{"a":1},{"a":2}]', false)
    expect(lines).toBe(' {"a":1}\n{"a":2}\n')
    expect(body.endsWith('{"a":2}\n')).toBe(true)
  })
})

it('converts rows in turns with other requests', async () => {
  const rows = `a,b\n${'1,2,3\n'.repeat(400_000)}`
  const { convert } = bodyLines(request('text/csv', true))
  let turns = 0
  const count = setInterval(() => turns++, 1)
  for await (const _ of chunksOf({ kind: 'bytes', bytes: Buffer.from(rows), convert }));
  clearInterval(count)
  expect(turns).toBeGreaterThan(0)
})
