import type { EngineResult } from '../../engine/engine.js'
import { NO_VALUES } from '../../engine/response.js'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import { CURSOR_COLUMNS } from '../../sql/cursor.js'
import { COMMA } from '../../text/bytes.js'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
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
  const columns = cursorColumnsOf(compiled, result)
  const [dataset = ''] = compiled.cursorDatasets
  const { native } = result
  const cursorAt = (row: number) =>
    native === undefined
      ? cursorOf(
          columns.map((column) => cellAt(column, row, result.rows)),
          dataset,
        )
      : formatCursor({ ...native.cursorAt(row), dataset })
  const ends = rows === 0 ? [text, text] : [cursorAt(0), cursorAt(rows - 1)]
  const [minCursor, maxCursor] = compiled.eventOrder === 'asc' ? ends : ends.reverse()
  return {
    minCursor: minCursor ?? '',
    maxCursor: maxCursor ?? '',
    ...(paging.hasField && { column: columnOf(columns, { rows, dataset }) }),
  }
}

function cursorColumnsOf(
  { cursorDatasets }: CompiledQuery,
  { bytes }: EngineResult,
): readonly Buffer[] {
  const { time, seq, dataset } = CURSOR_COLUMNS
  const names = cursorDatasets.length > 1 ? [time, seq, dataset] : [time, seq]
  return names.map((name) => bytes.get(name) ?? NO_VALUES)
}

function cursorOf([time = '', seq = '', own]: readonly string[], single: string): string {
  const dataset = own?.slice(1, -1) ?? single
  return formatCursor({ time: BigInt(time), seq: BigInt(seq), dataset })
}

function columnOf(
  columns: readonly Buffer[],
  { rows, dataset }: { readonly rows: number; readonly dataset: string },
): Buffer {
  const readers = columns.map((column) => new Cells(column))
  const out = new ByteWriter(2 + 29 * rows)
  out.addLatin1('[')
  for (let row = 0; row < rows; row++) {
    const cells = readers.map((reader) => reader.next().text)
    out.addLatin1(`${row === 0 ? '' : ','}"${cursorOf(cells, dataset)}"`)
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
