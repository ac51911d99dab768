import { TIME_LAYOUTS } from '../time/time-layouts.js'
import { likePattern } from '../time/time-parts.js'
import { timePattern } from './compiled-format.js'

const LIKE_TIMES: ReadonlyMap<string, string> = new Map(
  TIME_LAYOUTS.flatMap(({ pattern }) => {
    const like = likePattern(pattern)
    return like === pattern ? [] : [[timePattern(pattern), timePattern(like)] as const]
  }),
)

/**
 * Returns a regular expression that matches at least what that of a layout of times does, and that takes a fraction of
 * its time to compile; undefined when there is none.
 */
export function likeTime(time: string): string | undefined {
  return LIKE_TIMES.get(time)
}
