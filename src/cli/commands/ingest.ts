import { Command } from 'commander'
import {
  BATCH_BYTES,
  BATCHES_IN_FLIGHT,
  FLUSH_EVERY_MS,
  INGEST_RETRY,
  LOCAL_SETTLE_MS,
  SETTLE_MS,
  WHOLE_BATCHES_IN_FLIGHT,
} from '../../client/limits.js'
import type { RetryPolicy } from '../../client/retry.js'
import { binarySize } from '../../text/binary-size.js'
import { formatInteger } from '../../text/integer.js'
import { BODY_BYTES, DEPLOYMENT_BATCH_EVENTS, MAX_BATCH_EVENTS } from '../../wire/limits.js'
import { connect } from '../connection/connect.js'
import { closeConnection } from '../connection/with-connection.js'
import type { Context } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import type { ExitCode } from '../exit-code.js'
import { type Outputs, spareInputs } from '../file/spare-inputs.js'
import { examples } from '../help/examples.js'
import { IngestCheckpoints } from '../ingest/checkpoint/checkpoints.js'
import { inputFormatOption } from '../ingest/option/line-format.js'
import {
  type CompressMode,
  checkCommandLine,
  compressionOf,
  type IngestOptions,
} from '../ingest/option/options.js'
import { addReadingOptions, withoutAuto } from '../ingest/option/reading-flags.js'
import { batchLimits, inputNames } from '../ingest/read/inputs.js'
import { Meter } from '../ingest/report/meter.js'
import { workloadOf } from '../ingest/report/workload.js'
import { maxErrorsOption } from '../ingest/send/error-limit.js'
import type { InFlight } from '../ingest/send/sender.js'
import { choiceOption, countOption } from '../option/option.js'
import { bytesOption, durationOption } from '../option/quantity.js'
import { markRare } from '../option/rare.js'
import { type Settings, settings } from '../settings/settings.js'
import { listenForInterrupt } from '../terminal/interrupt.js'
import { openProgress, type Progress } from '../terminal/progress.js'
import { listInputFormats } from './ingest/list-formats.js'
import { sendInputs } from './ingest/run.js'

const COMPRESS: readonly CompressMode[] = ['auto', 'gzip', 'none']

export function ingestCommand(context: Context): Command {
  const { env } = context.io
  const command = new Command('ingest')
    .description(
      'Sends events to a dataset, which is created if it does not exist. Strings, and the values of numbers, are stored exactly.',
    )
    .usage('[options] <dataset> [file...]')
    .argument('[dataset]', 'the dataset to send events to')
    .argument(
      '[file...]',
      'files to read, optionally compressed with gzip or zstd; `-` reads standard input',
    )
    .optionsGroup('Input options:')
    .addOption(inputFormatOption(env, '-i, --input-format <format>'))
    .option('--formats', 'list the formats with an example each')
    .option('-F, --follow', 'keep reading as the files grow, also across log rotation')
  addReadingOptions(command, { env, to: 'ingest', except: ['inputFormat'] })
    .optionsGroup('Sending options (a batch is sent when it reaches the first limit):')
    .addOption(
      countOption(
        '--batch-size <events>',
        `events per batch, at most and by default ${formatInteger(DEPLOYMENT_BATCH_EVENTS)}; without --url ${formatInteger(MAX_BATCH_EVENTS)}`,
        {
          most: MAX_BATCH_EVENTS,
        },
      ),
    )
    .addOption(
      bytesOption(
        '--batch-bytes <size>',
        `bytes per batch (default: ${binarySize(BATCH_BYTES, '')})`,
        {
          least: 1024,
          most: BODY_BYTES,
        },
      ),
    )
    .addOption(
      durationOption(
        '--flush-every <duration>',
        'the longest time an event waits for a batch',
        FLUSH_EVERY_MS,
      ),
    )
    .addOption(
      countOption(
        '--concurrency <batches>',
        `batches in flight (default: ${BATCHES_IN_FLIGHT.deployment}; without --url ${WHOLE_BATCHES_IN_FLIGHT} full ones or ${BATCHES_IN_FLIGHT.local} small ones)`,
      ),
    )
    .addOption(
      choiceOption(
        '--compress <how>',
        'auto, gzip or none; auto compresses unless the service is on this machine (default: auto)',
        COMPRESS,
      ),
    )
    .optionsGroup('Rejected events and reports:')
    .addOption(maxErrorsOption())
    .option(
      '--rejects <file>',
      'append each event that was not stored, with its position and the reason',
    )
    .option(
      '--retry <file>',
      'send the events of a rejects file again; stored events are removed from it',
    )
    .option('--receipt <file>', 'write the outcome of the events of each file as JSON')
    .optionsGroup('Preview:')
    .option('--check', 'report the fields and the events that would be rejected; send nothing')
    .option('--dry-run', 'like --check, and print the requests that would be sent')
    .optionsGroup('Checkpoints (the same command resumes where it stopped):')
    .option('--checkpoint <file>', 'where to store the position (default: automatic for files)')
    .option('--no-checkpoint', 'store no position and send everything')
    .option(
      '--replace',
      'remove the events that earlier runs stored of the files, and send them again',
    )
  return markRare(command, RARE_FLAGS)
    .addHelpText('after', () => examples(INGEST_EXAMPLES))
    .action(async (dataset: string | undefined, files: string[], flags: IngestFlags) => {
      if (flags.formats === true) return await listInputFormats(context)
      if (dataset === undefined)
        throw new UsageError(
          'Missing required argument `dataset`. `evq ingest --help` lists its arguments and options.',
        )
      context.finish(await runIngest({ ...withoutAuto(flags), dataset, files }, context))
    })
}

interface IngestFlags extends Omit<IngestOptions, 'dataset' | 'files'> {
  /** Lists the formats and sends nothing. */
  readonly formats?: boolean
}

const RARE_FLAGS = [
  ...['--batch-size', '--batch-bytes', '--flush-every', '--concurrency', '--compress'],
  ...['--receipt', '--no-checkpoint'],
]

const INGEST_EXAMPLES = [
  'cat app.ndjson | evq ingest logs',
  'evq ingest logs *.ndjson.gz orders.csv',
  'evq ingest logs app.ndjson --check',
  'tail -F app.log | evq ingest logs -i ndjson --timestamp-field received_at',
]

/**
 * Returns the most that is in flight. The local service stores all waiting batches with one statement, whose fixed cost is the cost of
 * storing ten thousand events.
 */
function inFlight(
  { concurrency, batchBytes = BATCH_BYTES }: IngestOptions,
  isLocal: boolean,
): InFlight {
  if (concurrency !== undefined) return { batches: concurrency, bytes: Number.POSITIVE_INFINITY }
  const batches = BATCHES_IN_FLIGHT[isLocal ? 'local' : 'deployment']
  return { batches, bytes: WHOLE_BATCHES_IN_FLIGHT * batchBytes }
}

/** Runs `evq ingest`: sends the inputs, or previews them with `--check` or `--dry-run`. Returns the exit code. */
export async function runIngest(
  options: IngestOptions,
  context: Context,
  retry: RetryPolicy = INGEST_RETRY,
): Promise<ExitCode> {
  checkCommandLine(options, context)
  await spareInputs(outputsOf(options), inputsOf(options), context.io)
  if (options.check && !options.dryRun) return preview(options, context)
  const configured = await settings(context.flags(), context.io.env)
  // The format is checked for the local service only: a remote service may support others.
  if (options.timestampFormat !== undefined && configured.url === undefined) {
    const { timeFormat } = await import('../ingest/option/event-time.js')
    timeFormat(options)
  }
  if (options.dryRun) return preview(options, context, configured)
  const connection = connect(configured, context)
  const interrupt = listenForInterrupt()
  const progress = openProgress(context)
  try {
    const meter = await openMeter(options, context, progress)
    progress.show((width) => meter.line(width))
    return await sendInputs({
      options,
      context,
      connection,
      compression: compressionOf(configured, options.compress),
      checkpoints: new IngestCheckpoints(options, { settings: configured, context }),
      interrupt,
      progress,
      meter,
      retry,
      most: inFlight(options, configured.url === undefined),
      settleMs: configured.url === undefined ? LOCAL_SETTLE_MS : SETTLE_MS,
    })
  } finally {
    progress.close()
    await closeConnection(connection, interrupt)
    interrupt.release()
  }
}

function outputsOf({ rejects, receipt, checkpoint }: IngestOptions): Outputs {
  const position = typeof checkpoint === 'string' ? checkpoint : undefined
  return { '--rejects': rejects, '--receipt': receipt, '--checkpoint': position }
}

async function* inputsOf(options: IngestOptions): AsyncGenerator<string | undefined> {
  yield options.retry
  // Directories are inputs too, because a file that is created in one would be read.
  if (options.recursive) yield* options.files
  yield* inputNames(options, { info() {} })
}

async function openMeter(
  options: IngestOptions,
  { io }: Context,
  { isShown }: Progress,
): Promise<Meter> {
  const names: string[] = []
  // Sizes are needed only when progress is shown.
  if (isShown && options.retry === undefined && !options.follow) {
    for await (const name of inputNames(options, { info() {} })) names.push(name)
  }
  const workload = await workloadOf(names, io.stdin)
  return new Meter({ dataset: options.dataset, workload })
}

/** Runs a preview; with `configured`, it shows the requests. */
async function preview(
  options: IngestOptions,
  context: Context,
  configured?: Settings,
): Promise<ExitCode> {
  const { runCheck } = await import('./ingest/preview/check.js')
  const recorder = configured && (await recorderOf(options, configured))
  const interrupt = listenForInterrupt()
  const progress = openProgress(context)
  try {
    const limits = batchLimits(options, configured?.url === undefined)
    return await runCheck({ options, limits, context, interrupt, progress, recorder })
  } finally {
    interrupt.release()
    progress.close()
  }
}

async function recorderOf(options: IngestOptions, configured: Settings) {
  const { requestRecorder } = await import('./ingest/preview/request-recorder.js')
  const compression = compressionOf(configured, options.compress)
  return requestRecorder({ options, settings: configured, compression })
}
