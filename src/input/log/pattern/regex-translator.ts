import { matchAt } from '../../../text/match-at.js'
import { PatternError, type PatternField, patternField } from './line-pattern.js'
import { classSource, letterSource, literalSource, type RegexFlags } from './regex-class.js'
import { parseEscape } from './regex-escape.js'

/** A translated part of a regular expression. */
export interface TranslatedPart {
  /** The part as a regular expression of JavaScript. */
  readonly source: string
  /** The offset of the next part. */
  readonly end: number
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
export function translateRegex(options: TranslationOptions): string {
  return new RegexTranslator(options).translate()
}

/** The methods that return a part translate the next one, and return undefined for a part of another kind. */
class RegexTranslator {
  private readonly text: string
  private readonly fields: PatternField[]
  private readonly reference: TranslationOptions['reference']
  /** The flags in force at the next part. */
  private flags: RegexFlags
  /** The offset of the next part. */
  private at = 0
  /** The groups that are not closed. */
  private readonly open: { readonly at: number; readonly flags: RegexFlags }[] = []

  constructor({ text, fields, flags = { ignoreCase: false }, reference }: TranslationOptions) {
    this.text = text
    this.fields = fields
    this.flags = flags
    this.reference = reference
  }

  translate(): string {
    let source = ''
    let canRepeat = false
    while (this.at < this.text.length) {
      const part: TranslatedPart = this.quantifier(canRepeat) ?? this.nextPart()
      source += part.source
      this.at = part.end
      canRepeat = part.canRepeat
    }
    const unclosed = this.open.at(-1)
    if (unclosed !== undefined) throw new PatternError('This `(` is not closed.', unclosed)
    return source
  }

  private nextPart(): TranslatedPart {
    const sign = this.text[this.at]!
    if (sign === '(') return this.group()
    if (sign === ')') return this.close()
    if (sign === '[') return { ...classSource(this.text, this.at, this.flags), canRepeat: true }
    if (sign === '\\') return this.escaped()
    if (sign === '.') return this.part(sign, '[^]', { canRepeat: true })
    if ('^$|'.includes(sign)) return this.part(sign, sign)
    if (this.text.startsWith('%{', this.at) && this.reference !== undefined)
      return this.reference(this.at, this.flags)
    const character = String.fromCodePoint(this.text.codePointAt(this.at)!)
    return this.part(character, letterSource(character, this.flags), { canRepeat: true })
  }

  private quantifier(canRepeat: boolean): TranslatedPart | undefined {
    const [written] = this.match(QUANTIFIER) ?? []
    if (written === undefined) return undefined
    const span = this.spanOf(written)
    if (!canRepeat) {
      const help = `\`\\${written[0]}\` matches the character`
      throw new PatternError(`\`${written}\` has nothing to repeat.`, { ...span, help })
    }
    const [, least, most] = /^\{(\d+),(\d+)\}/.exec(written) ?? []
    if (least !== undefined && Number(least) > Number(most)) {
      throw new PatternError('The bounds of a quantifier are reversed.', span)
    }
    const source = written.replace(/(?<=.)\+$/, '').replace('{,', '{0,')
    return this.part(written, source)
  }

  private group(): TranslatedPart {
    const [named, name = ''] = this.match(NAMED_GROUP) ?? []
    if (named !== undefined) {
      this.fields.push(patternField(name, this.at + named.length - name.length - 1))
      return this.opening('(', named)
    }
    const [comment] = this.match(COMMENT) ?? []
    if (comment !== undefined) return this.part(comment, '')
    const [other] = this.match(OTHER_GROUP) ?? []
    if (other !== undefined) return this.opening(other === '(?>' ? '(?:' : other, other)
    if (this.text[this.at + 1] !== '?') return this.opening('(?:', '(')
    return this.backreference() ?? this.flagGroup()
  }

  private opening(source: string, written: string): TranslatedPart {
    this.open.push({ at: this.at, flags: this.flags })
    return this.part(written, source)
  }

  private close(): TranslatedPart {
    const group = this.open.pop()
    if (group === undefined) {
      const help = '`\\)` matches the character'
      throw new PatternError('There is no `(` for this `)`.', { at: this.at, help })
    }
    this.flags = group.flags
    return this.part(')', ')', { canRepeat: true })
  }

  /** `(?i)` for the rest of the group, or `(?i:…)`. */
  private flagGroup(): TranslatedPart {
    const [written, on = '', off = '', sign] = this.match(FLAG_GROUP) ?? []
    if (written === undefined) {
      const help = 'groups: (…), (?<name>…), (?:…), (?i:…), (?=…), (?!…), (?<=…), (?<!…), (?>…)'
      throw new PatternError('This kind of group is not supported.', {
        ...this.spanOf('(?x'),
        help,
      })
    }
    const part = sign === ':' ? this.opening('(?:', written) : this.part(written, '')
    const ignoreCase = on.includes('i') || (this.flags.ignoreCase && !off.includes('i'))
    this.flags = { ignoreCase }
    return part
  }

  private escaped(): TranslatedPart {
    const reference = this.backreference()
    if (reference !== undefined) return reference
    const [quotation, inside = ''] = this.match(QUOTATION) ?? []
    if (quotation !== undefined) {
      const source = [...inside].map(literalSource).join('')
      return this.part(quotation, source, { canRepeat: inside !== '' })
    }
    const found = parseEscape(this.text, this.at)
    const { end } = found
    if (found.kind === 'character') {
      return { source: letterSource(found.character, this.flags), end, canRepeat: true }
    }
    const isSet = found.kind === 'set'
    return { source: isSet ? `[${found.source}]` : found.source, end, canRepeat: isSet }
  }

  private backreference(): TranslatedPart | undefined {
    const [written, quoted, other] = this.match(BACKREFERENCE) ?? []
    if (written === undefined) return undefined
    const name = quoted ?? other ?? ''
    const index = this.fields.findIndex((field) => field.name === name)
    if (index === -1) {
      throw new PatternError(`No group \`${name}\` precedes this.`, this.spanOf(written))
    }
    return this.part(written, `(?:\\${index + 1})`, { canRepeat: true })
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    return matchAt(pattern, this.text, this.at)
  }

  private spanOf(written: string): { readonly at: number; readonly end: number } {
    return { at: this.at, end: this.at + written.length }
  }

  /** Returns the part that stands for the next characters. */
  private part(written: string, source: string, { canRepeat = false } = {}): TranslatedPart {
    return { source, end: this.at + written.length, canRepeat }
  }
}
