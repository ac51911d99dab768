import type { CheckedOperator, CheckedPipeline, CheckedSource } from '../apl/check/checked.js'
import { datasetsOf } from './datasets.js'
import { named, type Rows } from './rows.js'
import { identifier, raw, type Sql, sql } from './sql.js'
import { constant } from './value.js'

/** A place between events: that of the event with this time and number. */
export interface Cursor {
  /** Nanoseconds since 1970. */
  readonly time: bigint
  /** The event's `_seq`. */
  readonly seq: bigint
  /** The event's dataset, where there are several: within one they differ in their numbers. */
  readonly dataset?: string
}

/** The order that events come in: by time, within one instant by arrival, and then by dataset. */
export type EventOrder = 'asc' | 'desc'

/** Where the rows of a page begin. */
export interface PageStart {
  readonly cursor: Cursor
  /** Whether the event of the cursor itself belongs to the page. */
  readonly isIncluded: boolean
}

/** The first events of each part of a union, among which the first of all are. */
export interface LimitPushdown {
  readonly order: EventOrder
  readonly limit: bigint
}

/** What the columns are called that tell the cursor of each row; where the result shows its `_time`, that is not told twice. */
export const CURSOR_COLUMNS = {
  time: 'cursor_time',
  seq: 'cursor_seq',
  dataset: 'cursor_dataset',
} as const

/** Where the page begins among the events of one dataset: those of the cursor's number may be behind it in another. */
export function startIn(dataset: string, start: PageStart, order: EventOrder): PageStart {
  const other = start.cursor.dataset ?? dataset
  if (other === dataset) return start
  return { ...start, isIncluded: order === 'asc' ? dataset > other : dataset < other }
}

/** The events of the page and of those behind it. */
export function fromStart({ cursor, isIncluded }: PageStart, order: EventOrder): readonly Sql[] {
  const time = identifier('_time')
  const at = constant('datetime', cursor.time).sql
  const beyond = raw(order === 'asc' ? '>' : '<')
  const seq = sql`\`_seq\` ${raw(`${beyond.text}${isIncluded ? '=' : ''}`)} ${cursor.seq}`
  // The first of these alone tells the engine where to read; tuples would have it read everything.
  return [sql`(${time} ${beyond}= ${at})`, sql`(${time} ${beyond} ${at} OR ${seq})`]
}

/** The order of the rows where they are events, each as the page's limit left it; a cursor is a place in it. */
export function eventOrder(
  { source, operators }: CheckedPipeline,
  { order }: Rows,
): EventOrder | undefined {
  const firstLimit = operators.findIndex(({ kind }) => kind === 'limit')
  const areEvents = operators.every((operator, step) => {
    if (operator.kind === 'limit' || isOfEach(operator)) return true
    // Of the rows behind the cut, these would leave out or move some that no cursor finds again.
    return (
      (operator.kind === 'where' || operator.kind === 'sort') &&
      (firstLimit === -1 || step < firstLimit)
    )
  })
  const [time, arrival, dataset] = order
  const isByTime = time?.instant && arrival?.arrival && time.direction === arrival.direction
  const isTotal = source.kind === 'dataset' || dataset?.dataset === true
  return areEvents && isByTime && isTotal ? time.direction : undefined
}

/** Whether each row is an event, and no other row is that event. */
export function hasEvents(source: CheckedSource): boolean {
  if (source.kind === 'dataset') return true
  if (source.kind !== 'union') return false
  const names = source.parts.map(({ pipeline }) => datasetsOf({ ...pipeline, operators: [] }))
  const isEachOnce = new Set(names.flat()).size === names.flat().length
  return (
    isEachOnce &&
    source.parts.every(
      ({ pipeline: { source: inner, operators } }) =>
        hasEvents(inner) && operators.every((one) => one.kind === 'where' || isOfEach(one)),
    )
  )
}

/** How much of each part of a union an answer can have: a filter behind it leaves that open. */
export function limitPushdown(
  { source, operators }: CheckedPipeline,
  { order, limit }: LimitPushdown,
): LimitPushdown | undefined {
  if (source.kind !== 'union' || operators.some(({ kind }) => kind === 'where')) return undefined
  const limits = operators.flatMap((one) => (one.kind === 'limit' ? [one.count] : []))
  return { order, limit: limits.reduce((least, one) => (one < least ? one : least), limit) }
}

/** The first rows of a part. */
export function pushedDown({ order, limit }: LimitPushdown, rows: Rows): Rows {
  return { ...rows, order: rows.order.map((key) => ({ ...key, direction: order })), limit }
}

/** Whether an operator looks at each row by itself, and keeps it. */
function isOfEach({ kind }: CheckedOperator): boolean {
  return kind === 'extend' || kind === 'project'
}

/** The columns that tell the cursor of each row of events in their order, beside those that the result shows. */
export function cursorColumns(
  { columns }: CheckedPipeline,
  { order: [time, arrival, dataset] }: Rows,
): readonly Sql[] {
  if (!time || !arrival) throw new Error('the rows are no events in their order')
  const out = [named(arrival.sql, raw(CURSOR_COLUMNS.seq))]
  if (dataset?.dataset) out.push(named(dataset.sql, raw(CURSOR_COLUMNS.dataset)))
  const isShown = columns.some(({ id, name }) => id === time.column && name === '_time')
  if (!isShown) out.push(named(sql`toUnixTimestamp64Nano(${time.sql})`, raw(CURSOR_COLUMNS.time)))
  return out
}
