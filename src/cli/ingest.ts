import { Command } from 'commander'
import type { Connection } from '../client/connection.js'
import { ApiError } from '../client/error.js'
import { DEFAULT_RETRY } from '../client/retry.js'
import { batches } from '../input/batches.js'
import { BufferPool } from '../input/buffer-pool.js'
import { InputError } from '../input/error.js'
import { FORMATS, type Format } from '../input/format.js'
import { beginInput } from '../input/input.js'
import { type Opened, openFile, openStandardInput } from '../input/open.js'
import { isDatasetName } from '../wire/dataset-name.js'
import { CommandError } from './command-error.js'
import { connect } from './connect.js'
import type { Context } from './context.js'
import { EXIT, type ExitCode } from './exit-code.js'
import { examples } from './help.js'
import { openProgress, type Progress } from './ingest-progress.js'
import { IngestSender } from './ingest-sender.js'
import { IngestTally } from './ingest-tally.js'
import { type Interrupt, listenForInterrupt } from './interrupt.js'
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

const MEBIBYTE = 1024 * 1024

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
        most: 64 * MEBIBYTE,
      }),
    )
    .addOption(durationOption('--flush-every <time>', 'how long an event waits for others (1s)'))
    .addOption(countOption('--concurrency <batches>', 'batches under way at once (4)'))
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
  const connection = connect(await settings(context.flags(), context.io.env), context)
  const interrupt = listenForInterrupt()
  const progress = openProgress(context)
  try {
    return await new IngestRun({ options, context, connection, interrupt, progress }).run()
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

interface RunOptions {
  readonly options: IngestOptions
  readonly context: Context
  readonly connection: Connection
  readonly interrupt: Interrupt
  readonly progress: Progress
}

/** One run of the command: all its inputs, one after the other. */
class IngestRun {
  private readonly options: IngestOptions
  private readonly context: Context
  private readonly interrupt: Interrupt
  private readonly progress: Progress
  private readonly tally: IngestTally
  private readonly sender: IngestSender
  private readonly pool: BufferPool
  private readonly unreadable: InputError[] = []

  constructor({ options, context, connection, interrupt, progress }: RunOptions) {
    const { dataset, timestampField, concurrency = 4, batchBytes = 4 * MEBIBYTE } = options
    this.options = options
    this.context = context
    this.interrupt = interrupt
    this.progress = progress
    const note = (text: string) => progress.pause(() => context.note(text))
    this.tally = new IngestTally({ dataset, note })
    this.pool = new BufferPool(batchBytes)
    const retry = {
      ...DEFAULT_RETRY,
      signal: interrupt.signal,
      onRetry: ({ reason, delayMs }: { reason: string; delayMs: number }) =>
        progress.pause(() =>
          context.detail(`Sends a batch again in ${Math.round(delayMs)} ms: ${reason}`),
        ),
    }
    const { tally } = this
    this.sender = new IngestSender({
      connection,
      dataset,
      timestampField,
      concurrency,
      retry,
      tally,
    })
  }

  async run(): Promise<ExitCode> {
    const { files } = this.options
    for (const file of files.length === 0 ? ['-'] : files) {
      if (this.isOver) break
      await this.input(file)
    }
    await this.sender.settled()
    this.progress.close()
    return this.conclude()
  }

  private get isOver(): boolean {
    return this.interrupt.signal.aborted || this.sender.failure !== undefined
  }

  private async input(file: string): Promise<void> {
    try {
      const opened = await this.open(file)
      try {
        await this.sendAll(opened)
      } finally {
        await opened.bytes.close()
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      this.unreadable.push(error)
    }
  }

  private open(file: string): Opened | Promise<Opened> {
    const { signal } = this.interrupt
    return file === '-' ? openStandardInput(this.context.io.stdin, signal) : openFile(file, signal)
  }

  private async sendAll(opened: Opened): Promise<void> {
    const { inputFormat = 'auto', batchSize = 10_000, flushEvery = 1000 } = this.options
    const { signal } = this.interrupt
    const input = await beginInput(opened, inputFormat)
    const { pool } = this
    for await (const item of batches(input, {
      pool,
      mostEvents: batchSize,
      flushMs: flushEvery,
      signal,
    })) {
      if (item.kind === 'unsendable') this.tally.addUnsendable(item)
      else await this.sender.send(item)
      this.progress.show(() => this.tally.summary())
      if (this.sender.failure !== undefined) break
    }
  }

  /** Says what became of everything, and what that makes of the run. */
  private conclude(): ExitCode {
    const { tally, unreadable, context } = this
    const { failure } = this.sender
    const isWorthLess = tally.stored + tally.rejected + tally.refused === 0
    const onlyError = failure ?? (unreadable.length === 1 ? unreadable[0] : undefined)
    const interrupted = this.interrupt.exitCode()
    // With nothing else to tell, the failure is the whole story.
    if (isWorthLess && interrupted === undefined && onlyError !== undefined) {
      throw onlyError instanceof InputError ? new CommandError(onlyError.message) : onlyError
    }
    tally.showRest()
    for (const { message } of unreadable) context.note(message)
    if (failure !== undefined) context.note(`Stopped before the end: ${failure.message}`)
    context.say(tally.summary())
    return interrupted ?? this.exitCode()
  }

  private exitCode(): ExitCode {
    const { stored, rejected, refused, unaccounted } = this.tally
    const { failure } = this.sender
    if (failure instanceof ApiError && [401, 403].includes(failure.status)) return EXIT.denied
    if (this.unreadable.length > 0) return EXIT.failed
    if (stored === 0 && refused + unaccounted > 0) return EXIT.failed
    return rejected + refused + unaccounted > 0 || failure !== undefined
      ? EXIT.incomplete
      : EXIT.done
  }
}
