import type { Problem } from '../text/problem.js'
import { analyzeParsed } from './analyze.js'
import type { Environment } from './environment.js'
import { roleOf } from './plan/event-query.js'
import type { LiteralValue, Step } from './syntax/ast.js'
import { type ParseResult, parse } from './syntax/parser.js'

/** The sources that a query reads, as far as its text shows them. */
export interface QuerySources {
  /** True when the query starts with an operator, so that it reads the events of an input. */
  readonly readsInput: boolean
  /** The first word of such a query. */
  readonly firstWord: string
  /** The arguments of `file(…)`, each once. */
  readonly files: readonly string[]
  /** The datasets that the query names, each once. */
  readonly datasets: readonly string[]
  /** True when each event of the input becomes rows independently of all others, in the order of the events. */
  readonly isStream: boolean
  /** True when the query names all columns of its result. */
  readonly hasFixedColumns: boolean
  /** The count of the first `limit`, if it is a literal: a stream ends after this many rows. */
  readonly limit?: number
  /** Problems that do not depend on the datasets and their fields. */
  readonly problems: readonly Problem[]
  readonly parsed: ParseResult
}

interface SourceOptions {
  /** The names that patterns of datasets match. */
  readonly datasets?: readonly string[]
  /** False to read the first word as the name of a dataset, even if it is an operator. */
  readonly hasInput?: boolean
}

/** Problems that only a deployment can detect, since they depend on its datasets and on the time range of the request. */
const UNDECIDED: readonly string[] = ['unknown-dataset', 'no-range']

/** Returns the problems that can be found without a deployment. */
export function decided(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ code }) => !UNDECIDED.includes(code))
}

/** Reads a query without a service. */
export function sourcesOf(
  text: string,
  known: Omit<Environment, 'schema' | 'inputs'>,
  { datasets = [], hasInput = true }: SourceOptions = {},
): QuerySources {
  const files = new Set<string>()
  const named = new Set<string>()
  // No dataset has a name that begins with a space.
  const main = ' input'
  const inputs = {
    main,
    file(pattern: string) {
      files.add(pattern)
      return ` ${pattern}`
    },
  }
  const schema = {
    datasets,
    fields(dataset: string) {
      if (!dataset.startsWith(' ')) named.add(dataset)
      return undefined
    },
  }
  const parsed = parse(text, { hasInput })
  const analyzed = analyzeParsed(text, parsed, { ...known, schema, inputs })
  const { source, steps } = parsed
  const readsInput = source?.kind === 'input'
  const limit = steps.find((step) => step.kind === 'limit')
  const count = limit?.count.kind === 'literal' ? limit.count.value : undefined
  return {
    readsInput,
    firstWord: readsInput ? (/^[a-z-]+/.exec(text.slice(source.span.start))?.[0] ?? '') : '',
    files: [...files],
    datasets: [...named],
    isStream: readsInput && named.size + files.size === 0 && isStream(steps, count),
    hasFixedColumns: steps.some(({ kind }) => kind === 'project'),
    ...(typeof count === 'bigint' && { limit: Number(count) }),
    problems: 'problems' in analyzed ? decided(analyzed.problems) : [],
    parsed,
  }
}

/** True for an operator that turns each row into rows independently of the others. */
function isOfEach(step: Step): boolean {
  return step.kind === 'mv-expand' || hasRole(step, 'filter') || hasRole(step, 'columns')
}

/** True for an operator of `isOfEach` that makes exactly one row of each row. */
function isOneToOne(step: Step): boolean {
  return hasRole(step, 'columns') && step.kind !== 'parse'
}

function hasRole(step: Step, role: 'filter' | 'columns'): boolean {
  // A `lookup` also reads other rows.
  return step.kind !== 'broken' && step.kind !== 'lookup' && roleOf(step) === role
}

function isStream(steps: readonly Step[], count: LiteralValue | undefined): boolean {
  const limit = steps.findIndex(({ kind }) => kind === 'limit')
  const before = limit === -1 ? steps : steps.slice(0, limit)
  const after = limit === -1 ? [] : steps.slice(limit + 1)
  if (limit !== -1 && typeof count !== 'bigint') return false
  return (
    before.every(isOfEach) &&
    // These operators do not change the number of rows, which the limit has set.
    after.every(isOneToOne)
  )
}
