import type { Assignment, Expression, Operator, Query } from '../syntax/ast.js'
import {
  formatExpression,
  formatOperator,
  formatSource,
  formatStatements,
} from '../syntax/format.js'
import { operandsOf } from '../syntax/operands.js'
import { type ParseOptions, parse, wholeQuery } from '../syntax/parser.js'
import { flatten } from './flatten.js'

/** A query whose rows are events of one dataset, without the operators that select the events. */
export interface EventQuery {
  readonly kind: 'events'
  /** The query for all events of the dataset. */
  readonly source: string
  /** The operators that set the columns of an event, each as `| …`. */
  readonly columns: string
  /** True when `sort by _time asc`, after filters, is the only operator that sorts or limits the rows. */
  readonly isByTime: boolean
  /** True when an operator sets `_time`, so that a row may have another one than its event. */
  readonly setsTime: boolean
  /** The columns that an operator computes from the time of the query or from random numbers: each run returns other values. */
  readonly changing: readonly string[]
  /** The same operators and this order, after which a column is null for the events that all filters keep. */
  marked(column: string): string
}

/** The reason why the rows of a query are not events of one dataset. */
export interface NoEventQuery {
  readonly kind: 'other'
  /** The operator or the source, in APL. */
  readonly cause: string
}

/**
 * Splits a query into its dataset or input, its filters and the columns of its rows; undefined when this version cannot parse it.
 */
export function eventQueryOf(
  text: string,
  options: ParseOptions = {},
): EventQuery | NoEventQuery | undefined {
  const tree = wholeQuery(parse(text, options))
  if (tree === undefined) return undefined
  const { source, operators } = flatten(tree)
  if (source.kind !== 'dataset' && source.kind !== 'table' && source.kind !== 'input') {
    return { kind: 'other', cause: formatSource(source) }
  }
  const other = operators.find((operator) => roleOf(operator) === 'other')
  if (other !== undefined) return { kind: 'other', cause: formatOperator(other) }
  return {
    kind: 'events',
    // A query of an input begins with an operator.
    source: `${formatStatements(tree)}${source.kind === 'input' ? 'where true' : formatSource(source)}`,
    columns: operators.flatMap(columnStep).join(''),
    isByTime: isByTime(operators),
    setsTime: operators.flatMap(columnsSetBy).some(({ name }) => name === '_time'),
    changing: changingColumns(tree.statements, operators),
    marked: (column) => markedSteps(operators, column).join(''),
  }
}

/**
 * The effect of an operator on rows that are events: `filter` drops rows, `columns` sets columns, `order` sorts or limits the rows.
 * After `other`, rows are not events.
 */
export type OperatorRole = 'filter' | 'columns' | 'order' | 'other'

/** The effects of the operators that always have one. */
const ROLES: Partial<Record<Operator['kind'], OperatorRole>> = {
  as: 'order',
  extend: 'columns',
  'extend-valid': 'columns',
  limit: 'order',
  lookup: 'columns',
  parse: 'columns',
  'parse-kv': 'columns',
  project: 'columns',
  'project-away': 'columns',
  'project-keep': 'columns',
  'project-rename': 'columns',
  'project-reorder': 'columns',
  redact: 'columns',
  sample: 'order',
  search: 'filter',
  sort: 'order',
  top: 'order',
  where: 'filter',
}

export function roleOf(operator: Operator): OperatorRole {
  // With a threshold, the pattern of an event depends on other events.
  const isOfEach =
    operator.kind === 'reduce' && operator.keepsRows && operator.threshold === undefined
  return isOfEach ? 'columns' : (ROLES[operator.kind] ?? 'other')
}

/** Returns the first operator of a query that selects rows by their number, as it is written. */
export function rowLimitOf(text: string): string | undefined {
  const operators = wholeQuery(parse(text))?.operators ?? []
  const limit = operators.find(
    ({ kind }) => kind === 'limit' || kind === 'sample' || kind === 'top',
  )
  return limit && text.slice(limit.span.start, limit.span.end)
}

const BY_TIME = 'sort by _time asc'

function isByTime(operators: readonly Operator[]): boolean {
  const roles = operators.map(roleOf)
  const at = roles.indexOf('order')
  const order = operators[at]
  const isOnly = roles.lastIndexOf('order') === at
  const isOfEvents = roles.slice(0, at).every((role) => role === 'filter')
  return order !== undefined && isOnly && isOfEvents && formatOperator(order) === BY_TIME
}

interface SetColumn {
  readonly name: string
  readonly value: Expression
}

/** Returns the columns that the operator computes or renames, with the expressions that they are computed from. */
function columnsSetBy(operator: Operator): readonly SetColumn[] {
  switch (operator.kind) {
    case 'extend':
    case 'extend-valid':
    case 'project': {
      const isNumbered = ({ name, value }: Assignment) =>
        name === undefined && !['name', 'member', 'index'].includes(value.kind)
      const numbered = operator.assignments.filter(isNumbered)
      return operator.assignments.flatMap((one) => {
        const name = one.name?.name ?? `Column${numbered.indexOf(one) + 1}`
        return one.name !== undefined || isNumbered(one) ? { name, value: one.value } : []
      })
    }
    case 'parse':
      return operator.pattern.flatMap((piece) =>
        piece.kind === 'capture' ? { name: piece.name.name, value: operator.value } : [],
      )
    case 'parse-kv':
      return operator.keys.map(({ name }) => ({ name: name.name, value: operator.value }))
    case 'project-rename':
      return operator.renames.map(({ name, column: { pattern, span } }) => ({
        name: name.name,
        value: { kind: 'name', name: pattern, span },
      }))
    default:
      return []
  }
}

const CHANGING_CALLS = ['ago', 'now', 'rand']

function changingColumns(
  statements: Query['statements'],
  operators: readonly Operator[],
): readonly string[] {
  const constants = new Set<string>()
  const columns = new Set<string>()
  const isChanging = (value: Expression): boolean =>
    (value.kind === 'call' && CHANGING_CALLS.includes(value.function.name)) ||
    (value.kind === 'name' && (constants.has(value.name) || columns.has(value.name))) ||
    operandsOf(value).some(isChanging)
  for (const statement of statements) {
    if (statement.kind === 'let-scalar' && isChanging(statement.value)) {
      constants.add(statement.name.name)
    }
  }
  for (const { name, value } of operators.flatMap(columnsSetBy)) {
    if (isChanging(value)) columns.add(name)
    else columns.delete(name)
  }
  return [...columns]
}

function columnStep(operator: Operator): readonly string[] {
  if (roleOf(operator) !== 'columns') return []
  // The other form drops events.
  const kept = operator.kind === 'parse' ? { ...operator, dropsOthers: false } : operator
  return [`\n| ${formatOperator(kept)}`]
}

/**
 * Replaces the filters by a column that stays null while every filter keeps the event. The column is null rather than
 * false because a `search` tests all columns and never finds null.
 */
function markedSteps(operators: readonly Operator[], column: string): readonly string[] {
  const steps = operators.flatMap((operator) => {
    if (operator.kind !== 'where' && operator.kind !== 'search') return columnStep(operator)
    const condition = `isnull(${column}) and (${formatExpression(operator.predicate)})`
    return [`\n| extend ${column} = iff(${condition}, int(null), 1)`]
  })
  // Events that are sorted before any column is computed have cursors.
  const order = isByTime(operators) ? [`\n| ${BY_TIME}`] : []
  return [...order, `\n| extend ${column} = int(null)`, ...steps]
}
