import { type ParseOptions, parse, wholeQuery } from '../syntax/parser.js'
import { type OperatorRole, roleOf } from './event-query.js'

/** A query as the texts of its source and its operators. */
export interface SplitQuery {
  /** The statements and the source; empty for a query that starts with an operator. */
  readonly source: string
  readonly operators: readonly SplitOperator[]
}

export interface SplitOperator {
  /** The text without the pipe in front of it. */
  readonly text: string
  readonly role: OperatorRole
  /** True when the operator selects the columns. */
  readonly isProjection: boolean
}

const PROJECTIONS: readonly string[] = ['project', 'project-keep']

/** Splits a query at its pipes; undefined when it cannot be parsed. */
export function splitApl(text: string, options: ParseOptions = {}): SplitQuery | undefined {
  const tree = wholeQuery(parse(text, options))
  if (tree === undefined) return undefined
  const [first] = tree.operators
  const end = first === undefined ? text.trimEnd().replace(/;$/, '').length : first.span.start
  const head = text.slice(0, end).trim().replace(/\|$/, '').trim()
  return {
    source: head,
    operators: tree.operators.map((operator) => ({
      text: text.slice(operator.span.start, operator.span.end),
      role: roleOf(operator),
      isProjection: PROJECTIONS.includes(operator.kind),
    })),
  }
}
