import { Command } from 'commander'
import { FORMATS, type Format } from '../input/format.js'
import { isDatasetName } from '../wire/dataset-name.js'
import { connect } from './connect.js'
import type { Context } from './context.js'
import type { ExitCode } from './exit-code.js'
import { examples } from './help.js'
import { openProgress } from './ingest/progress.js'
import { IngestRun } from './ingest/run.js'
import { listenForInterrupt } from './interrupt.js'
import { choiceOption, countOption } from './option.js'
import { bytesOption, durationOption } from './quantity.js'
import { settings } from './settings.js'
import { UsageError } from './usage-error.js'

export interface IngestOptions {
  readonly dataset: string
  readonly files: readonly string[]
  readonly inputFormat?: Format | 'auto'
  readonly timestampField?: string
  readonly batchSize?: number
  readonly batchBytes?: number
  /** Milliseconds. */
  readonly flushEvery?: number
  readonly concurrency?: number
}

const LARGEST_BATCH = 64 * 1024 * 1024

/** `evq ingest <dataset> [file…]` */
export function ingestCommand(context: Context, run = runIngest): Command {
  return new Command('ingest')
    .summary('send events from files or standard input')
    .description(
      'Sends events to a dataset, which is made when it is new. Each event stays as it is written.',
    )
    .argument('<dataset>', 'where the events go')
    .argument('[file...]', 'what to read, also packed with gzip; `-` is standard input')
    .optionsGroup('What is read:')
    .addOption(
      choiceOption('-i, --input-format <format>', `auto, ${FORMATS.join(', ')}`, [
        'auto',
        ...FORMATS,
      ]),
    )
    .option('--timestamp-field <field>', 'the field that holds the event time (_time)')
    .optionsGroup('How it is sent; a batch goes out when it reaches the first of these:')
    .addOption(countOption('--batch-size <events>', 'events in a batch (10,000)'))
    .addOption(
      bytesOption('--batch-bytes <size>', 'bytes in a batch (4MiB)', {
        least: 1024,
        most: LARGEST_BATCH,
      }),
    )
    .addOption(durationOption('--flush-every <time>', 'how long an event waits for others (1s)'))
    .addOption(
      countOption('--concurrency <batches>', 'batches under way at once (4; 8 without --url)'),
    )
    .addHelpText('after', () => examples(INGEST_EXAMPLES))
    .action(async (dataset: string, files: string[], flags: Omit<IngestOptions, 'dataset'>) =>
      context.finish(await run({ ...flags, dataset, files }, context)),
    )
}

const INGEST_EXAMPLES = [
  'cat app.ndjson | evq ingest logs',
  'evq ingest logs *.ndjson.gz orders.csv',
  'tail -F app.log | evq ingest logs -i ndjson --timestamp-field ts',
]

export async function runIngest(options: IngestOptions, context: Context): Promise<ExitCode> {
  check(options, context)
  const found = await settings(context.flags(), context.io.env)
  const connection = connect(found, context)
  // The local service stores what waits together in one piece, and each piece costs it time.
  const concurrency = options.concurrency ?? (found.url === undefined ? 8 : 4)
  const interrupt = listenForInterrupt()
  const progress = openProgress(context)
  try {
    return await new IngestRun({
      options: { ...options, concurrency },
      context,
      connection,
      interrupt,
      progress,
    }).run()
  } finally {
    interrupt.release()
    progress.close()
    await connection.close()
  }
}

/** What is wrong on the command line is said before anything is read or opened. */
function check({ dataset, files }: IngestOptions, { io }: Context): void {
  if (!isDatasetName(dataset)) {
    throw new UsageError(
      `\`${dataset}\` can't name a dataset: letters, digits, \`_\`, \`.\` and \`-\` can, at most 128, with a letter or digit at both ends.`,
    )
  }
  if (files.length === 0 && io.stdin.isTTY) {
    throw new UsageError(
      `Nothing is piped in and no file is named. \`cat app.ndjson | evq ingest ${dataset}\` and \`evq ingest ${dataset} app.ndjson\` work.`,
    )
  }
}
