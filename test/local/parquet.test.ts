import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it } from 'vitest'
import { openParquetRows, type RowColumns } from '../../src/local/parquet.js'
import { parseNativeType } from '../../src/wire/native/native-type.js'
import { dictionaryTexts, nativeIntegers, nullableDoubles } from '../support/native-column.js'

type NativeValues = ReturnType<NonNullable<RowColumns['valuesOf']>>

/** A column whose values are JSON, or are in the format Native. */
interface Column {
  readonly name: string
  readonly type: string
  readonly cells?: readonly string[]
  readonly native?: NativeValues
}

const ROWS = 2

function rowsOf(columns: readonly Column[]): RowColumns {
  const columnOf = (wanted: string) => columns.find(({ name }) => name === wanted)
  return {
    rows: ROWS,
    fields: columns,
    *linesOf(names) {
      for (let row = 0; row < ROWS; row++) {
        const cells = names.map((name) => columnOf(name)?.cells?.[row])
        yield Buffer.from(`${cells.map((cell) => `\0${cell}`).join('')}}\n`)
      }
    },
    valuesOf: (name) => columnOf(name)?.native,
  }
}

/** Makes a Parquet file of pages of rows; returns its types and values as DuckDB reads them. */
async function readBack(...pages: readonly (readonly Column[])[]) {
  const rows = await openParquetRows()
  try {
    for (const page of pages) rows.add(rowsOf(page))
    const file = await rows.convert()
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const reader = await connection.runAndReadAll('SELECT * FROM read_parquet($1)', [file ?? ''])
    return { types: reader.columnTypes().map(String), rows: reader.getRowObjectsJson() }
  } finally {
    await rows.remove()
  }
}

const native = (name: string, values: Buffer, isJson = false) => ({
  type: parseNativeType(name)!,
  values,
  isJson,
})

const NATIVE: readonly Column[] = [
  { name: 'n', type: 'integer', native: native('Int16', nativeIntegers([1n, -2n], 2)) },
  {
    name: 't',
    type: 'datetime',
    native: native(
      "DateTime64(9, 'UTC')",
      nativeIntegers([1_767_225_600_500_000_000n, -1_000_000_000n], 8),
    ),
  },
  { name: 'b', type: 'boolean', native: native('Bool', Buffer.from([1, 0])) },
  {
    name: 's',
    type: 'string',
    native: native('LowCardinality(Nullable(String))', dictionaryTexts(['ä', null])),
  },
  {
    name: 'f',
    type: 'float',
    native: native('Nullable(Float64)', nullableDoubles([0.1, null])),
  },
  {
    name: 'u',
    type: 'integer',
    native: native('UInt64', nativeIntegers([2n ** 64n - 1n, 0n], 8)),
    cells: ['18446744073709551615', '0'],
  },
]

it('has the values of columns in the format Native', async () => {
  expect(await readBack(NATIVE)).toEqual({
    types: ['BIGINT', 'TIMESTAMP WITH TIME ZONE', 'BOOLEAN', 'VARCHAR', 'DOUBLE', 'UBIGINT'],
    rows: [
      {
        ...{ n: '1', t: '2026-01-01 00:00:00.5+00', b: true, s: 'ä', f: 0.1 },
        u: '18446744073709551615',
      },
      { n: '-2', t: '1969-12-31 23:59:59+00', b: false, s: null, f: null, u: '0' },
    ],
  })
})

it('has texts when a column gets values of another type later', async () => {
  const later: readonly Column[] = [
    { name: 'n', type: 'string', cells: ['"one"', 'null'] },
    { name: 't', type: 'integer', cells: ['5', '"soon"'] },
    { name: 'b', type: 'integer', cells: ['1', '{"a":[1]}'] },
    { name: 's', type: 'boolean', cells: ['true', '"\\\\\\"\\ud800"'] },
    { name: 'f', type: 'string', cells: ['"1e400"', '"\\n"'] },
    { name: 'new', type: 'datetime', cells: ['"1960-02-29T00:00:00.000001Z"', 'null'] },
  ]
  const { types, rows } = await readBack(NATIVE.slice(0, 5), later)
  const text = 'VARCHAR'
  expect(types).toEqual([text, text, text, text, text, 'TIMESTAMP WITH TIME ZONE'])
  expect(rows).toEqual([
    { n: '1', t: '2026-01-01T00:00:00.5Z', b: 'true', s: 'ä', f: '0.1', new: null },
    { n: '-2', t: '1969-12-31T23:59:59Z', b: 'false', s: null, f: null, new: null },
    { n: 'one', t: '5', b: '1', s: 'true', f: '1e400', new: '1960-02-29 00:00:00.000001+00' },
    { n: null, t: 'soon', b: '{"a":[1]}', s: '\\"\\ud800', f: '\n', new: null },
  ])
})

it('has doubles when later numbers of the column are JSON', async () => {
  const [first, exact, long] = [
    native('Nullable(Float64)', nullableDoubles([null, 1e300])),
    native('Nullable(Float64)', nullableDoubles([-0, 2.5])),
    native('Nullable(Float64)', nullableDoubles([1e21, -1e-7])),
  ]
  const type = 'float|integer'
  expect(
    await readBack(
      [
        { name: 'a', type, native: first },
        { name: 'b', type, native: exact },
        { name: 'c', type, native: long },
      ],
      [
        { name: 'a', type, cells: ['7', '-1.5e3'] },
        { name: 'b', type, cells: ['9007199254740992', 'null'] },
        // No double has the value of this integer.
        { name: 'c', type, cells: ['9007199254740993', '0.5'] },
      ],
    ),
  ).toEqual({
    types: ['DOUBLE', 'DOUBLE', 'VARCHAR'],
    rows: [
      { a: null, b: -0, c: '1e21' },
      { a: 1e300, b: 2.5, c: '-1e-7' },
      { a: 7, b: 9_007_199_254_740_992, c: '9007199254740993' },
      { a: -1500, b: null, c: '0.5' },
    ],
  })
})

it('has columns whose names are like names of blocks', async () => {
  const page: readonly Column[] = [
    { name: 'a', type: 'string', cells: ['"text"', 'null'] },
    { name: 'String a', type: 'integer', cells: ['1', '2'] },
    { name: 'String String a', type: '', cells: ['true', 'null'] },
  ]
  expect(await readBack(page)).toEqual({
    types: ['VARCHAR', 'BIGINT', 'BOOLEAN'],
    rows: [
      { a: 'text', 'String a': '1', 'String String a': true },
      { a: null, 'String a': '2', 'String String a': null },
    ],
  })
})

it('does not exist without columns', async () => {
  const rows = await openParquetRows()
  try {
    rows.add({ rows: 0, fields: [], linesOf: () => [] })
    expect(await rows.convert()).toBeUndefined()
  } finally {
    await rows.remove()
  }
})
