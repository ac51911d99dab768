import { isAggregateName } from '../aggregate/aggregates.js'
import { duplicateName } from '../problem/name.js'
import type { Assignment, Expression, Identifier } from '../syntax/ast.js'
import type { Context } from './context.js'

/** An expression that needs a name, and the name it takes when none is written. */
export interface NameRequest {
  readonly name?: Identifier
  /** Undefined for an expression that is `Column1`, `Column2`, …. */
  readonly usual: string | undefined
}

/** The name of a field or of a path into one: `geo.city`, also when written `geo['city']`. */
export function plainName(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'name':
      return expression.name
    case 'member':
      return joined(expression.value, expression.member.name)
    case 'index': {
      const { value, index } = expression
      const key = index.kind === 'literal' && index.type === 'string' ? index.value : undefined
      return typeof key === 'string' ? joined(value, key) : undefined
    }
    default:
      return undefined
  }
}

function joined(value: Expression, part: string): string | undefined {
  const name = plainName(value)
  return name === undefined ? undefined : `${name}.${part}`
}

/** What a key of `summarize … by` is called: `bin(_time, 1h)` and `bin_auto(_time)` are still `_time`. */
export function keyName(expression: Expression): string | undefined {
  const binned = expression.kind === 'call' && /^bin(?:_auto)?$/.test(expression.function.name)
  const [first] = binned ? expression.arguments : [expression]
  return first && plainName(first)
}

/** What an aggregate is called: `avg_duration`, `count_`. */
export function aggregateName(expression: Expression): string | undefined {
  if (expression.kind !== 'call' || !isAggregateName(expression.function.name)) return undefined
  const [first] = expression.arguments
  return `${expression.function.name}_${(first && plainName(first)) ?? ''}`
}

/** The names that an operator makes. A field under its own name, `x` or `x = x`, is not made: it may be misspelt. */
export function newNames(
  names: readonly string[],
  fields: readonly (string | undefined)[],
): ReadonlySet<string> {
  return new Set(names.filter((name, i) => fields[i] !== name))
}

/** An assignment's name if one is written, and the usual one. */
export function nameRequest(assignment: Assignment, usual: string | undefined): NameRequest {
  return { ...(assignment.name && { name: assignment.name }), usual }
}

/**
 * A name for each, all of them different: written ones stay what they are, and of the others a second of the
 * same name gets a number. Nothing is called `Column1` that is in `taken` already.
 */
export function assignNames(
  items: readonly NameRequest[],
  { context, taken }: { readonly context: Context; readonly taken: (name: string) => boolean },
): readonly string[] {
  const used = writtenNames(items, context)
  /** By what is numbered, the number that is tried next: those before it are taken. */
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

function writtenNames(items: readonly NameRequest[], context: Context): Set<string> {
  const used = new Set<string>()
  for (const { name } of items) {
    if (name === undefined) continue
    if (used.has(name.name)) context.report(duplicateName(name))
    used.add(name.name)
  }
  return used
}
