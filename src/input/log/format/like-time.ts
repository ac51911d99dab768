import { compileNow } from '../compile-now.js'
import { TIME_LAYOUTS } from '../time/time-layouts.js'
import { likePattern } from '../time/time-parts.js'
import { timePattern } from './compiled-format.js'

/** Finds a time at a position of a text, and perhaps more than the time. */
export interface TimeScan {
  /** A sticky expression for at least the times of a layout, whose first group is the date and the clock. */
  readonly expression: RegExp
  readonly hasGroup: boolean
}

const LIKE_TIMES: ReadonlyMap<string, string> = new Map(
  TIME_LAYOUTS.map(({ pattern }) => [timePattern(pattern), likePattern(pattern)] as const),
)

const known = new Map<string, TimeScan>()

/**
 * Returns a scan for at least all times of a layout, which compiles in a fraction of the time. `time` is the regular
 * expression of the layout, or of a format that the user gave.
 */
export function timeScan(time: string): TimeScan {
  let scan = known.get(time)
  if (scan === undefined) {
    const like = LIKE_TIMES.get(time)
    scan = {
      expression: compileNow(new RegExp(like === undefined ? time : `${like}(?!\\w)`, 'y')),
      hasGroup: like?.startsWith('(') === true && !like.startsWith('(?'),
    }
    known.set(time, scan)
  }
  return scan
}

/** Returns the first and the last position where the time at a position may end; undefined when there is no time. */
export function timeEnds(
  { expression, hasGroup }: TimeScan,
  text: string,
  at: number,
): readonly [first: number, last: number] | undefined {
  expression.lastIndex = at
  const match = expression.exec(text)
  if (match === null) return undefined
  return [hasGroup ? at + match[1]!.length : at + 1, expression.lastIndex]
}
