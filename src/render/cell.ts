import { parsePartJson } from '../wire/http/response-json.js'
import type { JsonText } from '../wire/json/json-text.js'
import { formatDuration } from '../wire/time/duration.js'

/** Returns the value of a string, and the JSON of any other value; undefined for null. */
export function cellText(cell: JsonText): string | undefined {
  if (cell === 'null') return undefined
  if (!cell.startsWith('"')) return oneLine(cell)
  return cell.includes('\\') ? stringValue(cell) : cell.slice(1, -1)
}

/** Returns the value of a JSON string. Throws a `MalformedResponseError`. */
export function stringValue(cell: JsonText): string {
  return parsePartJson(cell) as string
}

/** Formats a value for people: nothing for null, `""` for an empty string, `1m20s` for a timespan. */
export function readableText(cell: JsonText, type: string): string {
  if (type === 'timespan' && /^-?\d+$/.test(cell)) return formatDuration(BigInt(cell))
  const text = cellText(cell)
  return text === '' ? '""' : (text ?? '')
}

/** Replaces line ends, which JSON allows only as white space between tokens. */
export function oneLine(cell: JsonText): JsonText {
  const isNested = cell.startsWith('{') || cell.startsWith('[')
  return isNested ? cell.replace(/[\r\n]+/g, ' ') : cell
}

/** Beyond these magnitudes, differences of numbers can overflow, and steps between them become 0. */
const LARGEST_DRAWN = 1e300
const SMALLEST_DRAWN = 1e-300

/** Returns the number of a cell for a drawing, for which a double is precise enough; undefined when it can't be drawn. */
export function drawnNumber(cell: JsonText): number | undefined {
  const size = isNumber(cell) ? Math.abs(Number(cell)) : Number.NaN
  if (size < SMALLEST_DRAWN) return 0
  return size < LARGEST_DRAWN ? Number(cell) : undefined
}

export function isNumber(cell: JsonText): boolean {
  const first = cell.charCodeAt(0)
  return first === 0x2d || (first >= 0x30 && first <= 0x39)
}
