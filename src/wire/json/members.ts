import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../text/bytes.js'

// Finds the ends of values and members in the text of valid JSON; `json-bytes.ts` does the same for bytes.

/** Visits the members of an object, which is valid JSON, with their names and the positions of their values. */
export function visitMembers(
  object: string,
  visit: (name: string, from: number, to: number) => void,
): void {
  let open = object.indexOf('"')
  while (open !== -1) {
    const keyEnd = stringEnd(object, open + 1)
    const key = object.slice(open, keyEnd)
    const name = key.includes('\\') ? (JSON.parse(key) as string) : key.slice(1, -1)
    const from = skipSpace(object, object.indexOf(':', keyEnd) + 1)
    const to = valueEnd(object, from)
    visit(name, from, to)
    open = object.indexOf('"', to)
  }
}

/** Escaped quotes that are looked for by `indexOf`, one by one. A string with more is read character by character. */
const MOST_SEARCHES = 32

/** Returns the position after the closing quote of a string whose inside begins at `from`; -1 when there is none. */
export function stringEnd(text: string, from: number): number {
  let at = from
  for (let searches = 0; searches < MOST_SEARCHES; searches++) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return -1
    let slash = quote
    while (slash > from && text.charCodeAt(slash - 1) === BACKSLASH) slash -= 1
    if ((quote - slash) % 2 === 0) return quote + 1
    at = quote + 1
  }
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at += 1
  }
  return -1
}

/** Returns the position after a value; -1 when it does not end. */
export function valueEnd(text: string, from: number): number {
  const first = text.charCodeAt(from)
  if (first === QUOTE) return stringEnd(text, from + 1)
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return containerEnd(text, from)
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === CLOSE_BRACE || code <= 0x20) break
  }
  return at
}

/** Returns the position where `begun` arrays and objects around a position, or the one that begins there, end; -1 if they do not. */
export function containerEnd(text: string, from: number, begun = 0): number {
  let depth = begun
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = stringEnd(text, at + 1)
      if (at === -1) return -1
      continue
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
    at += 1
    if (depth === 0) return at
  }
  return -1
}

export function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1
  return at
}
