import type { Problem } from '../../text/problem.js'
import type { Operator, Source } from '../ast.js'
import type { CheckedDataset, CheckedOperator, CheckedQuery } from '../checked.js'
import type { Environment } from '../environment.js'
import type { Parsed, Step } from '../parser.js'
import { unknownDataset } from '../problems.js'
import { type Checked, Context, Scope } from './context.js'
import { checkCount } from './count.js'
import { checkDistinct } from './distinct.js'
import { checkExtend } from './extend.js'
import { checkExtendValid } from './extend-valid.js'
import { checkGetSchema } from './getschema.js'
import { checkLimit } from './limit.js'
import { checkMakeSeries } from './make-series.js'
import { checkMvExpand } from './mv-expand.js'
import { checkParse } from './parse.js'
import { checkParseKv } from './parse-kv.js'
import { checkProject } from './project.js'
import { checkProjectAway } from './project-away.js'
import { checkProjectKeep } from './project-keep.js'
import { checkProjectRename } from './project-rename.js'
import { checkProjectReorder } from './project-reorder.js'
import { checkRedact } from './redact.js'
import { checkSample } from './sample.js'
import { checkSort, checkTop } from './sort.js'
import { checkSummarize } from './summarize.js'
import { checkWhere } from './where.js'

export interface Unchecked {
  readonly text: string
  readonly parsed: Parsed
  readonly environment: Environment
}

export interface CheckedPipeline {
  /** Undefined when there are problems, here or in the parsed text. */
  readonly query?: CheckedQuery
  readonly problems: readonly Problem[]
}

/** Follows the columns through the steps of a query, from its source on. */
export function checkPipeline({ text, parsed, environment }: Unchecked): CheckedPipeline {
  const context = new Context(text, environment)
  const source = parsed.source && checkSource(parsed.source, context)
  let scope = new Scope(source?.columns ?? [], { open: source === undefined })
  const operators: CheckedOperator[] = []
  for (const step of parsed.steps) {
    const checked = checkStep(step, context, scope)
    operators.push(...checked.operators)
    scope = checked.scope
  }
  const { problems } = context
  if (source === undefined || problems.length + parsed.problems.length > 0) return { problems }
  const query = { source, operators, columns: scope.columns, now: environment.now }
  return { query, problems }
}

function checkSource(source: Source, context: Context): CheckedDataset | undefined {
  const { schema } = context.environment
  const fields = schema.fields(source.name)
  if (fields === undefined) return context.report(unknownDataset(source, schema.datasets))
  const columns = fields.map((field) => context.column(field.name, field.type))
  return { kind: 'dataset', name: source.name, columns }
}

function checkStep(step: Step, context: Context, scope: Scope): Checked {
  if (step.kind !== 'broken') return checkOperator(step, context, scope)
  return {
    operators: [],
    scope: step.keepsColumns ? scope : new Scope(scope.columns, { open: true }),
  }
}

function checkOperator(operator: Operator, context: Context, scope: Scope): Checked {
  switch (operator.kind) {
    case 'where':
    case 'search':
      return checkWhere(operator, context, scope)
    case 'extend-valid':
      return checkExtendValid(operator, context, scope)
    case 'getschema':
      return checkGetSchema(operator, context, scope)
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
      return checkCount(operator, context, scope)
    case 'distinct':
      return checkDistinct(operator, context, scope)
    default:
      return operator satisfies never
  }
}
