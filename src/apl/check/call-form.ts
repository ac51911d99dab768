import type { Call, Expression } from '../ast.js'
import type { CheckedExpression } from '../checked.js'
import { FUNCTIONS, type FunctionName } from '../functions.js'
import * as problem from '../problems.js'
import type { Signature } from '../signature.js'
import { isTypeWord, TYPE_WORDS, type Type } from '../type.js'
import { checkArguments, checkCount } from './arguments.js'
import { checkBinAuto } from './bin-auto.js'
import type { Site } from './context.js'
import { checkExpression } from './expression.js'

type CallForm = (call: Call, site: Site) => CheckedExpression | undefined

/** Calls whose arguments are not just values: names of fields, types, all columns. */
export const CALL_FORMS: Partial<Record<FunctionName, CallForm>> = {
  bin_auto: checkBinAuto,
  column_ifexists: checkColumn,
  ensure_field: checkEnsured,
  ingestion_time: checkIngestionTime,
  rand: checkRandom,
}

/** `column_ifexists("name", default)`. */
function checkColumn(call: Call, site: Site): CheckedExpression | undefined {
  if (!isCounted(call, 'column_ifexists', site)) return undefined
  const name = fieldName(call, 'column_ifexists', site)
  const otherwise = checkExpression(call.arguments[1]!, site)
  if (name === undefined || otherwise === undefined) return undefined
  const value = isField(name, site) ? field(name, call.arguments[0]!, site) : otherwise
  return value && invoke('column_ifexists', value.type, [value])
}

/** `ensure_field("name", typeof(string))`. */
function checkEnsured(call: Call, site: Site): CheckedExpression | undefined {
  if (!isCounted(call, 'ensure_field', site)) return undefined
  const name = fieldName(call, 'ensure_field', site)
  const type = typeOf(call.arguments[1]!, site)
  if (name === undefined || type === undefined) return undefined
  const value: CheckedExpression | undefined = isField(name, site)
    ? field(name, call.arguments[0]!, site)
    : { kind: 'constant', type, value: null }
  return value && invoke('ensure_field', type, [value])
}

/** `ingestion_time()`. */
function checkIngestionTime(call: Call, site: Site): CheckedExpression | undefined {
  if (!isCounted(call, 'ingestion_time', site)) return undefined
  const value = field('_sysTime', call.function, site)
  return value && invoke('ingestion_time', value.type, [value])
}

/** `rand()`, `rand(6)`: two calls in one query give different numbers. */
function checkRandom(call: Call, site: Site): CheckedExpression | undefined {
  const signature = FUNCTIONS.rand
  const values = checkArguments(call, { name: 'rand', signature }, site)
  if (values === undefined) return undefined
  const type = signature.result(values.map((value) => value.type))
  const seed = { kind: 'constant', type: 'int', value: BigInt(site.context.nextId()) } as const
  return invoke('rand', type, [...values, seed])
}

function isCounted(call: Call, name: FunctionName, site: Site): boolean {
  return checkCount(call, FUNCTIONS[name], site)
}

/** The name that the first argument says, which must be written out. */
function fieldName(call: Call, name: FunctionName, site: Site): string | undefined {
  const [written] = call.arguments
  if (
    written?.kind === 'literal' &&
    typeof written.value === 'string' &&
    written.type === 'string'
  ) {
    return written.value
  }
  const signature: Signature = FUNCTIONS[name]
  const called = { name, signature, span: call.function.span }
  const { span } = written ?? call
  return site.context.report(problem.notAConstant(called, { parameter: 'name', span }))
}

function isField(name: string, { scope }: Site): boolean {
  return scope.open || scope.find(name) !== undefined
}

function field(name: string, { span }: Pick<Expression, 'span'>, site: Site) {
  return checkExpression({ kind: 'name', name, span }, site)
}

/** The type that `typeof(string)` says. */
function typeOf(written: Expression, site: Site): Type | undefined {
  if (written.kind === 'call' && written.function.name === 'typeof') {
    const [type, ...more] = written.arguments
    if (type?.kind === 'name' && isTypeWord(type.name) && more.length === 0) {
      return TYPE_WORDS[type.name]
    }
  }
  return site.context.report(problem.notAType(written.span))
}

function invoke(
  name: FunctionName,
  type: Type,
  values: readonly CheckedExpression[],
): CheckedExpression {
  return { kind: 'invocation', type, function: name, arguments: values }
}
