import { MalformedResponseError } from '../wire/http/malformed-response.js'
import type { JsonText } from '../wire/json/json-text.js'
import { formatDuration } from '../wire/time/duration.js'

/** The text of a string, and any other value as it stood on the wire; `undefined` for a null. */
export function cellText(cell: JsonText): string | undefined {
  if (cell === 'null') return undefined
  if (!cell.startsWith('"')) return oneLine(cell)
  return cell.includes('\\') ? unescaped(cell) : cell.slice(1, -1)
}

function unescaped(cell: JsonText): string {
  try {
    return JSON.parse(cell) as string
  } catch {
    throw new MalformedResponseError(`\`${cell.slice(0, 40)}\` is not JSON`)
  }
}

/** What a reader is shown: nothing for a null, `""` for an empty text, `1m20s` for a timespan. */
export function readableText(cell: JsonText, type: string): string {
  if (type === 'timespan' && /^-?\d+$/.test(cell)) return formatDuration(BigInt(cell))
  const text = cellText(cell)
  return text === '' ? '""' : (text ?? '')
}

/** A value without line ends: in JSON text they can only be white space between its parts. */
export function oneLine(cell: JsonText): JsonText {
  const isNested = cell.startsWith('{') || cell.startsWith('[')
  return isNested ? cell.replace(/[\r\n]+/g, ' ') : cell
}

/** Whether a cell's JSON text is a number. */
export function isNumber(cell: JsonText): boolean {
  const first = cell.charCodeAt(0)
  return first === 0x2d || (first >= 0x30 && first <= 0x39)
}
