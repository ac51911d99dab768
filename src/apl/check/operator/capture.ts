import type { FunctionName } from '../../function/functions.js'
import { wrongOperand } from '../../problem/operand.js'
import type { Capture, Expression } from '../../syntax/ast.js'
import type { Type } from '../../type.js'
import type { CheckedExpression, ComputedColumn } from '../checked.js'
import type { Site } from '../context.js'
import { invoke } from '../expression/invoke.js'
import { nameAll } from '../names.js'
import { checkExpression } from '../recursion.js'

/** The text that an operator takes apart. */
export function checkSource(written: Expression, site: Site): CheckedExpression | undefined {
  const value = checkExpression(written, site)
  if (value === undefined || value.type === 'string' || value.type === 'dynamic') return value
  const operand = { ...site.context.written(written.span), type: value.type }
  return site.context.report(wrongOperand({ operator: site.operator, takes: 'text', operand }))
}

/** A column for each capture: what `value` makes of it, read as the type it is to have. */
export function captureColumns(
  captures: readonly Capture[],
  value: (index: number) => CheckedExpression,
  { context }: Site,
): readonly ComputedColumn[] {
  const names = nameAll(
    captures.map(({ name }) => ({ name, usual: undefined })),
    { context, taken: () => false },
  )
  return captures.map(({ type }, i) => ({
    column: context.column(names[i]!, type),
    value: readAs(value(i), type),
  }))
}

const READERS: Readonly<Record<Exclude<Type, 'string'>, FunctionName>> = {
  bool: 'tobool',
  datetime: 'todatetime',
  dynamic: 'parse_json',
  int: 'toint',
  real: 'todouble',
  timespan: 'totimespan',
}

function readAs(value: CheckedExpression, type: Type): CheckedExpression {
  if (type === 'string') return value
  return invoke(READERS[type], type, [value])
}

/** For captures that could not be made: nothing is to be said of their names. */
export function silenceCaptures(captures: readonly Capture[], { context }: Site): void {
  for (const { name } of captures) context.silence(name.name)
}
