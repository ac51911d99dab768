import { setMaxListeners } from 'node:events'
import type { Connection } from '../../../client/connection.js'
import type { RetryPolicy } from '../../../client/retry.js'
import type { WireCompression } from '../../../client/wire-compression.js'
import type { Batch, InputEnd } from '../../../input/batch.js'
import { BufferPool } from '../../../input/buffer-pool.js'
import { InputError } from '../../../input/error.js'
import { Countdown } from '../../../text/countdown.js'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import type { ExitCode } from '../../exit-code.js'
import type { IngestCheckpoints } from '../../ingest/checkpoint/checkpoints.js'
import { batchRemoval } from '../../ingest/checkpoint/removal.js'
import { namedTimeField, parametersOf } from '../../ingest/option/event-time.js'
import type { IngestOptions } from '../../ingest/option/options.js'
import { followFile } from '../../ingest/read/follow.js'
import { type Item, ingestReader } from '../../ingest/read/ingest-reader.js'
import {
  batchLimits,
  conversionThreads,
  inputNames,
  openInput,
  readOptions,
  readOptionsForHeading,
} from '../../ingest/read/inputs.js'
import { openRejectsFile } from '../../ingest/rejects/rejects-file.js'
import { openRetryFile, type RetryFile } from '../../ingest/rejects/retry-file.js'
import type { Meter } from '../../ingest/report/meter.js'
import { receiptOf } from '../../ingest/report/receipt.js'
import { combineReporters } from '../../ingest/report/reporter.js'
import { reservedNamesNote } from '../../ingest/report/reserved-names.js'
import { ingestSummary, reportResult, type UnreadInput } from '../../ingest/report/summary.js'
import { timeHint } from '../../ingest/report/time-advice.js'
import { errorLimit } from '../../ingest/send/error-limit.js'
import { ingestSender } from '../../ingest/send/sender.js'
import { reportPending, reportRetries } from '../../ingest/send/waiting.js'
import { checkWritable } from '../../output/file.js'
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

/**
 * Sends the inputs of a run one after the other, or all at once with `--follow`. Returns the exit code. Throws a `CommandError` when
 * the receipt, the rejects file or the retry file can't be opened.
 */
export async function sendInputs(run: RunOptions): Promise<ExitCode> {
  const { options, context, connection, checkpoints, interrupt, progress, meter } = run
  const { signal } = interrupt
  const { dataset, maxErrors, receipt, timestampFormat } = options
  if (receipt !== undefined) await checkWritable(receipt)
  const rejects = options.rejects === undefined ? undefined : await openRejectsFile(options.rejects)
  const retry =
    options.retry === undefined ? undefined : await openRetryFile(options.retry, context.warn)
  const note = (text: string): void => progress.pause(() => context.warn(text))
  const summary = ingestSummary({ dataset, note })
  const unreadable: InputError[] = []
  const unreadInputs: UnreadInput[] = []
  let hasReadAll = false
  /** True when a checkpoint records where the same command resumes. */
  let isResumable = false
  const time = { field: namedTimeField(options) ?? '_time', format: timestampFormat }
  const isComplete = () => hasReadAll && unreadable.length === 0 && !stop.aborted
  const reporter = combineReporters([
    summary,
    meter,
    ...[rejects, retry].flatMap((reporter) => reporter ?? []),
    ...(maxErrors ? [errorLimit(maxErrors, (error) => sender.fail(error))] : []),
    ...(receipt === undefined ? [] : [receiptOf({ path: receipt, dataset, time, isComplete })]),
    checkpoints,
  ])
  const sender = ingestSender({
    connection,
    dataset,
    parameters: parametersOf(options),
    compression: run.compression,
    concurrency: options.concurrency,
    retry: { ...run.retry, signal, ...reportRetries({ context, progress, meter }) },
    interrupt: signal,
    deadline: deadlineAfter(signal, run.settleMs),
    batchId: (retry ?? checkpoints).batchId,
    reporter,
  })
  /** Aborted on an interruption, and when the run has failed. */
  const stop = AbortSignal.any([signal, sender.stopped])
  const read = readOptions(options, context)
  const { bytes, ...most } = batchLimits(options)
  const threads = conversionThreads()
  const limits = { ...most, pool: new BufferPool(bytes), signal: stop, threads }
  const reader = ingestReader({
    checkpoints,
    meter,
    read,
    limits,
    follows: options.follow === true,
    open: (file) => openInput(file, context, stop),
    removal: batchRemoval({ connection, dataset, signal: stop }),
    signal: stop,
    note,
    restored: (restored) => reporter.restored(restored),
    replaced: (events) => summary.addReplaced(events),
  })
  const hintAtTime = timeHint(options, note)
  const noteReserved = reservedNamesNote(note)
  reportPending({ context, progress, signal, sender })

  async function sendFiles(): Promise<void> {
    const info = (text: string) => progress.pause(() => context.info(text))
    for await (const file of inputNames(options, { info })) {
      if (stop.aborted) return void unreadInputs.push({ input: file, events: 0 })
      await sendAll(reader.items(file))
    }
  }

  async function sendRetries(file: RetryFile): Promise<void> {
    for (const heading of file.headings) {
      if (stop.aborted) return
      const opened = { name: file.path, bytes: file.open(heading, stop), isLive: false }
      await sendAll(reader.all(opened, readOptionsForHeading(heading, read)))
      await sender.settled()
    }
  }

  /** Sends the items of an input. An error of the input does not end the run. */
  async function sendAll(items: AsyncIterable<Item>): Promise<void> {
    try {
      for await (const item of items) {
        if (item.kind === 'batch') await send(retry ? retry.withLines(item) : item)
        else if (item.kind === 'end') await ended(item)
        else await reporter.unsendable(retry ? retry.withLine(item) : item)
      }
    } catch (error) {
      if (error instanceof InputError) unreadable.push(error)
      else if (error instanceof CommandError) sender.fail(error)
      else throw error
    }
  }

  async function send(batch: Batch): Promise<void> {
    hintAtTime(batch)
    noteReserved(batch)
    meter.addBatch(batch)
    await sender.send(batch)
  }

  async function ended(end: InputEnd): Promise<void> {
    const { input, position, isWhole } = end
    const resumes = checkpoints.isResumable(input)
    isResumable ||= resumes
    if (!isWhole) unreadInputs.push({ input, events: position.event, isResumable: resumes })
    await reporter.ended(end)
  }

  let unwritable: CommandError | undefined
  try {
    if (retry) await sendRetries(retry)
    else if (options.follow) {
      const following = { reader, checkpoints, signal: stop, note }
      await Promise.all(options.files.map((file) => sendAll(followFile(file, following))))
    } else await sendFiles()
    hasReadAll = !stop.aborted
  } finally {
    await sender.settled()
    // A file that can't be written is reported after everything else.
    await reporter.close().catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error
      unwritable = error
    })
    await threads?.close()
    progress.close()
  }
  const failure = sender.failure()
  const { unchanged } = reader
  const interrupted = interrupt.exitCode()
  // Events that were not sent are in the rejects file, if there is one, and are not sent again from their input.
  const left = unreadInputs.length + (rejects ? 0 : summary.counts.unsent)
  isResumable &&= left > 0
  return reportResult(
    { summary, unreadInputs, unreadable, unwritable, failure, interrupted, isResumable, unchanged },
    context,
  )
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
