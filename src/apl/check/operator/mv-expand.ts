import { unnamedExpansion } from '../../problem/operator.js'
import type { ExpandItem, MvExpand } from '../../syntax/ast.js'
import type { ComputedColumn } from '../checked.js'
import type { CheckedStep, Context, Site } from '../context.js'
import { assignNames, plainName } from '../names.js'
import { checkExpression } from '../recursion.js'
import type { Scope } from '../scope.js'
import { rowCount } from './rows.js'

/** Checks `mv-expand`: columns of arrays become columns of their elements. */
export function checkMvExpand(expand: MvExpand, context: Context, scope: Scope): CheckedStep {
  const site: Site = { context, scope, operator: 'mv-expand', aggregates: 'none' }
  const limit = expand.limit && rowCount(expand.limit, 'mv-expand', context)
  const items = checkItems(expand.items, site)
  const index = expand.index && context.column(expand.index.name, 'int')
  if (items.length === 0) return { operators: [], scope }
  const columns = [...items.map((item) => item.column), ...(index ? [index] : [])]
  const { bags } = expand
  return {
    operators: [{ kind: 'mv-expand', bags, items, index, limit }],
    scope: scope.extendedBy(columns),
  }
}

function checkItems(items: readonly ExpandItem[], site: Site): readonly ComputedColumn[] {
  const { context } = site
  const unnamed = items.map(({ name, value }) => ({ name, usual: plainName(value) }))
  const names = assignNames(unnamed, { context, taken: () => false })
  return items.flatMap((item, i) => {
    const name = names[i]!
    const value = checkExpression(item.value, site)
    if (value !== undefined && item.name === undefined && unnamed[i]?.usual === undefined) {
      context.report(unnamedExpansion(item.value.span))
    }
    if (value === undefined) context.suppress(name)
    return value === undefined
      ? []
      : [{ column: context.column(name, item.type ?? value.type), value }]
  })
}
