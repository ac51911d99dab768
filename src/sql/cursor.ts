import type { CheckedOperator, CheckedPipeline, CheckedSource } from '../apl/check/checked.js'
import { datasetsOf } from './datasets.js'
import { named, type Rows } from './rows.js'
import { identifier, raw, type Sql, sql } from './sql.js'
import { nanoseconds } from './type/convert.js'
import { constant } from './value.js'

/** The position of the event with this time and sequence number. */
export interface Cursor {
  /** Nanoseconds since 1970. */
  readonly time: bigint
  /** The event's `_seq`. */
  readonly seq: bigint
  /** The event's dataset, since sequence numbers are unique only within one. */
  readonly dataset: string
}

/** The order of events: by time, then by arrival, then by dataset. */
export type EventOrder = 'asc' | 'desc'

export interface PageStart {
  readonly cursor: Cursor
  /** True when the event of the cursor itself belongs to the page. */
  readonly isIncluded: boolean
}

/** The order in which a page of events is read. */
export interface PageOrder {
  readonly order: EventOrder
  /** True when the events are in the order of their arrival, whatever their times are. */
  readonly isByArrival: boolean
}

/** The order and limit that are pushed down into every part of a union. */
export interface LimitPushdown {
  readonly order: EventOrder
  readonly limit: bigint
}

export const CURSOR_COLUMNS = {
  time: 'cursor_time',
  seq: 'cursor_seq',
  dataset: 'cursor_dataset',
} as const

/**
 * Returns the filters that select the events of a dataset from the start of the page on. In datasets other than the cursor's, ties
 * are broken by dataset name.
 */
export function fromStart(dataset: string, page: PageStart & PageOrder): readonly Sql[] {
  const { cursor, order, isByArrival } = page
  const other = cursor.dataset
  const isAfterTie = order === 'asc' ? dataset > other : dataset < other
  const isIncluded = other === dataset ? page.isIncluded : isAfterTie
  const time = identifier('_time')
  const at = constant('datetime', cursor.time).sql
  const beyond = raw(order === 'asc' ? '>' : '<')
  const seq = sql`\`_seq\` ${raw(`${beyond.text}${isIncluded ? '=' : ''}`)} ${cursor.seq}`
  if (isByArrival) return [seq]
  // The first condition alone determines the index range; a tuple comparison would read everything.
  return [sql`(${time} ${beyond}= ${at})`, sql`(${time} ${beyond} ${at} OR ${seq})`]
}

/** Returns the order of rows that are events in a pageable order; undefined otherwise. */
export function eventOrder(
  { source, operators }: CheckedPipeline,
  { order }: Rows,
): EventOrder | undefined {
  const firstLimit = operators.findIndex(({ kind }) => kind === 'limit')
  const areEvents = operators.every((operator, step) => {
    if (operator.kind === 'limit' || isOfEach(operator)) return true
    // After a limit, these would drop or move rows that no cursor can find again.
    return (
      (operator.kind === 'where' || operator.kind === 'sort') &&
      (firstLimit === -1 || step < firstLimit)
    )
  })
  const [time, arrival, dataset] = order
  if (areEvents && time?.arrival && source.kind === 'dataset') return time.direction
  const isByTime = time?.instant && arrival?.arrival && time.direction === arrival.direction
  const isTotal = source.kind === 'dataset' || dataset?.dataset === true
  return areEvents && isByTime && isTotal ? time.direction : undefined
}

/** Returns rows whose events have cursors in the opposite order. */
export function reversed(rows: Rows): Rows {
  const order = rows.order.map((key) => ({ ...key, direction: opposite(key.direction) }))
  return { ...rows, order }
}

export function opposite(order: EventOrder): EventOrder {
  return order === 'asc' ? 'desc' : 'asc'
}

/** True when each row is an event, and no event occurs twice. */
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

/** Returns the limit that can be pushed down into the parts of a union; undefined when an operator needs all rows. */
export function limitPushdown(
  { source, operators }: CheckedPipeline,
  { order, limit }: LimitPushdown,
): LimitPushdown | undefined {
  const needsAll = operators.some(({ kind }) => kind === 'where' || kind === 'patterns')
  if (source.kind !== 'union' || needsAll) return undefined
  const limits = operators.flatMap((one) => (one.kind === 'limit' ? [one.count] : []))
  return { order, limit: limits.reduce((least, one) => (one < least ? one : least), limit) }
}

/** Applies a pushed-down limit to the rows of a part. */
export function pushedDown({ order, limit }: LimitPushdown, rows: Rows): Rows {
  return { ...rows, order: rows.order.map((key) => ({ ...key, direction: order })), limit }
}

/** True when the operator maps each row to one row independently of the others. */
function isOfEach({ kind }: CheckedOperator): boolean {
  return kind === 'extend' || kind === 'project'
}

/** Returns the cursor columns of rows that are events: their times, their sequence numbers and, of several datasets, the names. */
export function cursorColumns({ order: [key, arrival, dataset] }: Rows): readonly Sql[] {
  const cursor = (time: Sql, seq: Sql) => [
    named(time, raw(CURSOR_COLUMNS.time)),
    named(seq, raw(CURSOR_COLUMNS.seq)),
  ]
  if (key?.arrival) return cursor(sql`toInt64(0)`, key.sql)
  if (!key || !arrival) throw new Error('the rows are not events in time order')
  const columns = cursor(nanoseconds(key.sql), arrival.sql)
  return dataset?.dataset ? [...columns, named(dataset.sql, raw(CURSOR_COLUMNS.dataset))] : columns
}
