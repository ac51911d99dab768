import { elements as jsonElements } from '../../../wire/json/json-text.js'
import { noColumnsLeft } from '../../problem/group.js'
import { subqueryHere } from '../../problem/name.js'
import { wrongOperand } from '../../problem/operand.js'
import type {
  Expression,
  Membership,
  MembershipOperator,
  Name,
  Subquery,
} from '../../syntax/ast.js'
import type { CheckedExpression, CheckedSubquery, Constant } from '../checked.js'
import type { Site } from '../context.js'
import { pipelineOf } from '../flow.js'
import { checkExpressions, checkFlow } from '../recursion.js'
import { comparable } from './comparable.js'
import { constantAs, constantOf, constantOfText } from './constant.js'
import { invoke } from './invoke.js'
import { isText } from './operation.js'

/** Checks `in`, `has_any` and their variants: a value against a list, an array or the rows of a query. */
export function checkMembership(membership: Membership, site: Site): CheckedExpression {
  const list = membership.list.map((item) => rowsNamed(item, site) ?? item)
  const [value, ...items] = checkExpressions([membership.value, ...list], site)
  const accepted = site.context.all(items, (item, i) =>
    acceptItem(item, list[i]!, { membership, value, site }),
  )
  return invoke(membership.operator, 'bool', [value, ...accepted.flat()])
}

/** Returns the subquery for `in (slow)` when `slow` is a table; undefined otherwise. */
function rowsNamed(item: Expression, { context, scope }: Site): Subquery | undefined {
  if (item.kind !== 'name' || scope.find(item.name) !== undefined) return undefined
  if (context.bindings.get(item.name)?.kind !== 'rows') return undefined
  const source = { ...item, kind: 'dataset' } satisfies Omit<Name, 'kind'> & { kind: 'dataset' }
  return { kind: 'subquery', pipeline: { source, steps: [], span: item.span }, span: item.span }
}

interface ItemSite {
  readonly membership: Membership
  readonly value: CheckedExpression
  readonly site: Site
}

/** Returns the values that a list item contributes: one, or the elements of a literal array. */
function acceptItem(
  item: CheckedExpression,
  written: Expression,
  { membership, value, site }: ItemSite,
): readonly CheckedExpression[] {
  const { operator, operatorSpan: span } = membership
  const { context } = site
  const left = context.operand(membership.value, value)
  const right = context.operand(written, item)
  if (item.kind === 'subquery' && TERMS.includes(operator)) {
    return context.refuse(subqueryHere(written.span, operator))
  }
  if (item.kind === 'constant' && item.type === 'dynamic') return elements(item, value, operator)
  if (operator === 'in' || operator === '!in') {
    const [, converted] = comparable([value, item], { operator, span, left, right }, context)
    return [item.kind === 'subquery' ? item : converted]
  }
  const wrong = [left, right].find((operand) => !isText(operand.type))
  return wrong === undefined ? [item] : context.refuse(wrongOperand(wrong, operator, 'text'))
}

const TERMS: readonly MembershipOperator[] = ['has_any', 'has_any_cs']

/** Returns the elements of an array and of nested arrays, converted to the type of the value where possible. */
function elements(
  array: Constant,
  value: CheckedExpression,
  operator: MembershipOperator,
): readonly Constant[] {
  return flattened(String(array.value)).map((json) => {
    const element = constantOfText(json)
    const isPlain = operator === 'in' || operator === '!in'
    if (!isPlain) return element.type === 'string' ? element : constantOf('string', json)
    if (value.type === 'dynamic') return element
    const isNumber = element.type === 'int' || element.type === 'real'
    const isRead = isNumber && /^(int|real|string)$/.test(value.type)
    if (isRead || element.value === null) return element
    return constantAs(element, value.type) ?? constantOf('dynamic', json)
  })
}

function flattened(json: string): readonly string[] {
  const found: string[] = []
  const open = [json.trim()]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!next.startsWith('[')) {
      found.push(next)
      continue
    }
    for (const item of jsonElements(next).toReversed()) open.push(item)
  }
  return found
}

/** Checks a subquery for its first column. Columns of the outer query are not in scope. */
export function checkSubquery({ pipeline, span }: Subquery, { context }: Site): CheckedSubquery {
  const flow = context.inSubquery(span, () => checkFlow(pipeline, context))
  const first = flow.scope.first()
  const checked = pipelineOf(flow, first ? [first] : [])
  if (checked === undefined || flow.scope.open) return context.refuse()
  if (first === undefined) return context.refuse(noColumnsLeft(span))
  return { kind: 'subquery', type: first.type, pipeline: checked }
}
