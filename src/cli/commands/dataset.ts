import { Command } from 'commander'
import { type ManagedDatasets, managedDatasets } from '../../client/datasets.js'
import { ApiError } from '../../client/error.js'
import { SAMPLE_EVENTS } from '../../client/limits.js'
import { suggestion } from '../../text/suggest.js'
import { datasetNameError, isDatasetName } from '../../wire/http/dataset-name.js'
import { withConnection } from '../connection/with-connection.js'
import type { Context } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { examples } from '../help/examples.js'
import { countOption } from '../option/option.js'
import { addTimeOptions, isBounded, type TimeRangeFlags } from '../option/time-range.js'
import { addListOptions, addPrintOptions, type PrintFlags } from '../output/flags.js'
import { type AcceptLossFlags, acceptLoss } from './dataset/accept-loss.js'
import {
  deleteDataset,
  renameDataset,
  retainDataset,
  type TrimFlags,
  trimDataset,
} from './dataset/change.js'
import type { ConfirmFlags, DatasetContext } from './dataset/context.js'
import { listDatasets, showDataset } from './dataset/list.js'
import { runQuery } from './query.js'

export function datasetCommand(context: Context): Command {
  const act = async (work: (found: DatasetContext) => Promise<void>) => {
    const code = await withConnection(
      context,
      async ({ settings, connection, interrupt: { signal } }) => {
        const datasets = managedDatasets(connection, signal)
        const found = { context, settings, signal, connection, datasets }
        await work(found).catch(async (error) => {
          throw await withNearName(error, datasets)
        })
      },
    )
    if (code !== EXIT.done) context.finish(code)
  }
  const dataset = new Command('dataset')
    .description(
      'Lists datasets and their fields, renames them, and deletes datasets or their older events, also while a service runs on the data directory.',
    )
    .addHelpText('after', () => examples(EXAMPLES))
  addListOptions(dataset.command('list'))
    .summary('list the datasets')
    .description('Prints the datasets, one per row.')
    .addHelpText('after', () => examples(['evq dataset list', 'evq dataset list -o csv']))
    .action((flags: PrintFlags) => act((found) => listDatasets(flags, found)))
  addListOptions(dataset.command('show'))
    .summary('show the fields of a dataset')
    .description('Prints the fields of a dataset with their types, one per row.')
    .argument('<dataset>', 'name of the dataset')
    .addHelpText('after', () => examples(['evq dataset show logs']))
    .action((name: string, flags: PrintFlags) => act((found) => showDataset(name, flags, found)))
  const sample = dataset
    .command('sample')
    .addOption(countOption('-n, --limit <events>', `the number of events (${SAMPLE_EVENTS})`))
  addPrintOptions(addTimeOptions(sample))
    .summary('print random events')
    .description('Prints random events, in the order of their times.')
    .argument('<dataset>', 'name of the dataset')
    .addHelpText('after', () =>
      examples(['evq dataset sample logs', 'evq dataset sample logs -n 100 -o csv']),
    )
    .action(async (name: string, flags: SampleFlags) =>
      context.finish(await sampleDataset(name, flags, context)),
    )
  dataset
    .command('rename')
    .summary('rename a dataset')
    .description(
      'Renames a dataset. Tokens that name it keep their permissions, and files that were sent to it are not sent again under the new name. Lists the saved queries that still use the old name.',
    )
    .argument('<dataset>', 'name of the dataset')
    .argument('<name>', 'the new name')
    .addHelpText('after', () => examples(['evq dataset rename logs web-logs']))
    .action((name: string, to: string) => act((found) => renameDataset(name, to, found)))
  dataset
    .command('retain')
    .summary('set the maximum age of events')
    .description(
      'Sets the maximum age of the events of a dataset, which takes precedence over `evq serve --retention`. The service deletes older events, and so do local commands, at most once an hour. Asks for confirmation on a terminal if the dataset has older events.',
    )
    .argument('<dataset>', 'name of the dataset')
    .argument('<duration>', 'the maximum age: 30d, 12h; `never` removes the setting')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', () =>
      examples(['evq dataset retain logs 30d', 'evq dataset retain logs never']),
    )
    .action((name: string, duration: string, flags: ConfirmFlags) =>
      act((found) => retainDataset(name, { duration, ...flags }, found)),
    )
  dataset
    .command('delete')
    .summary('delete a dataset')
    .description(
      'Deletes a dataset with all its events. Asks for confirmation on a terminal; requires --yes otherwise.',
    )
    .argument('<dataset>', 'name of the dataset')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', () => examples(['evq dataset delete logs']))
    .action((name: string, flags: ConfirmFlags) =>
      act((found) => deleteDataset(name, flags, found)),
    )
  dataset
    .command('trim')
    .summary('delete the older events of a dataset')
    .description(
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
    .action((name: string, flags: TrimFlags) => act((found) => trimDataset(name, flags, found)))
  dataset
    .command('accept-loss')
    .summary('accept the loss of damaged events')
    .description(
      'Accepts that the events in damaged files of a dataset are lost. First repairs the parts whose events can all be read; these lose nothing. While a dataset has damaged files, each of its results is partial: exit code 3, and `isPartial` over HTTP. Afterwards, results are complete for the remaining events. The damaged files are moved out of the engine, to the folder `damaged` of the data directory. Asks for confirmation on a terminal; requires --yes otherwise.',
    )
    .argument('[dataset]', 'name of the dataset')
    .option('--metadata', 'accept the loss of metadata: fields, saved queries, settings')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', () =>
      examples([
        'evq dataset show logs',
        'evq dataset accept-loss logs',
        'evq dataset accept-loss --metadata --yes',
      ]),
    )
    .action((name: string | undefined, flags: AcceptLossFlags) =>
      act((found) => acceptLoss(name, flags, found)),
    )
  return dataset
}

/** Adds the most similar name to the error about a dataset that does not exist; returns any other error as it is. */
async function withNearName(error: unknown, { stats }: ManagedDatasets): Promise<unknown> {
  if (!(error instanceof ApiError) || error.status !== 404) return error
  const [, written = ''] = /\/datasets\/([^/]+)/.exec(new URL(error.url).pathname) ?? []
  const known = await stats().catch(() => [])
  const near = suggestion(
    decodeURIComponent(written),
    known.map(({ name }) => name),
    '',
  )
  return new ApiError({ ...error, message: `${error.message} ${near}`.trim() })
}

const EXAMPLES = [
  'evq dataset list',
  'evq dataset show logs',
  'evq dataset sample logs',
  'evq dataset rename logs web-logs',
  'evq dataset trim logs --before 30d',
  'evq dataset delete logs',
]

interface SampleFlags extends TimeRangeFlags, PrintFlags {
  readonly limit?: number
}

const BEGINNING = '1900-01-01'

/** `evq dataset sample`: random events in the order of their times, by default of the whole dataset. */
async function sampleDataset(
  name: string,
  { limit = SAMPLE_EVENTS, ...flags }: SampleFlags,
  context: Context,
): Promise<ExitCode> {
  if (!isDatasetName(name)) throw new UsageError(datasetNameError(name))
  const apl = `['${name}'] | top ${limit} by rand() | order by _time asc`
  const range = isBounded(flags) ? {} : { since: BEGINNING }
  return await runQuery({ ...flags, ...range, limit, apl }, context)
}
