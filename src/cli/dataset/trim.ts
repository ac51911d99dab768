import { formatTimestamp } from '../../wire/timestamp.js'
import { clock } from '../clock.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { counted } from '../quantity.js'
import { parseTime } from '../time.js'
import type { DatasetContext } from './context.js'

export interface TrimFlags {
  readonly before: string
}

/** `evq dataset trim`: deletes the events before a time. */
export async function trimDataset(
  name: string,
  flags: TrimFlags,
  { datasets, context: { io, say } }: DatasetContext,
): Promise<ExitCode> {
  const before = formatTimestamp(parseTime(flags.before, { now: clock(io)() }))
  const deleted = await datasets.trim(name, before)
  say(`${name}: ${counted(deleted, 'event')} before ${before} deleted`)
  return EXIT.done
}
