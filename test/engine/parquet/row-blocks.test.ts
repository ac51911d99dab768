import { expect, it } from 'vitest'
import { RowBlocks, type RowColumns } from '../../../src/engine/parquet/row-blocks.js'
import { parseNativeType } from '../../../src/wire/native/native-type.js'
import { nativeIntegers } from '../../support/native-column.js'

const FIELDS = [{ name: 'n', type: 'integer' }]
const TYPED: RowColumns = {
  rows: 2,
  fields: FIELDS,
  linesOf: () => [],
  valuesOf: () => ({
    type: parseNativeType('Int64')!,
    values: nativeIntegers([1n, 2n], 8),
    isJson: false,
  }),
}
const EMPTY: RowColumns = { rows: 0, fields: FIELDS, linesOf: () => [] }

it.each([
  ['of a page with rows before a page without rows', [TYPED, EMPTY], ['Int64']],
  ['of a page without rows', [EMPTY], ['String']],
])('the columns %s have the types of its values', (_, pages, parts) => {
  const blocks = new RowBlocks()
  for (const page of pages)
    for (const piece of blocks.blockOf(page)) expect(piece.length).toBeGreaterThan(0)
  expect(blocks.columns.map((column) => [...column.parts])).toEqual([parts])
})
