import { byKind } from '../../text/by-kind.js'
import { duplicateName } from '../problem/name.js'
import type { As, Join, Operator, Pipeline, Step, Union } from '../syntax/ast.js'
import type { CheckedStep, Context, Site } from './context.js'
import { type Flow, UNKNOWN_FLOW } from './flow.js'
import { checkExtend } from './operator/extend.js'
import { checkJoin } from './operator/join.js'
import { checkMakeSeries } from './operator/make-series.js'
import { checkMvExpand } from './operator/mv-expand.js'
import { checkParse, checkParseKv } from './operator/parse.js'
import {
  checkProject,
  checkProjectMatching,
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
  if (!context.isAllowed('step', step.span)) return flow
  switch (step.kind) {
    case 'join':
    case 'lookup':
      return checkJoin(step, context, flow)
    case 'union':
      return checkUnion(step, context, flow)
    default: {
      const operator = /^[a-z-]+/.exec(context.excerpt(step.span).text)?.[0] ?? step.kind
      const site = { context, scope: flow.scope, operator, aggregates: 'none' } as const
      context.suppressedByStep.clear()
      const reported = context.problems.length
      const checked = context.attempt(() => checkOperator(step, site, flow))
      if (checked === undefined) return flow
      const hidden = context.problems.length === reported ? context.suppressedByStep : []
      const scope = checked.scope.suggesting([...hidden])
      return { source: flow.source, operators: [...flow.operators, ...checked.operators], scope }
    }
  }
}

/** The operators that keep the source of the pipeline. */
type Plain = Exclude<Operator, As | Join | Union>

function checkOperator(step: Plain, site: Site, flow: Flow): CheckedStep {
  const isFilter = step.kind === 'where' || step.kind === 'search'
  const rest = isFilter && flow.operators.length === 0 ? checkWhereInParts(step, site) : step
  if (rest === undefined) return { operators: [], scope: site.scope }
  return checkPlain(rest, site)
}

const checkPlain = byKind<Plain, [Site], CheckedStep>({
  count: checkCount,
  distinct: checkDistinct,
  extend: checkExtend,
  'extend-valid': checkExtend,
  getschema: checkGetSchema,
  limit: checkLimit,
  'make-series': checkMakeSeries,
  'mv-expand': checkMvExpand,
  parse: checkParse,
  'parse-kv': checkParseKv,
  project: checkProject,
  'project-away': checkProjectMatching,
  'project-keep': checkProjectMatching,
  'project-rename': checkProjectRename,
  'project-reorder': checkProjectReorder,
  redact: checkRedact,
  reduce: checkReduce,
  sample: checkSample,
  search: checkWhere,
  sort: checkSort,
  summarize: checkSummarize,
  top: checkTop,
  where: checkWhere,
})
