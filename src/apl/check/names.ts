import { isAggregateName } from '../aggregate/aggregates.js'
import { duplicateName } from '../problem/name.js'
import type { Expression, Identifier } from '../syntax/ast.js'
import { textOf } from '../syntax/string-literal.js'
import type { Context } from './context.js'

/** A column that needs a name: the explicit name, if any, and the default. */
export interface NameRequest {
  readonly name?: Identifier
  /** The default name; undefined for an expression that becomes `Column1`, `Column2`, …. */
  readonly usual: string | undefined
  /** True when the default name is not the name of a field. */
  readonly isNew?: boolean
}

/** Returns the name of a field or of a path into one: `geo.city`, also for `geo['city']`. */
export function plainName(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'name':
      return expression.name
    case 'member':
      return joined(expression.value, expression.member.name)
    case 'index': {
      const key = textOf(expression.index)
      return key === undefined ? undefined : joined(expression.value, key)
    }
    default:
      return undefined
  }
}

function joined(value: Expression, part: string): string | undefined {
  const name = plainName(value)
  return name === undefined ? undefined : `${name}.${part}`
}

/** Returns the default name of a key of `summarize … by`: `_time` for `bin(_time, 1h)` and `bin_auto(_time)`. */
export function keyName(expression: Expression): string | undefined {
  const binned = expression.kind === 'call' && /^bin(?:_auto)?$/.test(expression.function.name)
  const [first] = binned ? expression.arguments : [expression]
  return first && plainName(first)
}

/** Returns the default name of an aggregation: `avg_duration`, `count_`. */
export function aggregateName(expression: Expression): string | undefined {
  if (expression.kind !== 'call' || !isAggregateName(expression.function.name)) return undefined
  const [first] = expression.arguments
  return `${expression.function.name}_${(first && plainName(first)) ?? ''}`
}

/** Returns the names that an operator defines, without fields under their own name (`x`, `x = x`), which may be misspelled. */
export function newNames(
  names: readonly string[],
  requests: readonly NameRequest[],
): ReadonlySet<string> {
  return new Set(names.filter((name, i) => requests[i]?.isNew || requests[i]?.usual !== name))
}

/**
 * Returns a unique name for each item. Explicit names are kept; a repeated default name gets a number. Numbered names
 * such as `Column1` skip names for which `taken` returns true.
 */
export function assignNames(
  items: readonly NameRequest[],
  context: Context,
  taken: (name: string) => boolean = () => false,
): readonly string[] {
  const used = writtenNames(items, context)
  /** The next number to try for each default name; lower ones are taken. */
  const next = new Map<string, number>()
  return items.map(({ name, usual }) => {
    if (name !== undefined) return name.name
    const numbered = usual ?? 'Column'
    const nameOf = (n: number) => (usual !== undefined && n === 0 ? usual : `${numbered}${n}`)
    const isTaken = (candidate: string) =>
      used.has(candidate) || (usual === undefined && taken(candidate))
    const key = usual === undefined ? '' : `=${usual}`
    let n = next.get(key) ?? (usual === undefined ? 1 : 0)
    while (isTaken(nameOf(n))) n++
    next.set(key, n + 1)
    const free = nameOf(n)
    used.add(free)
    return free
  })
}

/** Returns the explicit names of items, and reports those that are repeated. */
export function writtenNames(
  items: readonly Pick<NameRequest, 'name'>[],
  context: Context,
): Set<string> {
  const used = new Set<string>()
  for (const { name } of items) {
    if (name === undefined) continue
    if (used.has(name.name)) context.report(duplicateName(name))
    used.add(name.name)
  }
  return used
}
