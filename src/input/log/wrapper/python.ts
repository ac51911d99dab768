import { unicodeEscape } from '../../../text/control-escapes.js'
import { isJsonObject, parseJson } from '../../../wire/json/json-object.js'
import type { Wrapper } from './wrapper.js'

const BEGINNING = /^\s*\{\s*'/
/**
 * A difference from JSON: a string; a value such as `datetime.datetime(2026, 11, 20)` or `<App object at 0x7f>`, which becomes a
 * string; a number, perhaps as a key; words, tuples, commas in front of a bracket, and spaces.
 */
const DIFFERENCE =
  /(?:[bruBRU]{1,2}(?=['"]))?(?:'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)")|(<[^>\n]{1,200}>|[A-Za-z_][\w.]{0,100}\([^()\n]{0,200}\))|(-?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|inf|nan)(?![\w.]))( *: *)?|True|False|None|[()]|,(?= *[)\]}])|[,:] +/g
const WRITTEN: Readonly<Record<string, string>> = {
  ...{ True: 'true', False: 'false', None: 'null', '(': '[', ')': ']', ',': '' },
}
const ESCAPE = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U000([0-9a-f]{5})|(.))/gi
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

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
  const json = text.replaceAll(
    DIFFERENCE,
    (written, single, double, other, number?: string, colon?: string) => {
      const string: string | undefined = single ?? double
      if (string !== undefined) return quoted(string)
      if (other !== undefined) return JSON.stringify(other)
      if (number === undefined) return WRITTEN[written] ?? written.trim()
      if (colon !== undefined) return `"${number}":`
      return /[a-z]$/i.test(number) ? 'null' : number.replace(/\.(?!\d)/, '.0')
    },
  )
  return isJsonObject(parseJson(json)) ? json : undefined
}

/** Returns the inside of a string of Python as a string of JSON. */
function quoted(inner: string): string {
  if (!inner.includes('\\')) return JSON.stringify(inner)
  const text = inner.replaceAll(ESCAPE, (whole, byte, short, long, letter?: string) => {
    if (letter !== undefined) return CONTROLS[letter] ?? ('\'"\\'.includes(letter) ? letter : whole)
    return String.fromCodePoint(Number.parseInt(byte ?? short ?? long, 16))
  })
  const json = JSON.stringify(text)
  // Characters that were escaped are not bytes of UTF-8.
  return text !== inner && !/[\x80-\xff]/.test(inner)
    ? json.replaceAll(/[\x80-\uffff]/g, unicodeEscape)
    : json
}
