import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Command } from 'commander'
import { type ManagedDatasets, managedDatasets } from '../../client/datasets.js'
import type { DatasetStats } from '../../wire/http/dataset-info.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { withConnection } from '../connection/with-connection.js'
import type { Context } from '../context.js'
import { systemErrorMessage } from '../error/system-error.js'
import { UsageError } from '../error/usage-error.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { examples } from '../help/examples.js'
import { clock } from '../io.js'
import { counted, shortBytes } from '../option/quantity.js'
import { parseTime } from '../option/time.js'
import { addListOptions, type PrintFlags } from '../output/flags.js'
import type { Settings } from '../settings/settings.js'
import { confirm } from '../terminal/confirm.js'
import { type ListColumn, printList } from '../terminal/listing.js'
import { checkpointDirectory, deploymentOf } from './ingest/checkpoint/checkpoints.js'
import { parseEntries } from './ingest/checkpoint/entry.js'

/** `evq dataset list|show|delete|trim` */
export function datasetCommand(context: Context): Command {
  const act = async (work: (found: DatasetContext) => Promise<ExitCode>) =>
    context.finish(await withDatasets(context, work))
  return new Command('dataset')
    .summary('list, show, trim and delete datasets')
    .description(
      'Lists datasets and their fields, and deletes datasets or their older events, also while a service runs on the data directory.',
    )
    .addCommand(
      addListOptions(command('list', 'list the datasets', 'Prints the datasets, one per row.'))
        .addHelpText('after', () => examples(['evq dataset list', 'evq dataset list -o csv']))
        .action((flags: PrintFlags) => act((found) => listDatasets(flags, found))),
    )
    .addCommand(
      addListOptions(
        command(
          'show',
          'show the fields of a dataset',
          'Prints the fields of a dataset with their types, one per row.',
        ),
      )
        .argument('<dataset>', 'name of the dataset')
        .addHelpText('after', () => examples(['evq dataset show logs']))
        .action((name: string, flags: PrintFlags) =>
          act((found) => showDataset(name, flags, found)),
        ),
    )
    .addCommand(
      command(
        'delete',
        'delete a dataset',
        'Deletes a dataset with all its events. Asks for confirmation on a terminal; requires --yes otherwise.',
      )
        .argument('<dataset>', 'name of the dataset')
        .option('--yes', 'do not ask for confirmation')
        .addHelpText('after', () => examples(['evq dataset delete logs']))
        .action((name: string, flags: ConfirmFlags) =>
          act((found) => deleteDataset(name, flags, found)),
        ),
    )
    .addCommand(
      command(
        'trim',
        'delete the older events of a dataset',
        'Deletes the events of a dataset that are older than a time. Asks for confirmation on a terminal; requires --yes otherwise.',
      )
        .argument('<dataset>', 'name of the dataset')
        .requiredOption('--before <time>', 'time of the oldest event to keep: 30d, 2026-01-31')
        .option('--yes', 'do not ask for confirmation')
        .addHelpText('after', () =>
          examples([
            'evq dataset trim logs --before 30d',
            'evq dataset trim logs --before today --yes',
          ]),
        )
        .action((name: string, flags: TrimFlags) =>
          act((found) => trimDataset(name, flags, found)),
        ),
    )
    .addHelpText('after', () => examples(EXAMPLES))
}

const EXAMPLES = [
  'evq dataset list',
  'evq dataset show logs',
  'evq dataset trim logs --before 30d',
  'evq dataset delete logs',
]

function command(name: string, summary: string, description: string): Command {
  return new Command(name).summary(summary).description(description)
}

function withDatasets(
  context: Context,
  work: (found: DatasetContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withConnection(context, ({ settings, connection, interrupt: { signal } }) => {
    const datasets = managedDatasets(connection, signal)
    return work({ context, settings, signal, deployment: connection.name, datasets })
  })
}

/** The context of a command on datasets. */
interface DatasetContext {
  readonly context: Context
  readonly settings: Settings
  /** The deployment, as messages name it. */
  readonly deployment: string
  readonly datasets: ManagedDatasets
  readonly signal: AbortSignal
}

interface ConfirmFlags {
  readonly yes?: boolean
}

/** True when a deletion is confirmed, by `--yes` or on the terminal. Throws a `UsageError` without either. */
async function isConfirmed(
  command: string,
  { flags, question }: { readonly flags: ConfirmFlags; readonly question: () => Promise<string> },
  { context: { io, info }, signal }: DatasetContext,
): Promise<boolean> {
  if (flags.yes) return true
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) {
    throw new UsageError(
      `\`${command}\` requires \`--yes\` when there is no terminal to ask for confirmation.`,
    )
  }
  if (await confirm(await question(), { io, signal })) return true
  info('Nothing was deleted.')
  return false
}

/** `evq dataset delete`: deletes a dataset after confirmation. */
export async function deleteDataset(
  name: string,
  flags: ConfirmFlags,
  found: DatasetContext,
): Promise<ExitCode> {
  const { datasets, context, deployment } = found
  const events = async () => counted((await datasets.info(name)).numEvents, 'event')
  const question = async () => `Delete \`${name}\` with ${await events()} from ${deployment}?`
  if (!(await isConfirmed('evq dataset delete', { flags, question }, found))) return EXIT.failed
  const deleted = await events()
  await datasets.remove(name)
  await removeCheckpoints(name, found)
  context.info(`${name}: deleted, with ${deleted}`)
  return EXIT.done
}

/** `evq dataset list`: one row per dataset, sorted by name. */
export async function listDatasets(
  flags: PrintFlags,
  { datasets, context }: Pick<DatasetContext, 'datasets' | 'context'>,
): Promise<ExitCode> {
  const all = await datasets.stats()
  const column = (name: keyof DatasetStats, type: string, title: string = name): ListColumn => ({
    name: title,
    type,
    values: all.map((dataset) => dataset[name] ?? null),
    isSpare: name === 'compressedBytes' || name === 'numFields' || name === 'minTime',
  })
  await printList(
    [
      column('name', 'string'),
      column('numEvents', 'integer', 'events'),
      column('compressedBytes', 'integer', 'bytes'),
      column('numFields', 'integer', 'fields'),
      column('minTime', 'datetime', 'first'),
      column('maxTime', 'datetime', 'last'),
    ],
    context,
    flags,
  )
  context.info(counted(all.length, 'dataset'))
  return EXIT.done
}

/** `evq dataset show`: one row per field, and the statistics of the dataset as a message. */
async function showDataset(
  name: string,
  flags: PrintFlags,
  { datasets, context }: DatasetContext,
): Promise<ExitCode> {
  const { fields, ...stats } = await datasets.info(name)
  const texts = (values: readonly string[]) => ({ type: 'string', values })
  await printList(
    [
      { name: 'field', ...texts(fields.map((field) => field.name)) },
      { name: 'type', ...texts(fields.map((field) => field.type)) },
    ],
    context,
    flags,
  )
  context.info(`${name}: ${describeStats(stats)}, ${counted(fields.length, 'field')}`)
  return EXIT.done
}

function describeStats({ numEvents, compressedBytes, minTime, maxTime }: DatasetStats): string {
  const events = `${counted(numEvents, 'event')}, ${shortBytes(compressedBytes)} on disk`
  return minTime === undefined ? events : `${events}, from ${minTime} to ${maxTime}`
}

interface TrimFlags extends ConfirmFlags {
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

/** Removes the checkpoints of a deleted dataset, because the events that were sent no longer exist. */
async function removeCheckpoints(
  dataset: string,
  { settings, context: { io, warn } }: DatasetContext,
): Promise<void> {
  const directory = checkpointDirectory(io.env)
  try {
    const deployment = await deploymentOf(settings)
    const names = await readdir(directory).catch(() => [])
    for (const name of names.filter((one) => one.endsWith('.ndjson'))) {
      const path = join(directory, name)
      const [head] = parseEntries(await firstLine(path)) ?? []
      const isOfDataset = head?.kind === 'checkpoint' && head.dataset === dataset
      if (isOfDataset && head.deployment === deployment) await rm(path, { force: true })
    }
  } catch (error) {
    const message = error instanceof Error ? systemErrorMessage(error) : undefined
    if (message === undefined) throw error
    warn(
      `The checkpoints in \`${directory}\` can't be removed: ${message}. \`evq ingest --no-checkpoint\` sends the same files again.`,
    )
  }
}

/** Returns the first line of a file. A journal can be long, and its first line names its dataset. */
async function firstLine(path: string): Promise<string> {
  const input = createReadStream(path)
  try {
    for await (const line of createInterface({ input })) return `${line}\n`
    return ''
  } finally {
    input.destroy()
  }
}
