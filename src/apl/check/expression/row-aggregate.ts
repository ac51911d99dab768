import * as argumentProblem from '../../problem/argument.js'
import type { Assignment, Call, Expression, Identifier } from '../../syntax/ast.js'
import type { CheckedExpression } from '../checked.js'
import type { Site } from '../context.js'
import { type NameRequest, plainName } from '../names.js'
import { checkArguments } from './arguments.js'
import { reference } from './invoke.js'

/** An aggregation that returns several columns of one row: `arg_max(duration, uri, *)`. */
export interface RowAggregate {
  readonly name: 'arg_max' | 'arg_min'
  readonly call: Call
  /** The explicit name of the first column. */
  readonly given: Identifier | undefined
}

/** A column of a row aggregate: its name, and the position of its argument, not counting `*`, or its field. */
interface RowColumn extends NameRequest {
  readonly shows: number | { readonly field: string }
}

export function isRowAggregate(name: string): name is RowAggregate['name'] {
  return name === 'arg_max' || name === 'arg_min'
}

/** Returns the row aggregate of an assignment in `summarize`; undefined for other assignments. */
export function rowAggregate({ name: given, value }: Assignment): RowAggregate | undefined {
  if (value.kind !== 'call' || !isRowAggregate(value.function.name)) return undefined
  return { name: value.function.name, call: value, given }
}

/** Returns the columns of a row aggregate; `*` adds the fields that have no column yet. */
export function rowColumns(
  { name, call, given }: RowAggregate,
  { fields, taken }: { fields: () => readonly string[]; taken: readonly string[] },
): readonly RowColumn[] {
  const shown = new Set(taken)
  const columns: RowColumn[] = []
  for (const [i, argument] of call.arguments.entries()) {
    if (argument.kind === 'star') continue
    const written = (i === 0 ? given : undefined) ?? call.names?.get(i)
    const own =
      i === 0 ? (fieldOf(argument) ?? (name === 'arg_max' ? 'max_' : 'min_')) : plainName(argument)
    columns.push({ name: written, usual: own, shows: columns.length })
    const field = fieldOf(argument)
    if (field !== undefined) shown.add(field)
  }
  if (!hasStar(call)) return columns
  const rest = fields().filter((field) => !shown.has(field))
  return [...columns, ...rest.map((field) => ({ usual: field, shows: { field } }))]
}

/** True for `arg_max(…, *)`. */
export function showsAllFields(assignment: Assignment): boolean {
  const aggregate = rowAggregate(assignment)
  return aggregate !== undefined && hasStar(aggregate.call)
}

function hasStar(call: Call): boolean {
  return call.arguments.some(({ kind }) => kind === 'star')
}

const CONVERSIONS: readonly string[] = [
  ...['tobool', 'toint', 'tolong', 'todouble', 'toreal', 'tostring'],
  ...['todatetime', 'totimespan', 'todynamic', 'parse_json'],
]

/** Returns the field that an argument refers to, directly or inside a conversion. */
function fieldOf(argument: Expression): string | undefined {
  if (argument.kind !== 'call' || !CONVERSIONS.includes(argument.function.name)) {
    return plainName(argument)
  }
  const [only, ...others] = argument.arguments
  return only && others.length === 0 ? plainName(only) : undefined
}

/** Returns the value of each column, in the same order. */
export function checkRowAggregate(
  { name, call }: RowAggregate,
  columns: readonly RowColumn[],
  site: Site,
): readonly CheckedExpression[] {
  const [first] = call.arguments
  if (first?.kind === 'star') site.context.refuse(argumentProblem.starHere(first.span))
  const own = call.arguments.filter(({ kind }) => kind !== 'star')
  const inside: Site = { ...site, aggregates: 'within' }
  const values = checkArguments({ ...call, arguments: own }, name, inside)
  const by = values[0]!
  return columns.flatMap(({ shows }) => {
    const value = typeof shows === 'number' ? values[shows] : fieldNamed(shows.field, site)
    if (value === undefined) return []
    // Each column repeats the first argument.
    return site.context.limited(call.span, () => ({
      kind: 'aggregate',
      type: value.type,
      function: name,
      arguments: [by, value],
    }))
  })
}

function fieldNamed(field: string, { scope }: Site): CheckedExpression | undefined {
  const column = scope.find(field)
  return column && reference(column)
}
