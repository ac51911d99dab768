import { joinCondition } from '../../problem/name.js'
import type { Expression, Join, JoinKind } from '../../syntax/ast.js'
import { conjuncts, operandsOf } from '../../syntax/operands.js'
import type { CheckedExpression, Column, JoinedColumn, JoinKey } from '../checked.js'
import type { Context, Site } from '../context.js'
import { comparable, type Pair } from '../expression/comparable.js'
import { type Flow, flowFrom, pipelineOf, UNKNOWN_FLOW } from '../flow.js'
import { checkExpression, checkSource } from '../recursion.js'
import { Scope } from '../scope.js'
import { wireTypeOfAny } from '../wire-type.js'

/** The sites of the expressions for the two sides of a join. */
type Sides = readonly [left: Site, right: Site]

/** Checks `join` and `lookup`. */
export function checkJoin(join: Join, context: Context, left: Flow): Flow {
  const right = context.isAllowed('join', join.span)
    ? checkSource(join.right, context)
    : UNKNOWN_FLOW
  const site = (side: 'left' | 'right', { scope }: Flow): Site => {
    return { context, scope, operator: join.kind, aggregates: 'none', side }
  }
  const sides = [site('left', left), site('right', right)] as const
  const conditions = join.conditions.flatMap(conjuncts)
  const keys = conditions.flatMap(
    (condition) => context.attempt(() => checkCondition(condition, sides)) ?? [],
  )
  const joined = joinedColumns(join, { left, right, keys, context })
  const columns = joined.map(({ column }) => column)
  const [leftRows, rightRows] = [pipelineOf(left, []), pipelineOf(right, [])]
  const isWhole = keys.length === conditions.length && !left.scope.open && !right.scope.open
  if (leftRows === undefined || rightRows === undefined || !isWhole) {
    const open = left.scope.open || right.scope.open
    return { source: undefined, operators: [], scope: new Scope(columns, { open }) }
  }
  const { joinKind } = join
  const between = { left: leftRows, right: rightRows, keys, joined, columns }
  return flowFrom({ kind: 'join', joinKind, ...between })
}

/** Condition : Field | Expression `==` Expression */
function checkCondition(condition: Expression, sides: Sides): JoinKey {
  if (isField(condition)) {
    return checkPair(condition, [condition, condition], sides)
  }
  if (condition.kind !== 'binary' || condition.operator !== '==') {
    return sides[0].context.refuse(joinCondition(condition.span))
  }
  const { left, right } = condition
  const isSwapped = refersTo('right', left) || refersTo('left', right)
  return checkPair(condition, isSwapped ? [right, left] : [left, right], sides)
}

function checkPair(
  condition: Expression,
  [ofLeft, ofRight]: readonly [Expression, Expression],
  [leftSite, rightSite]: Sides,
): JoinKey {
  const { context } = leftSite
  const sides = [
    [ofLeft, leftSite],
    [ofRight, rightSite],
  ] as const
  const values = context.all(sides, ([written, site]) => checkExpression(written, site))
  const [left, right] = values as Pair
  if (left.kind === 'constant' || right.kind === 'constant') {
    context.refuse(joinCondition(condition.span))
  }
  const span = condition.kind === 'binary' ? condition.operatorSpan : condition.span
  const written = { left: context.operand(ofLeft, left), right: context.operand(ofRight, right) }
  comparable([left, right], { operator: '==', span, ...written }, context)
  return { left, right }
}

function isField({ kind }: Expression): boolean {
  return kind === 'name' || kind === 'member' || kind === 'index'
}

/** True when an expression contains `$left` or `$right`. */
function refersTo(side: 'left' | 'right', expression: Expression): boolean {
  return expression.kind === 'side'
    ? expression.side === side
    : operandsOf(expression).some((operand) => refersTo(side, operand))
}

interface JoinInput {
  readonly left: Flow
  readonly right: Flow
  readonly keys: readonly JoinKey[]
  readonly context: Context
}

/** Returns the left columns, then the right columns; a key with the same name on both sides appears once. */
function joinedColumns(join: Join, joining: JoinInput): readonly JoinedColumn[] {
  const { left, right, context } = joining
  const only = ONLY_SIDE[join.joinKind]
  const shared = sharedKeys(joining)
  const named = new Set<string>()
  const joined: JoinedColumn[] = []
  const add = (usual: string, from: Omit<JoinedColumn, 'column'>) => {
    let name = usual
    for (let n = 1; named.has(name); n++) name = `${usual}${n}`
    named.add(name)
    const [a, b] = [from.left?.type, from.right?.type]
    const type = a !== undefined && b !== undefined && a !== b ? 'dynamic' : (a ?? b ?? 'dynamic')
    const wireType = wireTypeOfAny([from.left, from.right])
    joined.push({ column: { ...context.column(name, type), wireType }, ...from })
  }
  if (only !== 'right') {
    for (const column of left.scope.columns) {
      const other = fillsKeys(join.joinKind) ? shared.get(column.id) : undefined
      add(column.name, { left: column, right: other })
    }
  }
  if (only !== 'left') {
    const dropped = only === undefined ? hiddenColumns(join, joining, shared) : new Set<number>()
    for (const column of right.scope.columns) {
      if (!dropped.has(column.id)) add(column.name, { right: column })
    }
  }
  return joined
}

/** The kinds of joins whose results have the columns of one side only. */
const ONLY_SIDE: Partial<Readonly<Record<JoinKind, 'left' | 'right'>>> = {
  leftsemi: 'left',
  leftanti: 'left',
  rightsemi: 'right',
  rightanti: 'right',
}

/** Returns true if the result may have rows of the right side only, whose key then fills the shared column. */
function fillsKeys(kind: JoinKind): boolean {
  return kind === 'rightouter' || kind === 'fullouter'
}

/** Returns the keys with the same name on both sides: each right column by the id of the left column. */
function sharedKeys({ left, right, keys }: JoinInput): Map<number, Column> {
  const shared = new Map<number, Column>()
  for (const key of keys) {
    const a = columnOf(key.left, left)
    const b = columnOf(key.right, right)
    if (a !== undefined && b !== undefined && a.name === b.name) shared.set(a.id, b)
  }
  return shared
}

/** Returns the ids of the right columns that the result omits: shared keys, and all keys of a `lookup`. */
function hiddenColumns(
  { kind }: Join,
  { right, keys }: JoinInput,
  shared: ReadonlyMap<number, Column>,
): ReadonlySet<number> {
  const omitted =
    kind === 'lookup' ? keys.map((key) => columnOf(key.right, right)) : shared.values()
  return new Set([...omitted].flatMap((column) => column?.id ?? []))
}

function columnOf(value: CheckedExpression, { scope }: Flow): Column | undefined {
  if (value.kind !== 'reference') return undefined
  return scope.withId(value.column)
}
