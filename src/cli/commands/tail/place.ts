/** A place in the events that are ordered by two of their times; nanoseconds since 1970. */
export interface Place {
  readonly first: bigint
  readonly second: bigint
}

/** Whether an event at one place comes before those at the other. */
export function isBefore(one: Place, other: Place): boolean {
  return one.first < other.first || (one.first === other.first && one.second < other.second)
}

/** Whether two places are the same, as those of events with the same times are. */
export function isSame(one: Place, other: Place): boolean {
  return one.first === other.first && one.second === other.second
}
