import { noColumnsLeft } from '../../problem/group.js'
import type { ProjectKeep } from '../../syntax/ast.js'
import type { Checked, Context } from '../context.js'
import type { Scope } from '../scope.js'
import { anyPattern } from './name-pattern.js'

/** `project-keep`: the columns that a pattern names, in the order they had. */
export function checkProjectKeep(keep: ProjectKeep, context: Context, scope: Scope): Checked {
  const before = context.problems.length
  const after = scope.filtered(anyPattern(keep.patterns, context, scope))
  const isEmpty = after.isEmpty() && !scope.open && context.problems.length === before
  if (isEmpty) context.report(noColumnsLeft(keep.span))
  return { operators: [{ kind: 'project', columns: after }], scope: after }
}
