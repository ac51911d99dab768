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
  ArrayLines,
  type EventLines,
  jsonLines,
  ndjsonLines,
  type RejectedLine,
  rowFailures,
} from '../../../src/wire/event/event-lines.js'
import '../../support/runs.js'

/** Returns the file for a body in chunks of `size` bytes. */
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

/** Returns the events in a file, without blank lines, like the store. */
function eventsIn(file: string): unknown[] {
  const lines = file.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => JSON.parse(line))
}

const NONE: readonly RejectedLine[] = []

describe('the lines of a JSON array', () => {
  it('have one event each', () => {
    const lines = new ArrayLines()
    expect(eventsIn(fileOf(lines, '[{"a":1},\n {\n "b": [2, 3]\n}]\n'))).toEqual([
      { a: 1 },
      { b: [2, 3] },
    ])
    expect(lines.failures(NONE)).toEqual([])
  })

  it('do not depend on white space and chunks', () => {
    const event = dictionary(string({ unit: 'grapheme' }), jsonValue({ maxDepth: 2 }))
    assert(
      property(
        array(event, { maxLength: 5 }),
        integer({ min: 0, max: 3 }),
        constantFrom(1, 2, 3, 7, 64),
        (events, indent, size) => {
          const lines = new ArrayLines()
          const body = JSON.stringify(events, undefined, indent)
          const sound = JSON.parse(body) as unknown[]
          expect(eventsIn(fileOf(lines, body, size))).toEqual(sound)
          expect(lines.failures(NONE)).toEqual([])
        },
      ),
    )
  })

  it('are the complete events of an array truncated at any byte, with one failure that reports where', () => {
    const events = [{ a: [1, { b: '],[' }] }, { c: '"\\' }, { d: {} }]
    const texts = events.map((event) => JSON.stringify(event))
    const body = `[${texts.join(',')}]`
    const ends = texts.map((_, i) => texts.slice(0, i + 1).join(',').length + 1)
    for (let cut = 1; cut < body.length; cut++) {
      const whole = ends.filter((end) => end <= cut).length
      const lines = new ArrayLines()
      expect(eventsIn(fileOf(lines, body.slice(0, cut), 3))).toEqual(events.slice(0, whole))
      expect(lines.failures(NONE)).toEqual([
        {
          index: whole,
          reason: `the array is not closed: \`]\` expected at byte ${cut}, where the body ends`,
        },
      ])
    }
  })

  it.each([
    ['a comma without an element before it', '[,1]', 'an event expected in the array at byte 1'],
    ['two commas', '[1,,2]', 'an event expected in the array at byte 3'],
    ['a comma after the last element', '[1,]', 'an event expected in the array at byte 3'],
    ['an array that a brace closes', '[{}}', 'an event expected in the array at byte 3'],
    ['something after the array', '[1] 2', 'unexpected content after the array, at byte 4'],
    ['a second array', '[1][2]', 'unexpected content after the array, at byte 3'],
    ['something before the array', '1[2]', 'an event expected in the array at byte 0'],
  ])('end at %s', (_, body, reason) => {
    for (const size of [1, 2, 64]) {
      const lines = new ArrayLines()
      fileOf(lines, body, size)
      expect(lines.failures(NONE)[0]?.reason).toBe(reason)
    }
  })

  it.each(['[]', ' [ ] ', '[\n]\n'])('are none of %j', (body) => {
    const lines = new ArrayLines()
    expect(fileOf(lines, body, 1).trim()).toBe('')
    expect(lines.failures(NONE)).toEqual([])
  })

  it('are the events in front of a missing one', () => {
    const lines = new ArrayLines()
    expect(eventsIn(fileOf(lines, '[{"a":1},,{"b":2}]', 4))).toEqual([{ a: 1 }])
    expect(lines.failures(NONE)).toEqual([
      { index: 1, reason: 'an event expected in the array at byte 9' },
    ])
  })

  it('are all events when content follows the array', () => {
    const lines = new ArrayLines()
    expect(eventsIn(fileOf(lines, '[{"a":1}]\n[{"b":2}]', 4))).toEqual([{ a: 1 }])
    expect(lines.failures(NONE)).toEqual([
      { index: 1, reason: 'unexpected content after the array, at byte 10' },
    ])
  })

  it('may be no objects, for the store to reject', () => {
    expect(fileOf(new ArrayLines(), '[1,"x",null]')).toBe(' 1\n"x"\nnull\n')
  })

  it('do not make a string with a raw line feed valid', () => {
    const file = fileOf(new ArrayLines(), '[{"a":"x\ny"}]')
    expect(file.trimEnd()).not.toContain('\n')
    expect(() => JSON.parse(file)).toThrow(SyntaxError)
  })

  it('have an index but no line in failures', () => {
    const rejected = [{ index: 1, line: 2, reason: 'not an object' }]
    const lines = new ArrayLines()
    fileOf(lines, '[{},1]')
    expect(lines.failures(rejected)).toEqual([{ index: 1, reason: 'not an object' }])
    expect(lines.failed(1)).toBe(1)
    expect(lines.failures(rejected, 0)).toEqual([])
  })
})

describe('application/json', () => {
  it.each([' \r\n\t[{"a":1}]', '\ufeff[{"a":1}]', '{"a":1}', '\ufeff \n{"a":1}\n'])(
    'is an array or lines, depending on the first character of %j',
    (body) => {
      for (const size of [1, 2, 64]) {
        const file = fileOf(jsonLines(), body, size).replace('\ufeff', '')
        expect(eventsIn(file)).toEqual([{ a: 1 }])
      }
    },
  )

  it('counts the bytes in front of an array', () => {
    for (const size of [1, 2, 64]) {
      const lines = jsonLines()
      expect(eventsIn(fileOf(lines, '\n \n[{"a":1},{"b":', size))).toEqual([{ a: 1 }])
      expect(lines.failures(NONE)).toEqual([
        {
          index: 1,
          reason: 'the array is not closed: `]` expected at byte 17, where the body ends',
        },
      ])
    }
  })

  it('keeps bytes that only resemble a byte order mark', () => {
    const body = Buffer.from([0xef, 0xbb, 0x5b, 0x5d])
    const lines = jsonLines()
    const pieces = [...body].map((byte) => lines.push(Buffer.from([byte])))
    expect(Buffer.concat([...pieces, lines.end().bytes])).toEqual(body)
    expect(jsonLines().push(body)).toEqual(body)
  })

  // As the JSON layout of Log4j writes each event, and most programs that print JSON for people.
  it('may have objects of several lines, whatever their indentation and the chunks', () => {
    const event = dictionary(string({ unit: 'grapheme', minLength: 1 }), jsonValue({ maxDepth: 2 }))
    assert(
      property(
        array(event, { maxLength: 3 }),
        constantFrom(1, 4, '\t'),
        constantFrom('\n', '\r\n'),
        constantFrom(1, 2, 3, 7, 64),
        (others, indent, lineEnd, size) => {
          const lines = jsonLines()
          const texts = [{ a: '}"{' }, ...others].map((one) =>
            JSON.stringify(one, undefined, indent),
          )
          const body = texts.map((text) => `${text}\n`.replaceAll('\n', lineEnd)).join('')
          const events = [{ a: '}"{' }, ...(JSON.parse(JSON.stringify(others)) as unknown[])]
          expect(eventsIn(fileOf(lines, body, size))).toEqual(events)
          expect(lines.failures(NONE)).toEqual([])
        },
      ),
    )
  })

  it('may have several objects in a line, whatever is between them and the chunks', () => {
    const event = dictionary(string({ unit: 'grapheme' }), jsonValue({ maxDepth: 2 }))
    assert(
      property(
        array(event, { maxLength: 5 }),
        array(constantFrom('', ' ', '\t', '\n', '\r\n\n'), { minLength: 5, maxLength: 5 }),
        constantFrom(1, 2, 3, 7, 64),
        (others, separators, size) => {
          const lines = jsonLines()
          const rest = others.map((one, i) => `${JSON.stringify(one)}${separators[i]}`)
          const body = `{"a":"}{"}{"b":[{}]}${rest.join('')}`
          const events = JSON.parse(JSON.stringify(others)) as unknown[]
          expect(eventsIn(fileOf(lines, body, size))).toEqual([{ a: '}{' }, { b: [{}] }, ...events])
          expect(lines.failures(NONE)).toEqual([])
        },
      ),
    )
  })

  it('has an index but no line in failures of objects in a line', () => {
    const lines = jsonLines()
    expect(fileOf(lines, '{"a":1}{"b":}{"c":3}', 3)).toBe('{"a":1}\n{"b":}\n{"c":3}')
    const rejected = [{ index: 1, line: 2, reason: 'not JSON' }]
    expect(lines.failures(rejected)).toEqual([{ index: 1, reason: 'not JSON' }])
  })

  it('has one event per line when the first line has one, also when that line is damaged', () => {
    for (const first of ['{"a":1}', '{"a":"', '{"a":{', '{"a":1}}']) {
      for (const size of [1, 3, 64]) {
        const body = `${first}\n{"b":1}{"c":1}\n{"d":1}`
        expect(fileOf(jsonLines(), body, size)).toBe(body)
      }
    }
  })

  it('has an index but no line in failures of objects of several lines', () => {
    const lines = jsonLines()
    expect(fileOf(lines, '{\n"a":1\n}\n{\n"b":\n}\n', 1)).toBe('{ "a":1 }\n{ "b": }\n')
    expect(lines.failed(1)).toBe(1)
    const rejected = [{ index: 1, line: 2, reason: 'not JSON' }]
    expect(lines.failures(rejected)).toEqual([{ index: 1, reason: 'not JSON' }])
  })

  it('does not make a string with a raw line feed valid in objects of several lines', () => {
    expect(() => eventsIn(fileOf(jsonLines(), '{\n"a":"b\nc"\n}'))).toThrow()
  })

  it('has one event per line when its first line is cut after the brace, or is long and blank', () => {
    for (const first of ['{', `{${' '.repeat(5000)}`, '{"a":']) {
      for (const size of [1, 3, 6000]) {
        const body = `${first}\n{"b":1}\n`
        expect(fileOf(jsonLines(), body, size)).toBe(body)
      }
    }
    expect(fileOf(jsonLines(), '{', 1)).toBe('{')
  })

  it('has no events when it is blank', () => {
    const lines = jsonLines()
    expect(eventsIn(fileOf(lines, ' \n ', 1))).toEqual([])
    expect(lines.failures(NONE)).toEqual([])
  })
})

describe('the lines of NDJSON', () => {
  it('are unchanged', () => {
    const body = '\ufeff{"a":9007199254740993}\r\n\n  {"b" : 1.0}'
    expect(fileOf(ndjsonLines(), body, 5)).toBe(body)
  })

  it('are reported in failures', () => {
    const rejected = [{ index: 1, line: 3, reason: 'not an object' }]
    expect(ndjsonLines().failures(rejected)).toEqual([
      { index: 1, line: 3, reason: 'not an object' },
    ])
  })
})

it('merges the failures of rows and of the lines of other rows', () => {
  // Rows are on lines 2 to 6; those on 3 and 5 are no lines, so that the store sees only 2, 4 and 6.
  const own = [
    { index: 1, line: 3, reason: 'too many' },
    { index: 3, line: 5, reason: 'too many' },
  ]
  const rejected = [
    { index: 1, line: 4, reason: 'no' },
    { index: 2, line: 6, reason: 'no' },
  ]
  expect(rowFailures(own, rejected)).toEqual([
    { index: 1, line: 3, reason: 'too many' },
    { index: 2, line: 4, reason: 'no' },
    { index: 3, line: 5, reason: 'too many' },
    { index: 4, line: 6, reason: 'no' },
  ])
  expect(rowFailures(own, rejected, 3).map(({ index }) => index)).toEqual([1, 2, 3])
  expect(rowFailures(own, rejected, 0)).toEqual([])
})
