import type { RowCounts, RowRange } from './page.js'

/** Where an export goes on: it alone decides what is asked next, and what of the answer is new. */
export type Position = Start | AtTime | Count | Instant | Behind | AtCursor | End

/** Nothing was asked yet. */
export interface Start {
  readonly kind: 'start'
}

/** From the last instant of the pages so far, some rows of which are written. */
export interface AtTime {
  readonly kind: 'time'
  readonly at: bigint
  /** The rows of this instant that are written. */
  readonly known: RowCounts
  /** By how many steps the range is wider than it should have to be. */
  readonly widened: number
  /** More rows than usual must fit into an answer to get any further. */
  readonly limit?: number
  /** How often it was in vain. */
  readonly tries?: number
}

/** The service seems not to give all rows it has: how many there are is to be found out. */
export interface Count {
  readonly kind: 'count'
  /** Whether of the rest of the range, or of the last instant alone. */
  readonly of: 'rest' | 'instant'
  readonly at: bigint
  readonly known: RowCounts
  readonly widened: number
  readonly tries: number
  readonly hasCursors: boolean
  /** How many rows the service gives at once, and how many it gave before. */
  readonly given: number
  readonly largest: number
}

/** Within an instant that has more rows than a page holds, by cursor. */
export interface Instant {
  readonly kind: 'instant'
  readonly at: bigint
  /** Written rows that are still to be passed over. */
  readonly known: RowCounts
  /** How many rows are still to come, where the service could tell. */
  readonly left?: number
  readonly cursor?: string
  /** The identity of the row of the cursor. */
  readonly last?: string
  /** How often it was in vain. */
  readonly tries?: number
}

/** An instant is done with; what lies behind it is next. */
export interface Behind {
  readonly kind: 'behind'
  readonly at: bigint
}

/** From a cursor. */
export interface AtCursor {
  readonly kind: 'cursor'
  readonly cursor: string
  /** The identity of the row of the cursor. */
  readonly last: string
}

export interface End {
  readonly kind: 'end'
}

/** What a page brings. */
export interface Step {
  /** Its rows that were not there before. */
  readonly ranges: readonly RowRange[]
  /** How many of its rows were there before. */
  readonly repeated: number
  readonly position: Position
  /** The page is not what was asked for, and is asked for in another way. */
  readonly isRetried?: boolean
  /** Rows may be missing, or have come twice, unless their number proves otherwise. */
  readonly isDoubtful?: boolean
}

export const END: Step = { ranges: [], repeated: 0, position: { kind: 'end' } }
