import { memoizedText } from '../../../text/memoized.js'
import { compileNow } from '../compile-now.js'
import { TIME_LAYOUTS } from '../time/time-layouts.js'
import { likePattern } from '../time/time-parts.js'
import { timePattern } from './compiled-format.js'

const LIKE_TIMES: ReadonlyMap<string, string> = new Map(
  TIME_LAYOUTS.map(({ pattern }) => [timePattern(pattern), likePattern(pattern)] as const),
)

/**
 * Returns a sticky expression for at least all times of a layout, which compiles in a fraction of the time. `time` is the regular
 * expression of the layout, or of a format that the user gave.
 */
export const likeTime = memoizedText((time) => {
  const like = LIKE_TIMES.get(time)
  return compileNow(like ? `${like}(?!\\w)` : time, 'y')
})
