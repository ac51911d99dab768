import type { CheckedPipeline } from '../apl/checked.js'
import { named, type Rows } from './rows.js'
import { identifier, raw, type Sql, sql } from './sql.js'
import { constant } from './value.js'

/** A place between the events of a dataset: that of the event with this time and number. */
export interface Cursor {
  /** Nanoseconds since 1970. */
  readonly time: bigint
  /** The event's `_seq`. */
  readonly seq: bigint
}

/** The order that events come in, by time and within one instant by arrival. */
export type EventOrder = 'asc' | 'desc'

/** Where the rows of a page begin. */
export interface PageStart {
  readonly cursor: Cursor
  /** Whether the event of the cursor itself belongs to the page. */
  readonly isIncluded: boolean
}

/** What the columns are called that tell the cursor of each row; where the result shows its `_time`, that is not told twice. */
export const CURSOR_COLUMNS = { time: 'cursor_time', seq: 'cursor_seq' } as const

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
  if (source.kind !== 'dataset') return undefined
  const cut = operators.findIndex(({ kind }) => kind === 'limit')
  const areEvents = operators.every(({ kind }, step) => {
    if (kind === 'extend' || kind === 'project' || kind === 'limit') return true
    // Of the rows behind the cut, these would leave out or move some that no cursor finds again.
    return (kind === 'where' || kind === 'sort') && (cut === -1 || step < cut)
  })
  const [time, arrival] = order
  const isByTime = time?.instant && arrival?.arrival && time.direction === arrival.direction
  return areEvents && isByTime ? time.direction : undefined
}

/** The columns that tell the cursor of each row of events in their order, beside those that the result shows. */
export function cursorColumns(
  { columns }: CheckedPipeline,
  { order: [time, arrival] }: Rows,
): readonly Sql[] {
  if (!time || !arrival) throw new Error('the rows are no events in their order')
  const seq = named(arrival.sql, raw(CURSOR_COLUMNS.seq))
  const isShown = columns.some(({ id, name }) => id === time.column && name === '_time')
  if (isShown) return [seq]
  return [named(sql`toUnixTimestamp64Nano(${time.sql})`, raw(CURSOR_COLUMNS.time)), seq]
}
