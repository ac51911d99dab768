import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Batch } from '../../../src/input/batch.js'
import { SpareBuffers } from '../../../src/input/buffer-pool.js'
import type { Rewriter } from '../../../src/input/mapping/edit.js'
import { rewriteBatch } from '../../../src/input/mapping/rewrite.js'
import { RUNS } from '../../support/runs.js'

const lines = fc.array(
  fc.record({
    text: fc.stringMatching(/^[a-z]{1,9}$/),
    at: fc.nat(9),
    length: fc.nat(9),
    other: fc.integer({ min: 1, max: 60 }),
  }),
  { minLength: 1 },
)

it('keeps the original events of rewritten batches', () => {
  fc.assert(
    fc.property(lines, (parts) => {
      const changes = parts.map(({ text, at, length, other }) => {
        const from = Math.min(at, text.length)
        return { from, to: Math.min(from + length, text.length), text: 'é'.repeat(other) }
      })
      const rewrite: Rewriter =
        () =>
        ({ from }, index) => {
          const edit = changes[index]!
          return [{ ...edit, from: from + edit.from, to: from + edit.to }]
        }
      const texts = parts.map(({ text }) => text)
      const batch = rewriteBatch(batchOf(texts), rewrite, new SpareBuffers())
      const expected = changes.map(
        ({ from, to, text }, index) =>
          texts[index]!.slice(0, from) + text + texts[index]!.slice(to),
      )
      expect(batch.body.toString('latin1')).toBe(`${expected.join('\n')}\n`)
      let offset = 0
      texts.forEach((text, index) => {
        expect(batch.source?.(index)).toEqual({
          text: Buffer.from(text),
          event: Buffer.from(expected[index]!, 'latin1'),
          offset,
          line: index + 1,
        })
        offset += text.length + 1
      })
    }),
    { numRuns: RUNS },
  )
})

/** Returns a batch of lines, whose memory is overwritten when it is released, as if it were used again. */
function batchOf(texts: readonly string[]): Batch {
  const body = Buffer.from(`${texts.join('\n')}\n`)
  return {
    kind: 'batch',
    input: 'app.ndjson',
    contentType: 'application/x-ndjson',
    body,
    events: texts.length,
    bytes: body.length,
    start: { line: 1, event: 0, offset: 0 },
    lines: texts.length,
    headLines: 0,
    release: () => void body.fill(0),
  }
}
