import type { Wrapper } from './wrapper.js'

const BEGINNING = /^\s*\{\s*'/
const STRING = /[bru]{0,2}(?:'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)")/iy
const NUMBER = /-?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|inf|nan)(?![\w.])/y
const WORD = /True|False|None/y
const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' }
/** Another value, such as `datetime.datetime(2026, 11, 20)` or `<App object at 0x7f>`, which becomes a string. */
const OTHER = /<[^>\n]{1,200}>|[A-Za-z_][\w.]{0,100}\([^()\n]{0,200}\)/y
const ESCAPE = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U000([0-9a-f]{5})|(.))/gi
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
const MAX_DEPTH = 32

/** Dictionaries as Python's `print` writes them, one per line, which are read as JSON. */
export const PYTHON: Wrapper = {
  name: 'python-dict',
  title: 'dictionaries of Python, one per line',
  example: "{'message': 'started'}",
  hasTime: false,
  parse(line) {
    if (!BEGINNING.test(line)) return undefined
    const text = jsonOf(line.trim())
    return text === undefined ? undefined : { source: '', fields: [], text }
  },
  head: (line) =>
    BEGINNING.test(line) ? { source: '', text: line.replace("'", '"').trim() } : undefined,
}

/** Returns a dictionary as JSON; undefined for other text. */
function jsonOf(text: string): string | undefined {
  let at = 0
  const match = (scan: RegExp) => {
    scan.lastIndex = at
    const found = scan.exec(text)
    if (found !== null) at = scan.lastIndex
    return found
  }
  const skip = (characters: string) => {
    while (text[at] === ' ') at++
    const isThere = text[at] !== undefined && characters.includes(text[at]!)
    if (isThere) at++
    return isThere
  }
  const elements = (end: string, element: () => string | undefined) => {
    const all: string[] = []
    while (!skip(end)) {
      const one = element()
      if (one === undefined) return undefined
      all.push(one)
      if (!skip(',') && text[at] !== end) return undefined
    }
    return all.join(',')
  }
  const string = () => {
    const found = match(STRING)
    return found === null ? undefined : quoted(found[1] ?? found[2] ?? '')
  }
  const value = (depth: number): string | undefined => {
    if (depth > MAX_DEPTH) return undefined
    const inner = () => value(depth + 1)
    if (skip('{'))
      return braced(
        elements('}', () => member(inner)),
        '{}',
      )
    if (skip('[')) return braced(elements(']', inner), '[]')
    if (skip('(')) return braced(elements(')', inner), '[]')
    const word = match(WORD)?.[0]
    if (word !== undefined) return WORDS[word]
    const number = match(NUMBER)?.[0]
    if (number !== undefined)
      return /[a-z]$/.test(number) ? 'null' : number.replace(/\.(?!\d)/, '.0')
    const other = string() ?? match(OTHER)?.[0]
    return other === undefined || other.startsWith('"') ? other : JSON.stringify(other)
  }
  const member = (inner: () => string | undefined) => {
    skip('')
    const key = string() ?? match(NUMBER)?.[0]
    const name = key === undefined || key.startsWith('"') ? key : `"${key}"`
    if (name === undefined || !skip(':')) return undefined
    const written = inner()
    return written === undefined ? undefined : `${name}:${written}`
  }
  const json = value(0)
  return at === text.length ? json : undefined
}

function braced(inner: string | undefined, [open, close]: string): string | undefined {
  return inner === undefined ? undefined : `${open}${inner}${close}`
}

/** Returns the inside of a string of Python as a string of JSON. */
function quoted(inner: string): string {
  const text = inner.replaceAll(ESCAPE, (whole, byte, short, long, letter?: string) => {
    if (letter !== undefined) return CONTROLS[letter] ?? ('\'"\\'.includes(letter) ? letter : whole)
    return String.fromCodePoint(Number.parseInt(byte ?? short ?? long, 16))
  })
  const isEscaped = text !== inner
  const json = JSON.stringify(text)
  // Characters that were escaped are not bytes of UTF-8.
  return isEscaped && !/[\x80-\xff]/.test(inner)
    ? json.replaceAll(
        /[\x80-\uffff]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    : json
}
