import type { Call } from '../../syntax/ast.js'
import type { CheckedExpression } from '../checked.js'
import type { Site } from '../context.js'
import { plainName } from '../names.js'
import type { Scope } from '../scope.js'
import { textConstant } from './invoke.js'

/** The call with all fields that are no times in the place of a `*`. */
export function withFields(call: Call, scope: Scope): Call {
  const fields = scope.columns.filter(({ type }) => type !== 'datetime')
  const values = call.arguments.flatMap((argument, i) => {
    if (argument.kind !== 'star' || i === 0) return [argument]
    return fields.map(({ name }) => ({ kind: 'name', name, span: argument.span }) as const)
  })
  return { ...call, arguments: values }
}

/** The arguments with each field's name before it, which the answer shows. */
export function withNames(
  call: Call,
  values: readonly CheckedExpression[],
  { context }: Site,
): readonly CheckedExpression[] {
  return values.flatMap((value, i) => {
    const written = call.arguments[i]
    if (i === 0 || written === undefined) return [value]
    const name = plainName(written) ?? context.written(written.span).text
    return [textConstant(name), value]
  })
}
