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

/** The cells of the first rows. */
function rowsOf(text: string, delimiter: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length && rows.length < SAMPLE; at++) {
    const sign = text[at]!
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') at += 1
      else isQuoted = false
    } else if (sign === '"' && cell === '') {
      isQuoted = true
    } else if (sign === delimiter) {
      row.push(cell)
      cell = ''
    } else if (sign === '\n') {
      if (row.length > 0 || cell.trim() !== '') rows.push([...row, cell.replace(/\r$/, '')])
      row = []
      cell = ''
    } else {
      cell += sign
    }
  }
  return row.length > 0 && rows.length < SAMPLE ? [...rows, [...row, cell]] : rows
}
