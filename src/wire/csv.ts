/** A row that is no event, and where it begins. */
export interface CsvFailure {
  /** Its position among the rows, from 0, the header not counted. */
  readonly index: number
  /** The line it begins on, from 1. */
  readonly line: number
  readonly error: string
}

export interface CsvOptions {
  readonly delimiter: string
  /** The names of the fields; without them the first row holds them. */
  readonly fields?: readonly string[]
}

/** The header that names the fields can't be used. */
export class CsvHeaderError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CsvHeaderError'
  }
}

/** A row and where its text ends. */
interface Row {
  readonly cells: readonly Cell[]
  readonly end: number
  readonly error?: string
}

/** A cell's text; undefined when it is empty. One in quotes never is: `""` is an empty text, as `evq` itself writes it. */
type Cell = string | undefined

/**
 * Turns CSV into JSON objects, one on the line where its row begins; every other line is left
 * empty, so that line numbers stay those of the CSV. All text is handled as latin1, a character for
 * each byte: CSV and JSON have their signs in ASCII, and what is between them stays byte for byte.
 */
export class CsvLines {
  readonly failures: CsvFailure[] = []
  readonly #delimiter: string
  #keys: readonly string[] | undefined
  #rest = ''
  /** Text that waits is looked at again only when it has doubled, or one long row would cost its length squared. */
  #patience = 0
  #line = 1
  #rows = 0
  #isAtStart = true

  constructor({ delimiter, fields }: CsvOptions) {
    this.#delimiter = latin1(delimiter)
    if (fields !== undefined) this.#keys = keysOf(fields.map(latin1))
  }

  /** Takes the next bytes and returns the lines that they complete. */
  push(bytes: Buffer): Buffer {
    this.#rest += bytes.toString('latin1')
    if (this.#rest.length < this.#patience) return Buffer.alloc(0)
    return this.#convert(false)
  }

  /** Returns the last lines; the last row needs no line feed. */
  end(): Buffer {
    return this.#convert(true)
  }

  #convert(isEnd: boolean): Buffer {
    const text = this.#rest
    let at = this.#isAtStart && text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
    let lines = ''
    while (at < text.length) {
      const row = this.#row(text, at, isEnd)
      if (row === undefined) break
      lines += this.#event(row)
      const feeds = lineFeeds(text, at, row.end)
      lines += '\n'.repeat(feeds)
      this.#line += feeds
      at = row.end
    }
    // The mark's three bytes may come in pieces.
    if (at > 0 || text.length >= BYTE_ORDER_MARK.length) this.#isAtStart = false
    this.#rest = text.slice(at)
    this.#patience = this.#rest.length * 2
    return Buffer.from(lines, 'latin1')
  }

  /** Row : Cell (delimiter Cell)* line end. Undefined when the text ends before the row does. */
  #row(text: string, start: number, isEnd: boolean): Row | undefined {
    const feed = text.indexOf('\n', start)
    if (feed === -1 && !isEnd) return undefined
    const end = feed === -1 ? text.length : feed + 1
    const line = text.slice(start, feed === -1 ? end : feed)
    if (!line.includes('"')) {
      const cells = withoutReturn(line).split(this.#delimiter).map(bare)
      return { cells, end }
    }
    return this.#quotedRow(text, start, isEnd)
  }

  #quotedRow(text: string, start: number, isEnd: boolean): Row | undefined {
    const cells: Cell[] = []
    let at = start
    for (;;) {
      const isQuoted = text[at] === '"'
      const close = isQuoted ? closingQuote(text, at + 1) : at
      if (close === -1) return isEnd ? unclosed(text, at) : undefined
      const after = isQuoted ? close + 1 : at
      const feed = text.indexOf('\n', after)
      // Whether a quote at the very end closes the cell or is the first of two, the next bytes tell.
      if (feed === -1 && !isEnd) return undefined
      const lineEnd = feed === -1 ? text.length : feed
      const delimiter = text.slice(after, lineEnd).indexOf(this.#delimiter)
      const cellEnd = delimiter === -1 ? lineEnd : after + delimiter
      const tail =
        delimiter === -1 ? withoutReturn(text.slice(after, cellEnd)) : text.slice(after, cellEnd)
      const end = feed === -1 ? text.length : feed + 1
      if (isQuoted && tail !== '') {
        return { cells, end, error: `cell ${cells.length + 1} goes on after its closing quote` }
      }
      cells.push(isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') : bare(tail))
      if (delimiter === -1) return { cells, end }
      at = cellEnd + this.#delimiter.length
    }
  }

  /** The JSON text of a row; nothing for the header, an empty line and a row that fails. */
  #event({ cells, error }: Row): string {
    if (error === undefined && cells.length === 1 && cells[0] === undefined) return ''
    const keys = this.#keys
    if (keys === undefined) {
      if (error !== undefined) throw new CsvHeaderError(`In the CSV header, ${error}.`)
      this.#keys = keysOf(cells.map((cell) => cell ?? ''))
      return ''
    }
    const problem = error ?? tooMany(cells.length, keys.length)
    if (problem !== undefined) {
      this.failures.push({ index: this.#rows, line: this.#line, error: problem })
    }
    this.#rows += 1
    if (problem !== undefined) return ''
    return object(keys, cells)
  }
}

const BYTE_ORDER_MARK = '\xef\xbb\xbf'
const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,18})$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const LARGEST = 2n ** 63n - 1n
const SMALLEST = -(2n ** 63n)

/** The JSON text of an event. This runs for every cell there is, so it makes nothing but the text. */
function object(keys: readonly string[], cells: readonly Cell[]): string {
  let members = ''
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (cell === undefined) continue
    if (members !== '') members += ','
    members += keys[i]! + value(cell)
  }
  return `{${members}}`
}

/** The JSON text of a cell: a number or a boolean where it is one beyond doubt, else a string. */
function value(text: string): string {
  if (text === 'true' || text === 'false' || isExactNumber(text)) return text
  return JSON.stringify(text)
}

/** Whether a number prints back as it was written: `007`, `1.50` and twenty digits do not, and stay text. */
function isExactNumber(text: string): boolean {
  if (text.length > 24 || !NUMBER.test(text)) return false
  if (!WHOLE_NUMBER.test(text)) return String(Number(text)) === text && !/^-?\d+$/.test(text)
  if (text.length < 19) return true
  const number = BigInt(text)
  return number >= SMALLEST && number <= LARGEST
}

function keysOf(names: readonly string[]): readonly string[] {
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) {
    const name = Buffer.from(twice, 'latin1').toString()
    throw new CsvHeaderError(`The CSV header names the field \`${name}\` twice.`)
  }
  return names.map((name) => `${JSON.stringify(name)}:`)
}

function tooMany(cells: number, fields: number): string | undefined {
  if (cells <= fields) return undefined
  return `it has ${cells} cells, the header has ${fields}`
}

function unclosed(text: string, at: number): Row {
  return { cells: [], end: text.length, error: `a quote is never closed: ${excerpt(text, at)}` }
}

/** Where the quote is that closes a cell; -1 when it is not in the text. Two quotes stand for one. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

function excerpt(text: string, at: number): string {
  const start = Buffer.from(text.slice(at, at + 24), 'latin1').toString()
  return `\`${start.replace(/[\r\n].*/s, '')}\``
}

function bare(text: string): Cell {
  return text === '' ? undefined : text
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

function lineFeeds(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    count += 1
  }
  return count
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}
