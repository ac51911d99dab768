import type { NamePattern } from '../ast.js'
import type { Column } from '../checked.js'
import { unknownField } from '../problem/name.js'
import type { Context } from './context.js'
import type { Scope } from './scope.js'

/** The columns of that name, or with a `*` those that fit. */
export function matching(
  { pattern, span }: NamePattern,
  context: Context,
  scope: Scope,
): readonly Column[] {
  const exact = scope.find(pattern)
  if (exact !== undefined) return [exact]
  if (pattern.includes('*')) {
    const pieces = pattern.split('*')
    return scope.columns.filter(({ name }) => fits(name, pieces))
  }
  if (scope.open || context.isSilenced(pattern)) return []
  context.silence(pattern)
  context.report(unknownField({ name: pattern, span }, scope.names()))
  return []
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
