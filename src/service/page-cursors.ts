import type { EngineResult } from '../engine/engine.js'
import type { CompiledQuery } from '../sql/compile.js'
import { CURSOR_COLUMNS } from '../sql/cursor.js'
import { formatCursor } from './cursor.js'
import type { Paging } from './paging.js'

const COLUMNS = [CURSOR_COLUMNS.time, CURSOR_COLUMNS.seq]

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
  const { compiled, result, rows, paging } = options
  if (compiled.eventOrder === undefined) return { minCursor: '', maxCursor: '' }
  const text = paging.from ? formatCursor(paging.from.cursor) : ''
  const ends = rows === 0 ? [text, text] : [cursorAt(result, 0), cursorAt(result, rows - 1)]
  const [minCursor, maxCursor] = compiled.eventOrder === 'asc' ? ends : ends.reverse()
  return {
    minCursor: minCursor ?? '',
    maxCursor: maxCursor ?? '',
    ...(paging.hasField && { column: columnOf(result, rows) }),
  }
}

function cursorAt({ bytes, rows }: EngineResult, row: number): string {
  const [time, seq] = COLUMNS.map((name) =>
    numberAt(bytes.get(name)!.toString('latin1'), row, rows),
  )
  return formatCursor({ time: time!, seq: seq! })
}

function columnOf({ columns }: EngineResult, rows: number): string {
  const [times, seqs] = COLUMNS.map((name) => columns.get(name)!.slice(1, -1).split(','))
  const cursors = Array.from({ length: rows }, (_, row) =>
    formatCursor({ time: BigInt(times![row]!), seq: BigInt(seqs![row]!) }),
  )
  return JSON.stringify(cursors)
}

/** The whole number at a place of an array of so many, counted from the nearer end; a double would round it. */
function numberAt(array: string, place: number, length: number): bigint {
  let [start, end] = [1, array.length - 1]
  if (place < length / 2) {
    for (let before = 0; before < place; before++) start = array.indexOf(',', start) + 1
    const comma = array.indexOf(',', start)
    return BigInt(array.slice(start, comma === -1 ? end : comma))
  }
  for (let behind = length - 1; behind > place; behind--) end = array.lastIndexOf(',', end - 1)
  return BigInt(array.slice(array.lastIndexOf(',', end - 1) + 1 || start, end))
}
