import { CONTROL_ESCAPES } from '../../../text/control-escapes.js'
import { formatInteger } from '../../../text/integer.js'
import { invalidRequest, type RefusedError } from '../../refused-error.js'
import { type LineField, MAX_LINE_FIELDS } from '../labeled-line.js'

const NAME = /[^\s={}",`]+|"(?:[^"\\\n]|\\.)*"/y
const VALUE = /"((?:[^"\\\n]|\\.)*)"|`([^`]*)`/y
const SPACE = /\s*/y
/** The escapes of Go's strings. */
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2})|(.))/gs

/** The maximum length of the labels: with a few million characters, the regular expressions overflow the stack. */
const MAX_LENGTH = 1024 * 1024

/** Reads the labels of a stream, such as `{app="web", level="info"}`. Throws a `RefusedError` when they are malformed. */
export function parseLabels(text: string): readonly LineField[] {
  if (text.length > MAX_LENGTH) {
    throw invalidRequest('The labels of a stream have more than 1 MiB.')
  }
  const labels: LineField[] = []
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at = pattern.lastIndex
    return found
  }
  const take = (character: string): boolean => {
    match(SPACE)
    const isNext = text[at] === character
    if (isNext) at += 1
    match(SPACE)
    return isNext
  }
  if (!take('{')) throw malformed(text, at)
  while (!take('}')) {
    const [name] = match(NAME) ?? []
    if (name === undefined || !take('=')) throw malformed(text, at)
    const [, quoted, raw = ''] = match(VALUE) ?? []
    if (quoted === undefined && text[at - 1] !== '`') throw malformed(text, at)
    if (labels.length === MAX_LINE_FIELDS) {
      throw invalidRequest(`A stream has more than ${formatInteger(MAX_LINE_FIELDS)} labels.`)
    }
    labels.push({
      name: name.startsWith('"') ? unquoted(name.slice(1, -1)) : name,
      value: JSON.stringify(quoted === undefined ? raw : unquoted(quoted)),
    })
    if (!take(',') && text[at] !== '}') throw malformed(text, at)
  }
  if (at < text.length) throw malformed(text, at)
  return labels
}

function unquoted(text: string): string {
  if (!text.includes('\\')) return text
  // Escapes such as `\xc3\xa9` stand for single bytes of UTF-8, so the text is unquoted as bytes.
  const hasBytes = /\\(?:x|[0-3])/.test(text)
  const source = hasBytes ? Buffer.from(text).toString('latin1') : text
  const plain = source.replace(ESCAPE, (_, hex, short, long, octal, letter = '') => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    if (letter !== '') return CONTROL_ESCAPES[letter] ?? letter
    const code = Number.parseInt(short ?? long, 16)
    const character = code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
    return hasBytes ? Buffer.from(character).toString('latin1') : character
  })
  return hasBytes ? Buffer.from(plain, 'latin1').toString() : plain
}

const MAX_SHOWN = 200

function malformed(text: string, at: number): RefusedError {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
  return invalidRequest(
    `The labels \`${shown}\` are malformed at character ${at + 1}: labels such as \`{app="web", level="info"}\` are expected.`,
  )
}
