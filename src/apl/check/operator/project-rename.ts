import { duplicateName } from '../../problem/name.js'
import { nameInUse, patternRenamed } from '../../problem/operator.js'
import type { ProjectRename, Rename } from '../../syntax/ast.js'
import type { Column } from '../checked.js'
import type { Checked, Context } from '../context.js'
import type { Scope } from '../scope.js'
import { matching } from './name-pattern.js'

/** `project-rename`: the same columns, in the same order, some under other names. */
export function checkProjectRename(rename: ProjectRename, context: Context, scope: Scope): Checked {
  const names = new Map<string, string>()
  const given = new Set<string>()
  for (const one of rename.renames) {
    const column = renamed(one, context, scope)
    if (given.has(one.name.name)) context.report(duplicateName(one.name))
    given.add(one.name.name)
    if (column === undefined) context.silence(one.name.name)
    else names.set(column.name, one.name.name)
  }
  for (const { name } of rename.renames) {
    const there = scope.find(name.name)
    if (there !== undefined && !names.has(there.name)) context.report(nameInUse(name))
  }
  const after = scope.renamed(names)
  return { operators: [{ kind: 'project', columns: after }], scope: after }
}

function renamed({ column }: Rename, context: Context, scope: Scope): Column | undefined {
  if (column.pattern.includes('*') && scope.find(column.pattern) === undefined) {
    return context.report(patternRenamed(column.span))
  }
  return matching(column, context, scope)[0]
}
