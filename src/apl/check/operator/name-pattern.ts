import { matchesWildcard } from '../../../text/wildcard.js'
import { unknownField } from '../../problem/name.js'
import type { NamePattern } from '../../syntax/ast.js'
import type { Column } from '../checked.js'
import type { Context } from '../context.js'
import type { Scope } from '../scope.js'

export type NameTest = (name: string) => boolean

/** Returns the test for a pattern: the column of exactly this name, or else the columns that match its `*`. */
export function nameTest({ pattern, span }: NamePattern, context: Context, scope: Scope): NameTest {
  const exact = scope.find(pattern)
  if (exact !== undefined) return (name) => name === exact.name
  if (pattern.includes('*')) return (name) => matchesWildcard(name, pattern)
  if (scope.open || context.isSuppressed(pattern)) return (name) => name === pattern
  context.suppress(pattern)
  context.report(unknownField({ name: pattern, span }, scope.namesToSuggest()))
  return () => false
}

/** Returns the test for several patterns, any of which may match. */
export function anyPattern(
  patterns: readonly NamePattern[],
  context: Context,
  scope: Scope,
): NameTest {
  const tests = patterns.map((pattern) => nameTest(pattern, context, scope))
  return (name) => tests.some((test) => test(name))
}

export function matching(pattern: NamePattern, context: Context, scope: Scope): readonly Column[] {
  const exact = scope.find(pattern.pattern)
  return exact === undefined ? scope.matching(nameTest(pattern, context, scope)) : [exact]
}
