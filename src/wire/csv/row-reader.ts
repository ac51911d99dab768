import { lineFeeds } from '../bytes/line-feeds.js'
import { type CsvRow, readCsvRow } from './csv-row.js'

/** The bytes that are decoded at first. */
const DECODED_BYTES = 64 * 1024
/** The multiple that is decoded for a row that is longer. */
const GROWTH = 8

interface ReadRow extends CsvRow {
  /** The number of line feeds in the row, with the one that ends it. */
  readonly lineFeeds: number
}

/** Reads single rows within bytes, of which only a part is decoded: most rows are converted by `CsvRows`. */
export class RowReader {
  private readonly bytes: Buffer
  private readonly options: Parameters<typeof readCsvRow>[2]
  private text = ''
  /** The position of the text in the bytes. */
  private start = 0

  constructor(bytes: Buffer, options: Parameters<typeof readCsvRow>[2]) {
    this.bytes = bytes
    this.options = options
  }

  /** Returns the row at a position; undefined when it is incomplete. */
  read(at: number): ReadRow | undefined {
    const { bytes, options } = this
    for (let size = DECODED_BYTES; ; size *= GROWTH) {
      const { text, start } = this
      const isLast = start + text.length === bytes.length
      const row =
        at < start + text.length
          ? readCsvRow(text, at - start, { ...options, isEnd: options.isEnd && isLast })
          : undefined
      if (row !== undefined) {
        const end = start + row.end
        return { ...row, end, lineFeeds: lineFeeds(text, at - start, row.end) }
      }
      if (isLast) return undefined
      this.start = at
      this.text = bytes.toString('latin1', at, at + size)
    }
  }
}
