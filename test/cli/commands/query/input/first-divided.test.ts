import { expect, it } from 'vitest'
import { firstDivided } from '../../../../../src/cli/commands/query/input/first-divided.js'
import type { Batch } from '../../../../../src/input/batch.js'

it('both parts of a divided batch have their own places in the input', async () => {
  const texts = Array.from({ length: 1_500 }, (_, n) => `{"n":${n}}\n${n === 20 ? '\n' : ''}`)
  const body = Buffer.from(texts.join(''))
  const batch: Batch = {
    kind: 'batch',
    input: 'app.ndjson',
    contentType: 'application/x-ndjson',
    body,
    events: 1_500,
    bytes: body.length,
    start: { line: 3, event: 0, offset: 100 },
    lines: 1_501,
    headLines: 0,
    release() {},
  }
  async function* items() {
    yield batch
  }
  const parts: Batch[] = []
  for await (const part of firstDivided(items())) if (part.kind === 'batch') parts.push(part)
  const first = Buffer.byteLength(texts.slice(0, 1_000).join(''))
  expect(parts.map(({ start, bytes, events, lines }) => ({ start, bytes, events, lines }))).toEqual(
    [
      { start: batch.start, bytes: first, events: 1_000, lines: 1_001 },
      {
        start: { line: 1_004, event: 1_000, offset: 100 + first },
        bytes: body.length - first,
        events: 500,
        lines: 500,
      },
    ],
  )
  expect(Buffer.concat(parts.map((part) => part.body))).toEqual(body)
})
