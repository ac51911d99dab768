/** The progress of reading files. */
export interface ReadingState {
  readonly events: number
  /** From 0 to 1; undefined for a stream. */
  readonly share: number | undefined
  readonly bytes: number
  readonly isDone: boolean
  /** The number of events that were replaced, because more of them was written. */
  readonly replaced: number
  /** The events and files that could not be read, if any. */
  readonly trouble: string | undefined
}

/** The state before anything is read. */
export const NOTHING_READ: ReadingState = {
  events: 0,
  share: 0,
  bytes: 0,
  isDone: false,
  replaced: 0,
  trouble: undefined,
}
