import { ApiError } from '../../../client/error.js'
import { paintOf } from '../../../render/paint.js'
import type { StarredQuery } from '../../../wire/http/starred.js'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import { UsageError } from '../../error/usage-error.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { clock } from '../../io.js'
import { checkRequest } from '../../query/check.js'
import { colorOf } from '../../terminal/color.js'
import { difference, writeRecord } from './difference.js'
import {
  applyFields,
  hasFields,
  readDraft,
  recordOf,
  type StarredDraft,
  type StarredFields,
} from './edit.js'
import { fieldsOf, type RecordFlags } from './flags.js'
import type { StarredContext } from './run.js'
import { validate } from './validate.js'

/** `evq starred update <id>`: sends a complete record, which may be the current one with changes. */
export async function updateStarred(
  id: string,
  flags: RecordFlags,
  starred: StarredContext,
): Promise<ExitCode> {
  const { context, queries } = starred
  const { draft, fields } = await given(
    flags,
    context,
    'Nothing to update: `-f` takes a complete record; `--name`, `--apl` and other flags change the current record.',
  )
  const present = await presentRecord(id, starred, { isNeeded: draft === undefined })
  const record = validate(applyFields(draft ?? present ?? {}, fields))
  await checkApl(record, starred)
  if (present !== undefined) await showDifference(present, recordOf({ ...record }), context)
  if (flags.dryRun) return dryRun(record, context)
  writeRecord(await queries.update(id, record), context.io)
  context.info(`${record.name}: updated`)
  return EXIT.done
}

/** `evq starred create`: saves a query under a new id. */
export async function createStarred(
  flags: RecordFlags,
  starred: StarredContext,
): Promise<ExitCode> {
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
  return EXIT.done
}

/** Returns the given record, if any, and the members that flags change. Throws a `UsageError` with `ifNothing` without either. */
async function given(
  flags: RecordFlags,
  context: Context,
  ifNothing: string,
): Promise<{ readonly draft: StarredDraft | undefined; readonly fields: StarredFields }> {
  const fields = fieldsOf(flags, clock(context.io)())
  const draft = await readDraft(flags.file, context, { mayPipe: !hasFields(fields) })
  if (draft === undefined && !hasFields(fields)) throw new UsageError(ifNothing)
  return { draft, fields }
}

function dryRun(record: StarredQuery, { io, info }: Context): ExitCode {
  writeRecord(record, io)
  info('Nothing was sent.')
  return EXIT.done
}

/**
 * Returns the current record. When the deployment can't return it, throws a `CommandError` if `isNeeded`, and returns undefined
 * otherwise.
 */
async function presentRecord(
  id: string,
  { queries, context }: StarredContext,
  { isNeeded }: { readonly isNeeded: boolean },
): Promise<StarredDraft | undefined> {
  try {
    return recordOf({ ...(await queries.get(id)) })
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 405, 501].includes(error.status)) throw error
    if (isNeeded) {
      throw new CommandError(
        `The starred query \`${id}\` can't be read (${error.status}: ${error.message}), so single members can't be changed. \`-f\` sends a complete record.`,
      )
    }
    context.warn(`The current record can't be read (${error.status}), so no difference is shown.`)
    return undefined
  }
}

/** Throws when the query does not compile. */
async function checkApl({ query }: StarredQuery, starred: StarredContext): Promise<void> {
  const { context, connection, isLocal, signal } = starred
  // A cursor belongs to a single run.
  const { cursor: _, ...request } = query
  await checkRequest({ request, ...(isLocal && { local: connection }), signal }, context)
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
    info(text, (shown) => paint?.(tone, shown) ?? shown)
  }
}
