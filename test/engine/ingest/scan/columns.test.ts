import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineScanner } from '../../../../src/engine/ingest/scan/line-scanner.js'
import type { ScanColumns } from '../../../../src/engine/ingest/scan/scan-columns.js'
import {
  PLAIN,
  type PlainLeaf,
  ScanSchema,
} from '../../../../src/engine/ingest/scan/scan-schema.js'
import { parseEventTime } from '../../../../src/wire/event/event-time.js'
import { RUNS } from '../../../support/runs.js'
import { decodeNative, type NativeValue } from './native.js'

const ARRIVED = 1_767_225_600_123_456_789n
const LEAVES: readonly PlainLeaf[] = [
  { path: ['_time'], kinds: PLAIN.string | PLAIN.int | PLAIN.null | PLAIN.time },
  { path: ['s'], kinds: PLAIN.string | PLAIN.null },
  { path: ['int'], kinds: PLAIN.int | PLAIN.long | PLAIN.null },
  { path: ['real'], kinds: PLAIN.int | PLAIN.real | PLAIN.null },
  { path: ['bool'], kinds: PLAIN.bool | PLAIN.null },
  { path: ['geo', 'city'], kinds: PLAIN.string | PLAIN.null },
  { path: ['no column'], kinds: PLAIN.null },
]
const COLUMNS: ScanColumns = {
  times: [['_time']],
  columns: [
    { path: ['s'], type: 'string' },
    { path: ['no column'], type: 'string' },
    { path: ['int'], type: 'int' },
    { path: ['real'], type: 'real' },
    { path: ['not in the schema'], type: 'real' },
    { path: ['bool'], type: 'bool' },
    { path: ['geo', 'city'], type: 'string' },
  ],
}
const SCHEMA = new ScanSchema(LEAVES, COLUMNS)

interface Columns {
  readonly isColumnar: boolean
  readonly columns: ReadonlyMap<string, readonly NativeValue[]>
}

const scanner = new LineScanner()

/** Scans pieces one by one. */
function scan(pieces: readonly Buffer[], schema = SCHEMA): Columns {
  const blocks: Buffer[] = []
  scanner.begin(schema, ARRIVED)
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const bytes = piece.copy(scanner.room, 0, at)
      at += bytes
      scanner.push(bytes)
      blocks.push(Buffer.from(scanner.columns))
    }
  }
  const { isColumnar } = scanner.end()
  blocks.push(Buffer.from(scanner.columns))
  return { isColumnar, columns: isColumnar ? decodeNative(Buffer.concat(blocks)) : new Map() }
}

function columnsOf(lines: readonly string[]): Columns['columns'] {
  const { isColumnar, columns } = scan([Buffer.from(lines.join('\n'))])
  expect(isColumnar).toBe(true)
  return columns
}

const isColumnar = (...lines: readonly string[]): boolean =>
  scan([Buffer.from(lines.join('\n'))]).isColumnar

describe('the columns of plain events', () => {
  it('have the time, the number of the line, and the values of columns that events may have', () => {
    const lines = [
      '{"_time":"2026-01-01T00:00:00Z","s":"a","int":-12,"real":1.5,"bool":true,"geo":{"city":"x"}}',
      '\r',
      '{"bool":false,"no column":null,"s":null}\r',
    ]
    expect(columnsOf(lines)).toEqual(
      new Map<string, readonly NativeValue[]>([
        ['time', [1_767_225_600_000_000_000n, ARRIVED]],
        ['row', [0, 2]],
        ['c0', ['a', null]],
        ['c1', [-12n, null]],
        ['c2', [1.5, null]],
        ['c3', [true, false]],
        ['c4', ['x', null]],
      ]),
    )
    expect(SCHEMA.output?.columns.map(({ path }) => path.join('.'))).toEqual([
      's',
      'int',
      'real',
      'bool',
      'geo.city',
    ])
  })

  it('have strings as JSON decodes them', () => {
    const strings = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom('', '\0', '"\\/\b\f\n\r\t', 'é€𝄞', 'x'.repeat(127), 'é'.repeat(8192)),
    )
    const events = strings.chain((value) =>
      fc.boolean().map((isEscaped) => ({
        value,
        line: `{"s":${isEscaped ? escapedJson(value) : JSON.stringify(value)}}`,
      })),
    )
    fc.assert(
      fc.property(fc.array(events, { minLength: 1, maxLength: 50 }), (all) => {
        const { columns } = scan([Buffer.from(all.map(({ line }) => line).join('\n'))])
        expect(columns.get('c0')).toEqual(all.map(({ value }) => value))
      }),
    )
  })

  it('have integers of 64 bits', () => {
    const ints = fc.bigInt({ min: -9n * 10n ** 18n + 1n, max: 9n * 10n ** 18n - 1n })
    fc.assert(
      fc.property(fc.array(ints, { minLength: 1, maxLength: 100 }), (all) => {
        expect(columnsOf(all.map((value) => `{"int":${value}}`)).get('c1')).toEqual(all)
      }),
    )
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
            fc.constantFrom('Z', '', '+02:00', '-0330', '.5Z', '.123456789Z', '.000001+14:00'),
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

  it.each([
    ['a day that does not exist', '{"_time":"2026-02-29T00:00:00Z"}'],
    ['a month that does not exist', '{"_time":"2026-13-01T00:00:00Z"}'],
    ['a day 0', '{"_time":"2026-01-00T00:00:00Z"}'],
    ['a time before 1970', '{"_time":"1969-12-31T23:59:59.5Z"}'],
    ['a time that its zone moves before 1970', '{"_time":"1970-01-01T00:00:00+01:00"}'],
    ['a time after 2261', '{"_time":"2262-01-01T00:00:00Z"}'],
    ['a fraction of more than nine digits', '{"_time":"2026-01-01T00:00:00.1234567890Z"}'],
    ['a time as a number', '{"_time":1767225600}'],
    ['a number of more than 19 digits', '{"real":1.2345678901234567890}'],
    ['a very small number', '{"real":1e-99}'],
    ['a very large number', '{"real":1e99}'],
    ['an event that is not plain', '{"s":1}'],
  ])('are not written for %s', (_, line) => {
    expect(isColumnar('{"s":"x"}')).toBe(true)
    expect(isColumnar('{"s":"x"}', line, '{"s":"y"}')).toBe(false)
    expect(isColumnar('{"s":"x"}')).toBe(true)
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

  it('are not written when they are much larger than the events', () => {
    const wide = Array.from({ length: 150 }, (_, i) => `field ${i}`)
    const schema = new ScanSchema(
      wide.map((name) => ({ path: [name], kinds: PLAIN.int })),
      { times: [['_time']], columns: wide.map((name) => ({ path: [name], type: 'int' })) },
    )
    const sparse = Buffer.from('{"field 0":1}\n'.repeat(20_000))
    expect(scan([sparse], schema).isColumnar).toBe(false)
    const full = Object.fromEntries(wide.map((name, i) => [name, i]))
    const dense = Buffer.from(`${JSON.stringify(full)}\n`.repeat(2000))
    expect(scan([dense], schema).columns.get('c149')).toEqual(Array(2000).fill(149n))
    expect(scan([Buffer.from('{"field 0":1}\n'.repeat(10))], schema).isColumnar).toBe(true)
  })

  it('are not written for more columns than the text of events usually has', () => {
    const wide = Array.from({ length: 201 }, (_, i) => `f${i}`)
    const leaves = wide.map((name) => ({ path: [name], kinds: PLAIN.int }))
    const columns = wide.map((name) => ({ path: [name], type: 'int' }) as const)
    const schema = new ScanSchema(leaves, { times: [], columns })
    expect(schema.output).toBeUndefined()
    expect(scan([Buffer.from('{"f0":1,"f200":2}')], schema).isColumnar).toBe(false)
    expect(scanner.end().isPlain).toBe(true)
  })

  it('have the time of the first path with a value', () => {
    const kinds = PLAIN.string | PLAIN.null | PLAIN.time
    const leaves = [['a.b'], ['a', 'b']].map((path) => ({ path, kinds }))
    const times = leaves.map(({ path }) => path)
    const schema = new ScanSchema(leaves, { times, columns: [] })
    const [first, second] = ['"2026-01-01T00:00:01Z"', '"2026-01-01T00:00:02Z"']
    const lines = [
      `{"a":{"b":${second}},"a.b":${first}}`,
      `{"a":{"b":${second}},"a.b":null}`,
      `{"a.b":${first}}`,
      '{"a":{"b":null}}',
    ]
    const { columns } = scan([Buffer.from(lines.join('\n'))], schema)
    const at = (seconds: bigint): bigint => 1_767_225_600_000_000_000n + seconds * 1_000_000_000n
    expect(columns.get('time')).toEqual([at(1n), at(2n), at(1n), ARRIVED])
  })
})

/** Writes each character as an escape. */
function escapedJson(value: string): string {
  const units = Array.from({ length: value.length }, (_, i) => value.charCodeAt(i))
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
}
