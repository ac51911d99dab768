import { type Command, Option } from 'commander'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { UsageError } from '../../error/usage-error.js'
import { parseTime } from '../../option/time.js'
import type { StarredFields } from './edit.js'

/** The flags that say what a saved query is to be. */
export interface RecordFlags extends StarredFields {
  readonly file?: string
  readonly dryRun?: boolean
}

/** Gives a command the flags that say what a saved query is to be. */
export function addRecordOptions(command: Command): Command {
  return command
    .optionsGroup('What it is to be:')
    .option('-f, --file <file>', 'the whole record, as JSON; `-` is standard input')
    .option('--name <text>', 'its name')
    .option('--apl <query>', 'its query')
    .option('--dataset <name>', 'the dataset it belongs to')
    .option('--who <who>', 'whose it is: an id, team, all or user')
    .addOption(metaOption())
    .option('--since <time>', 'oldest event time: 1h and now-1h stay relative')
    .option('--until <time>', 'event time to stop before')
    .optionsGroup('To send nothing:')
    .option('--dry-run', 'show what would be sent')
}

/** `--meta name=value`, any number of times; an empty value removes the name. */
function metaOption(): Option {
  const option = new Option('--meta <name=value>', 'metadata; `name=` removes it')
  return option.argParser((text: string, before: StarredFields['meta']) => {
    const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (name === undefined) {
      throw new UsageError(`\`--meta\` takes a name and a value, \`name=value\`, not \`${text}\`.`)
    }
    return { ...before, [name.trim()]: value }
  })
}

/** The members that the flags change. A time that is relative stays so: it is meant anew with each run. */
export function fieldsOf(flags: RecordFlags, now: bigint): StarredFields {
  const { file: _, dryRun: __, since, until, ...fields } = flags
  return {
    ...fields,
    ...(since !== undefined && { since: requestTime(since, now) }),
    ...(until !== undefined && { until: requestTime(until, now) }),
  }
}

function requestTime(text: string, now: bigint): string {
  const instant = formatTimestamp(parseTime(text, { now }))
  const relative = /^(?:now)?-?((?:\d+(?:ns|us|ms|[smhdw]))+)$/.exec(text)?.[1]
  if (text === 'now') return 'now'
  return relative === undefined ? instant : `now-${relative}`
}
