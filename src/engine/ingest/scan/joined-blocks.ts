import { endOfTexts, nativeHead } from '../../../wire/native/native-block.js'
import { encodeString, varint } from './scan-columns.js'

/** A column of blocks; a nullable one is missing in blocks in which all values are null. */
export interface BlockColumn {
  readonly name: string
  readonly type: string
}

/** The bytes of a value by its type; strings follow their lengths. */
const WIDTH: Readonly<Record<string, number>> = {
  "DateTime64(9, 'UTC')": 8,
  'FixedString(16)': 16,
  Bool: 1,
  Float64: 8,
  Int64: 8,
  UInt32: 4,
  UInt64: 8,
}

const NULLABLE = /^Nullable\((.*)\)$/

/** Returns one block with the rows of blocks that follow each other: the engine takes a tenth of a millisecond for each block. */
export function joinedBlocks(columns: readonly BlockColumn[], blocks: Buffer): Buffer {
  const joined = columns.map(newColumn)
  let rows = 0
  for (let at = 0; at < blocks.length; ) {
    const head = nativeHead(blocks.subarray(at))
    if (head === undefined) throw new Error('the block is incomplete')
    at += head.end
    let present = 0
    for (const column of joined) {
      const end = addValues(column, blocks, { at, rows: head.rows })
      if (end === undefined) continue
      at = end
      present++
    }
    if (present !== head.columns) throw new Error('the block has unknown columns')
    rows += head.rows
  }
  const some = joined.filter(({ isPresent }) => isPresent)
  return Buffer.concat([
    varint(some.length),
    varint(rows),
    ...some.flatMap(({ header, nulls, values }) => [header, ...nulls, ...values]),
  ])
}

interface JoinedColumn {
  readonly header: Buffer
  readonly isNullable: boolean
  /** 0 for strings. */
  readonly width: number
  readonly nulls: Buffer[]
  readonly values: Buffer[]
  isPresent: boolean
}

function newColumn({ name, type }: BlockColumn): JoinedColumn {
  const inner = NULLABLE.exec(type)?.[1]
  return {
    header: Buffer.concat([encodeString(name), encodeString(type)]),
    isNullable: inner !== undefined,
    width: WIDTH[inner ?? type] ?? 0,
    nulls: [],
    values: [],
    isPresent: false,
  }
}

/** Adds the values of a column in a block, and returns the position after them; undefined when the block has no such column. */
function addValues(
  column: JoinedColumn,
  blocks: Buffer,
  { at, rows }: { readonly at: number; readonly rows: number },
): number | undefined {
  const { header, isNullable, width, nulls, values } = column
  const afterHeader = at + header.length
  if (blocks.compare(header, 0, header.length, at, Math.min(afterHeader, blocks.length)) !== 0) {
    nulls.push(Buffer.alloc(rows, 1))
    values.push(Buffer.alloc(rows * (width || 1)))
    return undefined
  }
  column.isPresent = true
  const first = isNullable ? afterHeader + rows : afterHeader
  if (isNullable) nulls.push(blocks.subarray(afterHeader, first))
  const end = width === 0 ? endOfTexts(blocks, first, rows) : first + rows * width
  values.push(blocks.subarray(first, end))
  return end
}
