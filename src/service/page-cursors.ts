import type { EngineResult } from '../engine/engine.js'
import type { CompiledQuery } from '../sql/compile.js'
import { CURSOR_COLUMNS } from '../sql/cursor.js'
import { formatCursor } from './cursor.js'
import type { Paging } from './paging.js'

/** The cursors of a page of events. */
export interface PageCursors {
  /** The smallest and the largest in the order of time and arrival; '' where rows have none. */
  readonly minCursor: string
  readonly maxCursor: string
  /** The JSON text of the array of all of them, when it is asked for. */
  readonly column?: string
}

/** Finds the cursors of the first `rows` rows; a page without rows has the one that was asked `from`. */
export function pageCursors(options: {
  readonly compiled: CompiledQuery
  readonly result: EngineResult
  readonly rows: number
  readonly paging: Paging
}): PageCursors {
  const { compiled, rows, paging } = options
  if (compiled.eventOrder === undefined) return { minCursor: '', maxCursor: '' }
  const cursors = cursorsOf(options.result)
  const text = paging.from ? formatCursor(paging.from.cursor) : ''
  const ends = rows === 0 ? [text, text] : [cursors.at(0), cursors.at(rows - 1)]
  const [minCursor, maxCursor] = compiled.eventOrder === 'asc' ? ends : ends.reverse()
  return {
    minCursor: minCursor ?? '',
    maxCursor: maxCursor ?? '',
    ...(paging.hasField && { column: columnOf(cursors, rows) }),
  }
}

/** The cursors of rows by their place; each is made when it is looked at. */
interface Cursors {
  at(row: number): string
}

function cursorsOf({ columns }: EngineResult): Cursors {
  const times = numbers(columns.get(CURSOR_COLUMNS.time))
  const seqs = numbers(columns.get(CURSOR_COLUMNS.seq))
  return {
    at: (row) => formatCursor({ time: BigInt(times[row]!), seq: BigInt(seqs[row]!) }),
  }
}

/** Whole numbers, each still as its digits: a double would round them. */
function numbers(array = '[]'): readonly string[] {
  return array.slice(1, -1).split(',')
}

function columnOf(cursors: Cursors, rows: number): string {
  return JSON.stringify(Array.from({ length: rows }, (_, row) => cursors.at(row)))
}
