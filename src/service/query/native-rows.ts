import type { EngineResult } from '../../engine/engine.js'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import type { Cursor } from '../../sql/cursor.js'
import type { MemberColumn } from '../../wire/native/member-column.js'
import { type NativeColumn, nativeColumns, nativeHead } from '../../wire/native/native-block.js'

/** The rows of a page: as JSON columns, or in ClickHouse's format Native. */
export interface PageRows extends EngineResult {
  readonly native?: NativeRows
}

export interface NativeRows {
  /** The columns of the query, without the head of a block. */
  readonly columns: Buffer
  readonly columnCount: number
  /** The columns whose values are in the remainders, which are the last column. */
  readonly members: readonly MemberColumn[]
  /** The indices of columns whose texts are JSON as in events. */
  readonly documents: readonly number[]
  cursorAt(row: number): Omit<Cursor, 'dataset'>
}

/** The time and the sequence number, which precede the columns of the query. */
const CURSOR_COLUMNS = 2

export function nativeRows(
  block: Buffer,
  { members = [], documents = [] }: Pick<CompiledQuery, 'members' | 'documents'>,
): PageRows {
  const head = nativeHead(block)
  const { rows = 0, columns = 0, end: at = 0 } = head ?? {}
  const found = nativeColumns(block, { at, columns: CURSOR_COLUMNS, rows })
  if (found === undefined) throw new Error('a block of the engine has no cursors')
  const [time, seq] = found.columns as [NativeColumn, NativeColumn]
  return {
    columns: new Map(),
    bytes: new Map(),
    rows,
    rowsExamined: rows,
    rowsBeforeLimit: rows,
    native: {
      columns: block.subarray(found.end),
      columnCount: columns - CURSOR_COLUMNS,
      members,
      documents,
      cursorAt: (row) => ({
        time: block.readBigInt64LE(time.values + row * time.type.width),
        seq: block.readBigUInt64LE(seq.values + row * seq.type.width),
      }),
    },
  }
}

/** True when clients can read the types of the columns, which are the same in all blocks of a query. */
export function isReadable({ rows, native }: PageRows): boolean {
  if (native === undefined) return false
  const { columns, columnCount } = native
  return nativeColumns(columns, { at: 0, columns: columnCount, rows })?.end === columns.length
}
