import type { Connection } from '../../../client/connection.js'
import type { RetryPolicy } from '../../../client/retry.js'
import type { WireCompression } from '../../../client/wire-compression.js'
import type { Batch, InputEnd } from '../../../input/batch.js'
import { InputError } from '../../../input/error.js'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import type { ExitCode } from '../../exit-code.js'
import type { Interrupt } from '../../terminal/interrupt.js'
import type { Progress } from '../../terminal/progress.js'
import type { IngestCheckpoints } from './checkpoint/checkpoints.js'
import { parametersOf } from './option/event-time.js'
import type { IngestOptions } from './option/options.js'
import { followed } from './read/follow.js'
import { IngestReading, type Item } from './read/ingest-reading.js'
import { inputNames } from './read/inputs.js'
import { batchOptions, openInput, readOptions, readOptionsUnder } from './read/reading.js'
import { RejectsFile } from './rejects/rejects-file.js'
import { RetryFile } from './rejects/retry-file.js'
import { type Account, together } from './report/account.js'
import { conclude, type Unread } from './report/conclusion.js'
import type { Meter } from './report/meter.js'
import { checkWritable, Receipt } from './report/receipt.js'
import { IngestTally } from './report/tally.js'
import { TimeHint } from './report/time-advice.js'
import { ErrorLimit } from './send/error-limit.js'
import { batchIds } from './send/part.js'
import { IngestSender } from './send/sender.js'
import { tellOfStopping, tellOfWaits } from './send/waiting.js'

/** What a run of `evq ingest` sends, where to, and who is told. */
interface RunOptions {
  readonly options: IngestOptions & { readonly concurrency: number }
  readonly context: Context
  readonly connection: Connection
  readonly compression?: WireCompression | undefined
  readonly checkpoints: IngestCheckpoints
  readonly interrupt: Interrupt
  readonly progress: Progress
  readonly meter: Meter
  readonly retry: RetryPolicy
  /** How long batches in flight may take after an interruption. */
  readonly settleMs: number
}

/** What is opened before anything is read. */
interface Books {
  readonly rejects: RejectsFile | undefined
  readonly retry: RetryFile | undefined
}

/** One run of `evq ingest`: all its inputs, one after the other. */
export class IngestRun {
  private readonly options: IngestOptions
  private readonly context: Context
  private readonly interrupt: Interrupt
  private readonly progress: Progress
  private readonly meter: Meter
  private readonly tally: IngestTally
  private readonly account: Required<Account>
  private readonly retry: RetryFile | undefined
  private readonly sender: IngestSender
  private readonly checkpoints: IngestCheckpoints
  private readonly reading: IngestReading
  private readonly timeHint: TimeHint
  private readonly unreadable: InputError[] = []
  private readonly unread: Unread[] = []
  private unwritable: CommandError | undefined
  private hasReadAll = false
  /** Whether a checkpoint says where the same command resumes. */
  private isResumable = false
  /** Aborted when there is no use in reading on. */
  private readonly stop: AbortSignal

  private constructor(run: RunOptions, { rejects, retry }: Books) {
    const { options, context, connection, compression, checkpoints, interrupt, progress, meter } =
      run
    const { dataset, concurrency } = options
    this.options = options
    this.context = context
    this.interrupt = interrupt
    this.progress = progress
    this.meter = meter
    this.tally = new IngestTally({ dataset, note: (text) => this.note(text) })
    this.retry = retry
    const own = [rejects, retry].flatMap((account) => account ?? [])
    this.account = together([this.tally, meter, ...own, ...this.otherAccounts(), checkpoints])
    this.sender = new IngestSender({
      connection,
      dataset,
      parameters: parametersOf(options),
      compression,
      concurrency,
      retry: {
        ...run.retry,
        signal: interrupt.signal,
        ...tellOfWaits({ context, progress, meter }),
      },
      interrupt: interrupt.signal,
      deadline: deadlineAfter(interrupt.signal, run.settleMs),
      batchId: retry === undefined ? batchIds(checkpoints) : (batch) => retry.batchId(batch),
      account: this.account,
    })
    this.stop = AbortSignal.any([interrupt.signal, this.sender.stopped])
    this.checkpoints = checkpoints
    this.reading = new IngestReading({
      checkpoints,
      meter,
      read: readOptions(options, context),
      limits: batchOptions(options, this.stop),
      follows: options.follow === true,
      open: (file) => openInput(file, context, this.stop),
      note: (text) => this.note(text),
      restored: (restored) => this.account.restored(restored),
    })
    this.timeHint = new TimeHint(options, (text) => this.note(text))
    tellOfStopping({ context, progress, signal: interrupt.signal, sender: this.sender })
  }

  /** Opens what is written beside the run before anything is read. */
  static async open(run: RunOptions): Promise<IngestRun> {
    const { rejects, retry, receipt } = run.options
    if (receipt !== undefined) await checkWritable(receipt)
    return new IngestRun(run, {
      rejects: rejects === undefined ? undefined : await RejectsFile.open(rejects),
      retry: retry === undefined ? undefined : await RetryFile.open(retry, run.context.warn),
    })
  }

  /** Those that only some runs are asked for. */
  private otherAccounts(): readonly Account[] {
    const { dataset, maxErrors, receipt, timestampField = '_time', timestampFormat } = this.options
    const accounts: Account[] = []
    if (maxErrors !== undefined) {
      accounts.push(new ErrorLimit(maxErrors, (error) => this.sender.fail(error)))
    }
    if (receipt !== undefined) {
      const time = { field: timestampField, format: timestampFormat }
      const isComplete = () => this.isComplete
      accounts.push(new Receipt({ path: receipt, dataset, time, isComplete }))
    }
    return accounts
  }

  private get isComplete(): boolean {
    const { hasReadAll, unreadable, stop } = this
    return hasReadAll && unreadable.length === 0 && !stop.aborted
  }

  private note(text: string): void {
    this.progress.pause(() => this.context.warn(text))
  }

  async run(): Promise<ExitCode> {
    try {
      if (this.retry !== undefined) await this.sendAgain(this.retry)
      else if (this.options.follow) await this.followFiles()
      else await this.sendFiles()
      this.hasReadAll = !this.stop.aborted
    } finally {
      await this.sender.settled()
      await this.closeBooks()
      this.progress.close()
    }
    return this.conclude()
  }

  /** What can't be written at the end does not make the rest undone. */
  private async closeBooks(): Promise<void> {
    try {
      await this.account.close()
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      this.unwritable = error
    }
  }

  private async sendFiles(): Promise<void> {
    const info = (text: string) => this.progress.pause(() => this.context.info(text))
    for await (const file of inputNames(this.options, { info })) {
      if (this.stop.aborted) return void this.unread.push({ input: file, events: 0 })
      await this.input(() => this.sendAll(this.reading.items(file)))
    }
  }

  /** Until they are interrupted, all at the same time. */
  private async followFiles(): Promise<void> {
    const { files } = this.options
    const { reading, checkpoints, stop: signal } = this
    const following = { reading, checkpoints, signal, note: (text: string) => this.note(text) }
    await Promise.all(
      files.map((file) => this.input(() => this.sendAll(followed(file, following)))),
    )
  }

  private async sendAgain(retry: RetryFile): Promise<void> {
    const read = readOptions(this.options, this.context)
    for (const heading of retry.headings) {
      if (this.stop.aborted) return
      const bytes = retry.begin(heading, this.stop)
      const opened = { name: retry.path, bytes, isLive: false }
      await this.input(() =>
        this.sendAll(this.reading.all(opened, readOptionsUnder(heading, read))),
      )
      await this.sender.settled()
    }
  }

  private async input(send: () => Promise<void>): Promise<void> {
    try {
      await send()
    } catch (error) {
      if (error instanceof InputError) this.unreadable.push(error)
      else if (error instanceof CommandError) this.sender.fail(error)
      else throw error
    }
  }

  private async sendAll(items: AsyncIterable<Item>): Promise<void> {
    for await (const item of items) {
      if (item.kind === 'batch') await this.send(this.retry?.located(item) ?? item)
      else if (item.kind === 'unsendable')
        await this.account.unsendable(this.retry?.locatedUnsendable(item) ?? item)
      else await this.ended(item)
    }
  }

  private async ended(end: InputEnd): Promise<void> {
    const { input, position, isWhole } = end
    const goesOn = this.checkpoints.isKept(input)
    this.isResumable ||= goesOn
    if (!isWhole) this.unread.push({ input, events: position.event, goesOn })
    await this.account.ended(end)
  }

  private async send(batch: Batch): Promise<void> {
    await this.timeHint.look(batch)
    this.meter.take(batch)
    await this.sender.send(batch)
  }

  private conclude(): ExitCode {
    const { tally, unread, unreadable, unwritable, sender, interrupt, reading } = this
    const interrupted = interrupt.exitCode()
    const { failure } = sender
    // Events that were not sent are in the rejects file, if there is one, and are not sent again from their input.
    const left = unread.length + (this.options.rejects === undefined ? tally.unsent : 0)
    const isResumable = this.isResumable && left > 0
    return conclude(
      {
        tally,
        unread,
        unreadable,
        unwritable,
        failure,
        interrupted,
        isResumable,
        done: reading.done,
      },
      this.context,
    )
  }
}

/** Aborted some time after the interruption. */
function deadlineAfter(interrupt: AbortSignal, ms: number): AbortSignal {
  const deadline = new AbortController()
  const start = () => setTimeout(() => deadline.abort(), ms).unref()
  if (interrupt.aborted) start()
  else interrupt.addEventListener('abort', start, { once: true })
  return deadline.signal
}
