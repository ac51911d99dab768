import type { ProjectAway } from '../ast.js'
import { noColumnsLeft } from '../problem/group.js'
import type { Checked, Context } from './context.js'
import { matching } from './name-pattern.js'
import type { Scope } from './scope.js'

/** `project-away`: the columns that no pattern names. */
export function checkProjectAway(away: ProjectAway, context: Context, scope: Scope): Checked {
  const leaving = new Set(away.patterns.flatMap((pattern) => matching(pattern, context, scope)))
  const columns = scope.columns.filter((column) => !leaving.has(column))
  const emptied = columns.length === 0 && scope.columns.length > 0 && !scope.open
  if (emptied) context.report(noColumnsLeft(away.span))
  return { operators: [{ kind: 'project', columns }], scope: scope.with(columns) }
}
