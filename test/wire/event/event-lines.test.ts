import {
  array,
  assert,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  property,
  string,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  arrayLines,
  csvLines,
  type EventLines,
  jsonLines,
  ndjsonLines,
  type RejectedLine,
} from '../../../src/wire/event/event-lines.js'

/** What reaches the file when a body comes in pieces of so many bytes. */
function fileOf(lines: EventLines, body: string, size = body.length || 1): string {
  const bytes = Buffer.from(body)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size)
    pieces.push(lines.push(bytes.subarray(at, at + size)))
  const { bytes: last, keep } = lines.end()
  return Buffer.concat([...pieces, last])
    .subarray(0, keep)
    .toString()
}

/** The events in a file, blank lines left out as the store leaves them out. */
function eventsIn(file: string): unknown[] {
  const lines = file.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => JSON.parse(line))
}

const NONE: readonly RejectedLine[] = []

describe('a JSON array', () => {
  it('has an event on each line', () => {
    const lines = arrayLines()
    expect(eventsIn(fileOf(lines, '[{"a":1},\n {\n "b": [2, 3]\n}]\n'))).toEqual([
      { a: 1 },
      { b: [2, 3] },
    ])
    expect(lines.failures(NONE)).toEqual([])
  })

  it('is the same however it is printed and cut', () => {
    const event = dictionary(string({ unit: 'grapheme' }), jsonValue({ maxDepth: 2 }))
    assert(
      property(
        array(event, { maxLength: 5 }),
        integer({ min: 0, max: 3 }),
        constantFrom(1, 2, 3, 7, 64),
        (events, indent, size) => {
          const lines = arrayLines()
          const body = JSON.stringify(events, undefined, indent)
          const sound = JSON.parse(body) as unknown[]
          expect(eventsIn(fileOf(lines, body, size))).toEqual(sound)
          expect(lines.failures(NONE)).toEqual([])
        },
      ),
    )
  })

  it('gives its whole events when it breaks off at any byte, and one failure that says where', () => {
    const events = [{ a: [1, { b: '],[' }] }, { c: '"\\' }, { d: {} }]
    const texts = events.map((event) => JSON.stringify(event))
    const body = `[${texts.join(',')}]`
    const ends = texts.map((_, i) => texts.slice(0, i + 1).join(',').length + 1)
    for (let cut = 1; cut < body.length; cut++) {
      const whole = ends.filter((end) => end <= cut).length
      const lines = arrayLines()
      expect(eventsIn(fileOf(lines, body.slice(0, cut), 3))).toEqual(events.slice(0, whole))
      expect(lines.failures(NONE)).toEqual([
        {
          index: whole,
          error: `the array breaks off at byte ${cut}, where the body ends: its \`]\` is missing`,
        },
      ])
    }
  })

  it('gives the events before a place where none is', () => {
    const lines = arrayLines()
    expect(eventsIn(fileOf(lines, '[{"a":1},,{"b":2}]', 4))).toEqual([{ a: 1 }])
    expect(lines.failures(NONE)).toEqual([
      { index: 1, error: 'the array breaks off at byte 9: there is no event where one belongs' },
    ])
  })

  it('gives all its events when something follows it', () => {
    const lines = arrayLines()
    expect(eventsIn(fileOf(lines, '[{"a":1}]\n[{"b":2}]', 4))).toEqual([{ a: 1 }])
    expect(lines.failures(NONE)).toEqual([
      { index: 1, error: 'the array is over before byte 10, where something else follows' },
    ])
  })

  it('passes on what is no object, for the store to reject', () => {
    expect(fileOf(arrayLines(), '[1,"x",null]')).toBe(' 1\n"x"\nnull\n')
  })

  it('does not make a string with a raw line feed sound', () => {
    const file = fileOf(arrayLines(), '[{"a":"x\ny"}]')
    expect(file.trimEnd()).not.toContain('\n')
    expect(() => JSON.parse(file)).toThrow(SyntaxError)
  })

  it('has positions but no lines', () => {
    const rejected = [{ index: 1, line: 2, reason: 'not an object' }]
    const lines = arrayLines()
    fileOf(lines, '[{},1]')
    expect(lines.failures(rejected)).toEqual([{ index: 1, error: 'not an object' }])
    expect(lines.failed(1)).toBe(1)
    expect(lines.failures(rejected, 0)).toEqual([])
  })
})

describe('application/json', () => {
  it.each([' \r\n\t[{"a":1}]', '\ufeff[{"a":1}]', '{"a":1}', '\ufeff \n{"a":1}\n'])(
    'tells an array from lines by the first sign of %j',
    (body) => {
      for (const size of [1, 2, 64]) {
        const file = fileOf(jsonLines(), body, size).replace('\ufeff', '')
        expect(eventsIn(file)).toEqual([{ a: 1 }])
      }
    },
  )

  it('counts the bytes before an array', () => {
    for (const size of [1, 2, 64]) {
      const lines = jsonLines()
      expect(eventsIn(fileOf(lines, '\n \n[{"a":1},{"b":', size))).toEqual([{ a: 1 }])
      expect(lines.failures(NONE)).toEqual([
        {
          index: 1,
          error: 'the array breaks off at byte 17, where the body ends: its `]` is missing',
        },
      ])
    }
  })

  it('does not hide bytes that are only like a byte-order mark', () => {
    const body = Buffer.from([0xef, 0xbb, 0x5b, 0x5d])
    const lines = jsonLines()
    const pieces = [...body].map((byte) => lines.push(Buffer.from([byte])))
    expect(Buffer.concat([...pieces, lines.end().bytes])).toEqual(body)
    expect(jsonLines().push(body)).toEqual(body)
  })

  it('has no events when it is blank', () => {
    const lines = jsonLines()
    expect(eventsIn(fileOf(lines, ' \n ', 1))).toEqual([])
    expect(lines.failures(NONE)).toEqual([])
  })
})

describe('NDJSON', () => {
  it('passes byte for byte', () => {
    const body = '\ufeff{"a":9007199254740993}\r\n\n  {"b" : 1.0}'
    expect(fileOf(ndjsonLines(), body, 5)).toBe(body)
  })

  it('has lines', () => {
    const rejected = [{ index: 1, line: 3, reason: 'not an object' }]
    expect(ndjsonLines().failures(rejected)).toEqual([
      { index: 1, line: 3, error: 'not an object' },
    ])
  })
})

describe('CSV', () => {
  it('counts the rows that failed on the way to the store', () => {
    const lines = csvLines({ delimiter: ',' })
    // Rows on lines 2 to 6; those on 3 and 5 have a cell too many, so the store sees only 2, 4 and 6.
    const file = fileOf(lines, 'a\n1\n2,2\n3\n4,4\n5\n')
    expect(eventsIn(file)).toEqual([{ a: 1 }, { a: 3 }, { a: 5 }])
    const rejected = [
      { index: 1, line: 4, reason: 'no' },
      { index: 2, line: 6, reason: 'no' },
    ]
    const tooMany = 'it has 2 cells, the header has 1'
    expect(lines.failures(rejected)).toEqual([
      { index: 1, line: 3, error: tooMany },
      { index: 2, line: 4, error: 'no' },
      { index: 3, line: 5, error: tooMany },
      { index: 4, line: 6, error: 'no' },
    ])
    expect(lines.failed(rejected.length)).toBe(4)
    expect(lines.failures(rejected, 3).map(({ index }) => index)).toEqual([1, 2, 3])
    expect(lines.failures(rejected, 0)).toEqual([])
  })
})
