import type { AplRequest } from '../../../wire/http/query.js'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import type { TimeRangeFlags } from '../../option/time-range.js'
import type { PrintFlags } from '../../output/flags.js'
import type { ResultFlags } from '../../output/result.js'
import type { AssertionFlags } from './assertion.js'
import type { CheckFlags } from './check.js'
import type { LegacyFlags } from './legacy.js'
import type { RequestFlags, RowFlags } from './request-options.js'

/** What `evq query` is asked for, as its flags say it. */
export interface QueryOptions
  extends TimeRangeFlags,
    RequestFlags,
    RowFlags,
    CheckFlags,
    AssertionFlags,
    LegacyFlags,
    PrintFlags,
    ResultFlags {
  readonly timezone?: TimeZone
  readonly apl?: string | undefined
  readonly file?: string
  /** What to type to look further back than the last hour. */
  readonly wider?: string
  /** What a saved query asks for, where no flag says else. */
  readonly saved?: Omit<AplRequest, 'apl'>
}
