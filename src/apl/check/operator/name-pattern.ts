import { unknownField } from '../../problem/name.js'
import type { NamePattern } from '../../syntax/ast.js'
import type { Column } from '../checked.js'
import type { Context } from '../context.js'
import type { Scope } from '../scope.js'

/** Returns true for the names that a pattern matches. */
export type NameTest = (name: string) => boolean

/** Returns the test for a pattern: the column of exactly this name, or else those that match its `*`. */
export function nameTest({ pattern, span }: NamePattern, context: Context, scope: Scope): NameTest {
  const exact = scope.find(pattern)
  if (exact !== undefined) return (name) => name === exact.name
  if (pattern.includes('*')) {
    const pieces = pattern.split('*')
    return (name) => fits(name, pieces)
  }
  if (scope.open || context.isSuppressed(pattern)) return () => false
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

/** Returns the columns that a pattern matches. */
export function matching(pattern: NamePattern, context: Context, scope: Scope): readonly Column[] {
  const exact = scope.find(pattern.pattern)
  return exact === undefined ? scope.matching(nameTest(pattern, context, scope)) : [exact]
}

/** Returns true if the name consists of the pieces in order, with any text between them. */
function fits(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0]!
  const last = pieces.at(-1)!
  if (name.length < first.length + last.length) return false
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  const end = name.length - last.length
  let from = first.length
  for (const piece of pieces.slice(1, -1)) {
    const at = name.indexOf(piece, from)
    if (at === -1 || at + piece.length > end) return false
    from = at + piece.length
  }
  return true
}
