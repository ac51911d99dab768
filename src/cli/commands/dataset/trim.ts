import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { clock } from '../../io.js'
import { counted } from '../../option/quantity.js'
import { parseTime } from '../../option/time.js'
import { type ConfirmFlags, type DatasetContext, isConfirmed } from './context.js'

/** The flags of `evq dataset trim`. */
export interface TrimFlags extends ConfirmFlags {
  readonly before: string
}

/** `evq dataset trim`: deletes the events before a time after confirmation. */
export async function trimDataset(
  name: string,
  flags: TrimFlags,
  found: DatasetContext,
): Promise<ExitCode> {
  const { datasets, context, deployment } = found
  const { io, info } = context
  const before = formatTimestamp(parseTime(flags.before, { now: clock(io)() }))
  const question = async () =>
    `Delete the events of \`${name}\` before ${before} from ${deployment}?`
  if (!(await isConfirmed('evq dataset trim', { flags, question }, found))) return EXIT.failed
  const deleted = await datasets.trim(name, before)
  info(`${name}: ${counted(deleted, 'event')} before ${before} deleted`)
  return EXIT.done
}
