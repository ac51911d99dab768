// Explains a result without rows: counts the rows at each point of the query where they can be lost.

import type { QueryPlan, Segment } from '../../../../apl/language.js'
import { cellText } from '../../../../render/cell.js'
import type { JsonText } from '../../../../wire/json/json-text.js'
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
  readonly all?: {
    readonly rows: number
    /** The event times, as JSON; missing when there are no events. */
    readonly first: JsonText | undefined
    readonly last: JsonText | undefined
  }
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

interface ExplainOptions {
  readonly range: TimeRange
  readonly askingIn: (range: TimeRange) => Asking
}

/** Counts the rows that each condition lets through, and finds an earlier start of the range with which the query has rows. */
export async function explain(
  plan: QueryPlan,
  { range, askingIn }: ExplainOptions,
): Promise<Explanation> {
  const { isEvents } = plan
  const [source] = plan.segments as readonly [Segment, ...Segment[]]
  const countedIn = (within: TimeRange) =>
    countSegment(source, { ...askingIn(within), hasTimes: isEvents })
  const isBounded = range.startTime !== undefined || range.endTime !== undefined
  const inRange = await countedIn(range)
  const { rows } = inRange
  const all = isEvents && rows === 0 && isBounded ? await countedIn({}) : undefined
  // If the range has no events, the rows of the conditions are counted without the range.
  const [counted, within] = all === undefined ? [inRange, range] : [all, {}]
  const points = await pointsOf(plan, counted, askingIn(within))
  const since =
    range.startTime === undefined
      ? undefined
      : await earlierStart(plan, countedIn, { range, askingIn })
  return { range, isEvents, rows, points, ...(rows === 0 && { all: all ?? inRange }), since }
}

async function pointsOf(
  { segments: [source, ...segments] }: QueryPlan,
  counted: SegmentCount,
  asking: Asking,
): Promise<readonly Point[]> {
  const points: Point[] = await conditionsOf(source!, counted, asking)
  let reaching = counted.matched.at(-1) ?? counted.rows
  for (const segment of segments) {
    const { origin } = segment
    const isReached = reaching > 0 || origin?.addsRows === true
    const count = isReached ? await countSegment(segment, { ...asking, hasTimes: false }) : NO_ROWS
    if (origin?.right !== undefined) {
      const row = await asking.askRow(`${origin.right}\n| summarize rows_ = count()`)
      const right = Number(row('rows_') ?? 0)
      points.push({ kind: 'join', text: origin.text, left: reaching, right, joined: count.rows })
    } else if (origin !== undefined && isReached) {
      points.push({ kind: 'operator', text: origin.text, rows: count.rows })
    }
    points.push(...(await conditionsOf(segment, count, asking)))
    reaching = count.matched.at(-1) ?? count.rows
  }
  return points
}

/** The counts of a segment that no row reaches. */
const NO_ROWS: SegmentCount = {
  ...{ rows: 0, matched: [], alone: [] },
  ...{ first: undefined, last: undefined, newestMatch: undefined },
}

async function conditionsOf(
  segment: Segment,
  { rows, matched, alone }: SegmentCount,
  asking: Asking,
): Promise<Point[]> {
  const conditions = segment.steps.filter((step) => step.kind === 'condition')
  const points: ConditionPoint[] = []
  for (const [index, { text, comparisons }] of conditions.entries()) {
    const of = matched[index - 1] ?? rows
    const count = matched[index] ?? 0
    const nearby: Nearby[] = []
    if (count === 0 && of > 0) {
      const apl = rowsMeeting(segment, index)
      for (const comparison of comparisons.slice(0, MAX_LOOKUPS)) {
        const found = await nearbyValues(comparison, { apl, asking })
        if (found !== undefined) nearby.push(found)
      }
    }
    points.push({
      kind: 'condition',
      text,
      matched: count,
      of,
      nearby,
      rows,
      alone: alone[index] ?? 0,
    })
  }
  return points
}

/** Returns the time of an event with which the range has to start for the query to have rows; undefined if no start gives rows. */
async function earlierStart(
  { segments, isEvents }: QueryPlan,
  countedIn: (within: TimeRange) => Promise<SegmentCount>,
  { range: { endTime }, askingIn }: ExplainOptions,
): Promise<bigint | undefined> {
  if (!isEvents) return undefined
  const { newestMatch, first } = await countedIn({ endTime })
  const last = segments.at(-1)!
  for (const time of newestMatch === undefined ? [] : [newestMatch, first]) {
    const startTime = cellText(time ?? 'null')
    if (startTime === undefined) continue
    const isAll = segments.length === 1
    const rows = isAll ? 1 : await rowsOf(last, askingIn({ startTime, endTime }))
    if (rows > 0) return parseTimestamp(startTime)
  }
  return undefined
}

async function rowsOf(segment: Segment, asking: Asking): Promise<number> {
  const { rows, matched } = await countSegment(segment, { ...asking, hasTimes: false })
  return matched.at(-1) ?? rows
}
