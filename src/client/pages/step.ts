import type { RowRange } from './page.js'
import type { Position } from './position.js'

/** What a page brings. */
export interface Step {
  /** Its rows that were not there before. */
  readonly ranges: readonly RowRange[]
  /** How many of its rows were there before. */
  readonly repeated: number
  readonly position: Position
  /** The page is not what was asked for, and is asked for in another way. */
  readonly isVoid?: boolean
  /** Rows may be missing, or have come twice, unless their number proves otherwise. */
  readonly isDoubtful?: boolean
}

export const END: Step = { ranges: [], repeated: 0, position: { kind: 'end' } }
