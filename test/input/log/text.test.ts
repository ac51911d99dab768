import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RUNS } from '../../support/runs.js'
import { cut, inPieces, unsendable } from '../support.js'
import { batchesOf, NOW, read } from './support.js'

describe('lines of text', () => {
  it('become messages unchanged', async () => {
    const input = 'plain\r\n\n  indented "quoted" \\ \t\x1b[\x00\nü \u2028 last'
    expect((await read(input, { format: 'text' })).events.map((text) => JSON.parse(text))).toEqual([
      { message: 'plain\n\n  indented "quoted" \\ \t\x1b[\x00' },
      { message: 'ü \u2028 last' },
    ])
  })

  it('are read as latin1 one by one when not UTF-8', async () => {
    const input = Buffer.concat([Buffer.from('grün\n'), Buffer.from('gr\xfcn\n', 'latin1')])
    expect((await read(input, { format: 'text' })).events).toEqual([
      '{"message":"grün"}',
      '{"message":"grün"}',
    ])
  })
})

describe('levels of colored lines', () => {
  it.each([
    ['\x1b[90m2026-11-20 10:00:0%\x1b[0m \x1b[31mERROR\x1b[0m boom'],
    ['2026-11-20T10:00:0%Z \x1b[31mERROR\x1b[0m \x1b[2mapp\x1b[0m: boom'],
    ['2026-11-20T10:00:0%Z \x1b[1;31m ERROR\x1b[0m app: boom'],
    ['\x1b[2m2026-11-20T10:00:0%Z\x1b[0m \x1b[31mERROR\x1b[0m boom'],
  ])('are read: %j', async (line) => {
    const input = [1, 2, 3].map((second) => `${line.replace('%', String(second))}\n`).join('')
    const { events } = await read(input, {})
    expect(events.map((event) => JSON.parse(event))).toMatchObject(
      [1, 2, 3].map((second) => ({ _time: `2026-11-20T10:00:0${second}Z`, level: 'error' })),
    )
  })
})

describe('a log record', () => {
  const LINES = {
    text: ['a', 'ünï', '  b "c"\t', '2026-02-03 04:05:06 INFO x'],
    logfmt: ['a=1 b="x y"', 'no pair', 'ü="é"'],
    clf: ['1.1.1.1 - - [10/Oct/2000:13:55:36 -0700] "GET /ü HTTP/1.0" 200 1', 'broken'],
    syslog: [
      '<13>Feb  5 17:32:18 h a[1]: ü',
      'broken',
      '14 <13>a\nb <1>c d',
      '7 <13>\u00fc!',
      '12 no',
    ],
  }
  const format = fc.constantFrom<keyof typeof LINES>('text', 'logfmt', 'clf', 'syslog')
  const input = format.chain((name) =>
    fc.record({
      format: fc.constant(name),
      lines: fc.array(fc.constantFrom(...LINES[name], '', ' '), { maxLength: 12 }),
      end: fc.constantFrom('\n', '\r\n'),
    }),
  )
  const settings = fc.record({
    piece: fc.constantFrom(1, 2, 7, 64 * 1024),
    batchBytes: fc.integer({ min: 8, max: 200 }),
    maxEvents: fc.integer({ min: 1, max: 5 }),
  })

  it('becomes the same event whatever the chunks, and keeps its position', async () => {
    await fc.assert(
      fc.asyncProperty(input, settings, async ({ format, lines, end }, { piece, ...rest }) => {
        const bytes = Buffer.from(lines.join(end))
        const whole = await seenIn(await cut(bytes, { format, now: NOW }))
        const pieces = await seenIn(
          await cut(inPieces(bytes, piece), { format, now: NOW, ...rest }),
        )
        expect(pieces).toEqual(whole)
        for (const { offset, text, line } of whole) {
          expect(bytes.subarray(offset, offset + Buffer.byteLength(text)).toString()).toBe(text)
          expect(bytes.subarray(0, offset).toString().split('\n').length).toBe(line)
        }
      }),
      { numRuns: 10 * RUNS },
    )
  })

  it('keeps hostile text unchanged', async () => {
    // Text with many U+0000 is rejected as binary.
    const text = fc
      .string({ unit: 'binary' })
      .filter((line) => !/[\r\n\0]/.test(line) && line.trim() !== '')
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1 }), async (lines) => {
        const { events } = await read(lines.join('\n'), { format: 'text', multiline: 'off' })
        const expected = lines.filter((line) => /[^ \t]/.test(line))
        expect(events.map((event) => JSON.parse(event).message)).toEqual(expected)
        const quoted = lines.map((line) => `k=${JSON.stringify(line)}`)
        const pairs = await read(quoted.join('\n'), { format: 'logfmt' })
        expect(pairs.events.map((event) => JSON.parse(event).k)).toEqual(lines)
      }),
    )
  })

  it('is skipped and reported when it is too long', async () => {
    const line = `a=1 b=${'x'.repeat(300_000)}`
    // More than an event of several lines may have.
    const seen = await cut(`a=1\n${line}\na=2\n`, {
      format: 'logfmt',
      maxEventBytes: 70_000,
      batchBytes: 64,
    })
    expect(
      batchesOf(seen)
        .map(({ body }) => body)
        .join(''),
    ).toBe('{"a":1}\n{"a":2}\n')
    expect(unsendable(seen).map(({ start }) => start.line)).toEqual([2])
  })
})

/** Returns the record and the event of each line, rejected ones included, in order. */
async function seenIn(seen: Awaited<ReturnType<typeof cut>>) {
  const found = seen.flatMap((item) => {
    if (item.kind === 'unsendable') {
      const { start, reason } = item
      return [{ offset: start.offset, text: '', line: start.line, made: reason }]
    }
    const made = item.body.split('\n')
    return (item.sources ?? []).map((source, index) => ({ ...source, made: made[index] }))
  })
  return found.sort((a, b) => a.offset - b.offset)
}
