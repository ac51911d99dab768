// The places in a query where rows can be lost, as queries that count them.
import type { Operator, Query } from '../syntax/ast.js'
import {
  formatExpression,
  formatOperator,
  formatSource,
  formatStatements,
} from '../syntax/format.js'
import { conjuncts } from '../syntax/operands.js'
import { parse, wholeQuery } from '../syntax/parser.js'
import { type Comparison, comparisonsIn } from './comparison.js'
import { flatten } from './flatten.js'

/** A query, divided where its rows can be lost. */
export interface QueryPlan {
  /** The query for all rows of the source. */
  readonly source: string
  /** True when the source is one or more datasets, whose events have a time. */
  readonly isEvents: boolean
  /** Consecutive parts of the query; the first begins at the source. */
  readonly segments: readonly Segment[]
}

/** A part of a query that keeps or drops each row independently of other rows, so that one scan counts all its conditions. */
export interface Segment {
  /** The operator whose rows the segment starts with; undefined when it starts with the rows of the source. */
  readonly origin?: Origin
  /** The query for the rows at the start of the segment. */
  readonly apl: string
  readonly steps: readonly (Condition | Extension)[]
}

/** An operator that returns other rows than its input has. */
interface Origin {
  /** The operator in APL. */
  readonly text: string
  /** The query for the right side, for joins. */
  readonly right?: string
  /** True when the operator can return rows for an empty input. */
  readonly addsRows: boolean
}

/** A condition of a `where` or a `search`. An `or` is one condition; `and` separates two. */
export interface Condition {
  readonly kind: 'condition'
  /** The condition in APL. */
  readonly text: string
  readonly comparisons: readonly Comparison[]
}

/** An operator that sets columns, on which later conditions depend. */
interface Extension {
  readonly kind: 'extension'
  /** The operator in APL. */
  readonly text: string
}

/**
 * Divides a query at the operators that can lose rows; undefined when this version cannot parse it. `input` is the dataset of a
 * query that starts with an operator.
 */
export function planOf(text: string, input?: string): QueryPlan | undefined {
  const tree = wholeQuery(parse(text, { hasInput: input !== undefined }))
  if (tree === undefined) return undefined
  const { source, operators } = flatten(input === undefined ? tree : withDataset(tree, input))
  const statements = formatStatements(tree)
  const start = `${statements}${formatSource(source)}`
  const segments: Segment[] = []
  let apl = start
  let segment: Segment = { apl, steps: [] }
  for (const operator of operators) {
    // To count a segment, columns are added before its extensions. A search, which tests all columns, starts a new segment.
    if (operator.kind === 'search' && segment.steps.some(({ kind }) => kind === 'extension')) {
      segments.push(segment)
      segment = { apl, steps: [] }
    }
    apl += `\n| ${formatOperator(operator)}`
    const step = stepsOf(operator)
    if (step !== undefined) segment = { ...segment, steps: [...segment.steps, ...step] }
    else {
      segments.push(segment)
      segment = { origin: originOf(operator, statements), apl, steps: [] }
    }
  }
  return {
    source: start,
    isEvents: /^(?:dataset|table|union)$/.test(source.kind),
    segments: [...segments, segment],
  }
}

/** Returns a query that starts with an operator as a query of a dataset; returns other queries unchanged. */
function withDataset(query: Query, name: string): Query {
  const { source } = query
  return source.kind === 'input'
    ? { ...query, source: { ...source, kind: 'dataset', name } }
    : query
}

/** Returns the steps of an operator that keeps or drops each row independently; undefined for other operators. */
function stepsOf(operator: Operator): readonly (Condition | Extension)[] | undefined {
  switch (operator.kind) {
    case 'where':
    case 'search':
      return conjuncts(operator.predicate).map((predicate) => ({
        kind: 'condition',
        text: formatExpression(predicate),
        comparisons: comparisonsIn(predicate),
      }))
    case 'extend':
    case 'extend-valid':
    case 'parse-kv':
    case 'as':
      return [{ kind: 'extension', text: formatOperator(operator) }]
    case 'parse':
      if (operator.dropsOthers) return undefined
      return [{ kind: 'extension', text: formatOperator(operator) }]
    case 'sort':
      return []
    default:
      return undefined
  }
}

function originOf(operator: Operator, statements: string): Origin {
  const text = formatOperator(operator)
  switch (operator.kind) {
    case 'join':
    case 'lookup': {
      const right = `${statements}${formatSource(operator.right)}`
      const addsRows = /^right|^fullouter/.test(operator.joinKind)
      return { text, right, addsRows }
    }
    case 'summarize':
      return { text, addsRows: operator.by.length === 0 }
    case 'count':
    case 'union':
    case 'make-series':
    case 'getschema':
      return { text, addsRows: true }
    default:
      return { text, addsRows: false }
  }
}
