import { Command } from 'commander'
import { INGEST_RETRY } from '../../client/ingest.js'
import type { RetryPolicy } from '../../client/retry.js'
import { FORMATS } from '../../input/format.js'
import { MAX_BATCH_EVENTS } from '../../wire/http/ingest.js'
import { connect } from '../connection/connect.js'
import { closeConnection } from '../connection/with-connection.js'
import type { Context } from '../context.js'
import type { ExitCode } from '../exit-code.js'
import { examples } from '../help/examples.js'
import { choiceOption, countOption } from '../option/option.js'
import { bytesOption, durationOption } from '../option/quantity.js'
import { type Settings, settings } from '../settings/settings.js'
import { listenForInterrupt } from '../terminal/interrupt.js'
import { openProgress, type Progress } from '../terminal/progress.js'
import { openCheckpoints } from './ingest/checkpoint/checkpoints.js'
import {
  type CompressMode,
  checkCommandLine,
  compressionOf,
  csvFieldsOption,
  delimiterOption,
  type IngestOptions,
  labelOption,
} from './ingest/option/options.js'
import { inputNames } from './ingest/read/inputs.js'
import { Meter } from './ingest/report/meter.js'
import { Workload } from './ingest/report/workload.js'
import { IngestRun } from './ingest/run.js'
import { maxErrorsOption } from './ingest/send/error-limit.js'

const COMPRESS: readonly CompressMode[] = ['auto', 'gzip', 'none']

/** Whoever stops a container waits for ten seconds. */
const SETTLE_MS = 8000
/** The local service answers for certain, and what it is storing is stored. */
const LOCAL_SETTLE_MS = 30_000

const LARGEST_BATCH = 64 * 1024 * 1024

/** `evq ingest <dataset> [file…]` */
export function ingestCommand(context: Context, run = runIngest): Command {
  return new Command('ingest')
    .summary('send events from files or standard input')
    .description(
      'Sends events to a dataset, which is made when it is new. Each event stays as it is written.',
    )
    .argument('<dataset>', 'where the events go')
    .argument('[file...]', 'what to read, also packed with gzip or zstd; `-` is standard input')
    .optionsGroup('What is read:')
    .addOption(
      choiceOption('-i, --input-format <format>', `auto, ${FORMATS.join(', ')}`, [
        'auto',
        ...FORMATS,
      ]),
    )
    .option('-r, --recursive', 'the files below the directories that are named, but no hidden ones')
    .option('-F, --follow', 'go on with what is written to the files, also when they are rotated')
    .option('--timestamp-field <field>', 'the field that holds the event time (_time)')
    .option('--timestamp-format <layout>', 'how it is written, as Go would: 2006-01-02 15:04:05')
    .addOption(labelOption())
    .addOption(csvFieldsOption('--csv-fields <names>'))
    .addOption(delimiterOption('--delimiter <character>'))
    .optionsGroup('How it is sent; a batch goes out when it reaches the first of these:')
    .addOption(
      countOption('--batch-size <events>', 'events in a batch (10,000, the most)', {
        most: MAX_BATCH_EVENTS,
      }),
    )
    .addOption(
      bytesOption('--batch-bytes <size>', 'bytes in a batch (4MiB)', {
        least: 1024,
        most: LARGEST_BATCH,
      }),
    )
    .addOption(
      durationOption('--flush-every <duration>', 'how long an event waits for others (1s)'),
    )
    .addOption(
      countOption('--concurrency <batches>', 'batches under way at once (4; 8 without --url)'),
    )
    .addOption(
      choiceOption('--compress <how>', 'gzip, none, or auto: not on this machine (auto)', COMPRESS),
    )
    .optionsGroup('What is not stored, and what is told of it:')
    .addOption(maxErrorsOption('stops when more events are rejected: 10, or 1% (unlimited)'))
    .option('--rejects <file>', 'adds each event that is not stored, with its place and the reason')
    .option(
      '--retry <file>',
      'sends the events of a rejects file again; what passes leaves the file',
    )
    .option('--receipt <file>', 'writes what became of the events of each file, as JSON')
    .optionsGroup('Before anything is sent:')
    .option('--check', 'tell what is in the events and what would be refused; sends nothing')
    .option('--dry-run', 'tell what would be sent, and where; sends nothing')
    .optionsGroup('The same command again goes on where it stopped:')
    .option(
      '--checkpoint <file>',
      'where to remember how far it came (a place of its own, for files)',
    )
    .option('--no-checkpoint', 'remember nothing, and send all')
    .addHelpText('after', () => examples(INGEST_EXAMPLES))
    .action(async (dataset: string, files: string[], flags: Omit<IngestOptions, 'dataset'>) =>
      context.finish(await run({ ...flags, dataset, files }, context)),
    )
}

const INGEST_EXAMPLES = [
  'cat app.ndjson | evq ingest logs',
  'evq ingest logs *.ndjson.gz orders.csv',
  'evq ingest logs app.ndjson --check',
  'tail -F app.log | evq ingest logs -i ndjson --timestamp-field ts',
]

/** Sends what the options name, or does what they ask for instead of sending. */
export async function runIngest(
  options: IngestOptions,
  context: Context,
  retry: RetryPolicy = INGEST_RETRY,
): Promise<ExitCode> {
  checkCommandLine(options, context)
  if (options.check) return checkAll(options, context)
  const found = await settings(context.flags(), context.io.env)
  // Another service may know formats of its own.
  if (options.timestampFormat !== undefined && found.url === undefined) {
    const { timeFormat } = await import('./ingest/option/event-time.js')
    timeFormat(options)
  }
  if (options.dryRun) return dryRun(options, context, found)
  const connection = connect(found, context)
  // The local service stores what waits together in one piece, and each piece costs it time.
  const concurrency = options.concurrency ?? (found.url === undefined ? 8 : 4)
  const interrupt = listenForInterrupt()
  const progress = openProgress(context)
  try {
    const meter = await openMeter(options, context, progress)
    progress.show((width) => meter.line(width))
    const run = await IngestRun.open({
      options: { ...options, concurrency },
      context,
      connection,
      compression: compressionOf(found, options.compress),
      checkpoints: openCheckpoints(options, { settings: found, context }),
      interrupt,
      progress,
      meter,
      retry,
      settleMs: found.url === undefined ? LOCAL_SETTLE_MS : SETTLE_MS,
    })
    return await run.run()
  } finally {
    progress.close()
    await closeConnection(connection, interrupt)
    interrupt.release()
  }
}

async function openMeter(
  options: IngestOptions,
  { io }: Context,
  { isShown }: Progress,
): Promise<Meter> {
  const names: string[] = []
  // Nobody asks how much there is to do where nothing is shown.
  if (isShown && options.retry === undefined && !options.follow) {
    for await (const name of inputNames(options, { info() {} })) names.push(name)
  }
  const workload = await Workload.of(names, io.stdin)
  return new Meter({ dataset: options.dataset, workload, now: () => performance.now() })
}

async function checkAll(options: IngestOptions, context: Context): Promise<ExitCode> {
  const { runCheck } = await import('./ingest/preview/check.js')
  const interrupt = listenForInterrupt()
  const progress = openProgress(context)
  try {
    return await runCheck({ options, context, interrupt, progress })
  } finally {
    interrupt.release()
    progress.close()
  }
}

async function dryRun(
  options: IngestOptions,
  context: Context,
  found: Settings,
): Promise<ExitCode> {
  const { runDryRun } = await import('./ingest/preview/dry-run.js')
  const interrupt = listenForInterrupt()
  const compression = compressionOf(found, options.compress)
  try {
    return await runDryRun({ options, context, settings: found, compression, interrupt })
  } finally {
    interrupt.release()
  }
}
