import { noColumnsLeft } from '../../problem/group.js'
import type { ProjectAway } from '../../syntax/ast.js'
import type { Checked, Context } from '../context.js'
import type { Scope } from '../scope.js'
import { anyPattern } from './name-pattern.js'

/** `project-away`: the columns that no pattern names. */
export function checkProjectAway(away: ProjectAway, context: Context, scope: Scope): Checked {
  const isLeaving = anyPattern(away.patterns, context, scope)
  const after = scope.filtered((name) => !isLeaving(name))
  const emptied = after.isEmpty() && !scope.isEmpty() && !scope.open
  if (emptied) context.report(noColumnsLeft(away.span))
  return { operators: [{ kind: 'project', columns: after }], scope: after }
}
