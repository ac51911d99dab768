import type { JsonText } from '../../wire/query.js'
import { cellText, oneLine } from '../cell.js'
import { tsvCell } from '../tsv.js'
import { PLACE, type Places } from './scan-columns.js'

const LINE_FEED = 0x0a
const QUOTE = 0x22
const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b
const LETTER_N = 0x6e

/** Shorter ones are copied faster byte by byte than by a call. */
const LONG = 40

/** How a format writes its cells. */
export interface CellEncoding {
  /** The byte between cells. */
  readonly delimiter: number
  /** What stands for a null. */
  readonly nothing: Uint8Array
  /** Whether an empty text, and one with a comma in it, keeps its quotes. */
  readonly quotes: boolean
  /** A cell that can't stay as it is. */
  readonly encode: (cell: JsonText) => string
}

/** RFC 4180, as `renderCsv` writes it. */
export const CSV_CELLS: CellEncoding = {
  delimiter: 0x2c,
  nothing: Buffer.alloc(0),
  quotes: true,
  encode(cell) {
    const text = cellText(cell) ?? ''
    return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  },
}

/** As `renderTsv` writes it. */
export const TSV_CELLS: CellEncoding = {
  delimiter: 0x09,
  nothing: Buffer.from('\\N'),
  quotes: false,
  encode: (cell) => tsvCell(cellText(cell)),
}

export interface DelimitedSource {
  readonly body: Buffer
  readonly found: Places
  /** The positions of the columns to write. */
  readonly order: readonly number[]
  readonly cells: CellEncoding
}

/** Writes rows as lines of cells into a buffer with room for them; returns the bytes used. */
export function encodeDelimited(
  { body, found, order, cells }: DelimitedSource,
  { from, to }: { readonly from: number; readonly to: number },
  out: Buffer,
): number {
  // Read once: in the bundle an imported constant is asked for by a call.
  const placeBits = PLACE
  const { places, rows } = found
  const { delimiter, nothing, quotes, encode } = cells
  let at = 0
  for (let row = from; row < to; row++) {
    for (let i = 0; i < order.length; i++) {
      if (i > 0) out[at++] = delimiter
      const place = 2 * (order[i]! * rows + row)
      const firstMark = places[place]!
      const lastMark = places[place + 1]!
      let start = firstMark & placeBits
      let end = lastMark & placeBits
      const byte = body[start]!
      if (byte === QUOTE) {
        if (firstMark < 0) {
          at += out.write(encode(body.toString('utf8', start, end)), at)
          continue
        }
        // Quotes around a text without escapes are the same in JSON and in CSV.
        if (!quotes || (lastMark >= 0 && end - start > 2)) {
          start++
          end--
        }
      } else if (byte === LETTER_N) {
        for (let k = 0; k < nothing.length; k++) out[at++] = nothing[k]!
        continue
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (firstMark < 0 || lastMark < 0) {
          at += out.write(encode(oneLine(body.toString('utf8', start, end))), at)
          continue
        }
      }
      if (end - start < LONG) {
        for (let k = start; k < end; k++) out[at++] = body[k]!
      } else {
        body.copy(out, at, start, end)
        at += end - start
      }
    }
    out[at++] = LINE_FEED
  }
  return at
}
