import { compileAplParse } from './compile-apl.js'
import { compileGrok } from './compile-grok.js'
import { compileRegex } from './compile-regex.js'
import type { LinePattern } from './line-pattern.js'

/**
 * Compiles a pattern of any kind: grok if it contains `%{`, a regular expression if it contains `(?<` or `(?P<`,
 * otherwise a pattern of APL's `parse`. Throws `PatternError` when it is malformed.
 */
export function compilePattern(text: string): LinePattern {
  if (text.includes('%{')) return compileGrok(text)
  return /\(\?P?</.test(text) ? compileRegex(text) : compileAplParse(text)
}
