import type { AplRequest } from '../../../wire/http/query.js'
import type { AroundFlags } from '../../around/options.js'
import type { TimeRangeFlags } from '../../option/time-range.js'
import type { PrintFlags } from '../../output/flags.js'
import type { openPrinter } from '../../output/printer.js'
import type { AssertionFlags } from '../../query/assertion.js'
import type { CheckFlags } from '../../query/check.js'
import type { RequestFlags, RowFlags } from '../../query/request-options.js'
import type { InputFlags } from './input/options.js'
import type { LegacyFlags } from './legacy.js'
import type { ResultFlags } from './summary.js'

export interface QueryOptions
  extends TimeRangeFlags,
    RequestFlags,
    RowFlags,
    CheckFlags,
    AroundFlags,
    AssertionFlags,
    InputFlags,
    LegacyFlags,
    PrintFlags,
    ResultFlags {
  readonly apl?: string | undefined
  /** True for a query of files, which has no default range. */
  readonly hasInputs?: boolean
  /** The dataset of a query that starts with an operator. */
  readonly mainInput?: string
  readonly file?: string
  readonly why?: boolean
  /** The word that sets the start of the range, for hints. */
  readonly sinceWord?: string
  /** Opens an output other than the one that the flags select. */
  readonly openPrinter?: typeof openPrinter
  /** A saved query; flags override its members. */
  readonly saved?: Omit<AplRequest, 'apl'>
}
