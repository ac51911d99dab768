/**
 * The meaning of fields of structured events, detected from the first events of an input. It is plain data, kept in
 * checkpoints, so that a resumed run reads further events in the same way.
 */
export interface EventMapping {
  /**
   * The field with the event time, or the two fields with date and time, separated by a comma; undefined when the service
   * reads `_time`, or there is no known field.
   */
  readonly timestampField?: string
  /** The layout of the text or the date in the fields, or the epoch of a number; undefined for a time that the service reads. */
  readonly timeLayout?: string
  /** The zone of the times, if they name none: `UTC`, or the one that the user set. */
  readonly assumedZone?: string | undefined
  /** The name of the level source in `LEVEL_SOURCES`. */
  readonly levelSource?: string
}
