import type { EventTerms } from '../../../../wire/event/ingest-options.js'
import { noTimeFormat, parseTimeFormat } from '../../../../wire/time/time-format.js'
import { UsageError } from '../../../error/usage-error.js'
import type { IngestOptions } from './options.js'

/** The format of `--timestamp-format`, as the local service understands it. */
export function timeFormat({
  timestampFormat,
}: Pick<IngestOptions, 'timestampFormat'>): Pick<EventTerms, 'timeFormat'> {
  if (timestampFormat === undefined) return {}
  const timeFormat = parseTimeFormat(timestampFormat)
  if (timeFormat !== undefined) return { timeFormat }
  throw new UsageError(`\`--timestamp-format\` is ${noTimeFormat(timestampFormat)}`)
}
