import type { TimeFormat } from '../time/time-format.js'

/** What a sender says of all events of a batch. */
export interface EventTerms {
  /** The field that holds an event's time: `_time` unless the sender says otherwise. */
  readonly timestampField: string
  /** How the times are written; without it the usual ways are recognised. */
  readonly timeFormat?: TimeFormat
  /** Fields that each event gets, as the members of a JSON object without its braces. */
  readonly labels?: string
}
