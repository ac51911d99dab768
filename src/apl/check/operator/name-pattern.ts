import { unknownField } from '../../problem/name.js'
import type { NamePattern } from '../../syntax/ast.js'
import type { Column } from '../checked.js'
import type { Context } from '../context.js'
import type { Scope } from '../scope.js'

/** Tells which names are meant: one of exactly that name, or with a `*` those that fit. */
export type NameTest = (name: string) => boolean

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

/** Tells which names one of the patterns means. */
export function anyPattern(
  patterns: readonly NamePattern[],
  context: Context,
  scope: Scope,
): NameTest {
  const tests = patterns.map((pattern) => nameTest(pattern, context, scope))
  return (name) => tests.some((test) => test(name))
}

/** The columns that a pattern means. */
export function matching(pattern: NamePattern, context: Context, scope: Scope): readonly Column[] {
  const exact = scope.find(pattern.pattern)
  return exact === undefined ? scope.matching(nameTest(pattern, context, scope)) : [exact]
}

/** Whether a name is these pieces in their order, with something or nothing between them. */
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
