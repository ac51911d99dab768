import type { Distinct, Expression } from '../../syntax/ast.js'
import type { ComputedColumn } from '../checked.js'
import type { Checked, Context } from '../context.js'
import { reference } from '../expression/invoke.js'
import { keyName, nameAll } from '../names.js'
import { checkExpression } from '../recursion.js'
import { Scope } from '../scope.js'

/** `distinct`: the keys are the only columns afterwards; `*` stands for all there are. */
export function checkDistinct(distinct: Distinct, context: Context, scope: Scope): Checked {
  const [first] = distinct.keys
  const all = distinct.keys.length === 1 && first?.kind === 'star'
  const computed = all ? everyColumn(context, scope) : theseKeys(distinct.keys, context, scope)
  const columns = computed.map((one) => one.column)
  return {
    operators: [{ kind: 'distinct', computed }],
    scope: new Scope(columns, { open: all && scope.open }),
  }
}

function everyColumn(context: Context, scope: Scope): readonly ComputedColumn[] {
  return scope.columns.map((column) => ({
    column: context.column(column.name, column.type),
    value: reference(column),
  }))
}

function theseKeys(
  keys: readonly Expression[],
  context: Context,
  scope: Scope,
): readonly ComputedColumn[] {
  const site = { context, scope, operator: 'distinct', aggregates: 'none' } as const
  const unnamed = keys.map((key) => ({ usual: keyName(key) }))
  const names = nameAll(unnamed, { context, taken: () => false })
  return keys.flatMap((key, i) => {
    const name = names[i]!
    const value = checkExpression(key, site)
    if (value === undefined) context.silence(name)
    return value === undefined ? [] : [{ column: context.column(name, value.type), value }]
  })
}
