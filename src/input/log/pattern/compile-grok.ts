import { closest } from '../../../text/suggest.js'
import { checkedPattern } from './compile-regex.js'
import { GROK_PATTERNS } from './grok-patterns.js'
import { type LinePattern, PatternError, type PatternField, patternField } from './line-pattern.js'
import type { RegexFlags } from './regex-class.js'
import { type TranslatedPart, translateRegex } from './regex-translator.js'

/** `%{NAME}`, `%{NAME:field}` or `%{NAME:field:type}`. */
const REFERENCE = /%\{([^}:]*)(?::([^}]*))?\}/y

/**
 * Compiles a grok pattern: a regular expression with references to named patterns, `%{NAME}`, `%{NAME:field}` and
 * `%{NAME:field:type}`. The patterns of `library` precede the built-in ones. Throws `PatternError` when it is malformed.
 */
export function compileGrok(
  text: string,
  library: ReadonlyMap<string, string> = new Map(),
): LinePattern {
  return checkedPattern(text, translateGrok(text, library))
}

/** Like `compileGrok`, but for a built-in pattern, which is known to have fields and a valid regular expression. */
export function translateGrok(text: string, library: ReadonlyMap<string, string>): LinePattern {
  const fields: PatternField[] = []
  const source = new GrokTranslator(library, fields).translate(text)
  return { source, fields }
}

interface PatternSpan {
  readonly at: number
  readonly end: number
}

/** The translations of named patterns without fields, by library. */
const TRANSLATED = new WeakMap<ReadonlyMap<string, string>, Map<string, string>>()

class GrokTranslator {
  private readonly library: ReadonlyMap<string, string>
  private readonly fields: PatternField[]
  private readonly translated: Map<string, string>
  /** The names of the patterns that are being translated; each name is referred to by the pattern before it. */
  private readonly path: string[] = []

  constructor(library: ReadonlyMap<string, string>, fields: PatternField[]) {
    this.library = library
    this.fields = fields
    this.translated = TRANSLATED.get(library) ?? new Map()
    TRANSLATED.set(library, this.translated)
  }

  translate(text: string, flags?: RegexFlags): string {
    const reference = (at: number, inner: RegexFlags) => this.reference(text, at, inner)
    return translateRegex({ text, fields: this.fields, reference, flags })
  }

  private reference(text: string, at: number, flags: RegexFlags): TranslatedPart {
    REFERENCE.lastIndex = at
    const [whole, name = '', written] = REFERENCE.exec(text) ?? []
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
    const fields = this.fields.length
    const inner = this.pattern(name, span)
    this.path.push(name)
    const source = inSpan(span, () => this.translate(inner, flags))
    this.path.pop()
    if (this.fields.length === fields) this.translated.set(key, source)
    return source
  }

  private pattern(name: string, span: PatternSpan): string {
    if (this.path.includes(name)) {
      const cycle = [...this.path.slice(this.path.indexOf(name)), name]
      throw new PatternError(`The pattern \`${name}\` contains itself: ${cycle.join(' → ')}.`, span)
    }
    const own = Object.hasOwn(GROK_PATTERNS, name) ? GROK_PATTERNS[name] : undefined
    const found = this.library.get(name) ?? own
    if (found !== undefined) return found
    const known = [...this.library.keys(), ...Object.keys(GROK_PATTERNS)]
    const guess = closest(name, known)
    throw new PatternError(`There is no grok pattern \`${name}\`.`, {
      ...span,
      help:
        guess === undefined
          ? 'usual patterns: WORD, NUMBER, IP, DATA, GREEDYDATA'
          : `close to \`${guess}\``,
    })
  }
}

/** Calls `translate`; errors in a named pattern are reported for the reference to the pattern. */
function inSpan<T>(span: PatternSpan, translate: () => T): T {
  try {
    return translate()
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw new PatternError(error.message, { ...span, help: error.help })
  }
}
