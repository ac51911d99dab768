import { NOT_A_TIME } from '../../../wire/event/classify-line.js'

/** The reason for a string that is a time in none of the known layouts. With a layout, its text follows the string. */
const UNKNOWN_LAYOUT = new RegExp(`${NOT_A_TIME}: ".*"$`)

/** Returns advice on events that were rejected because of the layout of their times; undefined for other reasons. */
export function layoutAdvice(reasons: readonly string[]): string | undefined {
  return reasons.some((reason) => UNKNOWN_LAYOUT.test(reason))
    ? '`--timestamp-format` sets the layout of times: `02.01.2006 15:04` is day, month, year, hour, minute.'
    : undefined
}
