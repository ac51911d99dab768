import type { Project } from '../../syntax/ast.js'
import type { CheckedOperator, Column, ComputedColumn } from '../checked.js'
import type { Checked, Context } from '../context.js'
import { madeNames, nameAll, plainName, unnamed } from '../names.js'
import { checkExpression } from '../recursion.js'
import type { Scope } from '../scope.js'

/** `project`: the assignments are the only columns afterwards. */
export function checkProject(project: Project, context: Context, scope: Scope): Checked {
  const fields = project.assignments.map((one) => plainName(one.value))
  const unnamedOnes = project.assignments.map((one, i) => unnamed(one, fields[i]))
  const names = nameAll(unnamedOnes, { context, taken: () => false })
  const site = {
    context,
    scope,
    operator: 'project',
    aggregates: 'none',
    made: madeNames(names, fields),
  } as const
  const columns: Column[] = []
  const computed: ComputedColumn[] = []
  for (const [i, assignment] of project.assignments.entries()) {
    const name = names[i]!
    const value = checkExpression(assignment.value, site)
    if (value === undefined) {
      context.silence(name)
      continue
    }
    const kept = scope.find(name)
    if (kept !== undefined && value.kind === 'reference' && value.column === kept.id) {
      columns.push({ ...kept, name })
      continue
    }
    const column = context.column(name, value.type)
    columns.push(column)
    computed.push({ column, value })
  }
  const operators: CheckedOperator[] = []
  if (computed.length > 0) {
    operators.push({ kind: 'extend', computed })
  }
  const after = scope.replaced(columns)
  operators.push({ kind: 'project', columns: after })
  return { operators, scope: after }
}
