import type { RowCounts, RowRange } from './page.js'

/** The position of an export, which determines the next request and the new rows of its response. */
export type Position = Start | AtTime | Count | Instant | AfterInstant | AtCursor | End

/** Before the first request. */
export interface Start {
  readonly kind: 'start'
}

/** At the last instant of the pages so far. Some rows of the instant are already written. */
export interface AtTime {
  readonly kind: 'time'
  readonly at: bigint
  /** The written rows of this instant. */
  readonly known: RowCounts
  /** The index into `WIDENING_STEPS`. */
  readonly widened: number
  /** The page size needed to make progress, when it is larger than usual. */
  readonly limit?: number
  readonly tries?: number
}

/** Before a count of rows, since the service may not have returned all of them. */
export interface Count {
  readonly kind: 'count'
  /** Counts the rest of the range, or the last instant. */
  readonly of: 'rest' | 'instant'
  readonly at: bigint
  readonly known: RowCounts
  readonly widened: number
  readonly tries: number
  readonly hasCursors: boolean
  /** The number of rows in the last page, and in the largest page. */
  readonly given: number
  readonly largest: number
}

/** Within an instant with more rows than a page, which are requested by cursor. */
export interface Instant {
  readonly kind: 'instant'
  readonly at: bigint
  /** Written rows still to be skipped. */
  readonly known: RowCounts
  /** The number of remaining rows, if the service reported it. */
  readonly left?: number
  readonly cursor?: string
  /** The identity of the row of the cursor. */
  readonly last?: string
  readonly tries?: number
}

/** After an instant that is complete. */
export interface AfterInstant {
  readonly kind: 'behind'
  readonly at: bigint
}

export interface AtCursor {
  readonly kind: 'cursor'
  readonly cursor: string
  /** The identity of the row of the cursor. */
  readonly last: string
}

interface End {
  readonly kind: 'end'
}

export interface Step {
  /** New rows. */
  readonly ranges: readonly RowRange[]
  readonly repeated: number
  readonly position: Position
  /** True when the page was not usable, and its rows are requested in another way. */
  readonly isRetried?: boolean
  /** True when rows may be missing or duplicated, unless their total number proves otherwise. */
  readonly isDoubtful?: boolean
}

export const END: Step = { ranges: [], repeated: 0, position: { kind: 'end' } }
