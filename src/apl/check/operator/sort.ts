import { constantSortKey } from '../../problem/argument.js'
import type { Sort, SortKey, Top } from '../../syntax/ast.js'
import type { CheckedSortKey } from '../checked.js'
import type { Checked, Context, Site } from '../context.js'
import { checkExpression } from '../recursion.js'
import type { Scope } from '../scope.js'
import { rowCount } from './limit.js'

/** `sort` and `order`. */
export function checkSort(sort: Sort, context: Context, scope: Scope): Checked {
  const site = { context, scope, operator: 'sort', aggregates: 'none' } as const
  const keys = sort.keys.flatMap((key) => checkKey(key, site) ?? [])
  return { operators: [{ kind: 'sort', keys }], scope }
}

/** `top n by key` is a sort and a limit. */
export function checkTop(top: Top, context: Context, scope: Scope): Checked {
  const site = { context, scope, operator: 'top', aggregates: 'none' } as const
  const count = rowCount(top.count, 'top', context)
  const key = checkKey(top.key, site)
  if (count === undefined || key === undefined) return { operators: [], scope }
  return {
    operators: [
      { kind: 'sort', keys: [key] },
      { kind: 'limit', count },
    ],
    scope,
  }
}

function checkKey(key: SortKey, site: Site): CheckedSortKey | undefined {
  const value = checkExpression(key.value, site)
  if (value === undefined) return undefined
  if (value.kind === 'constant') return site.context.report(constantSortKey(key.value.span))
  const direction = key.direction ?? 'desc'
  const nulls = key.nulls ?? (direction === 'desc' ? 'last' : 'first')
  return { value, direction, nulls }
}
