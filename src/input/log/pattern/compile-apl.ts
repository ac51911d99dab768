import { matchAt } from '../../../text/match-at.js'
import { checkedPattern } from './compile-regex.js'
import {
  type FieldType,
  fieldType,
  inSpan,
  type LinePattern,
  PatternError,
  type PatternField,
} from './line-pattern.js'
import { literalSource } from './regex-class.js'
import { parseEscape } from './regex-escape.js'
import { translateRegex } from './regex-translator.js'

type Piece =
  | { readonly kind: 'gap' }
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | {
      readonly kind: 'field'
      readonly field: PatternField
      readonly at: number
      readonly end: number
    }

const KIND = /^\s*kind\s*=\s*(\w+)/
const SEPARATOR = /[\s,]*/y
/** A string, without escapes after `@`; a gap; the name of a field, in brackets if it is no word, and its type. */
const PIECE =
  /@(?:"([^"]*)"|'([^']*)')|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(\*)|([A-Za-z_$][\w.@$-]*|\[\s*(?:"[^"]*"|'[^']*')\s*\])(?:\s*:\s*(\w*))?/sy

/** The regular expressions of values that no text ends. Strings have no such expression, because they may contain any text. */
const SHAPES: Partial<Record<FieldType, string>> = {
  bool: '([Tt]rue|TRUE|[Ff]alse|FALSE|[01])',
  long: '([-+]?\\d+)',
  real: '([-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?)',
}

/**
 * Compiles the pattern of APL's `parse`, `"text" field:type *`, which must match the whole line. Fields match as little
 * as possible, the last one up to the end of the line; `*` skips text. `kind=regex` makes the strings regular
 * expressions. Throws `PatternError` when it is malformed.
 */
export function compileAplParse(text: string): LinePattern {
  const { kind, from } = parseKind(text)
  const pieces = parsePieces(text, from)
  const fields = pieces.flatMap((piece) => (piece.kind === 'field' ? [piece.field] : []))
  const sources = pieces.map((piece, i) =>
    pieceSource(piece, { next: pieces[i + 1], isRegex: kind === 'regex' }),
  )
  return checkedPattern(text, { source: `^${sources.join('')}$`, fields })
}

function pieceSource(
  piece: Piece,
  { next, isRegex }: { readonly next: Piece | undefined; readonly isRegex: boolean },
): string {
  switch (piece.kind) {
    case 'gap':
      return next === undefined ? '[^]*' : '[^]*?'
    case 'text':
      return isRegex ? regexSource(piece) : [...piece.text].map(literalSource).join('')
    case 'field':
      return fieldSource(piece, next)
    default:
      return piece satisfies never
  }
}

function fieldSource(
  { field, at, end }: Extract<Piece, { readonly kind: 'field' }>,
  next: Piece | undefined,
): string {
  if (next === undefined) return '([^]*)'
  if (next.kind === 'text') return '([^]*?)'
  const shape = SHAPES[field.type]
  if (shape !== undefined) return shape
  const help = '`message " user=" user " " *`; a number ends with its digits: `* "id=" id:long *`'
  throw new PatternError(`Nothing marks the end of \`${field.name}\`; a string must follow.`, {
    at,
    end,
    help,
  })
}

/** Translates a string with a regular expression. Errors inside the string are reported for the whole string. */
function regexSource({ text, at }: Extract<Piece, { readonly kind: 'text' }>): string {
  return inSpan({ at, end: at + text.length + 2 }, () => {
    const fields: PatternField[] = []
    const source = translateRegex({ text, fields })
    if (fields.length > 0) throw new PatternError('The strings cannot have named groups.', { at })
    return `(?:${source})`
  })
}

function parseKind(text: string): { readonly kind: string; readonly from: number } {
  const [whole = '', kind = 'simple'] = KIND.exec(text) ?? []
  if (['simple', 'relaxed', 'regex'].includes(kind)) return { kind, from: whole.length }
  const at = whole.length - kind.length
  const help = 'kinds: simple, regex, relaxed'
  throw new PatternError(`There is no kind \`${kind}\` of patterns.`, {
    at,
    end: whole.length,
    help,
  })
}

function parsePieces(text: string, from: number): readonly Piece[] {
  const pieces: Piece[] = []
  const afterSeparator = (at: number) => at + matchAt(SEPARATOR, text, at)![0].length
  for (let at = afterSeparator(from); at < text.length; ) {
    const match = matchAt(PIECE, text, at)
    if (match === null) throw unexpected(text, at)
    const [whole, double, single, escapedDouble, escapedSingle, gap, written, type] = match
    const end = at + whole.length
    const escaped = escapedDouble ?? escapedSingle
    if (gap !== undefined) pieces.push({ kind: 'gap' })
    else if (written !== undefined) {
      const name = written.replace(/^\[\s*["']|["']\s*\]$/g, '')
      const typed = type === undefined ? 'string' : fieldType(type, end - type.length)
      pieces.push({ kind: 'field', field: { name, type: typed }, at, end })
    } else {
      const inside = escaped === undefined ? (double ?? single ?? '') : unescaped(escaped, at + 1)
      pieces.push({ kind: 'text', text: inside, at })
    }
    at = afterSeparator(end)
  }
  return pieces
}

function unexpected(text: string, at: number): PatternError {
  if (/["'@]/.test(text[at]!)) {
    return new PatternError('This string is not closed.', { at, end: text.length })
  }
  const help =
    '`"text" field *` as in APL; a regular expression needs a named group, `(?<field>…)`, grok `%{NAME:field}`'
  return new PatternError(
    `Expected a quoted string, \`*\` or the name of a field, found \`${text[at]}\`.`,
    { at, help },
  )
}

function unescaped(inside: string, start: number): string {
  let text = ''
  for (let at = 0; at < inside.length; ) {
    const found = inside[at] === '\\' ? stringEscape(inside, at, start) : undefined
    text += found?.character ?? inside[at]
    at = found?.end ?? at + 1
  }
  return text
}

function stringEscape(inside: string, at: number, start: number) {
  const span = { at: start + at, end: start + at + 2 }
  const written = inside.slice(at, at + 2)
  const help = 'a backslash is written `\\\\`, or the string begins with `@`'
  try {
    const found = parseEscape(inside, at)
    if (found.kind === 'character') return found
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
  }
  throw new PatternError(`The escape \`${written}\` is not supported.`, { ...span, help })
}
