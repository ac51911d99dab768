/** A grid of characters in which each belongs to a series. */
export interface Canvas {
  /**
   * Draws a line, or a point if both ends are equal. Coordinates range from 0 to 1, from the left and from the bottom.
   */
  line(from: Point, to: Point, series: number): void
  /** Returns the rows from top to bottom. */
  rows(): readonly (readonly CanvasCell[])[]
}

/**
 * Coordinates from 0 to 1, from the left and from the bottom; within a canvas in dots, from the left and from the top.
 */
interface Point {
  readonly x: number
  readonly y: number
}

interface CanvasCell {
  readonly symbol: string
  /** Index of the series; missing in an empty cell. */
  readonly series?: number
}

interface CanvasSize {
  readonly width: number
  readonly height: number
  /** Number of lines that will be drawn. */
  readonly lines: number
}

/** The bits of a Braille character, by column and by row from the top. */
const BRAILLE = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const

/**
 * True when a line may claim a cell that another line uses: overlapping lines alternate by column, so that all remain
 * visible.
 */
function isTurn(column: number, number: number, lines: number): boolean {
  return column % lines === number
}

/**
 * Returns a canvas of Braille characters: two by four dots per cell. A shared cell has the color of one of its lines.
 */
export function brailleCanvas({ width, height, lines }: CanvasSize): Canvas {
  const bits = new Uint8Array(width * height)
  const series = new Int32Array(width * height)
  return {
    line(from, to, number) {
      for (const { x, y } of pointsBetween(from, to, { width: width * 2, height: height * 4 })) {
        const place = (y >> 2) * width + (x >> 1)
        if (bits[place] === 0 || isTurn(x >> 1, number, lines)) series[place] = number
        bits[place]! |= BRAILLE[x & 1]![y & 3]!
      }
    },
    rows: () =>
      rowsOf({ width, height }, (place) =>
        bits[place] === 0
          ? { symbol: ' ' }
          : { symbol: String.fromCharCode(0x2800 + bits[place]!), series: series[place]! },
      ),
  }
}

/** Returns a canvas with one symbol per cell, which distinguishes the series without color. */
export function symbolCanvas(
  { width, height, lines }: CanvasSize,
  symbols: readonly string[],
): Canvas {
  const series = new Int32Array(width * height).fill(-1)
  return {
    line(from, to, number) {
      for (const { x, y } of pointsBetween(from, to, { width, height })) {
        const place = y * width + x
        if (series[place]! < 0 || isTurn(x, number, lines)) series[place] = number
      }
    },
    rows: () =>
      rowsOf({ width, height }, (place) => {
        const number = series[place]!
        return number < 0
          ? { symbol: ' ' }
          : { symbol: symbols[number % symbols.length]!, series: number }
      }),
  }
}

function rowsOf(
  { width, height }: Omit<CanvasSize, 'lines'>,
  placeAt: (place: number) => CanvasCell,
): readonly (readonly CanvasCell[])[] {
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => placeAt(row * width + column)),
  )
}

function* pointsBetween(
  from: Point,
  to: Point,
  { width, height }: Omit<CanvasSize, 'lines'>,
): Iterable<Point> {
  const on = (part: number, size: number) =>
    Math.min(size - 1, Math.max(0, Math.round(part * (size - 1))))
  const start = { x: on(from.x, width), y: on(1 - from.y, height) }
  const end = { x: on(to.x, width), y: on(1 - to.y, height) }
  const steps = Math.max(Math.abs(end.x - start.x), Math.abs(end.y - start.y))
  for (let step = 0; step <= steps; step++) {
    const part = steps === 0 ? 0 : step / steps
    yield {
      x: Math.round(start.x + (end.x - start.x) * part),
      y: Math.round(start.y + (end.y - start.y) * part),
    }
  }
}
