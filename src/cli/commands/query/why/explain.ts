// Explains a result without rows: counts the rows at each point of the query where they can be lost.

import type { QueryPlan, Segment } from '../../../../apl/language.js'
import { cellText } from '../../../../render/cell.js'
import { parseTimestamp } from '../../../../wire/time/timestamp.js'
import type { TimeRange } from '../../../option/time-range.js'
import type { Asking } from '../../../query/ask-rows.js'
import { countSegment, rowsMeeting, type SegmentCount } from './count.js'
import { type Nearby, nearbyValues } from './nearby.js'

/** The number of rows at each point of a query where rows can be lost. */
export interface Explanation {
  readonly range: TimeRange
  /** True when the rows of the source are events. */
  readonly isEvents: boolean
  /** The number of rows of the source in the range. */
  readonly rows: number
  /** All events of the source; set only when the range has no events. */
  readonly all?: Pick<SegmentCount, 'rows' | 'first' | 'last'>
  /** The points in the order of the query, counted without the time range when the range has no events. */
  readonly points: readonly Point[]
  /** The time of an event: with a range that starts there, the query has rows. In nanoseconds since 1970. */
  readonly since?: bigint
}

/** A point of a query where rows can be lost. */
export type Point =
  | ConditionPoint
  | {
      readonly kind: 'join'
      readonly text: string
      readonly left: number
      readonly right: number
      readonly joined: number
    }
  | { readonly kind: 'operator'; readonly text: string; readonly rows: number }

interface ConditionPoint {
  readonly kind: 'condition'
  readonly text: string
  readonly matched: number
  /** The rows that reach the condition. */
  readonly of: number
  /** The rows that meet the condition regardless of the conditions before it, among `rows`. */
  readonly alone: number
  /** The rows that reach the first condition of the segment. */
  readonly rows: number
  /** The existing values, for a condition that matches nothing. */
  readonly nearby: readonly Nearby[]
}

/** The maximum number of comparisons of one condition whose values are looked up. */
const MAX_LOOKUPS = 3

const NO_ROWS: SegmentCount = {
  ...{ rows: 0, matched: [], alone: [] },
  ...{ first: undefined, last: undefined, newestMatch: undefined },
}

interface ExplainOptions {
  readonly range: TimeRange
  askingIn(range: TimeRange): Asking
}

/** Counts the rows that each condition lets through, and finds an earlier start of the range with which the query has rows. */
export async function explain(plan: QueryPlan, options: ExplainOptions): Promise<Explanation> {
  const { isEvents, segments } = plan
  const { range, askingIn } = options
  const [source, ...later] = segments as readonly [Segment, ...Segment[]]
  const countedIn = (within: TimeRange) =>
    countSegment(source, { ...askingIn(within), hasTimes: isEvents })
  const isBounded = range.startTime !== undefined || range.endTime !== undefined
  const inRange = await countedIn(range)
  const { rows } = inRange
  const all = isEvents && rows === 0 && isBounded ? await countedIn({}) : undefined
  // If the range has no events, the rows of the conditions are counted without the range.
  const counted = all ?? inRange
  const asking = askingIn(all === undefined ? range : {})
  const points = await conditionPoints(source, counted, asking)
  let reaching = lastOf(counted)
  for (const segment of later) {
    const isReached = reaching > 0 || segment.origin?.addsRows === true
    const count = isReached ? await countSegment(segment, { ...asking, hasTimes: false }) : NO_ROWS
    if (isReached || segment.origin?.right !== undefined) {
      points.push(...(await originPoints(segment, { left: reaching, rows: count.rows }, asking)))
    }
    points.push(...(await conditionPoints(segment, count, asking)))
    reaching = lastOf(count)
  }
  const since = isEvents ? await earlierStart(source, later.at(-1), options) : undefined
  return { range, isEvents, rows, points, ...(rows === 0 && { all: all ?? inRange }), since }
}

/** Returns the point of the operator at which a segment begins; `left` is the number of rows that reach it. */
async function originPoints(
  { origin }: Segment,
  { left, rows }: { readonly left: number; readonly rows: number },
  { askRow }: Asking,
): Promise<readonly Point[]> {
  if (origin === undefined) return []
  const { text } = origin
  if (origin.right === undefined) return [{ kind: 'operator', text, rows }]
  const row = await askRow(`${origin.right}\n| summarize rows_ = count()`)
  return [{ kind: 'join', text, left, right: Number(row('rows_') ?? 0), joined: rows }]
}

async function conditionPoints(
  segment: Segment,
  count: SegmentCount,
  asking: Asking,
): Promise<Point[]> {
  const points: Point[] = []
  const conditions = segment.steps.filter((step) => step.kind === 'condition')
  for (const [index, { text, comparisons }] of conditions.entries()) {
    const of = count.matched[index - 1] ?? count.rows
    const matched = count.matched[index] ?? 0
    const alone = count.alone[index] ?? 0
    const nearby: Nearby[] = []
    if (matched === 0 && of > 0) {
      const apl = rowsMeeting(segment, index)
      for (const comparison of comparisons.slice(0, MAX_LOOKUPS)) {
        const found = await nearbyValues(comparison, { apl, asking })
        if (found !== undefined) nearby.push(found)
      }
    }
    points.push({ kind: 'condition', text, matched, of, nearby, rows: count.rows, alone })
  }
  return points
}

/** Returns the time of an event with which the range has to start for the query to have rows; undefined if no start gives rows. */
async function earlierStart(
  source: Segment,
  last: Segment | undefined,
  { range: { startTime: start, endTime }, askingIn }: ExplainOptions,
): Promise<bigint | undefined> {
  if (start === undefined) return undefined
  const asking = { ...askingIn({ endTime }), hasTimes: true }
  const { newestMatch, first } = await countSegment(source, asking)
  for (const time of newestMatch === undefined ? [] : [newestMatch, first]) {
    const startTime = cellText(time ?? 'null')
    if (startTime === undefined) continue
    const from = { ...askingIn({ startTime, endTime }), hasTimes: false }
    if (last === undefined || lastOf(await countSegment(last, from)) > 0)
      return parseTimestamp(startTime)
  }
  return undefined
}

/** Returns the number of rows that meet all conditions of a segment. */
function lastOf({ rows, matched }: SegmentCount): number {
  return matched.at(-1) ?? rows
}
