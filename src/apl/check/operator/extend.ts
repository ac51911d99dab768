import type { Assignment, Expression, Extend, ExtendValid } from '../../syntax/ast.js'
import type { CheckedExpression, Column, ComputedColumn } from '../checked.js'
import type { CheckedStep, Site } from '../context.js'
import { invoke } from '../expression/invoke.js'
import { assignNames, newNames, plainName } from '../names.js'
import { checkExpression } from '../recursion.js'
import type { Scope } from '../scope.js'

/** Checks `extend`: each assignment becomes a column, which replaces a column of the same name. */
export function checkExtend({ assignments }: Extend, site: Site): CheckedStep {
  const computed = checkAssignments(assignments, site)
  return extendedBy(
    computed.filter(({ column, value }) => !isItself(column, value, site.scope)),
    site.scope,
  )
}

function isItself({ name }: Column, value: CheckedExpression, scope: Scope): boolean {
  return value.kind === 'reference' && value.column === scope.find(name)?.id
}

/** Returns the columns of the assignments that have no problem. */
function checkAssignments(
  assignments: readonly Assignment[],
  site: Site,
): readonly ComputedColumn[] {
  const { context, scope } = site
  const fields = assignments.map((one) => plainName(one.value))
  const requests = assignments.map(({ name }, i) => ({ name, usual: fields[i] }))
  const names = assignNames(requests, context, (name) => scope.find(name) !== undefined)
  const within = { ...site, newNames: newNames(names, fields) }
  return assignments.flatMap(({ value }, i) => checkColumn(names[i]!, value, within) ?? [])
}

/** Returns the column that an expression computes; undefined when a problem has been reported. */
export function checkColumn(
  name: string,
  written: Expression,
  site: Site,
): ComputedColumn | undefined {
  const value = checkExpression(written, site)
  if (value === undefined) site.context.suppress(name)
  return value && { column: site.context.column(name, value.type), value }
}

/** Returns the step that adds columns, replacing those of the same name. */
export function extendedBy(computed: readonly ComputedColumn[], scope: Scope): CheckedStep {
  if (computed.length === 0) return { operators: [], scope }
  const columns = computed.map(({ column }) => column)
  return { operators: [{ kind: 'extend', computed }], scope: scope.extendedBy(columns) }
}

/** Checks `extend-valid`: an `extend` in which values that are empty, zero, NaN or false become null. */
export function checkExtendValid({ assignments }: ExtendValid, site: Site): CheckedStep {
  const computed = checkAssignments(assignments, site).map(({ column, value }) => ({
    column,
    value: invoke('valid', value.type, [value]),
  }))
  return extendedBy(computed, site.scope)
}
