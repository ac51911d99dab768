import type { Assignment, Expression, Extend } from '../../syntax/ast.js'
import type { Column, ComputedColumn } from '../checked.js'
import type { CheckedStep, Site } from '../context.js'
import { invoke } from '../expression/invoke.js'
import { assignNames, newNames, plainName } from '../names.js'
import { checkExpression } from '../recursion.js'
import type { Scope } from '../scope.js'

/**
 * Checks `extend`: each assignment becomes a column, which replaces a column of the same name. In `extend-valid`, values that are
 * empty, zero, NaN or false become null.
 */
export function checkExtend({ kind, assignments }: Extend, site: Site): CheckedStep {
  const { scope } = site
  const assigned = checkAssignments(assignments, site, (name) => scope.find(name) !== undefined)
  const computed =
    kind === 'extend'
      ? assigned.filter((one) => unchanged(one, scope) === undefined)
      : assigned.map(({ column, value }) => ({
          column: { ...column, wireType: undefined },
          value: invoke('valid', value.type, [value]),
        }))
  return extendedBy(computed, scope)
}

/** Returns the column of the same name if it is the value: `status = status`. */
export function unchanged(
  { column: { name }, value }: ComputedColumn,
  scope: Scope,
): Column | undefined {
  const before = scope.find(name)
  const isItself = value.kind === 'reference' && value.column === before?.id
  return before && isItself ? { ...before, name } : undefined
}

/** Returns the columns of the assignments that have no problem. `taken` names are not used for columns without a name. */
export function checkAssignments(
  assignments: readonly Assignment[],
  site: Site,
  taken?: (name: string) => boolean,
): readonly ComputedColumn[] {
  const requests = assignments.map(({ name, value }) => ({ name, usual: plainName(value) }))
  const names = assignNames(requests, site.context, taken)
  const within = { ...site, newNames: newNames(names, requests) }
  return assignments.flatMap(({ value }, i) => checkColumn(names[i]!, value, within) ?? [])
}

/** Returns the column that an expression computes; undefined when the expression was refused. */
export function checkColumn(
  name: string,
  written: Expression,
  site: Site,
): ComputedColumn | undefined {
  const value = site.context.attempt(() => checkExpression(written, site))
  if (value === undefined) site.context.suppress(name)
  return value && site.context.computed(name, value)
}

/** Returns the step that adds columns, replacing columns of the same name. */
export function extendedBy(computed: readonly ComputedColumn[], scope: Scope): CheckedStep {
  if (computed.length === 0) return { operators: [], scope }
  const columns = computed.map(({ column }) => column)
  return { operators: [{ kind: 'extend', computed }], scope: scope.extendedBy(columns) }
}
