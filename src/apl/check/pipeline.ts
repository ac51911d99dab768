import { duplicateName } from '../problem/name.js'
import type {
  As,
  Join,
  Lookup,
  Operator,
  Pipeline,
  Search,
  Step,
  Union,
  Where,
} from '../syntax/ast.js'
import type { CheckedStep, Context } from './context.js'
import { type Flow, UNKNOWN_FLOW } from './flow.js'
import { checkExtend, checkExtendValid } from './operator/extend.js'
import { checkJoin } from './operator/join.js'
import { checkMakeSeries } from './operator/make-series.js'
import { checkMvExpand } from './operator/mv-expand.js'
import { checkParse, checkParseKv } from './operator/parse.js'
import {
  checkProject,
  checkProjectAway,
  checkProjectKeep,
  checkProjectRename,
  checkProjectReorder,
} from './operator/project.js'
import { checkRedact } from './operator/redact.js'
import { checkReduce } from './operator/reduce.js'
import {
  checkCount,
  checkDistinct,
  checkGetSchema,
  checkLimit,
  checkSample,
  checkSort,
  checkTop,
  checkWhere,
  checkWhereInParts,
} from './operator/rows.js'
import { checkSummarize } from './operator/summarize.js'
import { checkSource } from './recursion.js'
import type { Scope } from './scope.js'
import { checkUnion } from './source/union.js'

/** Checks a pipeline step by step. Names that it defines are in scope until its end. */
export function checkPipelineFlow(pipeline: Omit<Pipeline, 'span'>, context: Context): Flow {
  const { source, steps } = withUnionsJoined(pipeline)
  const { bindings } = context
  let flow = source === undefined ? UNKNOWN_FLOW : checkSource(source, context)
  for (const [i, step] of steps.entries()) {
    const before = { source, steps: steps.slice(0, i) }
    if (step.kind === 'as') nameRows(step, before, context)
    else flow = checkStep(step, context, flow)
  }
  context.bindings = bindings
  return flow
}

/** Merges `union a | union b` into `union a, b`, which is one query instead of two nested ones. */
function withUnionsJoined(pipeline: Omit<Pipeline, 'span'>): Omit<Pipeline, 'span'> {
  const steps: Step[] = []
  let { source } = pipeline
  for (const step of pipeline.steps) {
    const before = steps.length === 0 ? source : steps.at(-1)
    if (step.kind !== 'union' || before?.kind !== 'union' || step.withSource || before.withSource) {
      steps.push(step)
      continue
    }
    const both: Union = { ...before, parts: [...before.parts, ...step.parts] }
    if (steps.length === 0) source = both
    else steps[steps.length - 1] = both
  }
  return { source, steps }
}

/** `as name`: defines a name for the rows at this point. */
function nameRows({ name, span }: As, before: Omit<Pipeline, 'span'>, context: Context): void {
  if (context.isDefined(name.name)) context.report(duplicateName(name))
  const { bindings } = context
  context.define(name.name, { kind: 'rows', pipeline: { ...before, span }, bindings })
}

function checkStep(step: Exclude<Step, As>, context: Context, flow: Flow): Flow {
  if (step.kind === 'broken') {
    return step.keepsColumns ? flow : { ...flow, scope: flow.scope.opened() }
  }
  if (!context.isStepAllowed(step.span)) return flow
  switch (step.kind) {
    case 'join':
    case 'lookup':
      return checkJoin(step, context, flow)
    case 'union':
      return checkUnion(step, context, flow)
    case 'where':
    case 'search':
      return checkFilter(step, context, flow)
    default: {
      const { operators, scope } = checkOperator(step, context, flow.scope)
      return { source: flow.source, operators: [...flow.operators, ...operators], scope }
    }
  }
}

function checkFilter(step: Where | Search, context: Context, flow: Flow): Flow {
  const isFirst = flow.operators.length === 0
  const rest = isFirst ? checkWhereInParts(step, context, flow.scope) : step
  if (rest === undefined) return flow
  const { operators, scope } = checkWhere(rest, context, flow.scope)
  return { source: flow.source, operators: [...flow.operators, ...operators], scope }
}

/** The operators, other than filters, that keep the source of the pipeline. */
type Plain = Exclude<Operator, As | Join | Lookup | Search | Union | Where>

function checkOperator(operator: Plain, context: Context, scope: Scope): CheckedStep {
  switch (operator.kind) {
    case 'extend-valid':
      return checkExtendValid(operator, context, scope)
    case 'getschema':
      return checkGetSchema(context, scope)
    case 'make-series':
      return checkMakeSeries(operator, context, scope)
    case 'mv-expand':
      return checkMvExpand(operator, context, scope)
    case 'parse':
      return checkParse(operator, context, scope)
    case 'parse-kv':
      return checkParseKv(operator, context, scope)
    case 'project-keep':
      return checkProjectKeep(operator, context, scope)
    case 'project-rename':
      return checkProjectRename(operator, context, scope)
    case 'project-reorder':
      return checkProjectReorder(operator, context, scope)
    case 'redact':
      return checkRedact(operator, context, scope)
    case 'reduce':
      return checkReduce(operator, context, scope)
    case 'sample':
      return checkSample(operator, context, scope)
    case 'extend':
      return checkExtend(operator, context, scope)
    case 'project':
      return checkProject(operator, context, scope)
    case 'project-away':
      return checkProjectAway(operator, context, scope)
    case 'summarize':
      return checkSummarize(operator, context, scope)
    case 'sort':
      return checkSort(operator, context, scope)
    case 'limit':
      return checkLimit(operator, context, scope)
    case 'top':
      return checkTop(operator, context, scope)
    case 'count':
      return checkCount(context, scope)
    case 'distinct':
      return checkDistinct(operator, context, scope)
    default:
      return operator satisfies never
  }
}
