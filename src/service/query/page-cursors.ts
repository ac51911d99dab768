import type { EngineResult } from '../../engine/engine.js'
import { NO_VALUES } from '../../engine/response.js'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import { CURSOR_COLUMNS } from '../../sql/cursor.js'
import { COMMA } from '../../text/bytes.js'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { parseTimestamp } from '../../wire/time/timestamp.js'
import { Cells } from './cells.js'
import { formatCursor } from './cursor.js'
import type { PageRows } from './native-rows.js'
import type { Paging } from './paging.js'

export interface PageCursors {
  /** The smallest and the largest cursor; empty when rows have no cursors. */
  readonly minCursor: string
  readonly maxCursor: string
  /** A JSON array of all cursors, when requested. */
  readonly column?: Buffer
}

/** Returns the cursors of the first `rows` rows; for an empty page, both are the cursor of the request. */
export function pageCursors(options: {
  readonly compiled: CompiledQuery
  readonly result: PageRows
  readonly rows: number
  readonly paging: Paging
}): PageCursors {
  const { compiled, result, rows, paging } = options
  if (compiled.eventOrder === undefined) return { minCursor: '', maxCursor: '' }
  const text = paging.from ? formatCursor(paging.from.cursor) : ''
  const from = cursorColumnsOf(compiled, result)
  const { native } = result
  const cursorAt = (row: number) =>
    native === undefined
      ? from.cursorOf(from.columns.map((column) => cellAt(column, row, result.rows)))
      : formatCursor(native.cursorAt(row))
  const ends = rows === 0 ? [text, text] : [cursorAt(0), cursorAt(rows - 1)]
  const [minCursor, maxCursor] = compiled.eventOrder === 'asc' ? ends : ends.reverse()
  return {
    minCursor: minCursor ?? '',
    maxCursor: maxCursor ?? '',
    ...(paging.hasField && { column: columnOf(from, rows) }),
  }
}

/** The columns of a cursor, and the function that builds it from their cells. */
interface CursorColumns {
  readonly columns: readonly Buffer[]
  cursorOf(cells: readonly string[]): string
}

function cursorColumnsOf(
  { columns, spansDatasets }: CompiledQuery,
  { bytes }: EngineResult,
): CursorColumns {
  const column = (name: string) => bytes.get(name) ?? NO_VALUES
  const hasTime = bytes.has(CURSOR_COLUMNS.time)
  const shown = columns.find(({ name }) => name === '_time')
  const timeOf = hasTime ? BigInt : timeReader()
  return {
    columns: [
      column(hasTime ? CURSOR_COLUMNS.time : `c${shown?.id}`),
      column(CURSOR_COLUMNS.seq),
      ...(spansDatasets ? [column(CURSOR_COLUMNS.dataset)] : []),
    ],
    cursorOf([time = '', seq = '', dataset = '']) {
      return formatCursor({ time: timeOf(time), seq: BigInt(seq), dataset: dataset.slice(1, -1) })
    },
  }
}

/**
 * Returns a function that reads times such as `"2026-01-01T10:00:00.000000001Z"`, always with nine digits. The last second is
 * cached, since neighboring rows usually share it.
 */
function timeReader(): (cell: string) => bigint {
  let second = ''
  let start = 0n
  return (cell) => {
    const written = cell.slice(1, 20)
    if (written !== second) {
      const time = parseTimestamp(`${written}Z`)
      if (time === undefined) throw new Error(`the engine gave ${cell} as the time of an event`)
      second = written
      start = time
    }
    return start + BigInt(cell.slice(21, 30))
  }
}

function columnOf({ columns, cursorOf }: CursorColumns, rows: number): Buffer {
  const readers = columns.map((column) => new Cells(column))
  const out = new ByteWriter(2 + 29 * rows)
  out.addLatin1('[')
  for (let row = 0; row < rows; row++) {
    const cells = readers.map((reader) => reader.next().text)
    out.addLatin1(`${row === 0 ? '' : ','}"${cursorOf(cells)}"`)
  }
  out.addLatin1(']')
  return out.written
}

/** Returns a cell of a JSON array whose cells contain no commas. Searches from the nearer end. */
function cellAt(array: Buffer, place: number, length: number): string {
  let [start, end] = [1, array.length - 1]
  if (place < length / 2) {
    for (let before = 0; before < place; before++) start = array.indexOf(COMMA, start) + 1
    const comma = array.indexOf(COMMA, start)
    if (comma !== -1) end = comma
  } else {
    for (let i = length - 1; i > place; i--) end = array.lastIndexOf(COMMA, end - 1)
    start = array.lastIndexOf(COMMA, end - 1) + 1 || start
  }
  return array.toString('latin1', start, end).trim()
}
