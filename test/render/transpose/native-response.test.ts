import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engineJson } from '../../../src/render/transpose/engine-json.js'
import { columnCells, rowBytes } from '../../../src/render/transpose/rows.js'
import {
  cellOf,
  type ScannedResponse,
  scanNativeResponse,
} from '../../../src/render/transpose/scan-response.js'
import { ChunkedBuffer } from '../../../src/wire/bytes/chunked-buffer.js'
import { MalformedResponseError } from '../../../src/wire/http/response-json.js'
import { decodeTabularResult } from '../../../src/wire/http/tabular-result.js'
import { formatTimestamp } from '../../../src/wire/time/timestamp.js'
import { tabular } from '../../support/canned-service.js'
import {
  dictionaryTexts,
  nativeIntegers,
  nativeResponse,
  nativeText,
  nullableDoubles,
  nullableIntegers,
  nullableTexts,
} from '../../support/native-column.js'
import { RUNS } from '../../support/runs.js'
import { inEscapes } from '../../support/written.js'
import { byValues, FORMATS, LINES, type LineFormat } from './formats.js'

const ROUNDS = 10 * RUNS
const TIMEOUT_MS = 300_000 + ROUNDS * 20

/** A column in both forms. */
interface Column {
  readonly type: string
  readonly bytes: Buffer
  /** The values as JSON. */
  readonly cells: readonly string[]
  readonly isJson?: boolean
  readonly isDocument?: boolean
  /** The path of a column whose values are in the remainders of the response. */
  readonly path?: readonly string[]
  readonly isNoObject?: boolean
}

function response(
  columns: readonly Column[],
  rows = columns[0]?.cells.length ?? 0,
  remainders?: readonly string[],
): ScannedResponse {
  return scanNativeResponse(body(columns, rows, remainders))
}

function body(
  columns: readonly Column[],
  rows: number,
  remainders?: readonly string[],
): ChunkedBuffer {
  return nativeResponse(
    columns.map((column, i) => ({ ...column, name: nameOf(i) })),
    rows,
    { remainders },
  )
}

function nameOf(column: number): string {
  return `c ${column}`
}

function lines(
  format: LineFormat,
  scanned: ScannedResponse,
  selection: {
    readonly columns?: readonly number[]
    readonly from?: number
    readonly to?: number
  } = {},
): string {
  return Buffer.concat([...rowBytes(LINES[format], scanned, { table: 0, ...selection })]).toString()
}

/** Renders the same values from JSON, without the heading. */
async function fromJson(format: LineFormat, columns: readonly Column[]): Promise<string> {
  const fields = columns.map(({ cells }, i) => ({
    ...{ name: nameOf(i), type: '', values: `[${cells.join(',')}]` },
  }))
  const text = await byValues(format, decodeTabularResult(tabular(fields)).tables)
  return format === 'ndjson' ? text : text.slice(text.indexOf('\n') + 1)
}

function texts(values: readonly (string | null)[]): Column {
  const cells = values.map((value) => (value === null ? 'null' : JSON.stringify(value)))
  return { type: 'Nullable(String)', bytes: nullableTexts(values), cells }
}

function words(values: readonly (string | null)[], indexWidth: 1 | 2 = 1): Column {
  const bytes = dictionaryTexts(values, indexWidth)
  return { ...texts(values), type: 'LowCardinality(Nullable(String))', bytes }
}

function json(cells: readonly string[]): Column {
  return { type: 'String', bytes: Buffer.concat(cells.map(nativeText)), cells, isJson: true }
}

/** A column of JSON as in events. */
function documents(given: readonly string[]): Column {
  return { ...json(given), cells: given.map((one) => engineJson(one)), isDocument: true }
}

/** A column whose values are in the remainders of the response. */
function member(path: readonly string[], options: Partial<Column> = {}): Column {
  return { type: '', bytes: Buffer.alloc(0), cells: [], isJson: true, path, ...options }
}

function times(values: readonly bigint[]): Column {
  const cells = values.map((time) => JSON.stringify(formatTimestamp(time)))
  return { type: "DateTime64(9, 'UTC')", bytes: nativeIntegers(values, 8), cells }
}

function quotedIfNeeded(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

describe('a response in the format Native', () => {
  it('escapes characters at every position of a text, and no others', () => {
    for (const special of ['"', '\\', '\n', '\r', '\u000b', ',', '\u2028', '\u20ac', '\u{1f600}']) {
      const values = Array.from({ length: 40 }, (_, i) => {
        const text = 'abcdefghij'.repeat(4)
        return text.slice(0, i) + special + text.slice(i, 36) + special
      })
      const nested = values.map((value) => JSON.stringify([value, { k: value }]))
      const scanned = response([texts(values), json(nested)])
      const inCsv = values.map(quotedIfNeeded)
      const nestedInCsv = nested.map(quotedIfNeeded)
      expect(lines('csv', scanned)).toBe(
        inCsv.map((cell, i) => `${cell},${nestedInCsv[i]}\n`).join(''),
      )
      const parsed = lines('ndjson', scanned).trimEnd().split('\n')
      expect(parsed.map((line) => JSON.parse(line))).toEqual(
        values.map((value) => ({ 'c 0': value, 'c 1': [value, { k: value }] })),
      )
    }
  })

  it('has the values of its columns', () => {
    const scanned = response(
      [
        texts(['plain', 'a,b', '', null, '"q"', 'x\ny', 'tab\t\\']),
        words(['info', null, '', 'info', 'a,"b"', 'warn', 'info']),
        {
          type: 'Nullable(Int64)',
          bytes: nullableIntegers([0n, null, -1n, 7n, 10n, 2n ** 63n - 1n, -(2n ** 63n)], 8),
          cells: [],
        },
        { type: 'Bool', bytes: Buffer.from([0, 1, 1, 0, 0, 0, 1]), cells: [] },
      ],
      7,
    )
    expect(lines('csv', scanned)).toBe(
      [
        'plain,info,0,false',
        '"a,b",,,true',
        '"","",-1,true',
        ',info,7,false',
        '"""q""","a,""b""",10,false',
        '"x\ny",warn,9223372036854775807,false',
        'tab\t\\,info,-9223372036854775808,true',
        '',
      ].join('\n'),
    )
    expect(lines('tsv', scanned, { from: 1, to: 3 })).toBe('a,b\t\\N\t\\N\ttrue\n\t\t-1\ttrue\n')
    expect(lines('tsv', scanned, { from: 6 })).toBe(
      'tab\\t\\\\\tinfo\t-9223372036854775808\ttrue\n',
    )
    expect(lines('ndjson', scanned, { from: 3, to: 6, columns: [0, 2, 0] })).toBe(
      [
        '{"c 0":null,"c 2":7,"c 0":null}',
        '{"c 0":"\\"q\\"","c 2":10,"c 0":"\\"q\\""}',
        '{"c 0":"x\\ny","c 2":9223372036854775807,"c 0":"x\\ny"}',
        '',
      ].join('\n'),
    )
    expect(cellOf(scanned, { table: 0, column: 1, row: 4 }).toString()).toBe('"a,\\"b\\""')
    expect(cellOf(scanned, { table: 0, column: 0, row: 3 }).toString()).toBe('null')
    expect(columnCells(scanned, { table: 0, column: 3 })).toEqual([
      'false',
      'true',
      'true',
      'false',
      'false',
      'false',
      'true',
    ])
  })

  it('has the escapes of ClickHouse in JSON', () => {
    const scanned = response([texts(['\b\f\u0001\u000b\u007f/\u2028\u2029\u202a'])])
    expect(lines('ndjson', scanned)).toBe(
      '{"c 0":"\\b\\f\\u0001\\u000B\u007f/\\u2028\\u2029\u202a"}\n',
    )
  })

  it('has a replacement character for bytes that are no UTF-8', () => {
    const bytes = Buffer.concat(
      ['41fffe42', '41e282', 'c0af', 'eda080', 'f09f9880ff22', 'e280a8ff0b'].map((hex) =>
        nativeText(Buffer.from(hex, 'hex')),
      ),
    )
    const scanned = response([{ type: 'String', bytes, cells: [] }], 6)
    expect(lines('csv', scanned)).toBe(
      'A\ufffdB\nA\ufffd\n\ufffd\n\ufffd\n"😀\ufffd"""\n\u2028\ufffd\u000b\n',
    )
    expect(lines('tsv', scanned, { to: 2 })).toBe('A\ufffdB\nA\ufffd\n')
    expect(lines('ndjson', scanned, { from: 4 })).toBe(
      '{"c 0":"😀\ufffd\\""}\n{"c 0":"\\u2028\ufffd\\u000B"}\n',
    )
  })

  it('has a replacement character for a character whose last byte could be the length of the next text', () => {
    // 129, the length of the second text, is `81 01`.
    const cut = Buffer.concat([
      nativeText(Buffer.from('e381', 'hex')),
      nativeText(`${'é'.repeat(64)}x`),
    ])
    const scanned = response([{ type: 'String', bytes: cut, cells: [] }], 2)
    expect(lines('csv', scanned)).toBe(`\ufffd\n${'é'.repeat(64)}x\n`)
  })

  it('keeps text that looks like an escape', () => {
    const bytes = Buffer.concat(
      ['5c753030653909', '5c7530306539ff'].map((hex) => nativeText(Buffer.from(hex, 'hex'))),
    )
    const scanned = response([{ type: 'String', bytes, cells: [] }], 2)
    expect(lines('tsv', scanned)).toBe('\\\\u00e9\\t\n\\\\u00e9\ufffd\n')
    expect(lines('csv', scanned)).toBe('\\u00e9\t\n\\u00e9\ufffd\n')
    expect(lines('ndjson', scanned)).toBe('{"c 0":"\\\\u00e9\\t"}\n{"c 0":"\\\\u00e9\ufffd"}\n')
  })

  it('has integers of every width', () => {
    for (const width of [1, 2, 4, 8] as const) {
      const bits = BigInt(width * 8)
      const most = 2n ** bits - 1n
      const values = [0n, 9n, 10n, 99n, 100n, most / 2n, most / 2n + 1n, most]
      const bytes = nativeIntegers(values, width)
      const written = (type: string) => lines('csv', response([{ type, bytes, cells: [] }], 8))
      expect(written(`UInt${bits}`)).toBe(`${values.join('\n')}\n`)
      const signed = values.map((value) => BigInt.asIntN(width * 8, value))
      expect(written(`Int${bits}`)).toBe(`${signed.join('\n')}\n`)
    }
  })

  it('is written in pieces of whole lines, however long they are', async () => {
    const long = 'x"'.repeat(350_000)
    const values = Array.from({ length: 30 }, (_, row) => (row % 3 === 0 ? long : 'y'))
    const columns = [texts(values), json(values.map((_, row) => String(row)))]
    for (const format of FORMATS) {
      const pieces = [...rowBytes(LINES[format], response(columns), { table: 0 })]
      expect(pieces.length).toBeGreaterThan(1)
      for (const piece of pieces) expect(piece.at(-1)).toBe(10)
      expect(Buffer.concat(pieces).toString() === (await fromJson(format, columns))).toBe(true)
    }
  })

  it('has decimal numbers as the engine writes them', () => {
    // The shortest numbers stay; zeros at the end, exponents, small numbers and further digits change.
    const given =
      '[0.5,-2.25,123456789012.345,0.00001,1.50,7.0,1e2,2.5E-3,0.000001,-0.0,0.10000000000000001]'
    const engine = '[0.5,-2.25,123456789012.345,0.00001,1.5,7,100,0.0025,0.000001,-0,0.1]'
    expect(lines('ndjson', response([documents([given])]))).toBe(`{"c 0":${engine}}\n`)
  })

  it('has the shortest decimal numbers of doubles, however the numbers are given', () => {
    const double = fc
      .double({ noNaN: true, min: -1e15, max: 1e15 })
      .filter((value) => Math.abs(value) > 1e-15)
    /** A number of up to 20 places that the double may not be the nearest one of, with an end that is no zero. */
    const spelling = fc
      .tuple(double, fc.nat(20), fc.nat(9))
      .map(([value, places, digit]) => `${value.toFixed(places)}${places > 0 ? '' : '.'}${digit}`)
    const shortest = double.map((value) => (Number.isInteger(value) ? value + 0.5 : value))
    const forms = fc.oneof(
      spelling,
      shortest.map(String),
      fc.tuple(double, fc.nat(20)).map(([value, digits]) => value.toExponential(digits)),
    )
    fc.assert(
      fc.property(fc.array(forms, { minLength: 50, maxLength: 50 }), (numbers) => {
        const engine = numbers.map((number) => {
          const value = Number(number)
          return Object.is(value, -0) ? '-0' : String(value).replace('e+', 'e')
        })
        const scanned = response([documents([`[${numbers}]`, ...numbers])])
        expect(lines('ndjson', scanned).trimEnd().split('\n')).toEqual(
          [`[${engine}]`, ...engine].map((cell) => `{"c 0":${cell}}`),
        )
      }),
      { numRuns: 20 * RUNS },
    )
  })

  it('has the members of remainders as columns', () => {
    const remainders = [
      // A member that is no column, a null, and white space around a value.
      '{"c":"a,b","none":{"a":1},"a" : [1,"x"] ,"b":null}',
      '',
      // Of two members with the same key, the first one counts.
      '{"a":7,"a":8,"b":null,"b":9}',
      '{"b":{"k":"v"},"c":null,"d":true}',
    ]
    const [a, b, c] = ['a', 'b', 'c'].map((key) => member([key]))
    const scanned = response([b!, texts(['p', null, 'q', 'r']), a!, c!, a!], 4, remainders)
    expect(lines('csv', scanned)).toBe(
      [',p,"[1,""x""]","a,b","[1,""x""]"', ',,,,', ',q,7,,7', '"{""k"":""v""}",r,,,', ''].join(
        '\n',
      ),
    )
    expect(lines('ndjson', scanned, { from: 2, to: 4, columns: [3, 0, 2] })).toBe(
      ['{"c 3":null,"c 0":null,"c 2":7}', '{"c 3":null,"c 0":{"k":"v"},"c 2":null}', ''].join('\n'),
    )
    expect(lines('tsv', scanned, { to: 1 })).toBe('\\N\tp\t[1,"x"]\ta,b\t[1,"x"]\n')
    expect(columnCells(scanned, { table: 0, column: 2 })).toEqual(['[1,"x"]', 'null', '7', 'null'])
    const cell = (column: number, row: number) =>
      cellOf(scanned, { table: 0, column, row }).toString()
    expect([cell(3, 3), cell(3, 0), cell(0, 3), cell(2, 2)]).toEqual([
      ...['null', '"a,b"', '{"k":"v"}', '7'],
    ])
  })

  it('has the members of objects in remainders as columns', () => {
    const remainders = [
      '{"a":{"b":1,"c":{"b":2}},"a.b":3}',
      // Of two objects with the same key, only the first one counts.
      '{"a":{"c":{}},"a":{"b":4},"a.b":{"b":5}}',
      '{"a":"text","b":6}',
      '{"a":[{"b":7}]}',
      '{ "a" : { "b" : { "x" : 8 } } }',
    ]
    const columns = [
      member(['a'], { isNoObject: true }),
      member(['a', 'b']),
      member(['a', 'c', 'b']),
      member(['a', 'c']),
      member(['a.b'], { isNoObject: true }),
    ]
    expect(lines('tsv', response(columns, 5, remainders))).toBe(
      [
        ...['\\N\t1\t2\t\\N\t3', '\\N\t\\N\t\\N\t\\N\t\\N', 'text\t\\N\t\\N\t\\N\t\\N'],
        ...['[{"b":7}]\t\\N\t\\N\t\\N\t\\N', '\\N\t{"x":8}\t\\N\t\\N\t\\N', ''],
      ].join('\n'),
    )
  })

  it('finds keys with escapes, of any length, and with the same beginnings and ends', () => {
    const long = (middle: string) => `${'x'.repeat(30)}${middle}${'y'.repeat(30)}`
    const names = [
      '',
      'k',
      'kk',
      '"\\/\b',
      'é漢😀',
      '\u0000\u2028',
      long('1'),
      long('2'),
      'x'.repeat(1_024),
    ]
    const written = (name: string) => [
      JSON.stringify(name),
      `"${[...name].map((sign) => escaped(sign)).join('')}"`,
    ]
    const remainders = names.flatMap((name, i) =>
      written(name).map((key) => `{${key}:${i},"other":0}`),
    )
    const columns = names.map((name) => member([name]))
    expect(lines('csv', response(columns, remainders.length, remainders))).toBe(
      remainders
        .map((_, row) => `${names.map((_name, i) => (i === row >> 1 ? i : '')).join(',')}\n`)
        .join(''),
    )
  })

  it('has the JSON of ClickHouse for other forms of the same values in events', () => {
    const forms = [
      ['1.50', '1.5'],
      ['3.0', '3'],
      ['0.500', '0.5'],
      ['2251799813685248.5', '2251799813685248.5'],
      ['4503599627370496.5', '4503599627370496'],
      ['0.000', '0'],
      ['-12.00', '-12'],
      ['123456789012345.0', '123456789012345'],
      ['12345678901234567.0', '12345678901234568'],
      ['1000000000000000000000.0', '1e21'],
      ['0.30000000000000001000', '0.3'],
      ['0.0000001000', '1e-7'],
      ['100.0e-1', '10'],
      ['[1.0, 20.500,0.0,-0.0]', '[1,20.5,0,-0]'],
      ['{"a": 1.0 }', '{"a":1}'],
      ['-0', '0'],
      ['-0.0', '-0'],
      ['1E+2', '100'],
      ['1e21', '1e21'],
      ['12345678901234567890', '12345678901234567890'],
      ['"\\u00e9\\/\\u000b\\n"', '"é/\\u000B\\n"'],
      ['"\u2028 \u2027"', '"\\u2028 \u2027"'],
      ['"1.50 \\\\u0041"', '"1.50 \\\\u0041"'],
      ['[ 1.0,\t"a b" ,\r{"a" : "\\u0041", "b":true }]', '[1,"a b",{"a":"A","b":true}]'],
    ] as const
    const remainders = forms.map(([form]) => `{"a":${form}}`)
    expect(lines('ndjson', response([member(['a'])], forms.length, remainders))).toBe(
      forms.map(([, engine]) => `{"c 0":${engine}}\n`).join(''),
    )
    const inColumn = response([documents(forms.map(([form]) => form))])
    expect(lines('ndjson', inColumn)).toBe(
      forms.map(([, engine]) => `{"c 0":${engine}}\n`).join(''),
    )
    // The engine writes the object with -0 first, and reads an integer from that.
    const inside = response([member(['o', 'a'])], 2, [
      '{"o":{"a":-0.0}}',
      '{"o":{"a":[-0.0,-0.5]}}',
    ])
    expect(lines('tsv', inside)).toBe('0\n[0,-0.5]\n')
  })

  it('has texts and arrays of strings whichever way their characters are written', () => {
    const strings = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('', ',', '"', '\n', 'a, "b"\r\n', '\u2028'.repeat(3000), '\0'.repeat(3000)),
    )
    const forms = fc.tuple(strings, fc.boolean(), fc.constantFrom('', ' ', '\t'))
    fc.assert(
      fc.property(fc.array(forms, { minLength: 1, maxLength: 20 }), (all) => {
        const texts = all.map(([text, isEscaped]) =>
          isEscaped ? `"${inEscapes(text)}"` : JSON.stringify(text),
        )
        const lists = all.map(([, , space], i) => `[${space}${texts[i]},${space}{"k":${texts[i]}}]`)
        const remainders = texts.map((text, i) => `{"a":${text},"b":${lists[i]}}`)
        const scanned = response([member(['a']), member(['b'])], all.length, remainders)
        const written = all.map(([text]) => text)
        const compact = lists.map((list) => engineJson(list))
        const inCsv = written.map((text) => (text === '' ? '""' : quotedIfNeeded(text)))
        expect(lines('csv', scanned)).toBe(
          inCsv.map((text, i) => `${text},${quotedIfNeeded(compact[i] ?? '')}\n`).join(''),
        )
        const rows = lines('ndjson', scanned).trimEnd().split('\n')
        expect(rows.map((row) => row.slice(row.indexOf(',"c 1":') + 7, -1))).toEqual(compact)
        expect(rows.map((row) => JSON.parse(row))).toEqual(
          written.map((text) => ({ 'c 0': text, 'c 1': [text, { k: text }] })),
        )
      }),
    )
  })

  it('has halves of pairs of units', () => {
    const remainders = ['{"a":["\\ud83d",  1]}', '{"a":"\\ud83d\\n"}']
    const rows = lines('ndjson', response([member(['a'])], 2, remainders))
      .trimEnd()
      .split('\n')
    expect(rows.map((row) => JSON.parse(row)['c 0'])).toEqual([['\ud83d', 1], '\ud83d\n'])
  })

  it('ignores what is not JSON in remainders', () => {
    const remainders = [
      '{',
      '{"a',
      '{"a"',
      '{"a":',
      '{"a":"x',
      '{"a":[',
      '{"a":1',
      '{"a":1,',
      '[]',
      'a',
      '{{}}',
      '{"b":{"a":1',
    ]
    const scanned = response([member(['a']), member(['b', 'a'])], remainders.length, remainders)
    expect(lines('csv', scanned).trimEnd().split('\n')).toHaveLength(remainders.length)
  })

  it('may be replaced by another before all its rows are written', () => {
    const turns = ['a', 'b'].map((sign) => {
      const values = Array.from({ length: 8 }, (_, row) => `${row}${sign.repeat(700_000)}`)
      const remainders = values.map((value) => `{"a":${JSON.stringify(value)}}`)
      const written =
        sign === 'a' ? response([texts(values)]) : response([member(['a'])], 8, remainders)
      const pieces = rowBytes(LINES.tsv, written, { table: 0 })
      return { text: '', values, pieces: pieces[Symbol.iterator]() }
    })
    for (let turn = 0; turn < 20; turn++) {
      for (const of of turns) of.text += Buffer.from(of.pieces.next().value ?? []).toString()
    }
    for (const { text, values } of turns) expect(text === `${values.join('\n')}\n`).toBe(true)
  })

  it('is malformed when its columns are not those announced', () => {
    const whole = Buffer.concat(body([texts(['a', 'b']), json(['1', '2'])], 2).chunks)
    const malformed = (bytes: Buffer) =>
      expect(() => scanNativeResponse(ChunkedBuffer.of(bytes))).toThrow(MalformedResponseError)
    malformed(whole.subarray(0, -1))
    malformed(Buffer.concat([whole, Buffer.from([0])]))
    malformed(whole.subarray(0, whole.indexOf('\n')))
    malformed(Buffer.from('{}\n{}\n'))
    const remainders = ['{"a":1}', '']
    const a = member(['a'])
    const withMembers = Buffer.concat(body([texts(['a', 'b']), a], 2, remainders).chunks)
    malformed(withMembers.subarray(0, -1))
    malformed(Buffer.concat([withMembers, Buffer.from([0])]))
    // Members without remainders, and remainders without members.
    malformed(Buffer.concat(body([a, texts(['a', 'b']), texts(['c', 'd'])], 2).chunks))
    malformed(Buffer.concat(body([texts(['a', 'b'])], 2, remainders).chunks))
    malformed(Buffer.alloc(0))
  })
})

/** Returns a character as escapes of JSON. */
function escaped(sign: string): string {
  return Array.from({ length: sign.length }, (_, i) => {
    return `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`
  }).join('')
}

/** Arbitrary texts, in which special characters are frequent. */
const text = fc.string({
  maxLength: 40,
  size: 'max',
  unit: fc.oneof(
    fc.constantFrom(',', '"', '\\', '\n', '\r', '\t', 'n', '[', '}', 'é', '漢', '😀'),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
  ),
})
const nullableText = fc.option(text, { freq: 5 })
const jsonCell = fc.oneof(
  nullableText.map((value) => JSON.stringify(value)),
  fc.constantFrom(
    'null',
    'true',
    '-0',
    '1e21',
    '0.1',
    '12',
    '[]',
    '{}',
    '[1, 2]',
    '{"a":"x,y"}',
    '[\n1]',
    '[\t1]',
  ),
  fc.json({ stringUnit: 'grapheme' }),
)

function columnOf(rows: number): fc.Arbitrary<Column> {
  const many = <Value>(value: fc.Arbitrary<Value>) =>
    fc.array(value, { minLength: rows, maxLength: rows })
  return fc.oneof(
    many(nullableText).map(texts),
    fc
      .tuple(many(fc.option(fc.constantFrom('', 'a', 'b,', '"', '漢'))), fc.constantFrom(1, 2))
      .map(([values, width]) => words(values, width as 1 | 2)),
    many(jsonCell).map(json),
    many(jsonCell).map(documents),
    many(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })).map(times),
    many(fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))).map((values) => ({
      type: 'Nullable(UInt64)',
      bytes: nullableIntegers(values, 8),
      cells: values.map(String),
    })),
    many(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))).map((values) => ({
      type: 'Nullable(Float64)',
      bytes: nullableDoubles(values),
      cells: values.map((value) => (Object.is(value, -0) ? '-0' : `${value}`.replace('e+', 'e'))),
    })),
  )
}

const space = fc.constantFrom('', '', ' ', '\t')

/** Columns of which some are members of remainders, every other one inside an object, and the remainders. */
function withRemainders(rows: number, columns: number) {
  const entry = fc.tuple(fc.integer({ min: 0, max: columns + 2 }), jsonCell, space)
  return fc
    .tuple(
      fc.array(fc.oneof(columnOf(rows), fc.constant(undefined)), {
        minLength: columns,
        maxLength: columns,
      }),
      fc.array(fc.array(entry, { maxLength: 9 }), { minLength: rows, maxLength: rows }),
    )
    .filter(([given]) => given.includes(undefined))
    .map(([given, events]) => {
      const cellOf = (entries: (typeof events)[number], i: number) =>
        engineJson(entries.find(([found]) => found === i)?.[1] ?? 'null', { isInside: i % 2 > 0 })
      return {
        remainders: events.map(remainderOf),
        columns: given.map(
          (column, i) =>
            column ?? member(pathOf(i), { cells: events.map((entries) => cellOf(entries, i)) }),
        ),
      }
    })
}

function pathOf(column: number): readonly string[] {
  return column % 2 === 0 ? [`k${column}`] : ['inside', `k${column}`]
}

function remainderOf(
  entries: readonly (readonly [column: number, json: string, space: string])[],
): string {
  const members = (isInside: boolean) =>
    entries.flatMap(([column, json, blank]) =>
      pathOf(column).length > 1 === isInside ? [`"k${column}"${blank}:${json}${blank}`] : [],
    )
  return `{${[`"inside":{${members(true)}}`, ...members(false)]}}`
}

describe('any columns in the format Native', () => {
  const given = fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 9 }))
    .chain(([columns, rows]) =>
      fc.array(columnOf(rows), { minLength: columns, maxLength: columns }),
    )

  it(
    'are rendered to the same lines as in JSON',
    async () => {
      await fc.assert(
        fc.asyncProperty(given, fc.constantFrom(...FORMATS), async (columns, format) => {
          const scanned = response(columns)
          const expected = await fromJson(format, columns)
          expect(lines(format, scanned)).toBe(expected)
          const rows = columns[0]!.cells.length
          const parts = Array.from({ length: rows }, (_, row) => rows - 1 - row).map((row) =>
            lines(format, scanned, { from: row, to: row + 1 }),
          )
          expect(parts.reverse().join('')).toBe(expected)
        }),
        { numRuns: ROUNDS },
      )
    },
    TIMEOUT_MS,
  )

  const sizes = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 }))
  const withMembers = sizes.chain(([rows, columns]) => withRemainders(rows, columns))

  it(
    'are rendered to the same lines when they are members of remainders',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          withMembers,
          fc.constantFrom(...FORMATS),
          async ({ columns, remainders }, format) => {
            const scanned = response(columns, remainders.length, remainders)
            const expected = await fromJson(format, columns)
            expect(lines(format, scanned)).toBe(expected)
            const parts = remainders.map((_, i) => {
              const row = remainders.length - 1 - i
              return lines(format, scanned, { from: row, to: row + 1 })
            })
            expect(parts.reverse().join('')).toBe(expected)
          },
        ),
        { numRuns: ROUNDS },
      )
    },
    TIMEOUT_MS,
  )
})
