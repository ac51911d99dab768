import { COLON, DOT, MINUS, NINE, SPACE, ZERO } from '../../text/bytes.js'
import { parseEventTime } from '../../wire/event/event-time.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { SECOND } from '../../wire/time/units.js'

const T = 0x54
const Z = 0x5a
const DATE_LENGTH = 10
const SECONDS_LENGTH = 19
/** The last second that 64 bits of nanoseconds can hold. */
const LAST_SECOND = 9_223_372_036

/** The first and the last of many times. */
export class TimeRange {
  /** The first and the last time as numbers: seconds, and nanoseconds within the second. */
  private firstSecond = Number.POSITIVE_INFINITY
  private firstNano = 0
  private lastSecond = Number.NEGATIVE_INFINITY
  private lastNano = 0
  /** The last date that was parsed; consecutive times tend to have the same date. */
  private date = Buffer.alloc(DATE_LENGTH)
  private dateSecond = Number.NaN

  /** Returns the range in RFC 3339; undefined when no time was added. */
  range(): { readonly first: string; readonly last: string } | undefined {
    const { firstSecond, firstNano, lastSecond, lastNano } = this
    if (firstSecond === Number.POSITIVE_INFINITY) return undefined
    return { first: timeText(firstSecond, firstNano), last: timeText(lastSecond, lastNano) }
  }

  add(time: bigint): void {
    // Before 1970, the remainder is negative.
    const nano = ((time % SECOND) + SECOND) % SECOND
    this.addParts(Number((time - nano) / SECOND), Number(nano))
  }

  /** Adds a time in one of the common formats; returns false for any other text. */
  addText(bytes: Buffer, from: number, to: number): boolean {
    const length = to - from
    if (length < DATE_LENGTH) return false
    return bytes[from + 4] === MINUS
      ? this.addCalendar(bytes, from, to)
      : this.addUnix(bytes, from, length)
  }

  /** Adds 10, 13, 16 or 19 digits: seconds, milliseconds, microseconds or nanoseconds since 1970. */
  private addUnix(bytes: Buffer, from: number, length: number): boolean {
    if (length > 19 || (length - DATE_LENGTH) % 3 !== 0 || bytes[from] === ZERO) return false
    const second = digits(bytes, from, from + DATE_LENGTH)
    const rest = length === DATE_LENGTH ? 0 : digits(bytes, from + DATE_LENGTH, from + length)
    if (second >= LAST_SECOND || second < 0 || rest < 0) return false
    this.addParts(second, rest * 10 ** (19 - length))
    return true
  }

  /** Adds `2026-01-31T10:00:00.123Z`, also with a space and without the zone. */
  private addCalendar(bytes: Buffer, from: number, to: number): boolean {
    if (to - from < SECONDS_LENGTH) return false
    const separator = bytes[from + DATE_LENGTH]
    if (separator !== T && separator !== SPACE) return false
    if (bytes[from + 13] !== COLON || bytes[from + 16] !== COLON) return false
    const hour = digits(bytes, from + 11, from + 13)
    const minute = digits(bytes, from + 14, from + 16)
    const second = digits(bytes, from + 17, from + 19)
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
      return false
    const end = bytes[to - 1] === Z ? to - 1 : to
    let nano = 0
    if (end > from + SECONDS_LENGTH) {
      const fraction = from + SECONDS_LENGTH + 1
      const length = end - fraction
      if (bytes[fraction - 1] !== DOT || length < 1 || length > 9) return false
      nano = digits(bytes, fraction, end)
      if (nano < 0) return false
      nano *= 10 ** (9 - length)
    }
    const day = this.secondOfDate(bytes, from)
    if (Number.isNaN(day)) return false
    this.addParts(day + hour * 3600 + minute * 60 + second, nano)
    return true
  }

  /** Returns the first second of a date; NaN for an invalid date, and for a date whose times may be out of range. */
  private secondOfDate(bytes: Buffer, from: number): number {
    const { date } = this
    let isSame = true
    for (let i = 0; i < DATE_LENGTH; i++) {
      if (bytes[from + i] === date[i]) continue
      isSame = false
      date[i] = bytes[from + i]!
    }
    if (isSame) return this.dateSecond
    const text = date.toString('latin1')
    const year = Number(text.slice(0, 4))
    const time = year > 1900 && year < 2262 ? parseEventTime(`${text}T00:00:00Z`) : undefined
    this.dateSecond = time === undefined ? Number.NaN : Number(time / SECOND)
    return this.dateSecond
  }

  private addParts(second: number, nano: number): void {
    if (second < this.firstSecond || (second === this.firstSecond && nano < this.firstNano)) {
      this.firstSecond = second
      this.firstNano = nano
    }
    if (second > this.lastSecond || (second === this.lastSecond && nano > this.lastNano)) {
      this.lastSecond = second
      this.lastNano = nano
    }
  }
}

function timeText(second: number, nano: number): string {
  return formatTimestamp(BigInt(second) * SECOND + BigInt(nano))
}

/** Returns the number that the digits form; -1 when one of the bytes is not a digit. */
function digits(bytes: Buffer, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    if (byte < ZERO || byte > NINE) return -1
    value = value * 10 + byte - ZERO
  }
  return value
}
