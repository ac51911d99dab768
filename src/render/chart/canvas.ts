/** Places for a character each, with the number of what is drawn there. */
export interface Canvas {
  /** Draws a line, or a point where both ends are the same; ends are from 0 to 1, from left and from below. */
  line(from: Point, to: Point, series: number): void
  /** What stands in each place, a row at a time from above. */
  rows(): readonly (readonly CanvasCell[])[]
}

/** From 0 to 1, from the left and from below; within a canvas in its dots, from the left and from above. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A character's place on the canvas. */
export interface CanvasCell {
  readonly sign: string
  /** What is drawn here; nothing in an empty place. */
  readonly series?: number
}

interface CanvasSize {
  readonly width: number
  readonly height: number
  /** How many lines there will be. */
  readonly lines: number
}

/** The bits of a Braille sign, by column and by row from above. */
const BRAILLE = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const

/**
 * Whose a place becomes when a line comes to where another is: they take turns, so that lines which
 * lie upon each other are all seen.
 */
function isTurn(column: number, number: number, lines: number): boolean {
  return column % lines === number
}

/** Two by four points in each place; one that lines share has the colour of one of them. */
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
          ? { sign: ' ' }
          : { sign: String.fromCharCode(0x2800 + bits[place]!), series: series[place]! },
      ),
  }
}

/** One point in each place, as a sign of its series, so that lines are told apart without colour. */
export function signCanvas({ width, height, lines }: CanvasSize, signs: readonly string[]): Canvas {
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
        return number < 0 ? { sign: ' ' } : { sign: signs[number % signs.length]!, series: number }
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
