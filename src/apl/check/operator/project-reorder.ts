import type { ColumnOrder, ColumnPlace, ProjectReorder } from '../../syntax/ast.js'
import type { Checked, Context } from '../context.js'
import type { Scope } from '../scope.js'
import { type NameTest, nameTest } from './name-pattern.js'

/** The columns in their places; those in none come where a lone `*` stands, or last. */
export function checkProjectReorder(
  reorder: ProjectReorder,
  context: Context,
  scope: Scope,
): Checked {
  const isRest = ({ pattern }: ColumnPlace) => pattern.pattern === '*'
  const places = reorder.places.map((place): Place => {
    const fits = isRest(place) ? undefined : nameTest(place.pattern, context, scope)
    return { fits, order: place.order }
  })
  const after = scope.reordered((names) => inPlaces(names, places))
  return { operators: [{ kind: 'project', columns: after }], scope: after }
}

interface Place {
  /** Undefined for the names that have no other place. */
  readonly fits: NameTest | undefined
  readonly order: ColumnOrder | undefined
}

function inPlaces(names: readonly string[], places: readonly Place[]): readonly string[] {
  const placed = new Set<string>()
  const groups = places.map(({ fits, order }) => {
    const found = fits === undefined ? [] : names.filter((name) => !placed.has(name) && fits(name))
    for (const name of found) placed.add(name)
    return ordered(found, order)
  })
  const others = names.filter((name) => !placed.has(name))
  const rest = places.findIndex(({ fits }) => fits === undefined)
  if (rest === -1) groups.push(others)
  else groups[rest] = ordered(others, places[rest]?.order)
  return groups.flat()
}

function ordered(names: readonly string[], order: ColumnOrder | undefined): readonly string[] {
  if (order === undefined) return names
  const ascending = names.toSorted(order.startsWith('granny') ? byNumbers : byText)
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
