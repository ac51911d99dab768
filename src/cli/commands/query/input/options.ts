import type { Command } from 'commander'
import { UsageError } from '../../../error/usage-error.js'
import { timeFormat } from '../../../ingest/option/event-time.js'
import {
  addReadingOptions,
  checkReadingFlags,
  namesOf,
  type ReadingFlags,
  readingFlags,
} from '../../../ingest/option/reading-flags.js'
import { collect } from '../../../option/option.js'
import type { Environment } from '../../../settings/config.js'

/** The flags of `evq query` for events that it reads from files or standard input. */
export interface InputFlags extends ReadingFlags {
  /** Files, patterns of files, or `-`. */
  readonly input?: readonly string[]
}

/** Adds the flags of `evq ingest` for reading events to a command. */
export function addInputOptions(command: Command, env: Environment): Command {
  const grouped = command
    .optionsGroup('Input options (to read files or standard input instead of a dataset):')
    .option(
      '-i, --input <file>',
      "read events from a file; can be repeated, 'logs/*.gz' names several, `-` is standard input",
      collect,
    )
  // The zone of the output is also the zone of times without a zone.
  return addReadingOptions(grouped, { env, to: 'query', except: ['timezone'] })
}

/** Returns the flags that read events in the same way as `evq ingest`. Throws a `UsageError` when they contradict each other. */
export function readingOptions(flags: InputFlags): ReadingFlags {
  const { timezone, ...others } = readingFlags(flags)
  const options = {
    ...others,
    // The zone also applies to the output, so it may be set where the times of events do not need it.
    ...(timezone !== undefined && flags.timestampFormat === undefined && { timezone }),
  }
  checkReadingFlags(options)
  // Only the check of `--timestamp-format` is needed: files that are scanned have no request that would check it.
  timeFormat(options)
  return options
}

/** Throws a `UsageError` when a flag for reading events is given, but the query reads no files. */
export function refuseInputFlags({ input, timezone: _, ...reading }: InputFlags): void {
  const flag = input === undefined ? namesOf(reading)[0] : '--input'
  if (flag === undefined) return
  throw new UsageError(
    `\`${flag}\` is for a query that reads files, and this one starts with a dataset. Start it with an operator, as in \`evq query -i app.log "where level == 'error'"\` or \`evq query -i app.log 'search "timeout"'\`, or with \`file('app.log')\`.`,
  )
}
