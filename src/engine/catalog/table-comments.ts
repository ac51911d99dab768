// What has to outlive the process but is said of a table or a column stands in its comment: there it
// comes and goes with the thing itself.
import { type Sql, sql, text } from '../../sql/sql.js'

/** A place in a dataset's events, in the order in which the table is sorted. */
export interface EventPosition {
  /** Nanoseconds since 1970. */
  readonly time: bigint
  readonly seq: bigint
}

const PENDING = /^trial(?: (-?\d+) (\d+))?$/

const SAMPLED = /^surveyed (\d+)$/

/** Marks a column as on trial: its events are read up to a place. */
export function pendingComment(position: EventPosition | undefined): Sql {
  return text(position === undefined ? 'trial' : `trial ${position.time} ${position.seq}`)
}

/** Takes the mark away. */
export const NO_COMMENT = sql`''`

/** Whether a column's comment says that it is on trial. */
export function isPendingComment(comment: string): boolean {
  return PENDING.test(comment)
}

/** Up to where the events were read; undefined for none of them. */
export function positionIn(comment: string): EventPosition | undefined {
  const [, time, seq] = PENDING.exec(comment) ?? []
  if (time === undefined || seq === undefined) return undefined
  return { time: BigInt(time), seq: BigInt(seq) }
}

/** Says how many events a dataset had when its fields were last surveyed. */
export function sampledComment(events: number): Sql {
  return text(`surveyed ${events}`)
}

/** How many events the dataset had then; 0 where nothing says so. */
export function sampledCountIn(comment: string): number {
  return Number(SAMPLED.exec(comment)?.[1] ?? 0)
}
