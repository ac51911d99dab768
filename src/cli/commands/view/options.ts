import type { Params } from '../../option/param.js'
import type { TimeRangeFlags } from '../../option/time-range.js'
import type { InputFlags } from '../query/input/options.js'

/** The arguments and flags of `evq view`. */
export interface ViewOptions extends InputFlags, TimeRangeFlags {
  /** Files, a dataset or a query. */
  readonly names: readonly string[]
  readonly param?: Params
  readonly follow?: boolean
}
