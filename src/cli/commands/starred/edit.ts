import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import { defined } from '../../../text/defined.js'
import { parseExactJson } from '../../../wire/json/exact-json.js'
import { isJsonObject, type JsonObject, objectOf } from '../../../wire/json/json-object.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import type { Context } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import { namedValuesOption } from '../../option/option.js'
import { parseTime } from '../../option/time.js'
import { readTextFile } from '../../query/query-text.js'

/** The members of a saved query that flags set. */
interface StarredFields {
  readonly name?: string
  readonly apl?: string
  readonly dataset?: string
  readonly who?: string
  /** An empty value removes the name. */
  readonly meta?: Readonly<Record<string, string>>
  readonly since?: string
  readonly until?: string
}

/** A saved query that may be incomplete. */
export type StarredDraft = JsonObject

/** True when any member is set. */
export function hasFields(fields: StarredFields): boolean {
  return Object.values(fields).some((value) => value !== undefined)
}

/** Returns the draft with the members of the flags replaced. */
export function applyFields(draft: StarredDraft, fields: StarredFields): StarredDraft {
  const { name, apl, dataset, who, meta, since, until } = fields
  const query = {
    ...objectOf(draft.query),
    ...defined({ apl, startTime: since, endTime: until }),
  }
  const metadata = Object.entries({ ...objectOf(draft.metadata), ...meta })
  return {
    ...draft,
    ...defined({ name, dataset, who }),
    ...(Object.keys(query).length > 0 && { query }),
    ...((draft.metadata !== undefined || meta !== undefined) && {
      metadata: Object.fromEntries(metadata.filter(([, value]) => value !== '')),
    }),
  }
}

/** The members of a saved query that are sent, in their order; a record from the service has other members as well. */
export const MEMBERS: readonly string[] = ['dataset', 'kind', 'metadata', 'name', 'query', 'who']

export function recordOf(draft: StarredDraft): StarredDraft {
  return defined(Object.fromEntries(MEMBERS.map((name) => [name, draft[name]])))
}

/** Reads the record in a file or on standard input; returns undefined without either. Throws when the record can't be read. */
export async function readDraft(
  file: string | undefined,
  { io }: Pick<Context, 'io'>,
  { mayPipe }: { readonly mayPipe: boolean },
): Promise<StarredDraft | undefined> {
  if (file !== undefined && file !== '-')
    return draftOf(await readTextFile(file, 'The record'), `\`${file}\``)
  if (file === undefined && (io.stdin.isTTY || !mayPipe)) return undefined
  return draftOf((await buffer(io.stdin)).toString('utf8'), 'standard input')
}

function draftOf(text: string, origin: string): StarredDraft {
  if (text.trim() === '') {
    throw new UsageError(`There is no record in ${origin}. A record is a JSON object.`)
  }
  let value: unknown
  try {
    // Some editors write a byte order mark.
    value = parseExactJson(text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (!/^\s*[[{]/.test(text)) {
      throw new UsageError(
        `There is no record in ${origin}: a record is a JSON object. \`--apl "$(cat query.apl)"\` saves the query in a file.`,
      )
    }
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The record in ${origin} is not JSON: ${why}.`)
  }
  if (isJsonObject(value)) {
    // The id is not sent with the record: the URL of the request has it.
    const { id: _, ...record } = value
    return record
  }
  throw new UsageError(`The record in ${origin} is not an object.`)
}

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
    .addOption(namedValuesOption('--meta <name=value>', 'metadata; `name=` removes it'))
    .option('--since <time>', 'start of the time range; 1h and now-1h stay relative')
    .option('--until <time>', 'end of the time range, exclusive')
    .optionsGroup('Preview:')
    .option('--dry-run', 'print the record instead of sending it')
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
