import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventScanner } from '../../../../src/engine/ingest/scan/event-scanner.js'
import {
  type EventLeaf,
  EventSchema,
  type EventTerms,
  SLOT,
  SLOTS_ADDRESS,
} from '../../../../src/engine/ingest/scan/event-schema.js'
import type { ScanColumn } from '../../../../src/engine/ingest/scan/scan-columns.js'
import { compileWasm } from '../../../../src/wire/bytes/wasm-module.js'
import { classifyLine } from '../../../../src/wire/event/classify-line.js'
import { parseEventTime } from '../../../../src/wire/event/event-time.js'
import { MAX_FIELD_DEPTH, MAX_KEYS } from '../../../../src/wire/limits.js'
import { parseTimeFormat, type TimeFormat } from '../../../../src/wire/time/time-format.js'
import { RUNS } from '../../../support/runs.js'
import { inEscapes } from '../../../support/written.js'
import { decodeNative, type NativeValue } from './native.js'

const ARRIVED = 1_767_225_600_123_456_789n
const leaf = (path: readonly string[], stored: number): EventLeaf => ({
  path,
  stored,
  rest: 0,
  isMap: false,
})
const COLUMNS: readonly ScanColumn[] = [
  { path: ['s'], type: 'string' },
  { path: ['int'], type: 'int' },
  { path: ['real'], type: 'real' },
  { path: ['bool'], type: 'bool' },
  { path: ['list'], type: 'array' },
  { path: ['geo', 'city'], type: 'string' },
  { path: ['not in the events'], type: 'real' },
]
const KINDS = {
  string: SLOT.string,
  int: SLOT.int | SLOT.long,
  real: SLOT.int | SLOT.real,
  bool: SLOT.bool,
  array: SLOT.array,
}
const TERMS: EventTerms = {
  leaves: COLUMNS.map(({ path, type }) => leaf(path, KINDS[type])),
  times: [{ path: ['_time'], isField: false }],
  columns: COLUMNS,
  others: { kind: 'noted' },
}
const SCHEMA = new EventSchema(TERMS)

interface Scanned {
  /** The numbers of the lines that other code has to read. */
  readonly left: readonly number[]
  readonly columns: ReadonlyMap<string, readonly NativeValue[]>
}

const scanner = new EventScanner()

/** Scans pieces one by one. */
function scan(pieces: readonly Buffer[], schema = SCHEMA, timeFormat?: TimeFormat): Scanned {
  const blocks: Buffer[] = []
  const left: number[] = []
  const take = (written: Iterable<Buffer>): void => {
    for (const block of written) blocks.push(Buffer.from(block))
    left.push(...scanner.takeLines().map(({ row }) => row))
  }
  scanner.begin({ schema, arrivedAt: ARRIVED, timeFormat })
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const bytes = piece.copy(scanner.room, 0, at)
      at += bytes
      take(scanner.push(bytes))
    }
  }
  take(scanner.end())
  return { left, columns: blocks.length > 0 ? decodeNative(Buffer.concat(blocks)) : new Map() }
}

function columnsOf(lines: readonly string[], schema = SCHEMA): Scanned['columns'] {
  const { left, columns } = scan([Buffer.from(lines.join('\n'))], schema)
  expect(left).toEqual([])
  return columns
}

/** True when the scanner reads a line itself. */
const isRead = (line: Buffer): boolean => scan([line]).left.length === 0

describe('the columns of events', () => {
  it('have the time, the number of the line, the remainder, and the values', () => {
    const lines = [
      '{"_time":"2026-01-01T00:00:00Z","s":"a","int":-12,"real":1.5,"bool":true,"geo":{"city":"x"}}',
      '\r',
      '{"bool":false,"other":[1],"s":null,"list":[ 1.50, "\\u0041", {"k":[]}],"geo":{"z":{"y":2}}}\r',
    ]
    expect(columnsOf(lines)).toEqual(
      new Map<string, readonly NativeValue[]>([
        ['time', [1_767_225_600_000_000_000n, ARRIVED]],
        ['row', [0, 2]],
        ['line', ['', '{"other":[1],"geo":{"z":{"y":2}}}']],
        ['c0', ['a', null]],
        ['c1', [-12n, null]],
        ['c2', [1.5, null]],
        ['c3', [true, false]],
        ['c4', [null, '[ 1.50, "\\u0041", {"k":[]}]']],
        ['c5', ['x', null]],
      ]),
    )
    expect(scanner.unexpected()).toEqual([
      { path: ['other'], kinds: SLOT.array, count: 1 },
      { path: ['geo', 'z', 'y'], kinds: SLOT.int, count: 1 },
    ])
  })

  it('are left out of a block in which all of their values are null', () => {
    expect([...columnsOf(['{"int":null}', '{}']).keys()]).toEqual(['time', 'row', 'line'])
    // A row has 80 bytes, and the rows of a block a megabyte: the values are in the first and the last of several blocks.
    const lines = Array.from({ length: 40_000 }, (_, i) =>
      i % 39_999 === 0 ? `{"int":${i}}` : '{}',
    )
    const columns = columnsOf(lines)
    expect(columns.get('c1')).toEqual(lines.map((line, i) => (line === '{}' ? null : BigInt(i))))
    expect(columns.size).toBe(4)
  })

  it('have only the fields that are used, and the remainders of these', () => {
    const used = ['s', 'o.in', 'o.list']
    const schema = new EventSchema({
      leaves: [
        leaf(['s'], SLOT.string),
        leaf(['o', 'in'], SLOT.int),
        { path: ['o', 'list'], stored: 0, rest: SLOT.array | SLOT.other, isMap: true },
      ],
      times: [{ path: ['_time'], isField: false }],
      columns: [
        { path: ['s'], type: 'string', name: 's:string' },
        { path: ['o', 'in'], type: 'int', name: 'o.in:int' },
      ],
      leading: ['_time', '_seq', 'line'],
      others: { kind: 'skipped', used },
    })
    const lines = [
      '{"x":{"s":[1]},"\\u0073":"a","o":{"in":1,"y":{"z":[]},"list":[1,{"k":2}]}}',
      '{"x":null,"o":{"list":{},"y":"text"}}',
    ]
    expect(columnsOf(lines, schema)).toEqual(
      new Map<string, readonly NativeValue[]>([
        ['_time', [ARRIVED, ARRIVED]],
        ['_seq', [0n, 1n]],
        ['line', ['{"o":{"list":[1,{"k":2}]}}', '{"o":{"list":{}}}']],
        ['s:string', ['a', null]],
        ['o.in:int', [1n, null]],
      ]),
    )
    expect(scanner.unexpected()).toEqual([])
    // Fields whose objects are written as dots, members of fields, and objects that may hold them are read by other code.
    const others = [
      '"o.in":1',
      '"s.x":1',
      '"o.in.x":1',
      '"o":{"in.x":1}',
      '"s\\u002ex":1',
      '"o.list":1',
    ]
    for (const member of others) {
      const { left } = scan([Buffer.from(`{"z":1,${member}}`)], schema)
      expect(left, member).toEqual([0])
    }
  })

  it('skip more different members than there is room for', () => {
    const schema = new EventSchema({ ...TERMS, others: { kind: 'skipped', used: ['int'] } })
    const lines = Array.from({ length: 9_000 }, (_, i) => `{"key ${i}":{"int":"x"},"int":${i}}`)
    expect(columnsOf(lines, schema).get('c1')).toEqual(lines.map((_, i) => BigInt(i)))
  })

  it('have objects below the maximum depth in the remainder', () => {
    const nested = (levels: number, value: string): string =>
      `${'{"a":'.repeat(levels)}${value}${'}'.repeat(levels)}`
    const deepest = Array.from({ length: MAX_FIELD_DEPTH }, () => 'a')
    const lines = [
      nested(MAX_FIELD_DEPTH, '1'),
      nested(MAX_FIELD_DEPTH, '{}'),
      nested(MAX_FIELD_DEPTH, '{"b":[{}]}'),
      nested(MAX_FIELD_DEPTH + 20, '1'),
    ]
    expect(columnsOf(lines).get('line')).toEqual([lines[0], '', lines[2], lines[3]])
    expect(scanner.unexpected()).toEqual([
      { path: deepest, kinds: SLOT.int | SLOT.other, count: 3 },
    ])
  })

  it('are those of the same member for thousands of keys', () => {
    const paths = Array.from({ length: 2_000 }, (_, i) => [`f${i % 500}`, `k${i}`])
    const columns = paths.map((path) => ({ path, type: 'int' }) as const)
    const leaves = paths.map((path) => leaf(path, SLOT.int))
    const schema = new EventSchema({ ...TERMS, leaves, columns })
    const objects = Array.from({ length: 500 }, (_, i) => {
      const members = paths.flatMap(([outer, key], n) =>
        outer === `f${i}` ? [`"${key}":${n}`] : [],
      )
      return `"f${i}":{${members.join(',')}}`
    })
    const found = columnsOf([`{${objects.join(',')}}`], schema)
    expect(paths.map((_, i) => found.get(`c${i}`))).toEqual(paths.map((_, i) => [BigInt(i)]))
  })

  it('have strings as JSON decodes them', () => {
    const strings = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom('', '\0', '"\\/\b\f\n\r\t', 'é€𝄞', 'x'.repeat(127), 'é'.repeat(8192)),
    )
    const events = strings.chain((value) =>
      fc.boolean().map((isEscaped) => ({
        value,
        line: `{"s":${isEscaped ? `"${inEscapes(value)}"` : JSON.stringify(value)}}`,
      })),
    )
    fc.assert(
      fc.property(fc.array(events, { minLength: 1, maxLength: 50 }), (all) => {
        const found = columnsOf(all.map(({ line }) => line))
        expect(found.get('c0')).toEqual(all.map(({ value }) => value))
      }),
    )
  })

  it('have runs of escapes at every position of a string', () => {
    const runs = ['\\u00e9', '\\u65e5\\u672C\\u8a9e', '\\uD83D\\ude00', '\\n\\"\\/\\\\', '\\u0000a']
    const strings = Array.from({ length: 40 }, (_, i) =>
      runs.map((run) => `"${'x'.repeat(i)}${run.repeat((i % 7) + 1)}${'é'.repeat(i % 5)}"`),
    ).flat()
    const found = columnsOf(strings.map((json) => `{"s":${json}}`))
    expect(found.get('c0')).toEqual(strings.map((json) => JSON.parse(json)))
  })

  it('have hexadecimal digits in escapes, and no other characters', () => {
    for (const place of [0, 1, 2, 3]) {
      const digits = Array.from({ length: 256 }, (_, byte) => {
        const text = Buffer.from('{"s":"\\u112B"}\n')
        text[8 + place] = byte
        return text
      })
      const isDigit = (line: Buffer): boolean =>
        /[0-9a-f]/i.test(line.toString('latin1', 8 + place, 9 + place))
      for (const line of digits.filter((one) => one[8 + place] !== 0x0a)) {
        const { left, columns } = scan([line])
        expect(left).toEqual(isDigit(line) ? [] : [0])
        if (isDigit(line)) expect(columns.get('c0')).toEqual([JSON.parse(line.toString()).s])
      }
    }
  })

  it('have the members whose keys are the same in JSON, also as escapes', () => {
    const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })
    const characters = fc.oneof(fc.constantFrom('"', '\\', '/', 'é', '€', '𝄞'), character)
    const keys = fc
      .array(characters, { minLength: 1, maxLength: 40 })
      .map((all) => all.join(''))
      .filter((key) => key !== '_time' && Array.from(key).every((one) => one >= ' '))
    fc.assert(
      fc.property(
        fc.uniqueArray(keys, { minLength: 2, maxLength: 10 }),
        ([other = '', ...known]) => {
          const columns = known.map((key) => ({ path: ['o', key], type: 'int' }) as const)
          const schema = new EventSchema({
            ...TERMS,
            leaves: columns.map(({ path }) => leaf(path, SLOT.int)),
            columns,
          })
          const event = (write: (key: string) => string) => {
            const members = [...known, ...known, other].map((key, i) => `${write(key)}:${i}`)
            return `{${write('o')}:{${members.join(',')}}}`
          }
          const lines = [
            event(JSON.stringify),
            event((text) => `"${inEscapes(text)}"`),
            event(JSON.stringify),
          ]
          const found = columnsOf(lines, schema)
          for (const i of known.keys()) {
            expect(found.get(`c${i}`)).toEqual(lines.map(() => BigInt(i)))
          }
          const rest = { o: { [other]: 2 * known.length } }
          expect(found.get('line')?.map((line) => JSON.parse(String(line)))).toEqual(
            lines.map(() => rest),
          )
          expect(scanner.unexpected()).toEqual([
            { path: ['o', other], kinds: SLOT.int, count: lines.length },
          ])
        },
      ),
    )
  })

  it('have integers of 64 bits', () => {
    const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n]
    const ints = fc.oneof(
      fc.bigInt({ min: least, max: most }),
      fc.bigInt({ min: least, max: least + 9n }),
      fc.bigInt({ min: most - 9n, max: most }),
    )
    fc.assert(
      fc.property(fc.array(ints, { minLength: 1, maxLength: 100 }), (all) => {
        expect(columnsOf(all.map((value) => `{"int":${value}}`)).get('c1')).toEqual(all)
      }),
    )
  })

  it('have integers that need the 64th bit as written', () => {
    const [least, most] = [2n ** 63n, 2n ** 64n - 1n]
    const ints = fc.oneof(
      fc.bigInt({ min: least, max: most }),
      fc.bigInt({ min: least, max: least + 9n }),
      fc.bigInt({ min: most - 9n, max: most }),
      fc.bigInt({ min: 10n ** 19n - 5n, max: 10n ** 19n + 5n }),
    )
    fc.assert(
      fc.property(fc.array(ints, { minLength: 1, maxLength: 100 }), (all) => {
        const { left, columns } = scan([Buffer.from(all.map((n) => `{"int":${n}}\n`).join(''))])
        expect(left).toEqual([])
        expect(columns.get('line')).toEqual(all.map((n) => `{"int":${n}}`))
      }),
    )
  })

  it('have a negative zero as 0', () => {
    expect(columnsOf(['{"int":-0}']).get('c1')).toEqual([0n])
  })

  it('have the doubles that are closest to numbers', () => {
    const exponent = fc.integer({ min: -41, max: 41 })
    const texts = fc.oneof(
      fc
        .double({ noNaN: true, noDefaultInfinity: true, min: -1e59, max: 1e59 })
        .filter((value) => value === 0 || Math.abs(value) > 1e-42)
        .map((value) => (Object.is(value, -0) ? '-0.0' : String(value))),
      // Digits of which most end in the middle between two doubles, or next to it.
      fc
        .tuple(fc.bigInt({ min: 2n ** 53n, max: 2n ** 54n }), fc.integer({ min: -1, max: 1 }))
        .map(
          ([value, other]) => `${2n * value + 1n}${other === 0 ? '.0' : `.${other === 1 ? 1 : 0}`}`,
        ),
      fc
        .tuple(fc.bigInt({ min: 0n, max: 10n ** 19n - 1n }), exponent)
        .map(([digits, power]) => `${digits}e${power}`),
      fc
        .tuple(fc.integer(), fc.integer({ min: 0, max: 10 ** 9 }), exponent)
        .map(([whole, fraction, power]) => `${whole}.${fraction}E+${power}`.replace('E+-', 'E-')),
      fc.integer({ min: -9007, max: 9007 }).map(String),
    )
    const written = texts.filter((text) => {
      const digits = text.replace(/[eE].*/, '').replace(/^[-0.]+|[-.]/g, '')
      return digits.length <= 19 && (/[.eE]/.test(text) || digits.length <= 15)
    })
    fc.assert(
      fc.property(fc.array(written, { minLength: 50, maxLength: 100 }), (all) => {
        const read = columnsOf(all.map((text) => `{"real":${text}}`)).get('c2') ?? []
        expect(read.map((value, i) => [all[i], value])).toEqual(
          all.map((text) => [text, Number(text)]),
        )
      }),
      { numRuns: 20 * RUNS },
    )
  })

  it('have the doubles of numbers with many digits, and of the smallest and the largest numbers', () => {
    const digits = fc.integer({ min: 1, max: 700 }).map((count) => '7'.repeat(count))
    // All digits of the middle between two doubles, with another digit behind them.
    const middle = fc
      .tuple(
        fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n - 1n }),
        fc.integer({ min: 1, max: 120 }),
        fc.constantFrom('', '0', '000000000000000000001'),
        fc.bigInt({ min: -1n, max: 0n }),
      )
      .map(([mantissa, halvings, rest, other]) => {
        const all = `${(2n * mantissa + 1n) * 5n ** BigInt(halvings) + other}`
        const text = all.padStart(halvings + 1, '0')
        return `${text.slice(0, -halvings)}.${text.slice(-halvings)}${rest}`
      })
    const random = fc
      .tuple(
        fc.stringMatching(/^[1-9]\d{0,24}$/),
        fc.stringMatching(/^0{0,30}\d{15,40}$/),
        fc.integer({ min: -40, max: 40 }),
      )
      .map(([whole, fraction, power]) => `${power % 3 === 0 ? 0 : whole}.${fraction}e${power}`)
    const texts = fc.oneof(
      middle,
      random,
      digits.map((text) => `0.${text}`),
      digits.map((text) => `-12.${text}e-30`),
      fc.tuple(digits, fc.integer({ min: 0, max: 305 })).map(([text, e]) => `1.${text}e${e}`),
      fc.integer({ min: 0, max: 999 }).map((power) => `3e-${power}`),
      fc.constantFrom(
        '1.7976931348623157e308',
        '-1.7976931348623157E+308',
        '4.9e-324',
        '0e999',
        `${'9'.repeat(32)}.5`,
      ),
    )
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 20 }), (all) => {
        const read = columnsOf(all.map((text) => `{"real":${text}}`)).get('c2')
        expect(read).toEqual(all.map(Number))
      }),
      { numRuns: 20 * RUNS },
    )
  })

  it('have the doubles of numbers whose digits are a multiple of 2^64', () => {
    const texts = ['18446744073709551616.0', '-1.8446744073709551616', '0.18446744073709551616e1']
    const read = columnsOf(texts.map((text) => `{"real":${text}}`)).get('c2')
    expect(read).toEqual([2 ** 64, -(2 ** 64) / 1e19, 2 ** 64 / 1e19])
  })

  it('have times in nanoseconds', () => {
    const times = fc
      .date({
        min: new Date('1970-01-02T00:00:00Z'),
        max: new Date('2261-12-31T00:00:00Z'),
        noInvalidDate: true,
      })
      .chain((date) =>
        fc
          .tuple(
            fc.constantFrom('T', ' '),
            fc.constantFrom(
              ...['Z', '', '+02:00', '-0330', '.5Z', '.123456789Z', '.000001+14:00'],
              ...[',5', ',123 +01:00', ' Z', ' UTC', '.25 UTC', 'GMT', ' gmt', ' '],
            ),
          )
          .map(
            ([separator, rest]) => date.toISOString().slice(0, 19).replace('T', separator) + rest,
          ),
      )
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 100 }), (all) => {
        expect(columnsOf(all.map((time) => `{"_time":"${time}"}`)).get('time')).toEqual(
          all.map((time) => parseEventTime(time)),
        )
      }),
      { numRuns: 5 * RUNS },
    )
  })

  it('have times of access logs and with slashes, and numbers in any unit', () => {
    const day = fc.date({
      min: new Date('1970-01-02T00:00:00Z'),
      max: new Date('2261-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    const zone = fc.constantFrom('', ' +0200', ' -0330', '.25 +0000', ',5', ' ')
    const accessTime = fc.tuple(day, zone, fc.boolean()).map(([date, rest, isLower]) => {
      const [, dd, month = '', year, clock] = date.toUTCString().split(' ')
      return `${dd}/${isLower ? month.toLowerCase() : month}/${year}:${clock}${rest}`
    })
    const slashes = fc
      .tuple(day, fc.constantFrom('', '.5', ',123456789', ' '))
      .map(
        ([date, rest]) =>
          date.toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ') + rest,
      )
    const number = fc
      .tuple(fc.bigInt(1_000_000_000n, 9_200_000_000n), fc.constantFrom(0n, 3n, 6n, 9n))
      .map(([seconds, power]) => `${seconds * 10n ** power + 10n ** power / 3n}`)
    const times = fc.oneof(accessTime, slashes, number)
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 100 }), (all) => {
        const found = all.map((time) => parseEventTime(time))
        expect(found).not.toContain(undefined)
        expect(columnsOf(all.map((time) => `{"_time":"${time}"}`)).get('time')).toEqual(found)
      }),
      { numRuns: 5 * RUNS },
    )
  })

  it('have no times of strings that are none, whichever character is wrong', () => {
    const times = fc.constantFrom(
      ...['2026-02-28T23:59:59.5+01:30', '2026-02-28 23:59:59,5 UTC', '2026/02/28 23:59:59.5'],
      ...['28/Feb/2026:23:59:59 +0130', '28/Feb/2026:23:59:59'],
    )
    const changed = fc.tuple(times, fc.nat(26), fc.constantFrom(...'0123469/:;-+.TZUCGM ,'))
    fc.assert(
      fc.property(changed, ([time, at, character]) => {
        const text = time.slice(0, at) + character + time.slice(at + 1)
        const found = parseEventTime(text)
        const { left, columns } = scan([Buffer.from(`{"_time":"${text}"}`)])
        expect(left).toEqual(found === undefined ? [0] : [])
        expect(columns.get('time')).toEqual(found === undefined ? undefined : [found])
      }),
      { numRuns: 50 * RUNS },
    )
  })

  it.each([
    ['a day that does not exist', '{"_time":"2026-02-29T00:00:00Z"}'],
    ['a month that does not exist', '{"_time":"2026-13-01T00:00:00Z"}'],
    ['a day 0', '{"_time":"2026-01-00T00:00:00Z"}'],
    ['a time that is a boolean', '{"_time":true}'],
    ['an object in place of a time', '{"_time":{"s":"x"}}'],
    ['an integer beyond 64 bits', '{"int":18446744073709551616}'],
    ['an integer of more digits', '{"int":100000000000000000000}'],
    ['a negative integer beyond 64 bits', '{"int":-9223372036854775809}'],
    ['a number that no double holds', '{"real":1.8e308}'],
    ['a negative number that no double holds', '{"real":-12345.6e305}'],
    ['a control character in a key', '{"\\u0073\\t":"x"}'],
    ['half of a pair of surrogates in a key', '{"\\ud834":"x"}'],
    ['a key that is too long', `{"${'\\u00e9'.repeat(1025)}":"x"}`],
    ['an empty key', '{"":"x"}'],
    ['an object that occurs twice', '{"geo":{"city":"x"},"geo":{"point":1}}'],
    ['an array', '[]'],
    ['a byte-order mark', '\ufeff{"s":"x"}'],
    ['a line of spaces', '  '],
    ['an event that is cut off', '{"s":"x"'],
    ['content after the event', '{"s":"x"}{"s":"x"}'],
  ])('are not written for %s', (_, line) => {
    const { left, columns } = scan([Buffer.from(`{"s":"x"}\n${line}\n{"s":"y"}`)])
    expect(left).toEqual([1])
    expect(columns.get('row')).toEqual([0, 2])
    expect(columns.get('c0')).toEqual(['x', 'y'])
  })

  it.each([
    ['02/01/2006 15:04:05', Date.UTC(2026, 10, 3, 4, 5, 6)],
    ['01/02/2006 15:04:05', Date.UTC(2026, 2, 11, 4, 5, 6)],
  ])('have repeated times in the form of their batch: %s', (layout, ms) => {
    const line = '{"_time":"03/11/2026 04:05:06"}\n'
    const { columns } = scan([Buffer.from(line.repeat(3))], SCHEMA, parseTimeFormat(layout))
    expect(columns.get('time')).toEqual(Array(3).fill(BigInt(ms) * 1_000_000n))
  })

  it('have times of other forms, which the host reads', () => {
    const texts = ['"1969-12-31T23:59:59.5Z"', '"2026-01-01T00:00:00.1234567890Z"', '1767225600']
    expect(columnsOf(texts.map((text) => `{"_time":${text}}`)).get('time')).toEqual(
      texts.map((text) => parseEventTime(text.replaceAll('"', ''))),
    )
    expect(scanner.extent).toEqual({
      first: parseEventTime('1969-12-31T23:59:59.5Z'),
      last: parseEventTime('2026-01-01T00:00:00.123456789Z'),
    })
  })

  it('are the same wherever lines are cut, also for more rows than fit into one block', () => {
    const lines = Array.from({ length: 40_000 }, (_, i) =>
      i % 1000 === 999 ? '' : `{"int":${i},"s":"${'x'.repeat(i % 70)}"}`,
    )
    const bytes = Buffer.from(lines.join('\n'))
    const expected = lines.flatMap((line, i) => (line === '' ? [] : [i]))
    for (const size of [bytes.length, 700_001, 65_537]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      )
      const { columns } = scan(pieces)
      expect(columns.get('row')).toEqual(expected)
      expect(columns.get('c1')).toEqual(expected.map(BigInt))
      expect(columns.get('c0')).toEqual(expected.map((i) => 'x'.repeat(i % 70)))
    }
  })

  it('have the time of the first path with a value', () => {
    const times = [['a.b'], ['a', 'b']].map((path) => ({ path, isField: false }))
    const schema = new EventSchema({ ...TERMS, leaves: [], columns: [], times })
    const [first, second] = ['"2026-01-01T00:00:01Z"', '"2026-01-01T00:00:02Z"']
    const lines = [
      `{"a":{"b":${second}},"a.b":${first}}`,
      `{"a":{"b":${second}},"a.b":null}`,
      `{"a.b":${first}}`,
      '{"a":{"b":null}}',
    ]
    const at = (seconds: bigint): bigint => 1_767_225_600_000_000_000n + seconds * 1_000_000_000n
    expect(columnsOf(lines, schema).get('time')).toEqual([at(1n), at(2n), at(1n), ARRIVED])
  })
})

const EVENT =
  '{"s":"a\\u00e9\\n ö","int":-12, "geo":{"city":"x","point":{"x":1.5e-7}},"bool":true ,"any":[null]}'

describe('a line that the scanner reads itself', () => {
  /** True when the exact reader finds an event. */
  function isEvent(bytes: Buffer): boolean {
    const text = bytes.toString('utf8')
    const isText = Buffer.from(text).equals(bytes)
    return classifyLine(isText ? text : undefined, { timestampField: '_time' }).kind === 'event'
  }

  it('is an event, whatever byte is in place of each byte, or in front of it', () => {
    const line = Buffer.from(`${EVENT.slice(0, -1)},"münchen":"","real":12.50}\r`)
    expect(isRead(line)).toBe(true)
    const wrong: string[] = []
    for (let at = 0; at < line.length; at++) {
      for (let byte = 0; byte < 256; byte++) {
        for (const rest of [line.subarray(at), line.subarray(at + 1)]) {
          const bytes = Buffer.concat([line.subarray(0, at), Buffer.from([byte]), rest])
          if (byte !== 10 && isRead(bytes) && !isEvent(bytes)) wrong.push(bytes.toString('latin1'))
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('is UTF-8, and any line that is can be read', () => {
    const wrong: string[] = []
    for (let first = 0x80; first < 256; first++) {
      for (let second = 0; second < 256; second++) {
        for (const others of [[], [0x80], [0xbf, 0x80], [0x80, 0x7f]]) {
          const character = Buffer.from([first, second, ...others])
          const bytes = Buffer.concat([Buffer.from('{"s":"'), character, Buffer.from('"}')])
          if (second !== 10 && isRead(bytes) !== isEvent(bytes))
            wrong.push(character.toString('hex'))
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('has up to 1 MiB, also when it is cut', () => {
    const line = (length: number): Buffer => Buffer.from(`{"s":"${'x'.repeat(length)}"}\n`)
    const lengths = [10, (1 << 20) - 20, 10, 5 << 20, 10]
    const bytes = Buffer.concat(lengths.map(line))
    const pieces = [700_000, 1 << 20, bytes.length].map((end, i, ends) =>
      bytes.subarray(ends[i - 1] ?? 0, end),
    )
    const { left, columns } = scan([...pieces])
    expect(left).toEqual([3])
    expect(columns.get('row')).toEqual([0, 1, 2, 4])
    expect(scanner.counts).toEqual({ bytes: bytes.length, lines: 5, filled: 5, rows: 4 })
  })

  it('has its own memory in front of the schema', () => {
    const host = { hostTime: () => 0n, hostSkips: () => 0, hostReal: () => 0 }
    const { exports } = new WebAssembly.Instance(compileWasm('event-scanner.wasm'), { host })
    const { buffer } = (exports as { readonly memory: WebAssembly.Memory }).memory
    expect(buffer.byteLength).toBeLessThanOrEqual(SLOTS_ADDRESS)
  })

  it('has as many keys as an event may have', () => {
    const schema = new EventSchema({ ...TERMS, others: { kind: 'kept' } })
    const keys = [MAX_KEYS - 1, MAX_KEYS, MAX_KEYS + 1]
    const lines = keys.map((count) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))),
    )
    expect(scan([Buffer.from(lines.join('\n'))], schema).left).toEqual([2])
  })
})
