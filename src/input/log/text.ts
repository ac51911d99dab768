import type { LineReader } from './event-text.js'

/** Any line: it is a `message`. */
export const readText: LineReader = (line, event) => {
  event.text('message', line)
  return undefined
}
