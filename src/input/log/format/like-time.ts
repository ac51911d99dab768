import { TIME_LAYOUTS } from '../time/time-layouts.js'
import { LIKE_ZONE, ZONE } from '../time/time-parts.js'
import { timePattern } from './compiled-format.js'

const LIKE_TIMES: ReadonlyMap<string, string> = new Map(
  TIME_LAYOUTS.filter(({ pattern }) => pattern.includes(ZONE)).map(({ pattern }) => [
    timePattern(pattern),
    timePattern(pattern.replace(ZONE, () => LIKE_ZONE)),
  ]),
)

/**
 * Returns a regular expression that matches at least what that of a layout of times does, and that takes a fraction of
 * its time to compile; undefined when there is none.
 */
export function likeTime(time: string): string | undefined {
  return LIKE_TIMES.get(time)
}
