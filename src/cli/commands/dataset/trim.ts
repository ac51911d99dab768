import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { clock } from '../../clock.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { counted } from '../../option/quantity.js'
import { parseTime } from '../../option/time.js'
import type { DatasetContext } from './context.js'
import { isMeant, type MeantFlags } from './meant.js'

export interface TrimFlags extends MeantFlags {
  readonly before: string
}

/** `evq dataset trim`: deletes the events before a time, when that is meant. */
export async function trimDataset(
  name: string,
  flags: TrimFlags,
  found: DatasetContext,
): Promise<ExitCode> {
  const { datasets, context, deployment } = found
  const { io, say } = context
  const before = formatTimestamp(parseTime(flags.before, { now: clock(io)() }))
  const question = async () =>
    `Delete the events of \`${name}\` before ${before} from ${deployment}?`
  if (!(await isMeant('evq dataset trim', { flags, question }, found))) return EXIT.failed
  const deleted = await datasets.trim(name, before)
  say(`${name}: ${counted(deleted, 'event')} before ${before} deleted`)
  return EXIT.done
}
