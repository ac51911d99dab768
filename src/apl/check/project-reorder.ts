import type { ColumnOrder, ColumnPlace, ProjectReorder } from '../ast.js'
import type { Column } from '../checked.js'
import type { Checked, Context } from './context.js'
import { matching } from './name-pattern.js'
import type { Scope } from './scope.js'

/** The columns in their places; those in none come where a lone `*` stands, or last. */
export function checkProjectReorder(
  reorder: ProjectReorder,
  context: Context,
  scope: Scope,
): Checked {
  const placed = new Set<Column>()
  const isRest = ({ pattern }: ColumnPlace) => pattern.pattern === '*'
  const groups = reorder.places.map((place) => {
    if (isRest(place)) return []
    const found = matching(place.pattern, context, scope).filter((column) => !placed.has(column))
    for (const column of found) placed.add(column)
    return ordered(found, place.order)
  })
  const others = scope.columns.filter((column) => !placed.has(column))
  const rest = reorder.places.findIndex(isRest)
  if (rest === -1) groups.push(others)
  else groups[rest] = ordered(others, reorder.places[rest]?.order)
  const columns = groups.flat()
  return { operators: [{ kind: 'project', columns }], scope: scope.with(columns) }
}

function ordered(columns: readonly Column[], order: ColumnOrder | undefined): readonly Column[] {
  if (order === undefined) return columns
  const compare = order.startsWith('granny') ? byNumbers : byText
  const ascending = columns.toSorted((a, b) => compare(a.name, b.name))
  return order.endsWith('desc') ? ascending.toReversed() : ascending
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Names by the text before their first number, then by the number, then by the rest. The larger number
 * comes first when names ascend: `b50` before `b9`, as the operator is documented.
 */
function byNumbers(a: string, b: string): number {
  const [x, y] = [pieces(a), pieces(b)]
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const [one, other] = [x[i]!, y[i]!]
    const numbers = /^\d/.test(one) && /^\d/.test(other)
    const found = numbers ? Number(other) - Number(one) : byText(one, other)
    if (found !== 0) return found
  }
  return x.length - y.length || byText(a, b)
}

function pieces(name: string): readonly string[] {
  return name.match(/\d+|\D+/g) ?? []
}
