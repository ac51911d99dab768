import { setMaxListeners } from 'node:events'
import type { Connection } from '../../../client/connection.js'
import type { RetryPolicy } from '../../../client/retry.js'
import type { WireCompression } from '../../../client/wire-compression.js'
import type { Batch, InputEnd, InputItem } from '../../../input/batch.js'
import type { BatchOptions } from '../../../input/batches.js'
import { BufferPool } from '../../../input/buffer-pool.js'
import { InputError, inputLabel } from '../../../input/error.js'
import { Countdown } from '../../../text/countdown.js'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import type { ExitCode } from '../../exit-code.js'
import type { IngestCheckpoints } from '../../ingest/checkpoint/checkpoints.js'
import { batchRemoval } from '../../ingest/checkpoint/removal.js'
import { namedTimeField, parametersOf } from '../../ingest/option/event-time.js'
import type { IngestOptions } from '../../ingest/option/options.js'
import { distinctFiles } from '../../ingest/read/distinct-files.js'
import { followFile } from '../../ingest/read/follow.js'
import { inputNotices } from '../../ingest/read/format-name.js'
import {
  allItems,
  type IngestReader,
  itemsOf,
  type UnchangedInput,
} from '../../ingest/read/ingest-reader.js'
import {
  batchLimits,
  conversionThreads,
  inputNames,
  openInput,
  readOptions,
  readOptionsForHeading,
} from '../../ingest/read/inputs.js'
import { openRejectsFile } from '../../ingest/rejects/rejects-file.js'
import { RetryFile } from '../../ingest/rejects/retry-file.js'
import type { Meter } from '../../ingest/report/meter.js'
import { receiptOf } from '../../ingest/report/receipt.js'
import { combineReporters, type Reporter } from '../../ingest/report/reporter.js'
import { reservedNamesNote } from '../../ingest/report/reserved-names.js'
import { IngestSummary, reportResult, type UnreadInput } from '../../ingest/report/summary.js'
import { timeHint } from '../../ingest/report/time-advice.js'
import { errorLimit } from '../../ingest/send/error-limit.js'
import { type InFlight, IngestSender } from '../../ingest/send/sender.js'
import { reportPending, reportRetries } from '../../ingest/send/waiting.js'
import { checkWritable } from '../../output/file.js'
import type { Interrupt } from '../../terminal/interrupt.js'
import type { Progress } from '../../terminal/progress.js'

/** The inputs, the destination and the reporters of a run of `evq ingest`. */
interface RunOptions {
  readonly options: IngestOptions
  readonly context: Context
  readonly connection: Connection
  readonly compression?: WireCompression | undefined
  readonly checkpoints: IngestCheckpoints
  readonly interrupt: Interrupt
  readonly progress: Progress
  readonly meter: Meter
  readonly retry: RetryPolicy
  /** The most that is in flight. */
  readonly most: InFlight
  /** The time for batches in flight to finish after an interruption, in milliseconds. */
  readonly settleMs: number
}

/**
 * Sends the inputs of a run one after the other, or all at once with `--follow`. Returns the exit code. Throws a `CommandError` when
 * the receipt, the rejects file or the retry file can't be opened.
 */
export async function sendInputs(run: RunOptions): Promise<ExitCode> {
  const { receipt, rejects, retry } = run.options
  if (receipt !== undefined) await checkWritable(receipt)
  const files: Files = {
    rejects: rejects === undefined ? undefined : await openRejectsFile(rejects),
    retry: retry === undefined ? undefined : await RetryFile.open(retry, run.context.warn),
  }
  const threads = conversionThreads()
  return await new IngestRun(run, files, threads).finish().finally(() => threads?.close())
}

/** The files of events that were not stored: of this run, and of the run whose events are sent again. */
interface Files {
  readonly rejects: Reporter | undefined
  readonly retry: RetryFile | undefined
}

class IngestRun {
  private readonly run: RunOptions
  private readonly files: Files
  private readonly summary: IngestSummary
  private readonly reporter: Required<Reporter>
  private readonly sender: IngestSender
  /** Aborted on an interruption, and when the run has failed. */
  private readonly stop: AbortSignal
  private readonly reader: IngestReader
  /** Checks of each batch before it is sent, which report problems. */
  private readonly checks: readonly ((batch: Batch) => void)[]
  private readonly unreadable: InputError[] = []
  /** The errors among them that were reported when they happened. */
  private readonly noted = new Set<InputError>()
  private readonly unread: UnreadInput[] = []
  private readonly unchanged: UnchangedInput[] = []
  private isWhole = false
  /** True when a checkpoint records where the same command resumes. */
  private isResumable = false

  constructor(run: RunOptions, files: Files, threads: BatchOptions['threads']) {
    const { options, context, interrupt, progress } = run
    const note = (text: string): void => progress.pause(() => context.warn(text))
    this.run = run
    this.files = files
    this.summary = new IngestSummary(options.dataset, note)
    this.reporter = combineReporters([...this.reporters()])
    this.sender = this.senderOf()
    this.stop = AbortSignal.any([interrupt.signal, this.sender.stopped])
    this.reader = this.readerOf(note, threads)
    this.checks = [timeHint(options, note), reservedNamesNote(note)]
  }

  private *reporters(): Generator<Reporter> {
    const { options, meter, checkpoints } = this.run
    const { dataset, maxErrors, receipt: path, timestampFormat: format } = options
    const { rejects, retry } = this.files
    yield this.summary
    yield meter
    if (path !== undefined) {
      const time = { field: namedTimeField(options) ?? '_time', format }
      const isComplete = () => this.isWhole && this.unreadable.length === 0 && !this.stop.aborted
      yield receiptOf({ path, dataset, time, isComplete })
    }
    if (rejects !== undefined) yield rejects
    if (retry !== undefined) yield retry
    if (maxErrors !== undefined) yield errorLimit(maxErrors, (error) => this.sender.fail(error))
    yield checkpoints
  }

  private senderOf(): IngestSender {
    const { run, reporter, files } = this
    const { options, interrupt } = run
    const { signal } = interrupt
    return new IngestSender({
      connection: run.connection,
      dataset: options.dataset,
      parameters: parametersOf(options),
      compression: run.compression,
      most: run.most,
      retry: { ...run.retry, signal, ...reportRetries(run) },
      interrupt: signal,
      deadline: deadlineAfter(signal, run.settleMs),
      batchId: (batch) => (files.retry ?? run.checkpoints).batchId(batch),
      reporter,
    })
  }

  private readerOf(note: (text: string) => void, threads: BatchOptions['threads']): IngestReader {
    const { options, context, connection, checkpoints, meter } = this.run
    const { stop: signal } = this
    const read = readOptions(options, context)
    const { bytes, ...most } = batchLimits(options, checkpoints.isLocal)
    return {
      note,
      restored: this.reporter.restored,
      replaced: (events) => this.summary.addReplaced(events),
      unchanged: (input) => void this.unchanged.push(input),
      checkpoints,
      meter,
      read,
      limits: { ...most, pool: new BufferPool(bytes), signal, threads },
      follows: options.follow === true,
      removal: batchRemoval({ connection, dataset: options.dataset, signal }),
      signal,
      noticeInput: inputNotices(read, { flag: '-i', tell: note }),
    }
  }

  /** Sends all inputs, and reports the result. */
  async finish(): Promise<ExitCode> {
    const { run, sender, reporter, summary, unreadable, noted, unread, unchanged } = this
    const { context, interrupt, progress } = run
    reportPending({ context, progress, signal: interrupt.signal, sender })
    let unwritable: CommandError | undefined
    try {
      await this.sendEverything()
      this.isWhole = !this.stop.aborted
    } finally {
      await sender.settled()
      // A file that can't be written is reported after everything else.
      await reporter.close().catch((error: unknown) => {
        if (!(error instanceof CommandError)) throw error
        unwritable = error
      })
      progress.close()
    }
    // Events that were not sent are in the rejects file, if there is one, and are not sent again from their input.
    const left = unread.length + (this.files.rejects ? 0 : summary.counts.unsent)
    const { failure } = sender
    const isResumable = this.isResumable && left > 0
    const interrupted = interrupt.exitCode()
    const read = { unreadable, noted, unread, unchanged, isResumable }
    return reportResult({ summary, ...read, unwritable, failure, interrupted }, context)
  }

  private async sendEverything(): Promise<void> {
    const { reader } = this
    const { files, follow } = this.run.options
    if (this.files.retry !== undefined) return await this.sendRetries(this.files.retry)
    if (!follow) return await this.sendFiles()
    const names = await distinctFiles(files, (name, kept) =>
      reader.note(
        `${inputLabel(name)} is the same file as ${inputLabel(kept)}. It is followed once.`,
      ),
    )
    await Promise.all(names.map((file) => this.sendAll(followFile(file, reader))))
  }

  private async sendFiles(): Promise<void> {
    const { reader, stop } = this
    const { options, context, progress } = this.run
    const info = (text: string) => progress.pause(() => context.info(text))
    for await (const file of inputNames(options, { info })) {
      if (stop.aborted) return void this.unread.push({ input: file, events: 0 })
      const open = () => openInput(file, context, stop)
      await this.sendAll(itemsOf({ file, open }, reader))
    }
  }

  private async sendRetries(file: RetryFile): Promise<void> {
    const { reader, stop, sender } = this
    for (const heading of file.headings) {
      if (stop.aborted) return
      const opened = { name: file.path, bytes: file.read(heading, stop), isLive: false }
      await this.sendAll(allItems(opened, readOptionsForHeading(heading, reader.read), reader))
      await sender.settled()
    }
  }

  /** Sends the items of an input. An error of the input does not end the run. */
  private async sendAll(items: AsyncIterable<InputItem>): Promise<void> {
    const { retry } = this.files
    try {
      for await (const item of items) {
        if (item.kind === 'batch') await this.send(retry ? retry.withLines(item) : item)
        else if (item.kind === 'end') await this.ended(item)
        else await this.reporter.unsendable(retry ? retry.withLine(item) : item)
      }
    } catch (error) {
      if (error instanceof InputError) this.addUnreadable(error)
      else if (error instanceof CommandError) this.sender.fail(error)
      else throw error
    }
  }

  private addUnreadable(error: InputError): void {
    const { files, follow } = this.run.options
    this.unreadable.push(error)
    // The run may not end for a long time.
    if (!follow || this.unreadable.length === files.length) return
    this.noted.add(error)
    this.reader.note(error.message)
  }

  private async send(batch: Batch): Promise<void> {
    for (const check of this.checks) check(batch)
    this.run.meter.addBatch(batch)
    await this.sender.send(batch)
  }

  private async ended(end: InputEnd): Promise<void> {
    const { input, position, isWhole } = end
    const isResumable = this.run.checkpoints.isResumable(input)
    this.isResumable ||= isResumable
    if (!isWhole) this.unread.push({ input, events: position.event, isResumable })
    await this.reporter.ended(end)
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
