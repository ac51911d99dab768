import { CONTROL_ESCAPES } from '../../../text/control-escapes.js'
import { matchAt } from '../../../text/match-at.js'
import { PatternError } from './line-pattern.js'

/** An escape in a regular expression: a character, a set of characters as members of a class, or an assertion. */
type RegexEscape =
  | { readonly kind: 'character'; readonly character: string; readonly end: number }
  | { readonly kind: 'set' | 'assertion'; readonly source: string; readonly end: number }

/** White space without U+00A0: in latin1 text, its byte is part of UTF-8 characters. */
const SPACE = '\\t-\\r '
const NO_SPACE = '\\x00-\\x08\\x0e-\\x1f!-\\xff'
const SETS: Readonly<Record<string, string>> = {
  d: '\\d',
  D: '\\D',
  w: '\\w',
  W: '\\W',
  s: SPACE,
  S: NO_SPACE,
}
const ASSERTIONS: Readonly<Record<string, string>> = {
  b: '\\b',
  B: '\\B',
  A: '^',
  z: '$',
  Z: '$',
}
const CONTROLS: Readonly<Record<string, string>> = { ...CONTROL_ESCAPES, e: '\x1b', 0: '\0' }
const NUMBER =
  /\\(?:x\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4}))/y
const MAX_CODE_POINT = 0x10ffff

/** Parses the escape that begins at an offset; throws `PatternError` when it is unknown. */
export function parseEscape(text: string, at: number): RegexEscape {
  const number = matchAt(NUMBER, text, at)
  const code = number === null ? Infinity : Number.parseInt(number.slice(1).find(Boolean)!, 16)
  if (code <= MAX_CODE_POINT) {
    return { kind: 'character', character: String.fromCodePoint(code), end: NUMBER.lastIndex }
  }
  const codePoint = text.codePointAt(at + 1)
  if (codePoint === undefined) {
    throw new PatternError('The pattern ends with a backslash.', { at, help: '`\\\\` matches one' })
  }
  const letter = String.fromCodePoint(codePoint)
  const end = at + 1 + letter.length
  if (Object.hasOwn(SETS, letter)) return { kind: 'set', source: SETS[letter]!, end }
  if (Object.hasOwn(ASSERTIONS, letter)) {
    return { kind: 'assertion', source: ASSERTIONS[letter]!, end }
  }
  if (Object.hasOwn(CONTROLS, letter))
    return { kind: 'character', character: CONTROLS[letter]!, end }
  if (!/[0-9A-Za-z]/.test(letter)) return { kind: 'character', character: letter, end }
  throw new PatternError(`The escape \`\\${letter}\` is not supported.`, {
    at,
    end,
    help: HELP[letter],
  })
}

const PROPERTY =
  'classes of characters: `\\w`, `\\d`, `\\s`, `[[:alpha:]]`; `\\S` matches any letter'
const BY_NAME = 'name the group, and refer to it with `\\k<name>`'
const HELP: Readonly<Record<string, string>> = {
  p: PROPERTY,
  P: PROPERTY,
  h: '`[ \\t]` matches a horizontal space, `[0-9A-Fa-f]` a hexadecimal digit',
  R: '`\\r?\\n` matches a line break',
  ...Object.fromEntries(
    ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => [digit, BY_NAME]),
  ),
}
