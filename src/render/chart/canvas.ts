interface CanvasOptions {
  readonly width: number
  readonly height: number
  /** Number of lines that will be drawn. */
  readonly lines: number
  /** The symbols of the series, which distinguish them without color; by default, lines consist of the dots of Braille. */
  readonly symbols: readonly string[] | undefined
}

/** Coordinates from 0 to 1, from the left and from the bottom; within a canvas in dots, from the left and from the top. */
interface Point {
  readonly x: number
  readonly y: number
}

interface CanvasCell {
  readonly symbol: string
  /** Index of the series; missing in an empty cell. */
  readonly series?: number
}

/** The bits of a Braille character, by row from the top and by column. */
const BRAILLE = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
]
const SINGLE_DOT = [[0x01]]

/** Returns an empty grid of characters, each of which belongs to a series: a cell that several lines share, to one of them. */
export function openCanvas({ width, height, lines, symbols }: CanvasOptions) {
  const dots = symbols === undefined ? BRAILLE : SINGLE_DOT
  const [high, wide] = [dots.length, dots[0]!.length]
  const bits = new Uint8Array(width * height)
  const series = new Int32Array(width * height)

  function cellAt(place: number): CanvasCell {
    if (bits[place] === 0) return { symbol: ' ' }
    const number = series[place]!
    const symbol = symbols?.[number % symbols.length]
    return { symbol: symbol ?? String.fromCharCode(0x2800 + bits[place]!), series: number }
  }

  return {
    /** Draws a line, or a point if both ends are equal. */
    line(from: Point, to: Point, number: number): void {
      for (const { x, y } of pointsBetween(from, to, {
        width: width * wide,
        height: height * high,
      })) {
        const column = Math.floor(x / wide)
        const place = Math.floor(y / high) * width + column
        // Overlapping lines alternate by column, so that all remain visible.
        if (bits[place] === 0 || column % lines === number) series[place] = number
        bits[place]! |= dots[y % high]![x % wide]!
      }
    },
    /** Returns the rows from top to bottom. */
    rows: (): readonly (readonly CanvasCell[])[] =>
      Array.from({ length: height }, (_, row) =>
        Array.from({ length: width }, (_, column) => cellAt(row * width + column)),
      ),
  }
}

function* pointsBetween(
  from: Point,
  to: Point,
  { width, height }: Pick<CanvasOptions, 'width' | 'height'>,
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
