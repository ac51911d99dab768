import { unnamedExpansion } from '../../problem/operator.js'
import type { ExpandItem, MvExpand } from '../../syntax/ast.js'
import type { ComputedColumn } from '../checked.js'
import type { CheckedStep, Site } from '../context.js'
import { assignNames, plainName } from '../names.js'
import { checkColumn } from './extend.js'
import { rowCount } from './rows.js'

/** Checks `mv-expand`: columns of arrays become columns of their elements. */
export function checkMvExpand(expand: MvExpand, site: Site): CheckedStep {
  const { context, scope } = site
  const count = expand.limit
  const limit = count && context.attempt(() => rowCount(count, 'mv-expand', context))
  const items = checkItems(expand.items, site)
  const index = expand.index && context.column(expand.index.name, 'int')
  const columns = [...items.map((item) => item.column), ...(index ? [index] : [])]
  const extended = scope.extendedBy(columns)
  if (items.length === 0) return { operators: [], scope: extended }
  const { bags } = expand
  return { operators: [{ kind: 'mv-expand', bags, items, index, limit }], scope: extended }
}

function checkItems(items: readonly ExpandItem[], site: Site): readonly ComputedColumn[] {
  const { context } = site
  const requests = items.map(({ name, value }) => ({ name, usual: plainName(value) }))
  const names = assignNames(requests, context)
  return items.flatMap((item, i) => {
    const found = checkColumn(names[i]!, item.value, site)
    if (found === undefined) return []
    const { name, usual } = requests[i]!
    if (name === undefined && usual === undefined) context.report(unnamedExpansion(item.value.span))
    const { column, value } = found
    return [{ column: { ...column, type: item.type ?? column.type, wireType: undefined }, value }]
  })
}
