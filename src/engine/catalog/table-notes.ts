import { type Sql, sql, text } from '../../sql/sql.js'

// What has to outlive the process but is said of a table or a column stands in its comment: there it
// comes and goes with the thing itself.

/** A place in a dataset's events, in the order in which the table is sorted. */
export interface Place {
  /** Nanoseconds since 1970. */
  readonly time: bigint
  readonly seq: bigint
}

const TRIAL = /^trial(?: (-?\d+) (\d+))?$/
const SURVEYED = /^surveyed (\d+)$/

/** Marks a column as on trial: its events are read up to a place. */
export function trialText(place: Place | undefined): Sql {
  return text(place === undefined ? 'trial' : `trial ${place.time} ${place.seq}`)
}

/** Takes the mark away. */
export const PROVEN = sql`''`

/** Whether a column's comment says that it is on trial. */
export function isTrialText(comment: string): boolean {
  return TRIAL.test(comment)
}

/** Up to where the events were read; undefined for none of them. */
export function placeIn(comment: string): Place | undefined {
  const [, time, seq] = TRIAL.exec(comment) ?? []
  if (time === undefined || seq === undefined) return undefined
  return { time: BigInt(time), seq: BigInt(seq) }
}

/** Says how many events a dataset had when its fields were last surveyed. */
export function surveyedText(events: number): Sql {
  return text(`surveyed ${events}`)
}

/** How many events the dataset had then; 0 where nothing says so. */
export function surveyedIn(comment: string): number {
  return Number(SURVEYED.exec(comment)?.[1] ?? 0)
}
