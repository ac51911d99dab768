import type { EngineResult } from '../engine/engine.js'
import type { CompiledQuery } from '../sql/compile.js'
import { CURSOR_COLUMNS } from '../sql/cursor.js'
import { parseTimestamp } from '../wire/timestamp.js'
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
  const { compiled, result, rows, paging } = options
  if (compiled.eventOrder === undefined) return { minCursor: '', maxCursor: '' }
  const text = paging.from ? formatCursor(paging.from.cursor) : ''
  const from = told(compiled, result)
  const cursorAt = (row: number) =>
    formatCursor({
      time: from.timeOf(cellAt(from.times, row, result.rows)),
      seq: BigInt(cellAt(from.seqs, row, result.rows)),
    })
  const ends = rows === 0 ? [text, text] : [cursorAt(0), cursorAt(rows - 1)]
  const [minCursor, maxCursor] = compiled.eventOrder === 'asc' ? ends : ends.reverse()
  return {
    minCursor: minCursor ?? '',
    maxCursor: maxCursor ?? '',
    ...(paging.hasField && { column: columnOf(from, rows) }),
  }
}

/** The two columns that a cursor is made of, and how a cell of the first is read. */
interface Told {
  readonly times: string
  readonly seqs: string
  timeOf(cell: string): bigint
}

function told({ columns }: CompiledQuery, { bytes }: EngineResult): Told {
  const column = (name: string) => bytes.get(name)?.toString('latin1')
  const seqs = column(CURSOR_COLUMNS.seq) ?? '[]'
  const times = column(CURSOR_COLUMNS.time)
  if (times !== undefined) return { times, seqs, timeOf: BigInt }
  const shown = columns.find(({ name }) => name === '_time')
  return { times: column(`c${shown?.id}`) ?? '[]', seqs, timeOf: writtenTime }
}

function writtenTime(cell: string): bigint {
  const time = parseTimestamp(JSON.parse(cell) as string)
  if (time === undefined) throw new Error(`the engine gave ${cell} as the time of an event`)
  return time
}

function columnOf({ times, seqs, timeOf }: Told, rows: number): string {
  const [time, seq] = [times, seqs].map((array) => array.slice(1, -1).split(','))
  const cursors = Array.from({ length: rows }, (_, row) =>
    formatCursor({ time: timeOf(time![row]!), seq: BigInt(seq![row]!) }),
  )
  return JSON.stringify(cursors)
}

/** The cell at a place of an array of so many that hold no commas, counted from the nearer end. */
function cellAt(array: string, place: number, length: number): string {
  let [start, end] = [1, array.length - 1]
  if (place < length / 2) {
    for (let before = 0; before < place; before++) start = array.indexOf(',', start) + 1
    const comma = array.indexOf(',', start)
    return array.slice(start, comma === -1 ? end : comma)
  }
  for (let behind = length - 1; behind > place; behind--) end = array.lastIndexOf(',', end - 1)
  return array.slice(array.lastIndexOf(',', end - 1) + 1 || start, end)
}
