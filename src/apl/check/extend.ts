import type { Extend } from '../ast.js'
import type { Column, ComputedColumn } from '../checked.js'
import type { Checked, Context, Scope } from './context.js'
import { checkExpression } from './expression.js'
import { nameAll, plainName, unnamed } from './names.js'

export function checkExtend(extend: Extend, context: Context, scope: Scope): Checked {
  const unnamedOnes = extend.assignments.map((one) => unnamed(one, plainName(one.value)))
  const taken = (name: string) => scope.find(name) !== undefined
  const names = nameAll(unnamedOnes, { context, taken })
  const site = {
    context,
    scope,
    operator: 'extend',
    aggregates: 'none',
    made: new Set(names),
  } as const
  const computed: ComputedColumn[] = []
  for (const [i, assignment] of extend.assignments.entries()) {
    const name = names[i]!
    const value = checkExpression(assignment.value, site)
    if (value === undefined) {
      context.silence(name)
      continue
    }
    const same = value.kind === 'reference' && value.column === scope.find(name)?.id
    if (!same) computed.push({ column: context.column(name, value.type), value })
  }
  if (computed.length === 0) return { operators: [], scope }
  const columns = extended(scope.columns, computed)
  return { operators: [{ kind: 'extend', computed, columns }], scope: scope.with(columns) }
}

/** The columns with new ones in the place of those of the same name, and at the end. */
function extended(
  columns: readonly Column[],
  computed: readonly ComputedColumn[],
): readonly Column[] {
  const byName = new Map(columns.map((column) => [column.name, column]))
  for (const { column } of computed) byName.set(column.name, column)
  return [...byName.values()]
}
