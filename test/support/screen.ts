import { graphemes, width } from '../../src/text/width.js'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what steers a terminal.
const PIECE = /\u001b\[([?\d;]*)([A-Za-z])|\u001b[^[]|[\u0000-\u001f]|[^\u0000-\u001f]+/gu

/** A terminal emulator that is sufficient for spinners, prompts and tables. */
export class Screen {
  /** All lines, including those that were scrolled off, without trailing spaces. */
  readonly lines: readonly string[]
  /** True when a line was too long for its row and wrapped. */
  readonly hasWrapped: boolean
  private readonly cells: string[][] = [[]]
  private readonly columns: number
  private wrapped = false
  private row = 0
  private column = 0

  constructor(text: string, columns: number) {
    this.columns = columns
    for (const [piece, parameters, command] of text.matchAll(PIECE)) {
      if (command !== undefined) this.steer(command, parameters ?? '')
      else if (piece < ' ') this.control(piece)
      else for (const character of graphemes(piece)) this.put(character)
    }
    this.lines = this.cells.map((row) =>
      Array.from(row, (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    )
    this.hasWrapped = this.wrapped
  }

  /** The lines as one text, without empty ones at the end. */
  text(): string {
    return this.lines.join('\n').trimEnd()
  }

  private put(character: string): void {
    const size = width(character)
    if (this.column + size > this.columns) {
      this.wrapped = true
      this.moveTo(this.row + 1, 0)
    }
    const row = this.cells[this.row]!
    row[this.column] = character
    // The right half of a wide character.
    if (size === 2) row[this.column + 1] = ''
    this.column += size
  }

  private control(character: string): void {
    if (character === '\r') this.column = 0
    else if (character === '\n') this.moveTo(this.row + 1, this.column)
    else if (character === '\b') this.column = Math.max(0, this.column - 1)
    else if (character === '\t') this.column = Math.min(this.columns - 1, (this.column | 7) + 1)
  }

  private steer(command: string, parameters: string): void {
    const [first = 0, second = 0] = parameters.split(';').map(Number)
    const steps = Math.max(1, first)
    if (command === 'A') this.moveTo(this.row - steps, this.column)
    else if (command === 'B') this.moveTo(this.row + steps, this.column)
    else if (command === 'C') this.column = Math.min(this.columns - 1, this.column + steps)
    else if (command === 'D') this.column = Math.max(0, this.column - steps)
    else if (command === 'G') this.column = steps - 1
    else if (command === 'H') this.moveTo(steps - 1, Math.max(1, second) - 1)
    else if (command === 'K') this.eraseLine(first)
    else if (command === 'J') this.eraseScreen(first)
  }

  private moveTo(row: number, column: number): void {
    this.row = Math.max(0, row)
    this.column = column
    while (this.cells.length <= this.row) this.cells.push([])
  }

  private eraseLine(part: number): void {
    const row = this.cells[this.row]!
    if (part === 0) row.length = Math.min(row.length, this.column)
    else if (part === 2) row.length = 0
    else row.fill(' ', 0, this.column + 1)
  }

  private eraseScreen(part: number): void {
    if (part === 0) {
      this.eraseLine(0)
      for (const row of this.cells.slice(this.row + 1)) row.length = 0
    } else {
      for (const row of this.cells) row.length = 0
    }
  }
}
