import type { EventOptions } from '../../../../wire/event/event-options.js'
import { parseTimeFormat, timeFormatError } from '../../../../wire/time/time-format.js'
import { UsageError } from '../../../error/usage-error.js'
import type { IngestOptions } from './options.js'

/** The format of `--timestamp-format`, as the local service understands it. */
export function timeFormat({
  timestampFormat,
}: Pick<IngestOptions, 'timestampFormat'>): Pick<EventOptions, 'timeFormat'> {
  if (timestampFormat === undefined) return {}
  const timeFormat = parseTimeFormat(timestampFormat)
  if (timeFormat !== undefined) return { timeFormat }
  throw new UsageError(`\`--timestamp-format\` is ${timeFormatError(timestampFormat)}`)
}
