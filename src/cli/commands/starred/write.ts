import { isEndpointMissing } from '../../../client/error.js'
import { paintOf } from '../../../render/paint.js'
import { suggestion } from '../../../text/suggest.js'
import type { StarredQuery, StoredStarredQuery } from '../../../wire/http/starred.js'
import { isJsonObject } from '../../../wire/json/json-object.js'
import { type Context, clock } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import { ProblemsError } from '../../error/problems-error.js'
import { UsageError } from '../../error/usage-error.js'
import { checkRequest } from '../../query/check.js'
import { QueryError } from '../../query/error.js'
import { colorOf } from '../../terminal/color.js'
import { difference, writeRecord } from './difference.js'
import {
  applyFields,
  fieldsOf,
  hasFields,
  MEMBERS,
  type RecordFlags,
  readDraft,
  recordOf,
  type StarredDraft,
} from './edit.js'
import { findStarred } from './find.js'
import type { StarredContext } from './run.js'

/** `evq starred update <id or name>`: sends a complete record, which may be the current one with changes. */
export async function updateStarred(
  idOrName: string,
  flags: RecordFlags,
  starred: StarredContext,
): Promise<void> {
  const { context, queries } = starred
  const { draft, fields } = await given(
    flags,
    context,
    'Nothing to update: `-f` takes a complete record; `--name`, `--apl` and other flags change the current record.',
  )
  const stored = await storedQuery(idOrName, starred, { isNeeded: draft === undefined })
  const present = stored && recordOf({ ...stored })
  const record = validate(applyFields(draft ?? present ?? {}, fields))
  await checkApl(record, starred)
  if (present !== undefined) await showDifference(present, recordOf({ ...record }), context)
  if (flags.dryRun) return dryRun(record, context)
  writeRecord(await queries.update(stored?.id ?? idOrName, record), context.io)
  context.info(`${record.name}: updated`)
}

export async function createStarred(flags: RecordFlags, starred: StarredContext): Promise<void> {
  const { context, queries } = starred
  const { draft, fields } = await given(
    flags,
    context,
    'Nothing to save: set `--name` and `--apl`, or `-f`.',
  )
  // By default, the query belongs to the user.
  const usual = { kind: 'apl', metadata: {}, who: 'user' }
  const record = validate(applyFields({ ...usual, ...draft }, fields))
  await checkApl(record, starred)
  if (flags.dryRun) return dryRun(record, context)
  const created = await queries.create(record)
  writeRecord(created, context.io)
  context.info(`${record.name}: saved as ${created.id}`)
}

/** Returns the given record, if any, and the members that flags change. Throws a `UsageError` with `ifNothing` without either. */
async function given(flags: RecordFlags, context: Context, ifNothing: string) {
  const fields = fieldsOf(flags, clock(context.io)())
  const draft = await readDraft(flags.file, context, { mayPipe: !hasFields(fields) })
  if (draft === undefined && !hasFields(fields)) throw new UsageError(ifNothing)
  return { draft, fields }
}

function dryRun(record: StarredQuery, { io, info }: Context): void {
  writeRecord(record, io)
  info('Nothing was sent.')
}

/**
 * Returns the current record. When the deployment can't return it, throws a `CommandError` if `isNeeded`, and returns undefined
 * otherwise.
 */
async function storedQuery(
  idOrName: string,
  { queries, context }: StarredContext,
  { isNeeded }: { readonly isNeeded: boolean },
): Promise<StoredStarredQuery | undefined> {
  try {
    return await findStarred(queries, idOrName)
  } catch (error) {
    if (!isEndpointMissing(error)) throw error
    if (isNeeded) {
      throw new CommandError(
        `The saved query \`${idOrName}\` can't be read (${error.status}: ${error.message}), so single members can't be changed. \`evq starred list\` prints the ids; \`-f\` sends a complete record.`,
      )
    }
    context.warn(`The current record can't be read (${error.status}), so no difference is shown.`)
    return undefined
  }
}

/** Throws when the query does not compile. Parameters get their values in each run. */
async function checkApl({ query }: StarredQuery, starred: StarredContext): Promise<void> {
  const { context, connection, isLocal, signal } = starred
  // A cursor belongs to a single run.
  const { cursor: _, ...request } = query
  const check = { request, ...(isLocal && { local: connection }), signal }
  await checkRequest(check, context).catch((error) => {
    const isCompileError = error instanceof QueryError || error instanceof ProblemsError
    const problems = isCompileError ? error.problems : []
    const lacksValuesOnly = problems.every(({ code }) => code === 'missing-parameter')
    if (problems.length === 0 || !lacksValuesOnly) throw error
  })
}

async function showDifference(
  before: StarredDraft,
  after: StarredDraft,
  { io, flags, info }: Context,
): Promise<void> {
  const lines = difference(before, after)
  if (lines.length === 0) info('The record is unchanged.')
  const paint = paintOf(colorOf(io.stderr, flags(), io.env))
  for (const { kind, text } of lines) {
    const tone = kind === 'removed' ? 'error' : 'notice'
    info(text, (shown) => paint(tone, shown))
  }
}

/** The required members of a saved query, with the flags that set them. */
const REQUIRED: readonly (readonly [name: string, flag: string])[] = [
  ['name', '`--name`'],
  ['who', '`--who` (an id, `team`, `all` or `user`)'],
]

/** Returns a draft as a record that can be sent. Throws a `UsageError` with everything that is wrong with it. */
function validate(draft: StarredDraft): StarredQuery {
  const wrong = [...problems(draft)]
  if (wrong.length === 0) return draft as unknown as StarredQuery
  throw new UsageError(wrong.join(' '))
}

function* problems(draft: StarredDraft): Generator<string> {
  for (const name of Object.keys(draft).filter((key) => !MEMBERS.includes(key))) {
    yield `Unknown member \`${name}\` in the record. ${suggestion(name, MEMBERS, '')}`.trimEnd()
  }
  for (const [name, flag] of REQUIRED) yield* stringProblem(draft, name, flag)
  if (draft.kind !== 'apl') yield '`kind` must be `apl`.'
  const { dataset, metadata, query } = draft
  if (dataset !== undefined && typeof dataset !== 'string') yield '`dataset` is not a string.'
  if (!isJsonObject(metadata)) {
    yield metadata === undefined
      ? 'The record has no `metadata`, which may be `{}`. `--meta k=v` sets it.'
      : '`metadata` is not an object.'
  } else {
    const odd = Object.entries(metadata).find(([, value]) => typeof value !== 'string')
    if (odd !== undefined) yield `\`metadata.${odd[0]}\` is not a string.`
  }
  if (query === undefined) yield 'The record has no `query`. `--apl` sets it.'
  else if (!isJsonObject(query))
    yield '`query` is not an object with the text of the query as `apl`.'
  else yield* stringProblem(query, 'apl', '`--apl`')
}

function* stringProblem(members: StarredDraft, name: string, flag: string): Generator<string> {
  const value = members[name]
  if (value === undefined || value === null || value === '') {
    yield `The record has no \`${name}\`. ${flag} sets it.`
  } else if (typeof value !== 'string') {
    yield `\`${name}\` is not a string.`
  }
}
