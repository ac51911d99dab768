import { listStarredQueries, starredQueries } from '../../../client/starred.js'
import { counted } from '../../../text/integer.js'
import { datasetNameError, isDatasetName } from '../../../wire/http/dataset-name.js'
import type { StoredStarredQuery } from '../../../wire/http/starred.js'
import { DURATION_SYNTAX, parseDuration } from '../../../wire/time/duration.js'
import { formatTimestamp, parseTimestamp } from '../../../wire/time/timestamp.js'
import { clock } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import { parseTime } from '../../option/time.js'
import { removeCheckpoints, renameCheckpoints } from './checkpoints.js'
import { type ConfirmFlags, type DatasetContext, isConfirmed, isOnTerminal } from './context.js'

export async function deleteDataset(
  name: string,
  flags: ConfirmFlags,
  found: DatasetContext,
): Promise<void> {
  const { datasets, context, connection } = found
  const events = async () => counted((await datasets.info(name)).numEvents, 'event')
  const question = async () => `Delete \`${name}\` with ${await events()} from ${connection.name}?`
  if (!(await isConfirmed('evq dataset delete', { flags, question }, found))) return
  const deleted = await events()
  await datasets.remove(name)
  await removeCheckpoints(name, found)
  context.info(`${name}: deleted, with ${deleted}`)
}

export interface TrimFlags extends ConfirmFlags {
  readonly before: string
}

export async function trimDataset(
  name: string,
  flags: TrimFlags,
  found: DatasetContext,
): Promise<void> {
  const { datasets, context, connection } = found
  const { io, info } = context
  const before = formatTimestamp(parseTime(flags.before, { now: clock(io)() }))
  const question = async () => {
    await datasets.info(name)
    return `Delete the events of \`${name}\` before ${before} from ${connection.name}?`
  }
  if (!(await isConfirmed('evq dataset trim', { flags, question }, found))) return
  const deleted = await datasets.trim(name, before)
  info(`${name}: ${counted(deleted, 'event')} before ${before} deleted`)
}

/** The value that removes the setting. */
const NEVER = 'never'

interface RetainFlags extends ConfirmFlags {
  readonly duration: string
}

/** Sets the maximum age of events. On a terminal, asks before events are deleted that are older already. */
export async function retainDataset(
  name: string,
  { duration, ...flags }: RetainFlags,
  found: DatasetContext,
): Promise<void> {
  const { datasets, context, connection } = found
  const age = duration === NEVER ? undefined : parseDuration(duration)
  if (duration !== NEVER && !age) {
    throw new UsageError(
      `\`evq dataset retain\` takes ${DURATION_SYNTAX}, or \`never\`, not \`${duration}\`.`,
    )
  }
  if (age !== undefined && isOnTerminal(found)) {
    const { minTime } = await datasets.info(name)
    const first = minTime === undefined ? undefined : parseTimestamp(minTime)
    const isOld = first !== undefined && first < clock(context.io)() - age
    const question = async () =>
      `Delete the events of \`${name}\` older than ${duration} from ${connection.name}? The first is from ${minTime}.`
    const isAllowed =
      !isOld || (await isConfirmed('evq dataset retain', { flags, question }, found))
    if (!isAllowed) return
  }
  await datasets.retain(name, age === undefined ? undefined : duration)
  context.info(
    age === undefined
      ? `${name}: events have no maximum age of their own`
      : `${name}: events older than ${duration} are deleted, by a running service or by local commands, at most once an hour`,
  )
}

/** `evq dataset rename`: renames a dataset with its tokens and checkpoints, and lists the saved queries that name it. */
export async function renameDataset(
  name: string,
  to: string,
  found: DatasetContext,
): Promise<void> {
  if (!isDatasetName(to)) throw new UsageError(datasetNameError(to))
  const { datasets, context, connection, signal } = found
  const tokens = await datasets.rename(name, to)
  await renameCheckpoints(name, to, found)
  const also = tokens === 0 ? '' : `, also in ${counted(tokens, 'token')}`
  context.info(`${name}: renamed to ${to}${also}`)
  const saved = await listStarredQueries(starredQueries(connection, signal), { qs: name })
  const { sourcesOf } = await import('../../../apl/language.js')
  const now = clock(context.io)()
  const isNamedIn = ({ query: { apl }, dataset }: StoredStarredQuery): boolean =>
    dataset === name || sourcesOf(apl, { now }).datasets.includes(name)
  for (const query of saved.filter(isNamedIn)) {
    context.warn(
      `The saved query \`${query.name}\` (${query.id}) still names \`${name}\`; \`evq starred update\` changes it.`,
    )
  }
}
