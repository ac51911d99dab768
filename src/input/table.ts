import { readCsvRow } from '../wire/csv/csv-row.js'

const SAMPLE = 16

/** Whether a text looks like a header and rows of as many cells. */
export function isTable(text: string, delimiter: string): boolean {
  const [header, ...rows] = rowsOf(text, delimiter)
  if (header === undefined || !isHeader(header)) return false
  const even = rows.filter((row) => row.length === header.length)
  const isWider = rows.some((row) => row.length > header.length)
  return !isWider && even.length * 2 >= rows.length
}

/** Names: each once, none a number, and not what a sentence with a comma in it looks like. */
function isHeader(cells: readonly string[]): boolean {
  const isSentence = cells.length < 3 && cells.some((cell) => /^\s/.test(cell))
  return (
    cells.length > 1 &&
    !isSentence &&
    new Set(cells).size === cells.length &&
    cells.every((cell) => cell.length <= 100 && /\S/.test(cell) && !/^[\s\d.:+-]+$/.test(cell))
  )
}

/** The cells of the first rows; those of a row that can't be read are as many as came before the fault. */
function rowsOf(text: string, delimiter: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  for (let at = 0; at < text.length && rows.length < SAMPLE; ) {
    const row = readCsvRow(text, at, { delimiter, isEnd: true })!
    const cells = row.cells.map((cell = '') => cell)
    if (cells.length > 1 || cells[0]?.trim() !== '') rows.push(cells)
    at = row.end
  }
  return rows
}
