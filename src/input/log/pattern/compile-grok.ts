import { matchAt } from '../../../text/match-at.js'
import { ownValue } from '../../../text/own-value.js'
import { closest } from '../../../text/suggest.js'
import { checkedPattern } from './compile-regex.js'
import { GROK_PATTERNS } from './grok-patterns.js'
import {
  inSpan,
  type LinePattern,
  PatternError,
  type PatternField,
  type PatternSpan,
  patternField,
} from './line-pattern.js'
import type { RegexFlags } from './regex-class.js'
import { type TranslatedPart, translateRegex } from './regex-translator.js'

/** `%{NAME}`, `%{NAME:field}` or `%{NAME:field:type}`. */
const REFERENCE = /%\{([^}:]*)(?::([^}]*))?\}/y

/**
 * Compiles a grok pattern: a regular expression with references to named patterns, `%{NAME}`, `%{NAME:field}` and
 * `%{NAME:field:type}`. Throws `PatternError` when it is malformed.
 */
export function compileGrok(text: string): LinePattern {
  return checkedPattern(text, translateGrok(text, NO_LIBRARY))
}

const NO_LIBRARY: ReadonlyMap<string, string> = new Map()

/** The translations of named patterns without fields, by library. */
const TRANSLATED = new WeakMap<ReadonlyMap<string, string>, Map<string, string>>()

/**
 * Like `compileGrok`, but for a built-in pattern, which is known to have fields and a valid regular expression. The patterns of
 * `library` precede those of grok; no pattern contains itself.
 */
export function translateGrok(text: string, library: ReadonlyMap<string, string>): LinePattern {
  const translator = new GrokTranslator(library)
  return { source: translator.translate(text), fields: translator.fields }
}

class GrokTranslator {
  readonly fields: PatternField[] = []
  private readonly library: ReadonlyMap<string, string>
  private readonly translated: Map<string, string>

  constructor(library: ReadonlyMap<string, string>) {
    this.library = library
    this.translated = TRANSLATED.get(library) ?? new Map<string, string>()
    TRANSLATED.set(library, this.translated)
  }

  translate(text: string, flags?: RegexFlags): string {
    const reference = (at: number, inner: RegexFlags) => this.reference(text, at, inner)
    return translateRegex({ text, fields: this.fields, reference, flags })
  }

  private reference(text: string, at: number, flags: RegexFlags): TranslatedPart {
    const [whole, name = '', written] = matchAt(REFERENCE, text, at) ?? []
    if (whole === undefined) {
      throw new PatternError('This `%{` is not closed.', { at, end: at + 2 })
    }
    const span = { at, end: at + whole.length }
    if (written !== undefined) this.fields.push(patternField(written, at + name.length + 3))
    const source = this.translateNamed(name, span, flags)
    return {
      source: `${written === undefined ? '(?:' : '('}${source})`,
      end: span.end,
      canRepeat: true,
    }
  }

  private translateNamed(name: string, span: PatternSpan, flags: RegexFlags): string {
    const key = `${name} ${flags.ignoreCase}`
    const known = this.translated.get(key)
    if (known !== undefined) return known
    const before = this.fields.length
    const inner = this.pattern(name, span)
    // Errors in a named pattern are reported for the reference to the pattern.
    const source = inSpan(span, () => this.translate(inner, flags))
    if (this.fields.length === before) this.translated.set(key, source)
    return source
  }

  private pattern(name: string, span: PatternSpan): string {
    const { library } = this
    const found = library.get(name) ?? ownValue(GROK_PATTERNS, name)
    if (found !== undefined) return found
    const guess = closest(name, [...library.keys(), ...Object.keys(GROK_PATTERNS)])
    throw new PatternError(`There is no grok pattern \`${name}\`.`, {
      ...span,
      help: guess ? `close to \`${guess}\`` : 'usual patterns: WORD, NUMBER, IP, DATA, GREEDYDATA',
    })
  }
}
