import { NINE, ZERO } from '../../text/bytes.js'
import { memoized } from '../../text/memoized.js'
import { parseByPattern, type TimePart, type TimePattern } from '../time/time-pattern.js'
import { FIRST_TIME, LAST_TIME } from './event-time.js'

/** The form of the texts of times in one hour: only digits of minutes, of seconds and of fractions of seconds differ. */
export interface SameHour {
  /** The time at which the hour begins. */
  readonly time: bigint
  readonly text: Buffer
  /** The largest digit at each position; 0 where all texts have the same character. */
  readonly most: Uint8Array
  /** The nanoseconds for which a digit at each position counts. */
  readonly weights: Float64Array
}

const MINUTE_NS = 60e9
const SECOND_NS = 1e9
const HOUR_NS = 3_600_000_000_000n
const FIVE = 0x35

/** Also finds the positions of parts, which takes more time. */
const locating = memoized(({ matches }: TimePattern) => new RegExp(matches, 'd'))

/** Returns the form of the hour of a text that a pattern reads; undefined for another text, and when a part has another form. */
export function hourOf(text: string, pattern: TimePattern): SameHour | undefined {
  const time = parseByPattern(text, pattern)
  const places = locating(pattern).exec(text)?.indices
  const bytes = Buffer.from(text)
  if (time === undefined || places === undefined || bytes.length !== text.length) return undefined
  const most = new Uint8Array(bytes.length)
  const weights = new Float64Array(bytes.length)
  for (const [i, part] of pattern.parts.entries()) {
    const [from, to] = places[i + 1] ?? [0, 0]
    // When a layout has a part more than once, the last one counts.
    const isCounted = pattern.parts.lastIndexOf(part) === i
    const first = isCounted ? weightOf(part, to - from) : undefined
    for (let at = from; first !== undefined && at < to; at++) {
      most[at] = part !== 'fraction' && at === from ? FIVE : NINE
      weights[at] = first / 10 ** (at - from)
    }
  }
  const begin = { time: 0n, text: bytes, most, weights }
  const since = timeInHour(begin, bytes, 0, bytes.length)
  if (since === undefined) return undefined
  const hour = time - since
  return hour < FIRST_TIME || hour > LAST_TIME - HOUR_NS ? undefined : { ...begin, time: hour }
}

/** Returns the nanoseconds for which the first digit of a part counts; undefined for a part that all times of an hour share. */
function weightOf(part: TimePart, digits: number): number | undefined {
  if (part === 'fraction') return digits <= 9 ? SECOND_NS / 10 : undefined
  if (digits !== 2) return undefined
  return part === 'minute' ? 10 * MINUTE_NS : part === 'second' ? 10 * SECOND_NS : undefined
}

/** Returns the time of a text between two positions; undefined when it is not of this hour. */
export function timeInHour(
  { time, text, most, weights }: SameHour,
  bytes: Uint8Array,
  start: number,
  end: number,
): bigint | undefined {
  if (end - start !== text.length) return undefined
  let since = 0
  for (let i = 0; i < text.length; i++) {
    const byte = bytes[start + i]!
    const largest = most[i]!
    if (largest === 0 ? byte !== text[i] : byte < ZERO || byte > largest) return undefined
    since += (byte - ZERO) * weights[i]!
  }
  return time + BigInt(since)
}
