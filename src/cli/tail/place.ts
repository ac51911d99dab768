/** A place in the events that are ordered by two of their times; nanoseconds since 1970. */
export interface Place {
  readonly first: bigint
  readonly second: bigint
}

export function isBefore(one: Place, other: Place): boolean {
  return one.first < other.first || (one.first === other.first && one.second < other.second)
}

export function isSame(one: Place, other: Place): boolean {
  return one.first === other.first && one.second === other.second
}
