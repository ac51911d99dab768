import { type Command, Option } from 'commander'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { nameAndValue } from '../../option/option.js'
import { parseTime } from '../../option/time.js'
import type { StarredFields } from './edit.js'

export interface RecordFlags extends StarredFields {
  readonly file?: string
  readonly dryRun?: boolean
}

export function addRecordOptions(command: Command): Command {
  return command
    .optionsGroup('Record:')
    .option('-f, --file <file>', 'complete record as JSON; `-` is standard input')
    .option('--name <text>', 'name of the query')
    .option('--apl <query>', 'text of the query')
    .option('--dataset <name>', 'dataset that the query belongs to')
    .option('--who <who>', 'owner: an id, team, all or user')
    .addOption(metaOption())
    .option('--since <time>', 'start of the time range; 1h and now-1h stay relative')
    .option('--until <time>', 'end of the time range, exclusive')
    .optionsGroup('Preview:')
    .option('--dry-run', 'print the record instead of sending it')
}

/** Returns the option `--meta name=value`, which may be repeated; an empty value removes the name. */
function metaOption(): Option {
  const option = new Option('--meta <name=value>', 'metadata; `name=` removes it')
  return option.argParser((text: string, before: StarredFields['meta']) => {
    const [name, value] = nameAndValue(text, '--meta')
    return { ...before, [name]: value }
  })
}

/** Returns the members that the flags change. A relative time stays relative, so that each run evaluates it again. */
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
