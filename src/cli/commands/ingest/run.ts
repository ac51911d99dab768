import { setMaxListeners } from 'node:events'
import type { Connection } from '../../../client/connection.js'
import type { RetryPolicy } from '../../../client/retry.js'
import type { WireCompression } from '../../../client/wire-compression.js'
import type { Batch, InputEnd } from '../../../input/batch.js'
import { InputError } from '../../../input/error.js'
import type { ConversionThreads } from '../../../input/log/thread/conversion-threads.js'
import { Countdown } from '../../../text/countdown.js'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import type { ExitCode } from '../../exit-code.js'
import { batchIds, type IngestCheckpoints } from '../../ingest/checkpoint/checkpoints.js'
import { BatchRemoval } from '../../ingest/checkpoint/removal.js'
import { namedTimeField, parametersOf } from '../../ingest/option/event-time.js'
import type { IngestOptions } from '../../ingest/option/options.js'
import { followFile } from '../../ingest/read/follow.js'
import { IngestReader, type Item } from '../../ingest/read/ingest-reader.js'
import {
  batchOptions,
  inputNames,
  openInput,
  readOptions,
  readOptionsForHeading,
} from '../../ingest/read/inputs.js'
import { RejectsFile } from '../../ingest/rejects/rejects-file.js'
import { RetryFile } from '../../ingest/rejects/retry-file.js'
import type { Meter } from '../../ingest/report/meter.js'
import { checkWritable, Receipt } from '../../ingest/report/receipt.js'
import { combineReporters, type Reporter } from '../../ingest/report/reporter.js'
import { ReservedNames } from '../../ingest/report/reserved-names.js'
import { IngestSummary, reportResult, type UnreadInput } from '../../ingest/report/summary.js'
import { TimeHint } from '../../ingest/report/time-advice.js'
import { smallYoungGeneration } from '../../ingest/report/young-generation.js'
import { ErrorLimit } from '../../ingest/send/error-limit.js'
import { IngestSender } from '../../ingest/send/sender.js'
import { reportPending, reportRetries } from '../../ingest/send/waiting.js'
import type { Interrupt } from '../../terminal/interrupt.js'
import type { Progress } from '../../terminal/progress.js'

/** The inputs, the destination and the reporters of a run of `evq ingest`. */
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
  /** The time for batches in flight to finish after an interruption, in milliseconds. */
  readonly settleMs: number
}

/** Files that are opened before the first input is read. */
interface RunFiles {
  readonly rejects: RejectsFile | undefined
  readonly retry: RetryFile | undefined
}

/** A run of `evq ingest`: sends the inputs one after the other, or all at once with `--follow`. */
export class IngestRun {
  private readonly options: IngestOptions
  private readonly context: Context
  private readonly interrupt: Interrupt
  private readonly progress: Progress
  private readonly meter: Meter
  private readonly summary: IngestSummary
  private readonly reporter: Required<Reporter>
  private readonly retry: RetryFile | undefined
  private readonly sender: IngestSender
  private readonly checkpoints: IngestCheckpoints
  private readonly reader: IngestReader
  private readonly threads: ConversionThreads | undefined
  private readonly timeHint: TimeHint
  private readonly reservedNames: ReservedNames
  private readonly unreadable: InputError[] = []
  private readonly unreadInputs: UnreadInput[] = []
  private unwritable: CommandError | undefined
  private hasReadAll = false
  /** True when a checkpoint records where the same command resumes. */
  private isResumable = false
  /** Aborted on an interruption, and when the run has failed. */
  private readonly stop: AbortSignal

  private constructor(run: RunOptions, { rejects, retry }: RunFiles) {
    const { options, context, connection, compression, checkpoints, interrupt, progress, meter } =
      run
    const { dataset, concurrency } = options
    this.options = options
    this.context = context
    this.interrupt = interrupt
    this.progress = progress
    this.meter = meter
    this.summary = new IngestSummary({ dataset, note: (text) => this.note(text) })
    this.retry = retry
    const own = [rejects, retry].flatMap((reporter) => reporter ?? [])
    this.reporter = combineReporters([
      this.summary,
      meter,
      ...own,
      smallYoungGeneration(),
      ...this.optionalReporters(),
      checkpoints,
    ])
    this.sender = new IngestSender({
      connection,
      dataset,
      parameters: parametersOf(options),
      compression,
      concurrency,
      retry: {
        ...run.retry,
        signal: interrupt.signal,
        ...reportRetries({ context, progress, meter }),
      },
      interrupt: interrupt.signal,
      deadline: deadlineAfter(interrupt.signal, run.settleMs),
      batchId: retry === undefined ? batchIds(checkpoints) : (batch) => retry.batchId(batch),
      reporter: this.reporter,
    })
    this.stop = AbortSignal.any([interrupt.signal, this.sender.stopped])
    this.checkpoints = checkpoints
    const limits = batchOptions(options, this.stop)
    this.threads = limits.threads
    this.reader = new IngestReader({
      checkpoints,
      meter,
      read: readOptions(options, context),
      limits,
      follows: options.follow === true,
      open: (file) => openInput(file, context, this.stop),
      removal: new BatchRemoval({ connection, dataset, signal: this.stop }),
      signal: this.stop,
      note: (text) => this.note(text),
      restored: (restored) => this.reporter.restored(restored),
      replaced: (events) => this.summary.addReplaced(events),
    })
    this.timeHint = new TimeHint(options, (text) => this.note(text))
    this.reservedNames = new ReservedNames((text) => this.note(text))
    reportPending({ context, progress, signal: interrupt.signal, sender: this.sender })
  }

  /** Opens the receipt, the rejects file and the retry file. Throws a `CommandError` when one can't be opened. */
  static async open(run: RunOptions): Promise<IngestRun> {
    const { rejects, retry, receipt } = run.options
    if (receipt !== undefined) await checkWritable(receipt)
    return new IngestRun(run, {
      rejects: rejects === undefined ? undefined : await RejectsFile.open(rejects),
      retry: retry === undefined ? undefined : await RetryFile.open(retry, run.context.warn),
    })
  }

  /** Returns the reporters of `--max-errors` and `--receipt`. */
  private optionalReporters(): readonly Reporter[] {
    const { dataset, maxErrors, receipt, timestampFormat } = this.options
    const reporters: Reporter[] = []
    if (maxErrors !== undefined) {
      reporters.push(new ErrorLimit(maxErrors, (error) => this.sender.fail(error)))
    }
    if (receipt !== undefined) {
      const time = { field: namedTimeField(this.options) ?? '_time', format: timestampFormat }
      const isComplete = () => this.isComplete
      reporters.push(new Receipt({ path: receipt, dataset, time, isComplete }))
    }
    return reporters
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
      if (this.retry !== undefined) await this.sendRetries(this.retry)
      else if (this.options.follow) await this.followFiles()
      else await this.sendFiles()
      this.hasReadAll = !this.stop.aborted
    } finally {
      await this.sender.settled()
      await this.closeReporters()
      await this.threads?.close()
      this.progress.close()
    }
    return this.report()
  }

  /** Closes all reporters. A file that can't be written is reported after everything else. */
  private async closeReporters(): Promise<void> {
    try {
      await this.reporter.close()
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      this.unwritable = error
    }
  }

  private async sendFiles(): Promise<void> {
    const info = (text: string) => this.progress.pause(() => this.context.info(text))
    for await (const file of inputNames(this.options, { info })) {
      if (this.stop.aborted) return void this.unreadInputs.push({ input: file, events: 0 })
      await this.withInputErrors(() => this.sendAll(this.reader.items(file)))
    }
  }

  /** Follows all files concurrently until the run is interrupted. */
  private async followFiles(): Promise<void> {
    const { files } = this.options
    const { reader, checkpoints, stop: signal } = this
    const followOptions = { reader, checkpoints, signal, note: (text: string) => this.note(text) }
    await Promise.all(
      files.map((file) =>
        this.withInputErrors(() => this.sendAll(followFile(file, followOptions))),
      ),
    )
  }

  private async sendRetries(retry: RetryFile): Promise<void> {
    const read = readOptions(this.options, this.context)
    for (const heading of retry.headings) {
      if (this.stop.aborted) return
      const bytes = retry.open(heading, this.stop)
      const opened = { name: retry.path, bytes, isLive: false }
      await this.withInputErrors(() =>
        this.sendAll(this.reader.all(opened, readOptionsForHeading(heading, read))),
      )
      await this.sender.settled()
    }
  }

  private async withInputErrors(send: () => Promise<void>): Promise<void> {
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
      if (item.kind === 'batch') await this.send(this.retry?.withLines(item) ?? item)
      else if (item.kind === 'unsendable')
        await this.reporter.unsendable(this.retry?.withLine(item) ?? item)
      else await this.ended(item)
    }
  }

  private async ended(end: InputEnd): Promise<void> {
    const { input, position, isWhole } = end
    const isResumable = this.checkpoints.isResumable(input)
    this.isResumable ||= isResumable
    if (!isWhole)
      this.unreadInputs.push({
        input: input,
        events: position.event,
        isResumable,
      })
    await this.reporter.ended(end)
  }

  private async send(batch: Batch): Promise<void> {
    await this.timeHint.check(batch)
    this.reservedNames.check(batch)
    this.meter.addBatch(batch)
    await this.sender.send(batch)
  }

  private report(): ExitCode {
    const { summary, unreadInputs, unreadable, unwritable, sender, interrupt, reader } = this
    const interrupted = interrupt.exitCode()
    const { failure } = sender
    // Events that were not sent are in the rejects file, if there is one, and are not sent again from their input.
    const left = unreadInputs.length + (this.options.rejects === undefined ? summary.unsent : 0)
    const isResumable = this.isResumable && left > 0
    return reportResult(
      {
        summary,
        unreadInputs,
        unreadable,
        unwritable,
        failure,
        interrupted,
        isResumable,
        unchanged: reader.unchanged,
      },
      this.context,
    )
  }
}

/** Returns a signal that is aborted `ms` milliseconds after the interruption. */
function deadlineAfter(interrupt: AbortSignal, ms: number): AbortSignal {
  const deadline = new AbortController()
  // Every request in flight adds a listener.
  setMaxListeners(0, deadline.signal)
  const start = () => new Countdown(ms, () => deadline.abort())
  if (interrupt.aborted) start()
  else interrupt.addEventListener('abort', start, { once: true })
  return deadline.signal
}
