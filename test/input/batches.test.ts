import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvFraming } from '../../src/input/csv.js'
import { csvLines } from '../../src/wire/csv/csv.js'
import { RUNS } from '../support/runs.js'
import { until } from '../support/until.js'
import { bodies, counted, cut, eventsIn, inPieces, pipe, type Seen, unsendable } from './support.js'

const PIECES = [1, 2, 3, 7, 64 * 1024]

/** Settings small enough for every kind of cut to occur in a short input. */
const settings = fc.record({
  piece: fc.constantFrom(...PIECES),
  batchBytes: fc.integer({ min: 4, max: 200 }),
  maxEvents: fc.integer({ min: 1, max: 12 }),
})

const anyText = fc.string({ unit: 'binary', maxLength: 12 })
const event = fc.dictionary(anyText, fc.oneof(anyText, fc.integer(), fc.constant(null), fc.json()))

describe('NDJSON', () => {
  it('is sent byte for byte, whatever the size of the chunks', async () => {
    const lines = fc.array(
      fc.oneof(
        event.map((e) => JSON.stringify(e)),
        fc.constantFrom('', ' ', '\r'),
      ),
    )
    const end = fc.constantFrom('', '\n')
    await fc.assert(
      fc.asyncProperty(lines, end, settings, async (texts, lastEnd, { piece, ...rest }) => {
        const input = Buffer.from(texts.join('\n') + lastEnd)
        const seen = await cut(inPieces(input, piece), { format: 'ndjson', ...rest })
        const filled = texts.filter((text) => text.trim() !== '')
        expect(bodies(seen).flatMap(nonEmptyLines)).toEqual(filled)
        expect(total(seen)).toBe(filled.length)
        expect(unsendable(seen)).toEqual([])
      }),
      { numRuns: 3 * RUNS },
    )
  })

  it('loses no byte of an input without blank lines', async () => {
    const input = '{"a":1.0,"b":9007199254740993}\r\n{"é":"\u2028"}\n{"a" : 1}'
    for (const piece of PIECES) {
      const seen = await cut(inPieces(Buffer.from(input), piece), { maxEvents: 1 })
      expect(bodies(seen).join('')).toBe(input)
    }
  })

  it('is cut at the size of a batch, also where the first buffer of an input is smaller', async () => {
    const lines = Array.from(
      { length: 9_000 },
      (_, n) => `{"n":${n},"s":"${'x'.repeat(n % 500)}"}\n`,
    )
    const batchBytes = 1_500_000
    const input = lines.join('')
    for (const piece of [100_000, input.length]) {
      const seen = await cut(inPieces(Buffer.from(input), piece), { batchBytes })
      expect(bodies(seen).join('') === input).toBe(true)
      const sizes = bodies(seen).map(({ length }) => length)
      expect(sizes).toEqual([expect.any(Number), input.length - sizes[0]!])
      expect(sizes[0]).toBeGreaterThan(batchBytes - 600)
      expect(sizes[0]).toBeLessThanOrEqual(batchBytes)
    }
  })

  it('reports the line, the event and the offset at which each batch begins', async () => {
    const lines = ['{"n":1}', '', '{"n":2}', '{"n":3}', '  ', '{"n":4}', '']
    const input = lines.join('\n')
    for (const piece of PIECES) {
      const seen = await cut(inPieces(Buffer.from(input), piece), { maxEvents: 1 })
      for (const { start, body } of batchesOf(seen)) {
        const first = nonEmptyLines(body)[0]!
        const from = Buffer.from(input).subarray(start.offset).toString()
        expect(from.startsWith(body)).toBe(true)
        expect(input.slice(0, start.offset).split('\n').length).toBe(start.line)
        expect(JSON.parse(first).n).toBe(start.event + 1)
      }
      expect(batchesOf(seen).length).toBe(4)
    }
  })

  it('is cut at the maximum number of events and at the size of a batch', async () => {
    const line = '{"n":12345678}\n'
    const seen = await cut(line.repeat(10), { maxEvents: 4 })
    expect(batchesOf(seen).map(({ events }) => events)).toEqual([4, 4, 2])
    const small = await cut(line.repeat(10), { batchBytes: 3 * line.length + 1 })
    expect(batchesOf(small).every(({ body }) => body.length <= 3 * line.length)).toBe(true)
    expect(bodies(small).join('')).toBe(line.repeat(10))
  })

  it('enlarges a batch for one long event', async () => {
    const long = `{"s":"${'x'.repeat(1000)}"}\n`
    for (const piece of PIECES) {
      const input = Buffer.from(`{"n":1}\n${long}{"n":2}\n`)
      const seen = await cut(inPieces(input, piece), { batchBytes: 64 })
      expect(bodies(seen).join('')).toBe(input.toString())
    }
  })

  it('skips a line that is too long, reports its position and continues', async () => {
    const maxEventBytes = 100
    const fits = `{"s":"${'x'.repeat(92)}"}`
    expect(fits.length).toBe(maxEventBytes)
    const input = `{"n":1}\n${fits}\n${'y'.repeat(5000)}\n{"n":2}\n${'z'.repeat(500)}\n`
    for (const piece of PIECES) {
      const seen = await cut(inPieces(Buffer.from(input), piece), {
        batchBytes: 64,
        maxEventBytes: maxEventBytes,
      })
      expect(bodies(seen).join('')).toBe(`{"n":1}\n${fits}\n{"n":2}\n`)
      expect(unsendable(seen).map(({ start }) => start)).toEqual([
        { line: 3, event: 2, offset: 8 + 101 },
        { line: 5, event: 4, offset: 8 + 101 + 5001 + 8 },
      ])
    }
  })

  it('has no events in blank lines', async () => {
    expect(await cut('')).toEqual([])
    expect(await cut('\n\n  \n')).toEqual([])
    expect(await cut(' '.repeat(300), { batchBytes: 32, maxEventBytes: 1000 })).toEqual([])
  })

  it('begins after a byte order mark', async () => {
    const [only] = batchesOf(await cut('\ufeff{"a":1}\n'))
    expect(only).toMatchObject({ body: '{"a":1}\n', start: { line: 1, event: 0, offset: 3 } })
  })

  it.each([
    ['', 1],
    ['\ufeff', 4],
  ])('begins after a form feed, which may follow a byte order mark', async (mark, offset) => {
    const [only] = batchesOf(await cut(`${mark}\f{"a":1}\n`))
    expect(only).toMatchObject({ body: '{"a":1}\n', start: { line: 1, event: 0, offset } })
  })
})

describe('CSV', () => {
  const cell = fc.oneof(
    fc.stringMatching(/^[a-z ]{0,6}$/),
    fc.stringMatching(/^[ab",\n\r]{0,6}$/).map(quoted),
  )
  const record = fc.array(cell, { minLength: 2, maxLength: 4 })
  const header = fc.constantFrom('a,b,c,d', '"a\nb",c', 'a,"b ""x"""', '"a,b",c')
  const lineEnd = fc.constantFrom('\n', '\r\n')

  it('ends a row with text after a closing quote at the next line feed', async () => {
    const rows = ['1,"\nx"y,"\n', 'z,2\n', '3,4\n']
    const seen = await cut(`a,b\n${rows.join('')}`, { format: 'csv', maxEvents: 1 })
    expect(bodies(seen)).toEqual(rows.map((row) => `a,b\n${row}`))
  })

  it.each([
    ['\r\r\n', 1],
    ['\r\n', 0],
  ])('ends in %j with %i rows when a chunk ends after the first byte', (text, rows) => {
    const { scanner } = csvFraming(Buffer.alloc(0), {})
    const bytes = Buffer.from(text)
    const first = scanner.scan(bytes, { from: 0, to: 1, maxEvents: 9 })
    const rest = scanner.scan(bytes, { from: 1, to: bytes.length, maxEvents: 9 })
    expect(first.events + rest.events).toBe(rows)
  })

  it('has as many events as the service finds rows, well-formed or not', async () => {
    const unit = fc.constantFrom('a', '"', ',', '\n', '\r', '\r\n', '""', '","', '"a,"\n', '"\n')
    const text = fc.string({ unit, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(text, settings, async (rows, { piece, ...rest }) => {
        const input = Buffer.from(`a,b\n${rows}`)
        const seen = await cut(inPieces(input, piece), { format: 'csv', ...rest })
        for (const { body, events } of batchesOf(seen)) {
          const { lines, failures } = csvLines(Buffer.from(body), { delimiter: ',' })
          expect(nonEmptyLines(lines.toString()).length + failures.length).toBe(events)
        }
      }),
      { numRuns: 3 * RUNS },
    )
  })

  it('is cut between records only, and each batch begins with the header', async () => {
    await fc.assert(
      fc.asyncProperty(header, fc.array(record), lineEnd, settings, async (head, rows, end, s) => {
        const { piece, ...rest } = s
        const input = [head, ...rows.map((cells) => cells.join(','))].join(end) + end
        const seen = await cut(inPieces(Buffer.from(input), piece), { format: 'csv', ...rest })
        for (const body of bodies(seen)) expect(body.startsWith(head + end)).toBe(true)
        const records = bodies(seen).map((body) => body.slice((head + end).length))
        expect(records.join('')).toBe(input.slice((head + end).length))
        for (const text of records) expect(isOpen(text)).toBe(false)
        expect(total(seen)).toBe(rows.length)
      }),
      { numRuns: 3 * RUNS },
    )
  })

  it('is recognized by its first line', async () => {
    const [only] = batchesOf(await cut('n,s\n1,x\n'))
    expect(only).toMatchObject({ contentType: 'text/csv', body: 'n,s\n1,x\n', events: 1 })
  })

  it('counts line ends within quotes as lines', async () => {
    const seen = await cut('n,s\n1,"a\nb"\n2,c\n3,d', { maxEvents: 1 })
    expect(bodies(seen)).toEqual(['n,s\n1,"a\nb"\n', 'n,s\n2,c\n', 'n,s\n3,d'])
    expect(batchesOf(seen).map(({ start }) => start.line)).toEqual([2, 4, 5])
    expect(batchesOf(seen).map(({ headLines }) => headLines)).toEqual([1, 1, 1])
  })

  it('keeps a quote inside an unquoted cell', async () => {
    const seen = await cut('n,s\n1,5" disk\n2,"x\ny"\n', { maxEvents: 1 })
    expect(bodies(seen)).toEqual(['n,s\n1,5" disk\n', 'n,s\n2,"x\ny"\n'])
  })

  it('leaves out headers that are repeated, as in files that were joined', async () => {
    const input = 'n,s\nn,s\n1,x\n2,"n,s\n"\nn,s\n3,y\nn,s,\nn, s\nn,s\n'
    for (const piece of [1, 2, 3, 5, 100]) {
      const seen = await cut(inPieces(Buffer.from(input), piece), { format: 'csv' })
      expect(bodies(seen)).toEqual(['n,s\n1,x\n2,"n,s\n"\n', 'n,s\n3,y\nn,s,\nn, s\n'])
      expect(batchesOf(seen).map(({ start }) => start)).toEqual([
        { line: 3, event: 0, offset: 8 },
        { line: 7, event: 2, offset: 25 },
      ])
    }
  })

  it('leaves out headers with another line end or a byte order mark', async () => {
    const mark = '\u{feff}'
    const input = `${mark}n,s\n1,x\nn,s\r\n2,y\n${mark}n,s\n3,z\n${mark}n,s`
    for (const piece of [1, 2, 3, 5, 100]) {
      const seen = await cut(inPieces(Buffer.from(input), piece), { format: 'csv' })
      expect(bodies(seen)).toEqual(['n,s\n1,x\n', 'n,s\n2,y\n', 'n,s\n3,z\n'])
    }
  })

  it.each(['n,s', '"n","s"'])(
    'leaves out the header %s at the end, without a line end',
    async (header) => {
      for (const [end, piece] of [
        ['\n', 1],
        ['\n', 100],
        ['\r\n', 3],
      ] as const) {
        const input = `${header}${end}1,x${end}${header}`
        const seen = await cut(inPieces(Buffer.from(input), piece), { format: 'csv' })
        expect(bodies(seen)).toEqual([`${header}${end}1,x${end}`])
        const other = await cut(inPieces(Buffer.from(`${input},`), piece), { format: 'csv' })
        expect(bodies(other)).toEqual([`${header}${end}1,x${end}${header},`])
      }
    },
  )

  it('keeps values that are equal to the name of the only column', async () => {
    expect(bodies(await cut('n\n1\nn\n2\n', { format: 'csv' }))).toEqual(['n\n1\nn\n2\n'])
  })

  it('has no events when there is only a header', async () => {
    expect(await cut('a,b\n')).toEqual([])
    expect(await cut('a,b')).toEqual([])
  })

  it('reports an input that ends inside quotes', async () => {
    const seen = await cut('a,b\n1,2\n3,"x\n4,5\n')
    expect(bodies(seen)).toEqual(['a,b\n1,2\n'])
    expect(unsendable(seen)).toMatchObject([{ start: { line: 3, event: 1, offset: 8 } }])
  })
})

describe('JSON arrays', () => {
  const element = fc.oneof(event, fc.jsonValue())
  const space = fc.constantFrom('', ' ', '\n', '\r\n  ')

  it('are sent as lines of the same elements', async () => {
    const inputs = fc.record({ elements: fc.array(element), space, indent: fc.constantFrom(0, 2) })
    await fc.assert(
      fc.asyncProperty(
        inputs,
        settings,
        async ({ elements, space, indent }, { piece, ...rest }) => {
          const texts = elements.map((value) => JSON.stringify(value, null, indent))
          const input = `${space}[${space}${texts.join(`${space},${space}`)}${space}]${space}`
          const seen = await cut(inPieces(Buffer.from(input), piece), rest)
          expect(eventsIn(seen)).toEqual(elements.map((value) => JSON.parse(JSON.stringify(value))))
          expect(total(seen)).toBe(elements.length)
          expect(unsendable(seen)).toEqual([])
        },
      ),
      { numRuns: 3 * RUNS },
    )
  })

  it('keep numbers and escapes as written', async () => {
    const elements = ['{"a":1.0}', '{"b":9007199254740993}', '{"c":"\\u00e9\\"]["}']
    const seen = await cut(`[${elements.join(',')}]`, { maxEvents: 2 })
    expect(bodies(seen)).toEqual([`${elements[0]}\n${elements[1]}\n`, `${elements[2]}\n`])
  })

  it('have batches with the index of their first event', async () => {
    const seen = await cut('[{"n":0},{"n":1},{"n":2}]', { maxEvents: 2 })
    expect(batchesOf(seen).map(({ start }) => start.event)).toEqual([0, 2])
  })

  it('may follow each other', async () => {
    for (const piece of PIECES) {
      const input = Buffer.from('[{"n":0}]\n[{"n":1},{"n":2}]  []\n')
      const seen = await cut(inPieces(input, piece), { maxEvents: 2 })
      expect(eventsIn(seen)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }])
      expect(unsendable(seen)).toEqual([])
    }
  })

  it('yield complete events and the position of the cut when truncated', async () => {
    const seen = await cut('[{"n":0},{"n":1},{"n":')
    expect(eventsIn(seen)).toEqual([{ n: 0 }, { n: 1 }])
    expect(unsendable(seen)).toMatchObject([
      { start: { event: 2, offset: 17 }, reason: 'the input ends in the middle of an event' },
    ])
  })

  it('yield all events and report a missing closing bracket', async () => {
    const seen = await cut('[{"n":0},[1]')
    expect(eventsIn(seen)).toEqual([{ n: 0 }, [1]])
    expect(unsendable(seen).length).toBe(1)
  })

  it('report content after the array', async () => {
    const seen = await cut('[{"n":0}] and more')
    expect(bodies(seen)).toEqual(['{"n":0}\n'])
    expect(unsendable(seen)).toMatchObject([{ reason: 'the array is followed by more content' }])
  })

  it.each([
    ['[{"n":0},,{"n":1}]', 'after event 1'],
    ['[{"n":0},{"n":1},]', 'after event 2'],
    ['[,{"n":0},{"n":1}]', 'before the first event'],
    ['[{"n":0}][{"n":1} , ]', 'after event 2'],
  ])('report a comma without an event: %s', async (text, place) => {
    for (const piece of PIECES) {
      const seen = await cut(inPieces(Buffer.from(text), piece))
      expect(eventsIn(seen)).toEqual([{ n: 0 }, { n: 1 }])
      const reason = `a comma ${place} of the array has no event next to it`
      expect(unsendable(seen)).toMatchObject([{ reason }])
    }
  })

  it('have no events when empty', async () => {
    expect(await cut('[]')).toEqual([])
    expect(await cut(' [ \n ] ')).toEqual([])
  })

  it('skip an element that is too long', async () => {
    const input = `[{"n":0},{"s":"${'x'.repeat(500)}"},{"n":2}]`
    for (const piece of PIECES) {
      const options = { batchBytes: 32, maxEventBytes: 100 }
      const seen = await cut(inPieces(Buffer.from(input), piece), options)
      expect(eventsIn(seen)).toEqual([{ n: 0 }, { n: 2 }])
      expect(unsendable(seen).map(({ start }) => start.event)).toEqual([1])
    }
  })
})

describe('a sequence of objects over several lines', () => {
  it('is sent as lines', async () => {
    const objects = fc.array(event, { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(objects, settings, async (events, { piece, ...rest }) => {
        const input = events.map((value) => JSON.stringify(value, null, 2)).join('\n')
        const options = { format: 'json', ...rest } as const
        const seen = await cut(inPieces(Buffer.from(input), piece), options)
        expect(eventsIn(seen)).toEqual(events.map((value) => JSON.parse(JSON.stringify(value))))
        expect(total(seen)).toBe(events.length)
      }),
      { numRuns: 3 * RUNS },
    )
  })

  it.each([',\n', '\n, ', ' ', ' ,', ',\r\n\r\n'])(
    'may have %j between them',
    async (separator) => {
      const lines = ['{"n":1,"s":"}, {"}', '{"n":2,"o":{"a":[1,2]}}', '{"n":3}']
      const input = `${lines.join(separator)}${separator.trim()}\n`
      const expected = lines.map((line) => JSON.parse(line))
      for (const piece of [1, 7, 100]) {
        const seen = await cut(inPieces(Buffer.from(input), piece), {
          format: 'json',
          batchBytes: 40,
        })
        expect(unsendable(seen)).toEqual([])
        expect(eventsIn(seen)).toEqual(expected)
        expect(total(seen)).toBe(3)
      }
    },
  )

  it.each(['\n', '\r\n'])(
    'may have nothing between objects that end with %j and a brace',
    async (end) => {
      const objects = [{ n: 1, s: '}{' }, { n: 2, o: { a: [{}, { b: 1 }] } }, { n: 3 }]
      const input = objects
        .map((one) => JSON.stringify(one, null, 2).replaceAll('\n', end))
        .join('')
      for (const piece of [1, 7, 100]) {
        const seen = await cut(inPieces(Buffer.from(input), piece), { batchBytes: 60 })
        expect(unsendable(seen)).toEqual([])
        expect(eventsIn(seen)).toEqual(objects)
        expect(total(seen)).toBe(3)
      }
    },
  )

  it('is recognized by the line end after the first brace', async () => {
    const seen = await cut('{\n  "n": 1\n}\n{\n  "n": 2\n}\n')
    expect(eventsIn(seen)).toEqual([{ n: 1 }, { n: 2 }])
  })
})

describe('batches of a pipe', () => {
  it('send pending events when the pipe is idle', async () => {
    const { end, bytes } = pipe()
    const seen = cut(bytes, { flushMs: 20, onBatch: () => void end.end('2}\n') })
    end.write('{"n":1}\n{"n":')
    expect(bodies(await seen)).toEqual(['{"n":1}\n', '{"n":2}\n'])
  })

  it('end with the last complete line when reading is interrupted', async () => {
    const stop = new AbortController()
    const { end, bytes } = pipe(stop.signal)
    const input = counted(bytes)
    const seen = cut(input, { flushMs: 60_000, signal: stop.signal })
    end.write('{"n":1}\n{"n":2}\n{"n":')
    await until(() => input.count() === 21, 'all is read')
    stop.abort()
    expect(bodies(await seen)).toEqual(['{"n":1}\n{"n":2}\n'])
  })

  it('include a last line without a line end', async () => {
    const { end, bytes } = pipe()
    end.end('{"n":1}\n{"n":2}')
    expect(bodies(await cut(bytes))).toEqual(['{"n":1}\n{"n":2}'])
  })
})

function batchesOf(seen: Awaited<ReturnType<typeof cut>>): Seen[] {
  return seen.filter((item) => item.kind === 'batch')
}

function total(seen: Awaited<ReturnType<typeof cut>>): number {
  return batchesOf(seen).reduce((sum, { events }) => sum + events, 0)
}

function nonEmptyLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** True when a text of complete cells ends inside quotes: it has an odd number of them. */
function isOpen(text: string): boolean {
  return text.split('"').length % 2 === 0
}
