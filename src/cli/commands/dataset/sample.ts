import { datasetNameError, isDatasetName } from '../../../wire/http/dataset-name.js'
import type { Context } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import type { ExitCode } from '../../exit-code.js'
import { isBounded, type TimeRangeFlags } from '../../option/time-range.js'
import type { PrintFlags } from '../../output/flags.js'
import { runQuery } from '../query.js'

export interface SampleFlags extends TimeRangeFlags, PrintFlags {
  /** The number of events. */
  readonly limit?: number
}

const DEFAULT_EVENTS = 10

const BEGINNING = '1900-01-01'

/** `evq dataset sample`: random events in the order of their times, by default of the whole dataset. */
export async function sampleDataset(
  name: string,
  { limit = DEFAULT_EVENTS, ...flags }: SampleFlags,
  context: Context,
): Promise<ExitCode> {
  if (!isDatasetName(name)) throw new UsageError(datasetNameError(name))
  const apl = `['${name}'] | top ${limit} by rand() | order by _time asc`
  const range = isBounded(flags) ? {} : { since: BEGINNING }
  return await runQuery({ ...flags, ...range, limit, apl }, context)
}
