// The hot half of an export: every byte of every page passes here, once. So it is one function over
// bytes and tables of bytes, and does not make an object, a string or a call for a value.

const TAB = 0x09
const LINE_FEED = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const LETTER_N = 0x6e

const PLAIN = 0
const ENDS = 1
const ESCAPES = 2
const SEPARATES = 3
const STEERS = 4

/** What a byte does within a string. */
const IN_STRING = table((byte) => {
  if (byte === QUOTE) return ENDS
  if (byte === BACKSLASH) return ESCAPES
  if (byte === COMMA) return SEPARATES
  return byte < SPACE ? STEERS : PLAIN
})

/** What numbers and the three words are made of: `0-9 a-z E + - .` */
const IN_WORD = table((byte) =>
  /[0-9a-zE+.-]/.test(String.fromCharCode(byte)) && byte < 0x80 ? 1 : 0,
)

/** What a byte may mean between the brackets of a nested value, outside its strings. */
const IN_NESTED = table((byte) =>
  [
    ...[QUOTE, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT],
    ...[LINE_FEED, RETURN, TAB, BACKSLASH],
  ].includes(byte)
    ? 1
    : 0,
)

/** Takes the mark off a place. */
export const PLACE = 0x7fff_ffff
const MARK = -0x8000_0000

/** Where the values of a table are in the bytes of an answer. */
export interface Places {
  readonly columns: number
  readonly rows: number
  /**
   * Two for each value, column by column: where it begins and where it ends. The first is marked,
   * by being negative, for a string with escapes and a nested value with line ends; the second for
   * one with a comma in it, and for a nested one with a quote or a tab too.
   */
  readonly places: Int32Array
  /** The byte behind the columns. */
  readonly end: number
}

/**
 * Finds the values of `[[…], […]]`, which begins at `at`; nothing when it is not made as a service
 * makes it. Values are not checked beyond finding where they end.
 */
export function scanColumns(body: Uint8Array, start: number): Places | undefined {
  let at = start
  let places = new Int32Array(Math.min(Math.max(body.length >> 2, 64), 1 << 22))
  let used = 0
  let columns = 0
  let rows = 0
  let byte = body[at]
  if (byte !== OPEN_ARRAY) return undefined
  do byte = body[++at]
  while (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB)
  if (byte === CLOSE_ARRAY) return { columns, rows, places, end: at + 1 }
  for (;;) {
    if (byte !== OPEN_ARRAY) return undefined
    const first = used
    do byte = body[++at]
    while (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB)
    let isOpen = byte !== CLOSE_ARRAY
    while (isOpen) {
      if (used + 2 > places.length) {
        const larger = new Int32Array(places.length * 2)
        larger.set(places)
        places = larger
      }
      const from = at
      let firstMark = 0
      let lastMark = 0
      if (byte === QUOTE) {
        for (;;) {
          const does = IN_STRING[body[++at]!]
          if (does === PLAIN) continue
          if (does === ENDS) break
          if (does === SEPARATES) lastMark = MARK
          else if (does === ESCAPES) {
            firstMark = MARK
            at++
          } else return undefined
        }
        at++
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        let depth = 0
        do {
          byte = body[at]
          if (byte === undefined) return undefined
          if (IN_NESTED[byte] === 1) {
            if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++
            else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
            else if (byte === LINE_FEED || byte === RETURN) firstMark = MARK
            else if (byte === BACKSLASH) return undefined
            else {
              lastMark = MARK
              if (byte === QUOTE) {
                for (;;) {
                  const does = IN_STRING[body[++at]!]
                  if (does === ENDS) break
                  if (does === ESCAPES) at++
                  else if (does === STEERS || does === undefined) return undefined
                }
              }
            }
          }
          at++
        } while (depth > 0)
      } else {
        while (IN_WORD[body[at]!] === 1) at++
        if (at === from) return undefined
        // Every word with this letter is the null, or the page is not what it seems to be.
        if (byte === LETTER_N && !isNull(body, from, at)) return undefined
      }
      places[used] = from | firstMark
      places[used + 1] = at | lastMark
      used += 2
      byte = body[at]
      while (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB)
        byte = body[++at]
      if (byte === COMMA) {
        do byte = body[++at]
        while (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB)
      } else if (byte === CLOSE_ARRAY) isOpen = false
      else return undefined
    }
    const found = (used - first) / 2
    if (columns > 0 && found !== rows) return undefined
    rows = found
    columns++
    do byte = body[++at]
    while (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB)
    if (byte === COMMA) {
      do byte = body[++at]
      while (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB)
    } else if (byte === CLOSE_ARRAY) return { columns, rows, places, end: at + 1 }
    else return undefined
  }
}

function isNull(body: Uint8Array, from: number, to: number): boolean {
  return (
    to - from === 4 && body[from + 1] === 0x75 && body[from + 2] === 0x6c && body[from + 3] === 0x6c
  )
}

function table(classOf: (byte: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => classOf(byte))
}
