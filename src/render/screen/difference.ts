import type { Grid } from './grid.js'
import { PLAIN, type Style, styleSequence } from './style.js'

/** Characters that are one column wide on all terminals. After any other character, the column of the cursor is uncertain. */
const CERTAIN =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2015\u2018-\u201f\u2026\u2190-\u2193\u2500-\u259f]$/

/** Characters that are two columns wide on all terminals. */
const CERTAIN_WIDE =
  /^[\u3000-\u3029\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]$/

interface DrawOptions {
  readonly color: boolean
}

/** Returns the output with which a terminal that shows `before` shows `after`, a grid of the same size. */
export function difference(before: Grid, after: Grid, options: DrawOptions): string {
  const pen = new Pen(options)
  for (let row = 0; row < after.height; row++) {
    if (isSameRow(before, after, row)) continue
    // As a whole, because a terminal may have drawn more or fewer cells than this program counts.
    pen.eraseRow(row)
    pen.writeRow(after, row)
  }
  return pen.finish()
}

/** Returns the output with which a terminal in any state shows a grid. */
export function repaint(grid: Grid, options: DrawOptions): string {
  const pen = new Pen(options)
  pen.clear()
  for (let row = 0; row < grid.height; row++) pen.writeRow(grid, row)
  return pen.finish()
}

function isSameRow(before: Grid, { width, texts, styles }: Grid, row: number): boolean {
  for (let cell = row * width; cell < (row + 1) * width; cell++) {
    if (before.texts[cell] !== texts[cell] || before.styles[cell] !== styles[cell]) return false
  }
  return true
}

function isCertain(text: string): boolean {
  const code = text.length === 1 ? text.charCodeAt(0) : 0
  if (code >= 0x20 && code <= 0x7e) return true
  return CERTAIN.test(text) || CERTAIN_WIDE.test(text)
}

/** Returns the column after the last cell of a row that is not blank. */
function contentEnd({ width, texts, styles }: Grid, row: number): number {
  let end = width
  for (; end > 0; end--) {
    const cell = row * width + end - 1
    if (texts[cell] !== ' ' || styles[cell] !== PLAIN) break
  }
  return end
}

/** Collects output, and tracks the position of the cursor and the current style. */
class Pen {
  private out = ''
  private row = -1
  private column = -1
  private style: Style | undefined
  private readonly options: DrawOptions

  constructor(options: DrawOptions) {
    this.options = options
  }

  clear(): void {
    this.setStyle(PLAIN)
    this.out += '\x1b[2J'
  }

  writeRow(grid: Grid, row: number): void {
    const end = contentEnd(grid, row)
    for (let column = 0; column < end; column++) {
      const cell = row * grid.width + column
      const text = grid.texts[cell]!
      if (text === '') continue
      this.moveTo(row, column)
      this.setStyle(grid.styles[cell]!)
      this.out += text
      if (isCertain(text)) this.column += CERTAIN_WIDE.test(text) ? 2 : 1
      // The column of the cursor is uncertain.
      else this.row = -1
    }
  }

  eraseRow(row: number): void {
    this.moveTo(row, 0)
    this.setStyle(PLAIN)
    this.out += '\x1b[K'
  }

  finish(): string {
    if (this.out !== '' && this.style !== PLAIN) this.setStyle(PLAIN)
    return this.out
  }

  private moveTo(row: number, column: number): void {
    if (row !== this.row || column !== this.column) this.out += `\x1b[${row + 1};${column + 1}H`
    this.row = row
    this.column = column
  }

  private setStyle(style: Style): void {
    if (style === this.style) return
    this.out += styleSequence(style, this.options)
    this.style = style
  }
}
