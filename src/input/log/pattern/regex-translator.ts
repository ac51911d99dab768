import { PatternError, type PatternField, patternField } from './line-pattern.js'
import { classSource, letterSource, literalSource, type RegexFlags } from './regex-class.js'
import { parseEscape } from './regex-escape.js'

/** A translated part of a regular expression. */
export interface TranslatedPart {
  /** The part as a regular expression of JavaScript. */
  readonly source: string
  /** The offset of the next part. */
  readonly end: number
  /** True when a quantifier can repeat the part. */
  readonly canRepeat: boolean
}

interface TranslationOptions {
  readonly text: string
  /** The fields of the whole pattern so far. */
  readonly fields: PatternField[]
  readonly flags?: RegexFlags
  /** Translates `%{…}` at an offset; without this function, these are ordinary characters. */
  reference?(at: number, flags: RegexFlags): TranslatedPart
}

const NAMED_GROUP = /\((?:\?P?<(?![=!])|\?')([^>']*)[>']/y
const OTHER_GROUP = /\(\?(?:[=!>]|<[=!])/y
const FLAG_GROUP = /\(\?([ims]*)(?:-([ims]*))?([:)])/y
const COMMENT = /\(\?#[^)]*\)/y
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\}|\{,\d+\})[?+]?/y
const BACKREFERENCE = /\\k[<{']([^>}']*)[>}']|\(\?P=([^)]*)\)/y
const QUOTATION = /\\Q((?:[^\\]|\\(?!E))*)(?:\\E|$)/y

/**
 * Translates a regular expression in the syntax of RE2, Oniguruma or JavaScript to JavaScript, for latin1 text, and adds its
 * named groups to the fields; other groups do not capture. `.` also matches line breaks. Atomic groups and possessive
 * quantifiers become ordinary ones, which match the same texts and more. Throws `PatternError` when the expression is malformed
 * or not supported.
 */
export function translateRegex({
  text,
  fields,
  flags: outer = { ignoreCase: false },
  reference,
}: TranslationOptions): string {
  let flags = outer
  let at = 0
  const open: { readonly at: number; readonly flags: RegexFlags }[] = []

  function nextPart(): TranslatedPart {
    const sign = text[at]!
    if (sign === '(') return group()
    if (sign === ')') return close()
    if (sign === '[') return { ...classSource(text, at, flags), canRepeat: true }
    if (sign === '\\') return escaped()
    if (sign === '.') return { source: '[^]', end: at + 1, canRepeat: true }
    if ('^$|'.includes(sign)) return { source: sign, end: at + 1, canRepeat: false }
    if (text.startsWith('%{', at) && reference !== undefined) return reference(at, flags)
    const character = String.fromCodePoint(text.codePointAt(at)!)
    const end = at + character.length
    return { source: letterSource(character, flags), end, canRepeat: true }
  }

  function quantifier(canRepeat: boolean): TranslatedPart | undefined {
    const [written] = match(QUANTIFIER) ?? []
    if (written === undefined) return undefined
    const span = spanOf(written)
    if (!canRepeat) {
      const help = `\`\\${written[0]}\` matches the character`
      throw new PatternError(`\`${written}\` has nothing to repeat.`, { ...span, help })
    }
    const [, least, most] = /^\{(\d+),(\d+)\}/.exec(written) ?? []
    if (least !== undefined && Number(least) > Number(most)) {
      throw new PatternError('The bounds of a quantifier are reversed.', span)
    }
    const source = written.replace(/(?<=.)\+$/, '').replace('{,', '{0,')
    return { source, end: span.end, canRepeat: false }
  }

  function group(): TranslatedPart {
    const [named, name = ''] = match(NAMED_GROUP) ?? []
    if (named !== undefined) {
      fields.push(patternField(name, at + named.length - name.length - 1))
      return opening('(', named)
    }
    const [comment] = match(COMMENT) ?? []
    if (comment !== undefined) {
      return { source: '', end: at + comment.length, canRepeat: false }
    }
    const [other] = match(OTHER_GROUP) ?? []
    if (other !== undefined) return opening(other === '(?>' ? '(?:' : other, other)
    if (text[at + 1] !== '?') return opening('(?:', '(')
    return backreference() ?? flagGroup()
  }

  function opening(source: string, written: string): TranslatedPart {
    open.push({ at, flags })
    return { source, end: at + written.length, canRepeat: false }
  }

  function close(): TranslatedPart {
    const group = open.pop()
    if (group === undefined) {
      const help = '`\\)` matches the character'
      throw new PatternError('There is no `(` for this `)`.', { at, help })
    }
    flags = group.flags
    return { source: ')', end: at + 1, canRepeat: true }
  }

  /** `(?i)` for the rest of the group, or `(?i:…)`. */
  function flagGroup(): TranslatedPart {
    const [written, on = '', off = '', sign] = match(FLAG_GROUP) ?? []
    if (written === undefined) {
      const help = 'groups: (…), (?<name>…), (?:…), (?i:…), (?=…), (?!…), (?<=…), (?<!…), (?>…)'
      throw new PatternError('This kind of group is not supported.', { ...spanOf('(?x'), help })
    }
    const part =
      sign === ':'
        ? opening('(?:', written)
        : { source: '', end: at + written.length, canRepeat: false }
    flags = { ignoreCase: on.includes('i') || (flags.ignoreCase && !off.includes('i')) }
    return part
  }

  function escaped(): TranslatedPart {
    const reference = backreference()
    if (reference !== undefined) return reference
    const [quotation, inside = ''] = match(QUOTATION) ?? []
    if (quotation !== undefined) {
      const source = [...inside].map(literalSource).join('')
      return { source, end: at + quotation.length, canRepeat: inside !== '' }
    }
    const found = parseEscape(text, at)
    const { end } = found
    if (found.kind === 'character') {
      return { source: letterSource(found.character, flags), end, canRepeat: true }
    }
    const isSet = found.kind === 'set'
    return { source: isSet ? `[${found.source}]` : found.source, end, canRepeat: isSet }
  }

  function backreference(): TranslatedPart | undefined {
    const [written, quoted, other] = match(BACKREFERENCE) ?? []
    if (written === undefined) return undefined
    const name = quoted ?? other ?? ''
    const index = fields.findIndex((field) => field.name === name)
    if (index === -1) {
      throw new PatternError(`No group \`${name}\` precedes this.`, spanOf(written))
    }
    return { source: `(?:\\${index + 1})`, end: at + written.length, canRepeat: true }
  }

  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at
    return pattern.exec(text)
  }

  function spanOf(written: string): { readonly at: number; readonly end: number } {
    return { at, end: at + written.length }
  }

  let source = ''
  let canRepeat = false
  while (at < text.length) {
    const part: TranslatedPart = quantifier(canRepeat) ?? nextPart()
    source += part.source
    at = part.end
    canRepeat = part.canRepeat
  }
  const unclosed = open.at(-1)
  if (unclosed !== undefined) throw new PatternError('This `(` is not closed.', unclosed)
  return source
}
