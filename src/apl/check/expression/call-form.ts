import { ownValue } from '../../../text/own-value.js'
import { DAY, HOUR, MINUTE, SECOND } from '../../../wire/time/units.js'
import type { Environment } from '../../environment.js'
import { FUNCTIONS, type FunctionName } from '../../function/functions.js'
import * as argumentProblem from '../../problem/argument.js'
import { binAutoOutside } from '../../problem/operator.js'
import type { Call, Expression } from '../../syntax/ast.js'
import { textOf } from '../../syntax/string-literal.js'
import { TYPE_WORDS, type Type } from '../../type.js'
import type { CheckedExpression, Column } from '../checked.js'
import type { Site } from '../context.js'
import { checkExpression } from '../recursion.js'
import { ARRIVAL } from '../scope.js'
import { checkArgumentCount, checkArguments, resultType } from './arguments.js'
import { constantOf } from './constant.js'
import { intConstant, invoke, reference, textConstant } from './invoke.js'

type CallForm = (call: Call, site: Site) => CheckedExpression

/** Functions whose arguments are not only values but names of fields, types, or all columns. */
export const CALL_FORMS: Partial<Record<FunctionName, CallForm>> = {
  bag_pack: checkBag,
  bin_auto: checkBinAuto,
  column_ifexists: checkColumn,
  ensure_field: checkEnsured,
  ingestion_time: checkIngestionTime,
  pack_array: checkArray,
  rand: checkRandom,
}

/** `bag_pack("method", method)`, `bag_pack(*)`. */
function checkBag(call: Call, site: Site): CheckedExpression {
  const columns = allColumns(call, site)
  const values =
    columns?.flatMap((column) => [textConstant(column.name), reference(column)]) ??
    checkArguments(call, 'bag_pack', site)
  return invoke('bag_pack', 'dynamic', values)
}

/** `pack_array(method, uri)`, `pack_array(*)`. */
function checkArray(call: Call, site: Site): CheckedExpression {
  const values = allColumns(call, site)?.map(reference) ?? checkArguments(call, 'pack_array', site)
  return invoke('pack_array', 'dynamic', values)
}

/** Returns all columns if `*` is the only argument. A group has no columns, only aggregations. */
function allColumns(call: Call, { scope, aggregates }: Site): readonly Column[] | undefined {
  const [star, ...others] = call.arguments
  const isAll = star?.kind === 'star' && others.length === 0 && aggregates !== 'group'
  return isAll ? scope.columns : undefined
}

/** `column_ifexists("name", default)`. */
function checkColumn(call: Call, site: Site): CheckedExpression {
  checkArgumentCount(call, FUNCTIONS.column_ifexists, site)
  const otherwise = site.context.attempt(() => checkExpression(call.arguments[1]!, site))
  const name = fieldName(call, 'column_ifexists', site)
  if (otherwise === undefined) return site.context.refuse()
  const value = isField(name, site) ? field(name, call.arguments[0]!, site) : otherwise
  return invoke('column_ifexists', value.type, [value])
}

/** `ensure_field("name", typeof(string))`. */
function checkEnsured(call: Call, site: Site): CheckedExpression {
  checkArgumentCount(call, FUNCTIONS.ensure_field, site)
  const type = site.context.attempt(() => typeOf(call.arguments[1]!, site))
  const name = fieldName(call, 'ensure_field', site)
  if (type === undefined) return site.context.refuse()
  const value = isField(name, site) ? field(name, call.arguments[0]!, site) : constantOf(type, null)
  return invoke('ensure_field', type, [value])
}

function checkIngestionTime(call: Call, site: Site): CheckedExpression {
  checkArgumentCount(call, FUNCTIONS.ingestion_time, site)
  const value = field(ARRIVAL, call.function, site)
  return invoke('ingestion_time', value.type, [value])
}

/** `rand()`, `rand(6)`: the added id makes two calls in one query return different numbers. */
function checkRandom(call: Call, site: Site): CheckedExpression {
  const values = checkArguments(call, 'rand', site)
  const type = resultType(FUNCTIONS.rand, values)
  return invoke('rand', type, [...values, intConstant(site.context.nextId())])
}

/** Returns the field name in the first argument, which must be a string literal. */
function fieldName(call: Call, name: FunctionName, site: Site): string {
  const [written] = call.arguments
  const text = textOf(written)
  if (text !== undefined) return text
  const called = { name, signature: FUNCTIONS[name], span: call.function.span }
  return site.context.refuse(argumentProblem.notAConstant((written ?? call).span, called, 'name'))
}

function isField(name: string, { scope }: Site): boolean {
  return scope.open || scope.find(name) !== undefined
}

function field(name: string, { span }: Pick<Expression, 'span'>, site: Site) {
  return checkExpression({ kind: 'name', name, span }, site)
}

/** Returns the type in `typeof(string)`. */
function typeOf(written: Expression, site: Site): Type {
  if (written.kind === 'call' && written.function.name === 'typeof') {
    const [type, ...more] = written.arguments
    const known = type?.kind === 'name' ? ownValue(TYPE_WORDS, type.name) : undefined
    if (known !== undefined && more.length === 0) return known
  }
  return site.context.refuse(argumentProblem.notAType(written.span))
}

/** The candidate steps, in ascending order. */
const LADDER: readonly bigint[] = [
  ...[1n, 5n, 10n, 15n, 30n].map((n) => n * SECOND),
  ...[1n, 5n, 10n, 15n, 30n].map((n) => n * MINUTE),
  ...[1n, 3n, 6n, 12n].map((n) => n * HOUR),
  ...[1n, 7n, 30n].map((n) => n * DAY),
]

const USUAL_POINTS = 60

/** `bin_auto(_time)`: a `bin` whose step is derived from the time range of the query. */
function checkBinAuto(call: Call, site: Site): CheckedExpression {
  if (site.aggregates !== 'key') site.context.refuse(binAutoOutside(call.function.span))
  const values = checkArguments(call, 'bin_auto', site)
  const step = constantOf('timespan', autoStep(site.context.environment))
  return invoke('bin', 'datetime', [...values, step])
}

/** Returns the smallest candidate step that makes at most `maxDataPoints` bins; without a range, an hour. */
function autoStep({ range, now, maxDataPoints, resolution }: Environment): bigint {
  if (resolution !== undefined) return resolution
  if (range?.start === undefined) return HOUR
  const span = (range.end ?? now) - range.start
  const points = BigInt(maxDataPoints || USUAL_POINTS)
  return LADDER.find((step) => (span + step - 1n) / step <= points) ?? LADDER.at(-1)!
}
