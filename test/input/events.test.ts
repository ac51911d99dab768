import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Batch } from '../../src/input/batch.js'
import { batches } from '../../src/input/batches.js'
import { BufferPool } from '../../src/input/buffer-pool.js'
import { outermostEvents } from '../../src/input/events.js'
import { detectInput } from '../../src/input/input.js'
import { sourcesOf } from '../../src/input/locate.js'
import { inPieces } from './support.js'
import '../support/runs.js'

/** Events as text, including what is difficult in each format. */
const value = fc.oneof(
  fc.jsonValue().map((member) => JSON.stringify({ member })),
  fc.constantFrom('{"a":"]},{\\"["}', '{"a":[1,{"b":[]}]}', '{ "a" : 1 }', '{}'),
)
const cell = fc.oneof(
  fc.stringMatching(/^[a-z0-9 ]{1,8}$/),
  fc.constantFrom('"a,b"', '"x\ny"', '"say ""hi"""', '"\r\n"'),
)
const row = fc.tuple(cell, cell).map((cells) => cells.join(','))

describe('eventExtents', () => {
  it('locates events in lines', async () => {
    const gaps = fc.array(fc.constantFrom('', '\r\n', '  \n'), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1 }), gaps, async (events, between) => {
        const text = events.map((event, n) => `${between[n] ?? ''}${event}\n`).join('')
        await expectFound(text, events, 'ndjson')
      }),
    )
  })

  it('locates events in an array', async () => {
    const space = fc.constantFrom('', ' ', '\n', ' \r\n\t')
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1 }), space, async (events, blank) => {
        const text = `${blank}[${blank}${events.join(`${blank},${blank}`)}${blank}]${blank}`
        await expectFound(text, events, 'json')
      }),
    )
  })

  it('locates events in CSV', async () => {
    const end = fc.constantFrom('\n', '\r\n')
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1 }), end, async (rows, lineEnd) => {
        await expectFound(['one,two', ...rows].join(lineEnd), rows, 'csv')
      }),
    )
  })

  it('locates a last event without a line end after blank lines', async () => {
    await expectFound('{"a":1}\n\n\n{"b":2}', ['{"a":1}', '{"b":2}'], 'ndjson')
    await expectFound('one,two\n1,2\n\n\n3,4', ['1,2', '3,4'], 'csv')
  })
})

async function expectFound(
  text: string,
  events: readonly string[],
  format: 'ndjson' | 'json' | 'csv',
) {
  const bytes = Buffer.from(text)
  const found: string[] = []
  for await (const batch of cut(bytes, format)) {
    const source = sourcesOf(batch)
    for (let index = 0; index < batch.events; index++) {
      const event = source(index)
      const length = event?.text.length ?? 0
      const offset = event?.offset ?? 0
      // The offset refers to the input, whose line ends in elements of arrays become spaces.
      const written = bytes.toString('utf8', offset, offset + length)
      const shown = format === 'json' ? written.replaceAll('\n', ' ') : written
      expect(shown).toBe(event?.text.toString('utf8'))
      if (event?.line !== undefined) {
        const before = bytes.toString('utf8', 0, offset)
        expect(event.line).toBe(1 + (before.match(/\n/g)?.length ?? 0))
      }
      found.push(event?.text.toString('utf8') ?? '')
    }
    const edges = outermostEvents(batch).map(({ from, to }) =>
      batch.body.toString('utf8', from, to),
    )
    expect(edges.map((edge) => edge.trim())).toEqual(
      [found.at(-batch.events), found.at(-1)].map((event) => event?.trim()),
    )
    batch.release()
  }
  expect(found).toEqual(events)
}

async function* cut(bytes: Buffer, format: 'ndjson' | 'json' | 'csv'): AsyncGenerator<Batch> {
  const opened = { name: 'input', bytes: inPieces(bytes, 7), isLive: false }
  const input = await detectInput(opened, { format })
  const options = { pool: new BufferPool(1024), maxEvents: 3, flushMs: 1000 }
  for await (const item of batches(input, options)) if (item.kind === 'batch') yield item
}
