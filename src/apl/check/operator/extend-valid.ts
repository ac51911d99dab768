import type { ExtendValid } from '../../syntax/ast.js'
import type { CheckedExpression } from '../checked.js'
import type { Checked, Context } from '../context.js'
import { invoke } from '../expression/invoke.js'
import type { Scope } from '../scope.js'
import { checkAssignments, extendedBy } from './extend.js'

/** `extend-valid` is an `extend` of values that say something, and of nulls. */
export function checkExtendValid(extend: ExtendValid, context: Context, scope: Scope): Checked {
  const computed = checkAssignments(extend.assignments, {
    context,
    scope,
    operator: 'extend-valid',
    aggregates: 'none',
  })
  return extendedBy(
    computed.map((one) => ({ ...one, value: valid(one.value) })),
    scope,
  )
}

/** Null instead of what is empty, zero, no number or false. */
function valid(value: CheckedExpression): CheckedExpression {
  return invoke('valid', value.type, [value])
}
