/** The meaning of fields that structured events have in common; detected from the first events of an input. */
export interface EventMapping {
  /** The field with the event time; undefined when events have `_time` or no known field. */
  readonly timestampField?: string
}
