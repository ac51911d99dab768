import { setMaxListeners } from 'node:events'
import type { Connection } from '../../../client/connection.js'
import type { RetryPolicy } from '../../../client/retry.js'
import type { WireCompression } from '../../../client/wire-compression.js'
import type { Batch, InputEnd } from '../../../input/batch.js'
import type { BatchOptions } from '../../../input/batches.js'
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
import { inputNotices } from '../../ingest/read/format-name.js'
import {
  allItems,
  type IngestReader,
  type Item,
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
import { IngestSender } from '../../ingest/send/sender.js'
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

/** A run that is sending its inputs. */
interface Sending {
  readonly run: RunOptions
  readonly reader: IngestReader
  readonly sender: IngestSender
  readonly reporter: Required<Reporter>
  /** The rejects file whose events are sent. */
  readonly retry: RetryFile | undefined
  /** Checks of each batch before it is sent, which report problems. */
  readonly checks: readonly ((batch: Batch) => void)[]
  readonly read: ReadingOutcome
}

/** The inputs that were read, and their events. */
interface ReadingOutcome {
  readonly unreadable: InputError[]
  readonly unread: UnreadInput[]
  readonly unchanged: UnchangedInput[]
  isWhole: boolean
  /** True when a checkpoint records where the same command resumes. */
  isResumable: boolean
}

/**
 * Sends the inputs of a run one after the other, or all at once with `--follow`. Returns the exit code. Throws a `CommandError` when
 * the receipt, the rejects file or the retry file can't be opened.
 */
export async function sendInputs(run: RunOptions): Promise<ExitCode> {
  const { options, context, interrupt, progress, meter, checkpoints } = run
  const { signal } = interrupt
  const { dataset, maxErrors, receipt, timestampFormat: format } = options
  if (receipt !== undefined) await checkWritable(receipt)
  const rejects = options.rejects === undefined ? undefined : await openRejectsFile(options.rejects)
  const retry =
    options.retry === undefined ? undefined : await RetryFile.open(options.retry, context.warn)
  const note = (text: string): void => progress.pause(() => context.warn(text))
  const summary = new IngestSummary(dataset, note)
  const read: ReadingOutcome = {
    unreadable: [],
    unread: [],
    unchanged: [],
    isWhole: false,
    isResumable: false,
  }
  const time = { field: namedTimeField(options) ?? '_time', format }
  const isComplete = () => read.isWhole && read.unreadable.length === 0 && !stop.aborted
  const reporter = combineReporters([
    summary,
    meter,
    ...[rejects, retry].flatMap((reporter) => reporter ?? []),
    ...(maxErrors ? [errorLimit(maxErrors, (error) => sender.fail(error))] : []),
    ...(receipt === undefined ? [] : [receiptOf({ path: receipt, dataset, time, isComplete })]),
    checkpoints,
  ])
  const sender = new IngestSender({
    connection: run.connection,
    dataset,
    parameters: parametersOf(options),
    compression: run.compression,
    concurrency: options.concurrency,
    retry: { ...run.retry, signal, ...reportRetries({ context, progress, meter }) },
    interrupt: signal,
    deadline: deadlineAfter(signal, run.settleMs),
    batchId: (batch) => (retry ?? checkpoints).batchId(batch),
    reporter,
  })
  /** Aborted on an interruption, and when the run has failed. */
  const stop = AbortSignal.any([signal, sender.stopped])
  const threads = conversionThreads()
  const reader = readerFor(
    run,
    { signal: stop, threads },
    {
      note,
      restored: reporter.restored,
      replaced: (events) => summary.addReplaced(events),
      unchanged: (input) => void read.unchanged.push(input),
    },
  )
  const checks = [timeHint(options, note), reservedNamesNote(note)]
  reportPending({ context, progress, signal, sender })
  let unwritable: CommandError | undefined
  try {
    await sendEverything({ run, reader, sender, reporter, retry, checks, read })
    read.isWhole = !stop.aborted
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
  // Events that were not sent are in the rejects file, if there is one, and are not sent again from their input.
  const left = read.unread.length + (rejects ? 0 : summary.counts.unsent)
  return reportResult(
    {
      summary,
      ...read,
      isResumable: read.isResumable && left > 0,
      unwritable,
      failure: sender.failure,
      interrupted: interrupt.exitCode(),
    },
    context,
  )
}

type Receivers = Pick<IngestReader, 'note' | 'restored' | 'replaced' | 'unchanged'>

function readerFor(
  { options, context, connection, checkpoints, meter }: RunOptions,
  { signal, threads }: Pick<BatchOptions, 'signal' | 'threads'> & { readonly signal: AbortSignal },
  receivers: Receivers,
): IngestReader {
  const read = readOptions(options, context)
  const { bytes, ...most } = batchLimits(options)
  return {
    ...receivers,
    checkpoints,
    meter,
    read,
    limits: { ...most, pool: new BufferPool(bytes), signal, threads },
    follows: options.follow === true,
    removal: batchRemoval({ connection, dataset: options.dataset, signal }),
    signal,
    noticeInput: inputNotices(read, { flag: '-i', tell: receivers.note }),
  }
}

async function sendEverything(sending: Sending): Promise<void> {
  const { run, reader, retry } = sending
  const { options } = run
  if (retry !== undefined) return await sendRetries(retry, sending)
  if (!options.follow) return await sendFiles(sending)
  const following = options.files.map((file) => sendAll(followFile(file, reader), sending))
  await Promise.all(following)
}

async function sendFiles(sending: Sending): Promise<void> {
  const { reader, read } = sending
  const { options, context, progress } = sending.run
  const { signal } = reader
  const info = (text: string) => progress.pause(() => context.info(text))
  for await (const file of inputNames(options, { info })) {
    if (signal.aborted) return void read.unread.push({ input: file, events: 0 })
    const open = () => openInput(file, context, signal)
    await sendAll(itemsOf({ file, open }, reader), sending)
  }
}

async function sendRetries(file: RetryFile, sending: Sending): Promise<void> {
  const { reader, sender } = sending
  for (const heading of file.headings) {
    if (reader.signal.aborted) return
    const bytes = file.read(heading, reader.signal)
    const opened = { name: file.path, bytes, isLive: false }
    await sendAll(allItems(opened, readOptionsForHeading(heading, reader.read), reader), sending)
    await sender.settled()
  }
}

/** Sends the items of an input. An error of the input does not end the run. */
async function sendAll(items: AsyncIterable<Item>, sending: Sending): Promise<void> {
  const { sender, retry, reporter, read } = sending
  try {
    for await (const item of items) {
      if (item.kind === 'batch') await send(retry ? retry.withLines(item) : item, sending)
      else if (item.kind === 'end') await ended(item, sending)
      else await reporter.unsendable(retry ? retry.withLine(item) : item)
    }
  } catch (error) {
    if (error instanceof InputError) read.unreadable.push(error)
    else if (error instanceof CommandError) sender.fail(error)
    else throw error
  }
}

async function send(batch: Batch, { run, sender, checks }: Sending): Promise<void> {
  for (const check of checks) check(batch)
  run.meter.addBatch(batch)
  await sender.send(batch)
}

async function ended(end: InputEnd, { run, reporter, read }: Sending): Promise<void> {
  const { input, position, isWhole } = end
  const isResumable = run.checkpoints.isResumable(input)
  read.isResumable ||= isResumable
  if (!isWhole) read.unread.push({ input, events: position.event, isResumable })
  await reporter.ended(end)
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
