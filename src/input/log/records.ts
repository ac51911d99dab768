import { MAX_LENGTH_DIGITS } from '../../wire/octet-count.js'
import type { RecordFinder } from './log-format.js'

/** Finds one record per line. */
export const findLine: RecordFinder = (text, at) => {
  const newline = text.indexOf('\n', at)
  const end = newline === -1 ? text.length : newline
  const to = end > at && text[end - 1] === '\r' ? end - 1 : end
  return { from: at, to, next: newline === -1 ? end : newline + 1 }
}

const COUNT = new RegExp(`([1-9]\\d{0,${MAX_LENGTH_DIGITS - 1}}) (?=<)`, 'y')

/** Finds a line, or a frame with its length in front (RFC 6587, octet counting). */
export const findFrame: RecordFinder = (text, at) => {
  COUNT.lastIndex = at
  const count = COUNT.exec(text)
  if (count === null) return findLine(text, at)
  const from = COUNT.lastIndex
  const next = Math.min(text.length, from + Number(count[1]))
  // Senders that mix both framings include the line end in the length.
  let to = next
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to -= 1
  return { from, to, next }
}
