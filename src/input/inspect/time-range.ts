import { formatTimestamp } from '../../wire/time/timestamp.js'

/** The first and the last of many times, in nanoseconds since 1970. */
export class TimeRange {
  private first: bigint | undefined
  private last: bigint | undefined

  /** Returns the range in RFC 3339; undefined when no time was added. */
  range(): { readonly first: string; readonly last: string } | undefined {
    const { first, last } = this
    if (first === undefined || last === undefined) return undefined
    return { first: formatTimestamp(first), last: formatTimestamp(last) }
  }

  add(time: bigint): void {
    if (this.first === undefined || time < this.first) this.first = time
    if (this.last === undefined || time > this.last) this.last = time
  }
}
