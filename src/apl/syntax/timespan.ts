import { parseDuration } from '../../wire/time/duration.js'

const TIMESPAN = /^(-?)(\d+(?:\.\d+)?[a-zµ]+)$/

/** The nanoseconds of `1.5h`, `500ms`, `-2d`; undefined for anything else. What is finer than a nanosecond is cut. */
export function parseTimespan(text: string): bigint | undefined {
  const [, sign, amount = ''] = TIMESPAN.exec(text) ?? []
  const size = parseDuration(amount)
  return sign === '-' && size !== undefined ? -size : size
}
