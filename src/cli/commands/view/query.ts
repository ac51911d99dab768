import type { SplitOperator, SplitQuery } from '../../../apl/language.js'

/** The query whose rows are on the screen. */
export interface ViewQuery {
  /** The statements and the source; empty for a query of files. */
  readonly source: string
  readonly operators: readonly ViewOperator[]
  /** True when events are sorted by time, unlike in their source. */
  readonly isByTime: boolean
  /** The number of events that are shown before and after each match of the filters. */
  readonly context?: number
}

/** An operator that can be switched off. */
export interface ViewOperator extends SplitOperator {
  readonly isOn: boolean
  /** Set when the rows of the operator are patterns; Enter goes to the events of a pattern. */
  readonly patterns?: PatternRows
}

export interface PatternRows {
  /** An expression. */
  readonly text: string
  /** True when rare patterns are combined by their common words. */
  readonly areCombined: boolean
}

const BY_TIME = /^(?:sort|order)\s+by\s+_time\s+asc$/
const CONDITION = /^(?:where|search)\b/

/** Returns the query of the view for a query that was split. `sorts` is true for events of several files and of datasets. */
export function viewQuery(split: SplitQuery, { sorts }: { readonly sorts: boolean }): ViewQuery {
  const { source } = split
  const operators = split.operators.map((operator) => ({ ...operator, isOn: true }))
  const others = operators.filter(({ text }) => !BY_TIME.test(text))
  const kept = { source, operators: others, isByTime: true }
  const isSorted = others.length === operators.length - 1 && isPaged(kept)
  return isSorted ? kept : { source, operators, isByTime: sorts }
}

export function activeOperators({ operators }: ViewQuery): readonly ViewOperator[] {
  return operators.filter(({ isOn }) => isOn)
}

/** True when the rows are events in the order of their source or of time, of which any part can be read. */
export function isPaged(query: ViewQuery): boolean {
  return activeOperators(query).every(({ role }) => role === 'filter' || role === 'columns')
}

/** True when the rows are shown as a table: the query selects columns, or the rows are not events. */
export function isTable(query: ViewQuery): boolean {
  return activeOperators(query).some(({ role, isProjection }) => role === 'other' || isProjection)
}

/** Returns the text of the query; rows in the order of time can also be read backward. */
export function aplOf(query: ViewQuery, direction: 'asc' | 'desc' = 'asc'): string {
  const texts = activeOperators(query).map(({ text }) => text)
  if (!query.isByTime || !isPaged(query)) return joined(query, texts)
  // The sort precedes operators other than conditions, because they may remove or replace `_time`.
  const conditions = texts.findIndex((text) => !CONDITION.test(text))
  const at = conditions === -1 ? texts.length : conditions
  return joined(query, texts.toSpliced(at, 0, `sort by _time ${direction}`))
}

/** Returns the query without its order: its first `count` operators, by default all of them. */
export function unsortedApl(query: ViewQuery, count = query.operators.length): string {
  const active = activeOperators({ ...query, operators: query.operators.slice(0, count) })
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

export function withOperator(
  query: ViewQuery,
  text: string,
  others: Partial<ViewOperator> = {},
): ViewQuery {
  return { ...query, operators: [...query.operators, { ...filterOf(text), ...others }] }
}

/** Returns the query with other operators in place of one; `index` counts operators that are off, too. */
export function withReplaced(
  query: ViewQuery,
  index: number,
  operators: readonly ViewOperator[],
): ViewQuery {
  return { ...query, operators: query.operators.toSpliced(index, 1, ...operators) }
}

/** Returns an operator that keeps rows. */
export function filterOf(text: string): ViewOperator {
  return { text, role: 'filter', isProjection: false, isOn: true }
}

/** Returns the query of all events among which the filters find matches. */
export function withoutFilters(query: ViewQuery): ViewQuery {
  const operators = query.operators.filter(({ role }) => role !== 'filter')
  return { ...query, operators, context: 0 }
}

/** True for all events of files. */
export function isWhole(query: ViewQuery): boolean {
  return query.source === '' && activeOperators(query).length === 0
}

/** Returns the number of events that are shown around each match; 0 when all events are shown. */
export function contextOf(query: ViewQuery): number {
  return isPaged(query) && isFiltered(query) ? (query.context ?? 0) : 0
}

/** True when a filter is switched on. */
export function isFiltered(query: ViewQuery): boolean {
  return activeOperators(query).some(({ role }) => role === 'filter')
}

export function withFilters(query: ViewQuery, isOn: boolean): ViewQuery {
  const operators = query.operators.map((operator) =>
    operator.role === 'filter' ? { ...operator, isOn } : operator,
  )
  return { ...query, operators }
}
