import { setFlagsFromString } from 'node:v8'
import { type LinePattern, PatternError, type PatternField } from './line-pattern.js'
import { linearRepeats } from './linear-repeats.js'
import { translateRegex } from './regex-translator.js'

/**
 * Compiles a regular expression with named groups, `(?<name>…)`, `(?P<name>…)` or `(?<name:type>…)`. Throws
 * `PatternError` when it is malformed.
 */
export function compileRegex(text: string): LinePattern {
  const fields: PatternField[] = []
  return checkedPattern(text, { source: translateRegex({ text, fields }), fields })
}

/** Returns the pattern; throws `PatternError` when it has no fields or JavaScript rejects its regular expression. */
export function checkedPattern(text: string, pattern: LinePattern): LinePattern {
  if (pattern.fields.length === 0) {
    throw new PatternError('The pattern has no fields.', {
      at: 0,
      end: Math.max(1, text.length),
      help: '`%{IP:client}`, `(?<client>\\S+)` or `"from " client " to " *`',
    })
  }
  try {
    // V8 compiles an expression when it is first used, and rejects one that is too large only then.
    new RegExp(pattern.source).test('')
  } catch (error) {
    const reason = String((error as Error).message).replace(
      /^Invalid regular expression: .*: /s,
      '',
    )
    throw new PatternError(`The regular expression is not valid: ${reason}.`, {
      at: 0,
      end: text.length,
    })
  }
  return pattern
}

/**
 * Returns the regular expression of a pattern. After too much backtracking, as in `(a+)+$`, matching continues in linear
 * time: V8 has a second engine for expressions without lookarounds, references to groups, and many repetitions.
 */
export function patternRegExp(source: string): RegExp {
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')
  // A pattern that begins with any text matches at the beginning of a line or not at all.
  const isAnchored = ANY_TEXT.test(source) && !hasAlternatives(source)
  return new RegExp(linearRepeats(isAnchored ? `^${source}` : source))
}

const ANY_TEXT = /^(?:\((?:\?:)?)*\[\^\]\*/

/** True when a regular expression has alternatives outside of groups. */
function hasAlternatives(source: string): boolean {
  let depth = 0
  for (const [part] of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()|]/gs)) {
    if (part === '(') depth += 1
    else if (part === ')') depth -= 1
    else if (part === '|' && depth === 0) return true
  }
  return false
}
