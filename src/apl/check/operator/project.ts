import { noColumnsLeft } from '../../problem/group.js'
import { nameInUse, patternRenamed } from '../../problem/operator.js'
import type {
  ColumnOrder,
  ColumnPlace,
  Project,
  ProjectMatching,
  ProjectRename,
  ProjectReorder,
  Rename,
} from '../../syntax/ast.js'
import type { Column } from '../checked.js'
import type { CheckedStep, Context, Site } from '../context.js'
import { writtenNames } from '../names.js'
import type { Scope } from '../scope.js'
import { checkAssignments, extendedBy, unchanged } from './extend.js'
import { anyPattern, matching, type NameTest, nameTest } from './name-pattern.js'

/** Checks `project`: the result has exactly the assigned columns. */
export function checkProject({ assignments }: Project, site: Site): CheckedStep {
  const { scope } = site
  const assigned = checkAssignments(assignments, site)
  const columns = assigned.map((one) => unchanged(one, scope) ?? one.column)
  const computed = assigned.filter((one) => unchanged(one, scope) === undefined)
  const extend = extendedBy(computed, scope)
  const { operators, scope: after } = onlyColumns(scope.projected(columns))
  return { operators: [...extend.operators, ...operators], scope: after }
}

/** Returns the step that leaves exactly the columns of a scope. */
function onlyColumns(scope: Scope): CheckedStep {
  return { operators: [{ kind: 'project', columns: scope }], scope }
}

/** Checks `project-away` and `project-keep`, which drop or keep the columns that match a pattern, in their order. */
export function checkProjectMatching(
  { kind, patterns, span }: ProjectMatching,
  { context, scope }: Site,
): CheckedStep {
  const before = context.problems.length
  const matches = anyPattern(patterns, context, scope)
  const after = scope.filtered((name) => matches(name) === (kind === 'project-keep'))
  const isEmptied = after.isEmpty() && !scope.open && context.problems.length === before
  if (isEmptied) context.report(noColumnsLeft(span))
  return onlyColumns(after)
}

/** Checks `project-rename`: renames columns in place. */
export function checkProjectRename(
  { renames }: ProjectRename,
  { context, scope }: Site,
): CheckedStep {
  const names = new Map<string, string>()
  writtenNames(renames, context)
  for (const one of renames) {
    const column = context.attempt(() => renamed(one, context, scope))
    if (column === undefined) context.suppress(one.name.name)
    else names.set(column.name, one.name.name)
  }
  for (const { name } of renames) {
    const there = scope.find(name.name)
    if (there !== undefined && !names.has(there.name)) context.report(nameInUse(name))
  }
  return onlyColumns(scope.renamed(names))
}

function renamed({ column }: Rename, context: Context, scope: Scope): Column | undefined {
  if (column.pattern.includes('*') && scope.find(column.pattern) === undefined) {
    context.refuse(patternRenamed(column.span))
  }
  return matching(column, context, scope)[0]
}

/** Checks `project-reorder`: columns that no other pattern matches take the place of `*`, or come last. */
export function checkProjectReorder(
  reorder: ProjectReorder,
  { context, scope }: Site,
): CheckedStep {
  const isRest = ({ pattern }: ColumnPlace) => pattern.pattern === '*'
  const places = reorder.places.map((place): Placement => {
    const fits = isRest(place) ? undefined : nameTest(place.pattern, context, scope)
    return { fits, order: place.order }
  })
  return onlyColumns(scope.reordered((names) => arrange(names, places)))
}

interface Placement {
  /** Undefined for `*`, the place of the remaining names. */
  readonly fits: NameTest | undefined
  readonly order: ColumnOrder | undefined
}

function arrange(names: readonly string[], places: readonly Placement[]): readonly string[] {
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
 * Compares names by the text before their first number, then by the number, then by the rest. As documented, the
 * larger number comes first in ascending order: `b50` before `b9`.
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
