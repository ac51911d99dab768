// Persistent state of a table or a column is kept in its comment, so that it is dropped with it.
import { type Sql, sql, text } from '../../sql/sql.js'

/** A position in the events of a dataset, in the sort order of the table. */
export interface EventPosition {
  /** Nanoseconds since 1970. */
  readonly time: bigint
  readonly seq: bigint
}

const PENDING = /^trial(?: (-?\d+) (\d+))?$/

const SAMPLED = /^surveyed (\d+)$/

/** Returns the comment of a pending column that is verified up to a position. */
export function pendingComment(position: EventPosition | undefined): Sql {
  return text(position === undefined ? 'trial' : `trial ${position.time} ${position.seq}`)
}

/** The comment of a verified column. */
export const NO_COMMENT = sql`''`

/** True for the comment of a pending column. */
export function isPendingComment(comment: string): boolean {
  return PENDING.test(comment)
}

/** Returns the position up to which a pending column is verified; undefined at the start. */
export function positionIn(comment: string): EventPosition | undefined {
  const [, time, seq] = PENDING.exec(comment) ?? []
  if (time === undefined || seq === undefined) return undefined
  return { time: BigInt(time), seq: BigInt(seq) }
}

/** Returns the comment of a table with the number of events when it was last sampled. */
export function sampledComment(events: number): Sql {
  return text(`surveyed ${events}`)
}

/** Returns the number of events from the comment of a table; 0 when it has none. */
export function sampledCountIn(comment: string): number {
  return Number(SAMPLED.exec(comment)?.[1] ?? 0)
}
