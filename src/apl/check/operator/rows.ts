import { joinSpans } from '../../../text/span.js'
import { badCount, constantSortKey } from '../../problem/argument.js'
import { notACondition } from '../../problem/operand.js'
import { badShare } from '../../problem/operator.js'
import type {
  Count,
  Distinct,
  Expression,
  GetSchema,
  Limit,
  Sample,
  Search,
  Sort,
  SortKey,
  Top,
  Where,
} from '../../syntax/ast.js'
import { conjuncts } from '../../syntax/operands.js'
import type { CheckedSortKey, ComputedColumn } from '../checked.js'
import type { Binding, CheckedStep, Context, Site } from '../context.js'
import { constantOf, numberOf } from '../expression/constant.js'
import { intConstant, invoke, reference } from '../expression/invoke.js'
import { assignNames, keyName } from '../names.js'
import { checkExpression } from '../recursion.js'
import { Scope } from '../scope.js'
import { checkColumn } from './extend.js'

/** Checks `where`, and `search`, whose terms the parser has turned into conditions. */
export function checkWhere(where: Where | Search, site: Site): CheckedStep {
  const { context, scope } = site
  const predicate = checkExpression(where.predicate, site)
  if (predicate.type !== 'bool' && predicate.type !== 'dynamic') {
    context.refuse(notACondition(context.excerpt(where.predicate.span), predicate.type))
  }
  return { operators: [{ kind: 'where', predicate }], scope }
}

/**
 * Checks a filter that follows a union directly. Conditions that test all columns are checked for each part of the union, with the
 * columns of the part, and filter the part. Returns the filter with the remaining conditions; undefined if no condition remains.
 */
export function checkWhereInParts<T extends Where | Search>(where: T, site: Site): T | undefined {
  const conditions = conjuncts(where.predicate)
  const inParts = conjunctionOf(conditions.filter(testsAllColumns))
  if (inParts === undefined) return where
  const check = (part: Scope) => checkExpression(inParts, { ...site, scope: part })
  if (site.context.attempt(() => site.scope.filterParts(check)) === false) return where
  const others = conjunctionOf(conditions.filter((condition) => !testsAllColumns(condition)))
  return others && { ...where, predicate: others }
}

function conjunctionOf(conditions: readonly Expression[]): Expression | undefined {
  const [first, ...others] = conditions
  return (
    first &&
    others.reduce((left, right) => {
      const span = joinSpans(left.span, right.span)
      return { kind: 'binary', operator: 'and', left, right, operatorSpan: right.span, span }
    }, first)
  )
}

/** True for conditions made of tests of all columns, `* has "error"`, such as the terms of `search`. */
function testsAllColumns(predicate: Expression): boolean {
  switch (predicate.kind) {
    case 'unary':
      return predicate.operator === 'not' && testsAllColumns(predicate.operand)
    case 'binary': {
      const { left, operator, right } = predicate
      if (operator === 'and' || operator === 'or') {
        return testsAllColumns(right) && testsAllColumns(left)
      }
      return left.kind === 'star' && right.kind === 'literal'
    }
    default:
      return false
  }
}

/** Checks `limit` and `take`. */
export function checkLimit(limit: Limit, { context, scope, operator }: Site): CheckedStep {
  return { operators: [{ kind: 'limit', count: rowCount(limit.count, operator, context) }], scope }
}

/** Returns the row count of an operator, a positive constant. */
export function rowCount(expression: Expression, operator: string, context: Context): bigint {
  const binding = expression.kind === 'name' ? context.bindings.get(expression.name) : undefined
  if (binding?.kind === 'broken') return context.refuse()
  const value = writtenCount(expression, binding)
  if (typeof value === 'bigint' && value > 0n) return value
  return context.refuse(badCount(expression.span, operator))
}

/** Returns the value of an integer literal, or of a name defined as one. */
function writtenCount(expression: Expression, binding: Binding | undefined) {
  if (expression.kind === 'literal' && expression.type === 'int') return expression.value
  const value = binding?.kind === 'value' ? binding.value : undefined
  return value?.kind === 'constant' && value.type === 'int' ? value.value : undefined
}

/** Checks `sample`, which becomes a filter by a random number. */
export function checkSample(sample: Sample, site: Site): CheckedStep {
  const { context, scope } = site
  const share = numberOf(checkExpression(sample.share, site))
  if (share === undefined || share <= 0 || share > 1) {
    return context.refuse(badShare(sample.share.span))
  }
  // The engine would evaluate two identical random calls once: the id makes them different.
  const predicate = invoke('drawn', 'bool', [
    constantOf('real', share),
    intConstant(context.nextId()),
  ])
  return { operators: [{ kind: 'where', predicate }], scope }
}

/** Checks `sort` and `order`. */
export function checkSort(sort: Sort, site: Site): CheckedStep {
  const keys = site.context.all(sort.keys, (key) => checkSortKey(key, site))
  return { operators: [{ kind: 'sort', keys }], scope: site.scope }
}

/** Checks `top n by key`, which becomes a sort and a limit. */
export function checkTop(top: Top, site: Site): CheckedStep {
  const { context, scope } = site
  const count = context.attempt(() => rowCount(top.count, 'top', context))
  const key = checkSortKey(top.key, site)
  if (count === undefined) return context.refuse()
  return {
    operators: [
      { kind: 'sort', keys: [key] },
      { kind: 'limit', count },
    ],
    scope,
  }
}

function checkSortKey(key: SortKey, site: Site): CheckedSortKey {
  const value = checkExpression(key.value, site)
  if (value.kind === 'constant') site.context.refuse(constantSortKey(key.value.span))
  const direction = key.direction ?? 'desc'
  const nulls = key.nulls ?? (direction === 'desc' ? 'last' : 'first')
  return { value, direction, nulls }
}

/** Checks `count`, which becomes a `summarize` of all rows. */
export function checkCount(_: Count, { context, scope }: Site): CheckedStep {
  const column = context.column('Count', 'int')
  const value = { kind: 'aggregate', type: 'int', function: 'count', arguments: [] } as const
  const summarize = { kind: 'summarize', by: [], aggregates: [{ column, value }] } as const
  // The result has exactly this column, even if the columns of the input are unknown.
  return { operators: [summarize], scope: scope.replaced([column]) }
}

/** Checks `distinct`: the result has exactly the keys; `*` selects all columns. */
export function checkDistinct({ keys }: Distinct, site: Site): CheckedStep {
  const all = keys.length === 1 && keys[0]?.kind === 'star'
  const computed = all ? everyColumn(site) : theseKeys(keys, site)
  const columns = computed.map((one) => one.column)
  return {
    operators: [{ kind: 'distinct', computed }],
    scope: new Scope(columns, { open: all && site.scope.open }),
  }
}

function everyColumn({ context, scope }: Site): readonly ComputedColumn[] {
  return scope.columns.map((column) => context.computed(column.name, reference(column)))
}

function theseKeys(keys: readonly Expression[], site: Site): readonly ComputedColumn[] {
  const unnamed = keys.map((key) => ({ usual: keyName(key) }))
  const names = assignNames(unnamed, site.context)
  return keys.flatMap((key, i) => checkColumn(names[i]!, key, site) ?? [])
}

/** Checks `getschema`, which needs no rows: the columns are known before the query runs. */
export function checkGetSchema(_: GetSchema, { context, scope }: Site): CheckedStep {
  const columns = {
    name: context.column('ColumnName', 'string'),
    dataType: context.column('DataType', 'string'),
    ordinal: context.column('ColumnOrdinal', 'int'),
    type: context.column('ColumnType', 'string'),
  }
  const { name, dataType, ordinal, type } = columns
  return {
    operators: [{ kind: 'getschema', columns, described: scope.columns }],
    scope: scope.replaced([name, dataType, ordinal, type]),
  }
}
