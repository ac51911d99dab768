// Reads files or a stream into a temporary service, whose rows are shown meanwhile.
import type { Connection } from '../../../client/connection.js'
import { managedDatasets } from '../../../client/datasets.js'
import type { Batch } from '../../../input/batch.js'
import type { OpenInput } from '../../../input/open.js'
import { aborted } from '../../../text/abort.js'
import { closeConnection } from '../../connection/with-connection.js'
import type { Context } from '../../context.js'
import { shortBytes } from '../../option/quantity.js'
import type { Interrupt } from '../../terminal/interrupt.js'
import type { ReadingFlags } from '../ingest/option/reading-flags.js'
import { batchOptions, readOptions } from '../ingest/read/inputs.js'
import { Workload } from '../ingest/report/workload.js'
import { storeItems } from '../query/input/load.js'
import { withCount } from '../query/input/progress.js'
import { readFiles } from '../query/input/read.js'
import { openInputService } from '../query/input/service.js'
import { Unread } from '../query/input/unread.js'
import { type FileEnd, followFile } from './follow-files.js'
import { type LastEvent, LastEvents } from './last-events.js'
import type { ReadingState } from './reading-state.js'

/** Files that are being read. */
export interface ViewInput {
  readonly connection: Connection
  /** The dataset with their events. */
  readonly input: string
  /** Also reads what is written to the files from now on, once they are read to their ends. */
  follow(): void
  close(): Promise<void>
}

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
/** The longest time that an event of a stream waits for others. */
const FLUSH_MS = 100
const REPORT_EVERY_MS = 200
/** A stream is read no further, and its producer waits: its events are on the disk of temporary files. */
const MOST_STREAM_BYTES = 4e9

/** Opens a temporary service, and begins to read files into it. */
export async function openViewInput(
  { files, reading, interrupt, onProgress, onFailure }: InputOptions,
  context: Context,
): Promise<ViewInput> {
  const { openTemporaryDirectory } = await import('../../../local/temporary-directory.js')
  const directory = await openTemporaryDirectory()
  const ended = new AbortController()
  const signal = AbortSignal.any([interrupt.signal, ended.signal])
  try {
    const plan = { main: { dataset: DATASET, patterns: files }, files: new Map() }
    const service = await openInputService(
      { plan, directory: directory.path, isBrief: false },
      context,
    )
    const silent = { ...context, info: () => {}, warn: () => {} }
    const following = new AbortController()
    const { connection } = service
    const loading = load(
      { files, reading, signal, onProgress, following: following.signal },
      { connection, context: silent, clear: () => service.clear(DATASET) },
    ).catch((error: unknown) => {
      if (!signal.aborted) onFailure(error)
    })
    return {
      connection,
      input: DATASET,
      follow: () => following.abort(),
      async close() {
        ended.abort()
        await Promise.race([loading, aborted(interrupt.signal)])
        await closeConnection({ ...service.connection, close: service.close }, interrupt)
        directory.remove()
      },
    }
  } catch (error) {
    directory.remove()
    throw error
  }
}

interface LoadOptions extends Pick<InputOptions, 'files' | 'reading' | 'onProgress'> {
  readonly signal: AbortSignal
  /** Aborted when the files are to be followed. */
  readonly following: AbortSignal
}

interface Destination {
  readonly connection: Connection
  readonly context: Context
  /** Lets queries run without an event. */
  clear(): Promise<void>
}

/** Reads files to their ends, and what is written to them later. */
async function load(
  { files, reading, signal, onProgress, following }: LoadOptions,
  { connection, context, clear }: Destination,
): Promise<void> {
  const unread = new Unread()
  const last = new LastEvents(unread)
  const { total } = await Workload.of(files, context.io.stdin)
  const isStream = files.includes('-')
  let bytes = 0
  let reported = 0
  let isDone = false
  let isFull = false
  /** True when there is something to report besides the number of events. */
  let isNews = false
  const report = (): void => {
    const { events, replaced } = last
    if (events === reported && !isNews) return
    isNews = false
    reported = events
    const share = total && !isStream ? Math.min(1, bytes / total) : undefined
    const trouble = isFull ? `Reading is paused after ${shortBytes(bytes)}` : last.trouble
    onProgress({ events, share, bytes, isDone, replaced, trouble })
  }
  const timer = setInterval(report, REPORT_EVERY_MS)
  const limits = batchOptions(
    {
      dataset: DATASET,
      files,
      batchBytes: isStream ? STREAM_BATCH_BYTES : BATCH_BYTES,
      ...(isStream && { flushEvery: FLUSH_MS }),
    },
    signal,
  )
  const counted = async (length: number): Promise<void> => {
    bytes += length
    if (!isStream || bytes < MOST_STREAM_BYTES) return
    isFull = true
    isNews = true
    report()
    await aborted(signal)
  }
  const count = (opened: OpenInput) => withCount(opened, counted)
  const removableId = (batch: Batch) => last.noted(batch)
  const storing = { connection, reading, unread: last, signal }
  const ends: FileEnd[] = []
  try {
    const items = readFiles(files, {
      reading,
      context,
      limits: { ...limits, isTailApart: !isStream },
      unread,
      progress: { context, count, close() {} },
      signal,
      onEnd(input, { position }) {
        ends.push({ input, position, last: last.of(input.name) })
      },
    })
    await storeItems(DATASET, firstAtOnce(items, report), { ...storing, removableId })
  } finally {
    clearInterval(timer)
    await limits.thread?.close()
  }
  if (signal.aborted) return
  if (last.events === 0) await clear()
  isDone = true
  isNews = true
  report()
  await aborted(AbortSignal.any([signal, following]))
  if (signal.aborted) return
  const read = readOptions({ ...reading, dataset: '', files }, context)
  const replace = async (one: LastEvent): Promise<void> => {
    await managedDatasets(connection, signal).removeBatches(DATASET, [one.batchId])
    last.forget(one.input)
    isNews = true
  }
  const followed = setInterval(report, REPORT_EVERY_MS)
  try {
    await Promise.all(
      ends.map((end) => storeItems(DATASET, followFile(end, { read, signal, replace }), storing)),
    )
  } finally {
    clearInterval(followed)
  }
}

/** Yields the same items, and reports when the first of them is stored. */
async function* firstAtOnce<Item>(
  items: AsyncIterable<Item>,
  report: () => void,
): AsyncGenerator<Item> {
  let count = 0
  for await (const item of items) {
    yield item
    if (++count <= 2) report()
  }
}
