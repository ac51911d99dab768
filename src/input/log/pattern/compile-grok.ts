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
 * `%{NAME:field:type}`. The patterns of `library` precede the built-in ones. Throws `PatternError` when it is malformed.
 */
export function compileGrok(
  text: string,
  library: ReadonlyMap<string, string> = new Map(),
): LinePattern {
  return checkedPattern(text, translateGrok(text, library))
}

/** The translations of named patterns without fields, by library. */
const TRANSLATED = new WeakMap<ReadonlyMap<string, string>, Map<string, string>>()

/** Like `compileGrok`, but for a built-in pattern, which is known to have fields and a valid regular expression. */
export function translateGrok(text: string, library: ReadonlyMap<string, string>): LinePattern {
  const fields: PatternField[] = []
  const translated = TRANSLATED.get(library) ?? new Map<string, string>()
  TRANSLATED.set(library, translated)
  /** The names of the patterns that are being translated; each name is referred to by the pattern before it. */
  const path: string[] = []

  function translate(text: string, flags?: RegexFlags): string {
    const referenceAt = (at: number, inner: RegexFlags) => reference(text, at, inner)
    return translateRegex({ text, fields, reference: referenceAt, flags })
  }

  function reference(text: string, at: number, flags: RegexFlags): TranslatedPart {
    REFERENCE.lastIndex = at
    const [whole, name = '', written] = REFERENCE.exec(text) ?? []
    if (whole === undefined) {
      throw new PatternError('This `%{` is not closed.', { at, end: at + 2 })
    }
    const span = { at, end: at + whole.length }
    if (written !== undefined) fields.push(patternField(written, at + name.length + 3))
    const source = translateNamed(name, span, flags)
    return {
      source: `${written === undefined ? '(?:' : '('}${source})`,
      end: span.end,
      canRepeat: true,
    }
  }

  function translateNamed(name: string, span: PatternSpan, flags: RegexFlags): string {
    const key = `${name} ${flags.ignoreCase}`
    const known = translated.get(key)
    if (known !== undefined) return known
    const before = fields.length
    const inner = pattern(name, span)
    path.push(name)
    // Errors in a named pattern are reported for the reference to the pattern.
    const source = inSpan(span, () => translate(inner, flags))
    path.pop()
    if (fields.length === before) translated.set(key, source)
    return source
  }

  function pattern(name: string, span: PatternSpan): string {
    if (path.includes(name)) {
      const cycle = [...path.slice(path.indexOf(name)), name]
      throw new PatternError(`The pattern \`${name}\` contains itself: ${cycle.join(' → ')}.`, span)
    }
    const found = library.get(name) ?? ownValue(GROK_PATTERNS, name)
    if (found !== undefined) return found
    const known = [...library.keys(), ...Object.keys(GROK_PATTERNS)]
    const guess = closest(name, known)
    throw new PatternError(`There is no grok pattern \`${name}\`.`, {
      ...span,
      help:
        guess === undefined
          ? 'usual patterns: WORD, NUMBER, IP, DATA, GREEDYDATA'
          : `close to \`${guess}\``,
    })
  }

  return { source: translate(text), fields }
}
