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
  for (let row = 0; row < after.height; row++) drawRow(before, after, row, pen)
  return pen.finish()
}

/** Returns the output with which a terminal in any state shows a grid. */
export function repaint(grid: Grid, options: DrawOptions): string {
  const pen = new Pen(options)
  pen.clear()
  for (let row = 0; row < grid.height; row++) {
    const end = contentEnd(grid, row)
    if (end > 0) pen.write(grid, row, 0, end)
  }
  return pen.finish()
}

function drawRow(before: Grid, after: Grid, row: number, pen: Pen): void {
  const { width, texts } = after
  const start = row * width
  const isSame = (column: number): boolean => {
    const cell = start + column
    return before.texts[cell] === texts[cell] && before.styles[cell] === after.styles[cell]
  }
  let from = 0
  while (from < width && isSame(from)) from += 1
  if (from === width) return
  const end = contentEnd(after, row)
  // A terminal may have drawn more or fewer cells than this program counts.
  if (!hasCertainWidth(before, row) || !hasCertainWidth(after, row)) {
    pen.eraseFrom(row, 0)
    pen.write(after, row, 0, end)
    return
  }
  let to = end
  while (to > from && isSame(to - 1)) to -= 1
  // The halves of a wide character are drawn together.
  if (from < to && texts[start + from] === '') from -= 1
  while (from < to && to < width && texts[start + to] === '') to += 1
  if (from < to) pen.write(after, row, from, to)
  if (end < contentEnd(before, row)) pen.eraseFrom(row, end)
}

/** True when all terminals agree on the width of each character of a row. */
function hasCertainWidth({ width, texts }: Grid, row: number): boolean {
  for (let cell = row * width; cell < (row + 1) * width; cell++) {
    if (!isCertain(texts[cell]!)) return false
  }
  return true
}

function isCertain(text: string): boolean {
  const code = text.length === 1 ? text.charCodeAt(0) : 0
  if (code >= 0x20 && code <= 0x7e) return true
  return text === '' || CERTAIN.test(text) || CERTAIN_WIDE.test(text)
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

  write(grid: Grid, row: number, from: number, to: number): void {
    for (let column = from; column < to; column++) {
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

  eraseFrom(row: number, column: number): void {
    this.moveTo(row, column)
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
