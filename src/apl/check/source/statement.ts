import * as nameProblem from '../../problem/name.js'
import type {
  DeclaredParameter,
  DeclareParameters,
  Expression,
  Identifier,
  LetScalar,
  LetTabular,
  SetOption,
  Statement,
} from '../../syntax/ast.js'
import type { Constant } from '../checked.js'
import type { Binding, Context } from '../context.js'
import { constantAs, constantOfJson } from '../expression/constant.js'
import { checkExpression, checkFlow, valueSite } from '../recursion.js'

export function bindVariables(context: Context): void {
  const given = Object.entries(context.environment.variables ?? {})
  context.bindings = new Map(
    given.map(([name, value]) => [name, { kind: 'value', value: constantOfJson(value) }]),
  )
}

export function checkStatement(statement: Statement, context: Context): void {
  switch (statement.kind) {
    case 'let-scalar':
      give(statement.name, letValue(statement, context), context)
      break
    case 'let-tabular':
      give(statement.name, letRows(statement, context), context)
      break
    case 'declare':
      checkDeclare(statement, context)
      break
    case 'set':
      context.attempt(() => checkOption(statement, context))
      break
    case 'broken-statement':
      for (const name of statement.names) give(name, { kind: 'broken' }, context)
      break
    default:
      statement satisfies never
  }
}

function give(name: Identifier, binding: Binding, context: Context): void {
  if (context.isDefined(name.name)) context.report(nameProblem.duplicateName(name))
  context.define(name.name, binding)
}

function letValue({ value, span }: LetScalar, context: Context): Binding {
  if (value.kind === 'name' && isRows(value, context)) {
    const source = { ...value, kind: 'dataset' } as const
    return { kind: 'rows', pipeline: { source, steps: [], span }, bindings: context.bindings }
  }
  const checked = context.attempt(() => checkExpression(value, valueSite(context, 'let')))
  return checked === undefined ? { kind: 'broken' } : { kind: 'value', value: checked }
}

/** Returns true for `let a = b;` if `b` is a table. */
function isRows({ name }: Identifier, { bindings, environment }: Context): boolean {
  const binding = bindings.get(name)
  if (binding !== undefined) return binding.kind === 'rows'
  return environment.schema.fields(name) !== undefined
}

function letRows({ pipeline }: LetTabular, context: Context): Binding {
  const before = context.problems.length
  const { bindings } = context
  const { source } = checkFlow(pipeline, context)
  const isWhole = source !== undefined && context.problems.length === before
  return isWhole ? { kind: 'rows', pipeline, bindings } : { kind: 'broken' }
}

function checkOption({ value }: SetOption, context: Context): void {
  if (value && value.kind !== 'name') checkExpression(value, valueSite(context, 'set'))
}

function checkDeclare({ parameters }: DeclareParameters, context: Context): void {
  for (const parameter of parameters) {
    if (!context.isAllowed('step', parameter.name.span)) return
    const value = context.attempt(() => parameterValue(parameter, context))
    give(parameter.name, value ? { kind: 'value', value } : { kind: 'broken' }, context)
  }
}

/** Returns the value of a parameter in the request, or else its default. */
function parameterValue(parameter: DeclaredParameter, context: Context): Constant {
  const { name, type, value: written } = parameter
  const { variables = {} } = context.environment
  const otherwise = written && defaultValue(parameter, written, context)
  if (!Object.hasOwn(variables, name.name)) {
    return otherwise ?? context.refuse(nameProblem.missingParameter(name, Object.keys(variables)))
  }
  const given = constantOfJson(variables[name.name])
  const value = constantAs(given, type)
  return value ?? context.refuse(nameProblem.wrongParameter(name, type, given.type))
}

function defaultValue(
  { name, type }: DeclaredParameter,
  written: Expression,
  context: Context,
): Constant {
  const value = checkExpression(written, valueSite(context, 'declare'))
  if (value.kind !== 'constant') {
    return context.refuse(nameProblem.notWrittenOut(written.span, 'The default of a parameter'))
  }
  const operand = context.operand(written, value)
  return constantAs(value, type) ?? context.refuse(nameProblem.wrongDefault(operand, name, type))
}
