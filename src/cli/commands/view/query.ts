import type { SplitOperator, SplitQuery } from '../../../apl/language.js'

/** The query whose rows are on the screen. */
export interface ViewQuery {
  /** The statements and the source; empty for a query of files. */
  readonly source: string
  readonly operators: readonly ViewOperator[]
  /** True when events are in the order of their times although the source has another one. */
  readonly isByTime: boolean
}

/** An operator that can be switched off. */
export interface ViewOperator extends SplitOperator {
  readonly isOn: boolean
}

/** The order of events by time, as an operator. */
const BY_TIME = /^(?:sort|order)\s+by\s+_time\s+asc$/

/** Returns a query that was split. Events of several files, and those of datasets, are sorted by time. */
export function viewQuery(split: SplitQuery, { sorts }: { readonly sorts: boolean }): ViewQuery {
  const { source } = split
  const last = split.operators.at(-1)
  const isSorted = last !== undefined && BY_TIME.test(last.text)
  const kept = isSorted ? split.operators.slice(0, -1) : split.operators
  const operators = kept.map((operator) => ({ ...operator, isOn: true }))
  const isPlain = kept.every(({ role }) => role === 'filter' || role === 'columns')
  return { source, operators, isByTime: isPlain ? sorts || isSorted : isSorted }
}

/** Returns the operators that are switched on. */
export function activeOperators({ operators }: ViewQuery): readonly ViewOperator[] {
  return operators.filter(({ isOn }) => isOn)
}

/** True when the rows are events in the order of their source or of time, of which any part can be read. */
export function isPaged(query: ViewQuery): boolean {
  return activeOperators(query).every(({ role }) => role === 'filter' || role === 'columns')
}

/** True when the rows are shown as a table: their columns were chosen, or they are not events. */
export function isTable(query: ViewQuery): boolean {
  return activeOperators(query).some(({ role, isProjection }) => role === 'other' || isProjection)
}

/** Returns the text of the query. */
export function aplOf(query: ViewQuery): string {
  const active = activeOperators(query).map(({ text }) => text)
  return joined(query, query.isByTime ? [...active, 'sort by _time asc'] : active)
}

/** Returns the query without its order, up to and including the operator at an index. */
export function aplUpTo(query: ViewQuery, index: number): string {
  const active = query.operators.slice(0, index + 1).filter(({ isOn }) => isOn)
  return joined(
    query,
    active.map(({ text }) => text),
  )
}

function joined({ source }: ViewQuery, operators: readonly string[]): string {
  const parts = source === '' ? operators : [source, ...operators]
  if (parts.length === 0) return 'where true'
  // The statements in front of the first operator of a query of files end with a semicolon.
  return source.endsWith(';')
    ? `${source} ${operators.join(' | ') || 'where true'}`
    : parts.join(' | ')
}

/** Returns the query with another operator at its end. */
export function withOperator(query: ViewQuery, text: string): ViewQuery {
  const operator = { text, role: 'filter', isProjection: false, isOn: true } as const
  return { ...query, operators: [...query.operators, operator] }
}

/** Returns the query with its filters switched on or off. */
export function withFilters(query: ViewQuery, isOn: boolean): ViewQuery {
  const operators = query.operators.map((operator) =>
    operator.role === 'filter' ? { ...operator, isOn } : operator,
  )
  return { ...query, operators }
}
