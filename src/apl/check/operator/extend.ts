import type { Assignment, Extend, ExtendValid } from '../../syntax/ast.js'
import type { CheckedExpression, Column, ComputedColumn } from '../checked.js'
import type { CheckedStep, Context, Site } from '../context.js'
import { invoke } from '../expression/invoke.js'
import { assignNames, nameRequest, newNames, plainName } from '../names.js'
import { checkExpression } from '../recursion.js'
import type { Scope } from '../scope.js'

/** Checks `extend`: each assignment becomes a column, which replaces a column of the same name. */
export function checkExtend(extend: Extend, context: Context, scope: Scope): CheckedStep {
  const site = { context, scope, operator: 'extend', aggregates: 'none' } as const
  const computed = checkAssignments(extend.assignments, site)
  return extendedBy(
    computed.filter(({ column, value }) => !isItself(column, value, scope)),
    scope,
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
  const requests = assignments.map((one, i) => nameRequest(one, fields[i]))
  const taken = (name: string) => scope.find(name) !== undefined
  const names = assignNames(requests, { context, taken })
  const within = { ...site, newNames: newNames(names, fields) }
  return assignments.flatMap((assignment, i) => {
    const name = names[i]!
    const value = checkExpression(assignment.value, within)
    if (value === undefined) context.suppress(name)
    return value === undefined ? [] : [{ column: context.column(name, value.type), value }]
  })
}

/** Returns the step that adds columns, replacing those of the same name. */
export function extendedBy(computed: readonly ComputedColumn[], scope: Scope): CheckedStep {
  if (computed.length === 0) return { operators: [], scope }
  const columns = computed.map(({ column }) => column)
  return { operators: [{ kind: 'extend', computed }], scope: scope.extendedBy(columns) }
}

/** Checks `extend-valid`: an `extend` in which empty values become null. */
export function checkExtendValid(extend: ExtendValid, context: Context, scope: Scope): CheckedStep {
  const computed = checkAssignments(extend.assignments, {
    context,
    scope,
    operator: 'extend-valid',
    aggregates: 'none',
  })
  return extendedBy(
    computed.map((one) => ({ ...one, value: validOrNull(one.value) })),
    scope,
  )
}

/** Replaces a value that is empty, zero, NaN or false by null. */
function validOrNull(value: CheckedExpression): CheckedExpression {
  return invoke('valid', value.type, [value])
}
