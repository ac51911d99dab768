// Reads files or a stream into a temporary service, whose events can be shown while it reads.
import { managedDatasets } from '../../../client/datasets.js'
import { FLUSH_EVERY_MS } from '../../../client/limits.js'
import type { Batch, UnsendableEvent } from '../../../input/batch.js'
import { formatOption } from '../../../input/format.js'
import type { Input } from '../../../input/input.js'
import type { OpenInput } from '../../../input/open.js'
import { isParquet } from '../../../input/parquet.js'
import type { ReadOptions } from '../../../input/read-options.js'
import { aborted } from '../../../text/abort.js'
import { MAX_BATCH_EVENTS } from '../../../wire/limits.js'
import { closeConnection } from '../../connection/with-connection.js'
import type { Context } from '../../context.js'
import type { ReadingFlags } from '../../ingest/option/reading-flags.js'
import { conversionThreads, readOptions } from '../../ingest/read/inputs.js'
import { countingBytes, workloadOf } from '../../ingest/report/workload.js'
import type { BatchOutcome } from '../../ingest/send/outcome.js'
import { shortBytes } from '../../option/quantity.js'
import type { Interrupt } from '../../terminal/interrupt.js'
import { storeItems } from '../query/input/load.js'
import { readFiles } from '../query/input/read.js'
import { type InputService, openInputService } from '../query/input/service.js'
import { Unread } from '../query/input/unread.js'
import { type FileEnd, followFile } from './follow-files.js'
import { type LastEvent, LastEvents } from './last-events.js'
import { type InputForm, originalsOf } from './original.js'
import type { ReadingState } from './state.js'
import { StoredBatches } from './stored-batches.js'
import { type StreamCopies, streamCopies } from './stream-copies.js'

interface InputOptions {
  readonly files: readonly string[]
  readonly reading: ReadingFlags
  readonly interrupt: Interrupt
  /** Called when more events can be queried, and at the end. */
  onProgress(state: ReadingState): void
  onFailure(error: unknown): void
}

/** The name of the dataset that the events are in. Queries do not name it. */
const DATASET = 'input'

/** Smaller batches take less memory, and the keys are handled between them. */
const BATCH_BYTES = 4 * 1024 * 1024
const STREAM_BATCH_BYTES = 1024 * 1024
/** The longest time for which an event of a stream waits for its batch to fill. */
const FLUSH_MS = 100
const REPORT_EVERY_MS = 200
/** After this many bytes, reading a stream pauses and its producer waits, because its events fill the disk of temporary files. */
const MOST_STREAM_BYTES = 4e9

/** Opens a temporary service, and begins to read files into it. */
export async function openViewInput(
  { files, reading, interrupt, onProgress, onFailure }: InputOptions,
  context: Context,
) {
  const { openTemporaryDirectory } = await import('../../../local/temporary-directory.js')
  const directory = await openTemporaryDirectory()
  const ended = new AbortController()
  const signal = AbortSignal.any([interrupt.signal, ended.signal])
  try {
    const plan = { main: { dataset: DATASET, patterns: files }, files: new Map() }
    const service = await openInputService({ plan, reading, directory: directory.path }, context)
    const silent = { ...context, info: () => {}, warn: () => {} }
    const following = new AbortController()
    const before = (cursor: string) => service.before(DATASET, cursor, signal)
    const copies = streamCopies(directory.path)
    const stored = new StoredBatches<InputForm>()
    const loading = load(
      { files, reading, service, signal, onProgress, following: following.signal, copies, stored },
      silent,
    ).catch((error: unknown) => {
      if (!signal.aborted) onFailure(error)
    })
    return {
      connection: service.connection,
      input: DATASET,
      /** Also reads what is appended to the files, once they are read to their ends. */
      follow: () => following.abort(),
      before,
      original: originalsOf({ stored, before, signal }),
      async close() {
        ended.abort()
        try {
          await Promise.race([loading, aborted(interrupt.signal)])
          await closeConnection(service.connection, interrupt)
        } finally {
          copies.close()
          directory.remove()
        }
      },
    }
  } catch (error) {
    directory.remove()
    throw error
  }
}

interface LoadOptions extends Pick<InputOptions, 'files' | 'reading' | 'onProgress'> {
  readonly service: InputService
  readonly signal: AbortSignal
  /** Aborted when the files are to be followed. */
  readonly following: AbortSignal
  readonly copies: StreamCopies
  readonly stored: StoredBatches<InputForm>
}

/** Reads files to their ends, and then what is appended to them. */
async function load(options: LoadOptions, context: Context): Promise<void> {
  const { files, reading, service, signal, following, copies } = options
  const last = new LastEvents(new Unread())
  const progress = readingReports(options, last, (await workloadOf(files, context.io.stdin)).total)
  const read = readOptions(reading, context)
  const forms = new Map<string, InputForm>()
  const onInput = (input: Input) => {
    forms.set(input.name, formOf(input, { read, copies }))
    // The time of arrival in a stream is close to the time of the event.
    if (input.isLive) last.hasTimes = true
  }
  const loading = { ...options, last, progress, read, onInput }
  const reporter = reporterOf(loading, forms)
  const ends = await readToEnds(loading, reporter, context)
  if (signal.aborted) return
  // Makes queries possible without an event.
  if (last.events === 0) await service.clear(DATASET)
  progress.done()
  await aborted(AbortSignal.any([signal, following]))
  if (!signal.aborted) await followEnds(ends, loading, reporter)
}

interface Loading extends LoadOptions {
  readonly last: LastEvents
  readonly progress: ReturnType<typeof readingReports>
  readonly read: ReadOptions
  /** Called when the format of an input is known. */
  onInput(input: Input): void
}

/** Returns the receiver of the outcomes of batches. */
function reporterOf({ stored, last, progress }: Loading, forms: ReadonlyMap<string, InputForm>) {
  let isFirst = true
  return {
    async settled(outcome: BatchOutcome) {
      stored.add(outcome, forms.get(outcome.batch.input)!)
      await last.settled(outcome)
      if (isFirst) progress.report()
      isFirst = false
    },
    unsendable: (event: UnsendableEvent) => last.unsendable(event),
  }
}

/** Reads files to their ends, and returns these. */
async function readToEnds(
  { files, reading, service, signal, copies, last, progress, onInput }: Loading,
  unread: ReturnType<typeof reporterOf>,
  context: Context,
): Promise<readonly FileEnd[]> {
  const ends: FileEnd[] = []
  const isStream = files.includes('-')
  const limits = {
    bytes: isStream ? STREAM_BATCH_BYTES : BATCH_BYTES,
    maxEvents: MAX_BATCH_EVENTS,
    flushMs: isStream ? FLUSH_MS : FLUSH_EVERY_MS,
    isTailApart: !isStream,
  }
  const threads = conversionThreads()
  const stop = progress.start()
  try {
    const items = readFiles(files, {
      reading,
      context,
      limits,
      threads,
      unread: last.others,
      progress: { context, count: (opened) => progress.counted(kept(opened, copies)), close() {} },
      signal,
      onInput,
      onEnd(input, { position }) {
        ends.push({ input, position, last: last.of(input.name) })
      },
    })
    const { connection } = service
    const removableId = (batch: Batch) => last.noted(batch)
    await storeItems(DATASET, items, { connection, reading, unread, signal, removableId })
    return ends
  } finally {
    stop()
    await threads?.close()
  }
}

/** Reads what is appended to files. */
async function followEnds(
  ends: readonly FileEnd[],
  { reading, service, signal, stored, last, progress, read, onInput }: Loading,
  unread: ReturnType<typeof reporterOf>,
): Promise<void> {
  const { connection } = service
  const replace = async (one: LastEvent): Promise<void> => {
    await managedDatasets(connection, signal).removeBatches(DATASET, [one.batchId])
    last.forget(one.input)
    stored.remove(one.batchId)
  }
  const stop = progress.start()
  try {
    const followed = ends.map((end) => followFile(end, { read, signal, replace, onInput }))
    await storeItems(DATASET, asTheyCome(followed), { connection, reading, unread, signal })
  } finally {
    stop()
  }
}

/** Returns a copied stream, or another input as it is. */
function kept(opened: OpenInput, copies: StreamCopies): OpenInput {
  const isStream = opened.file === undefined && opened.format === undefined
  return isStream ? copies.copied(opened) : opened
}

/** Returns how the bytes of an input are read again. */
function formOf(
  { name, format, layout, mapping }: Input,
  { read, copies }: { readonly read: ReadOptions; readonly copies: StreamCopies },
): InputForm {
  const copy = copies.pathOf(name)
  return {
    name,
    path: copy ?? (isParquet(name) ? undefined : name),
    isCopy: copy !== undefined,
    read: { ...read, format: formatOption(format), layout, mapping },
  }
}

/** Yields the items of several sources as they arrive. */
async function* asTheyCome<Item>(sources: readonly AsyncGenerator<Item>[]): AsyncGenerator<Item> {
  const next = (source: AsyncGenerator<Item>) => {
    const found = source.next().then((result) => ({ source, result }))
    // Another source may fail first.
    found.catch(() => {})
    return found
  }
  const pending = new Map(sources.map((source) => [source, next(source)]))
  try {
    while (pending.size > 0) {
      const { source, result } = await Promise.race(pending.values())
      if (result.done === true) pending.delete(source)
      else {
        yield result.value
        pending.set(source, next(source))
      }
    }
  } finally {
    // Sources that wait for more bytes end when the view does.
    for (const source of sources) source.return(undefined).catch(() => {})
  }
}

/** Reports how much of the files has been read, when it changes. `total` is their size, if it is known. */
function readingReports(
  { files, signal, onProgress }: Pick<LoadOptions, 'files' | 'signal' | 'onProgress'>,
  last: LastEvents,
  total: number | undefined,
) {
  const isStream = files.includes('-')
  let bytes = 0
  let isDone = false
  let isFull = false
  let reported = ''

  function report(): void {
    const { events, replaced, hasTimes, trouble } = last
    const current = [events, replaced, isDone, isFull].join(' ')
    if (current === reported) return
    reported = current
    onProgress({
      ...{ events, bytes, isDone, replaced, hasTimes },
      share: total && !isStream ? Math.min(1, bytes / total) : undefined,
      trouble: isFull ? `Reading is paused after ${shortBytes(bytes)}` : trouble,
    })
  }

  return {
    report,
    /** Reports from now on, until the returned function is called. */
    start(): () => void {
      const timer = setInterval(report, REPORT_EVERY_MS)
      return () => clearInterval(timer)
    },
    /** Reports that all files were read to their ends. */
    done(): void {
      isDone = true
      report()
    },
    /** Returns an input that counts its bytes; reading a stream pauses once it has too many. */
    counted(opened: OpenInput): OpenInput {
      const counting = countingBytes(opened.bytes, async (length) => {
        bytes += length
        if (!isStream || bytes < MOST_STREAM_BYTES) return
        isFull = true
        report()
        await aborted(signal)
      })
      return { ...opened, bytes: counting }
    },
  }
}
