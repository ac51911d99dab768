// Reads files or a stream into a temporary service, whose rows are shown meanwhile.
import type { Connection } from '../../../client/connection.js'
import { aborted } from '../../../text/abort.js'
import { closeConnection } from '../../connection/with-connection.js'
import type { Context } from '../../context.js'
import { shortBytes } from '../../option/quantity.js'
import type { Interrupt } from '../../terminal/interrupt.js'
import type { ReadingFlags } from '../ingest/option/reading-flags.js'
import { batchOptions } from '../ingest/read/inputs.js'
import { Workload } from '../ingest/report/workload.js'
import { storeItems } from '../query/input/load.js'
import type { ReadingProgress } from '../query/input/progress.js'
import { readFiles } from '../query/input/read.js'
import { openInputService } from '../query/input/service.js'
import { Unread } from '../query/input/unread.js'

/** The progress of reading files. */
export interface ReadingState {
  readonly events: number
  /** From 0 to 1; undefined for a stream. */
  readonly share: number | undefined
  readonly bytes: number
  readonly isDone: boolean
  /** The events and files that could not be read, if any. */
  readonly trouble: string | undefined
}

/** Files that are being read. */
export interface ViewInput {
  readonly connection: Connection
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
    const service = await openInputService({ plan, directory: directory.path }, context)
    const silent = { ...context, info: () => {}, warn: () => {} }
    const loading = load({ files, reading, signal, onProgress }, service.connection, silent)
      .then(async (unread) => {
        if (unread.events === 0 && !signal.aborted) await service.clear(DATASET)
      })
      .catch((error: unknown) => {
        if (!signal.aborted) onFailure(error)
      })
    return {
      connection: service.connection,
      async close() {
        ended.abort()
        await Promise.race([loading, closed(interrupt)])
        await closeConnection({ ...service.connection, close: service.close }, interrupt)
        directory.remove()
      },
    }
  } catch (error) {
    directory.remove()
    throw error
  }
}

function closed({ signal }: Interrupt): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

interface LoadOptions extends Pick<InputOptions, 'files' | 'reading' | 'onProgress'> {
  readonly signal: AbortSignal
}

async function load(
  { files, reading, signal, onProgress }: LoadOptions,
  connection: Connection,
  context: Context,
): Promise<Unread> {
  const unread = new Unread()
  const { total } = await Workload.of(files, context.io.stdin)
  const isStream = files.includes('-')
  let bytes = 0
  let reported = 0
  const report = (isDone: boolean): void => {
    if (!isDone && unread.events === reported) return
    reported = unread.events
    const share = total && !isStream ? Math.min(1, bytes / total) : undefined
    const trouble = isFull ? `Reading is paused after ${shortBytes(bytes)}` : troubleOf(unread)
    onProgress({ events: unread.events, share, bytes, isDone, trouble })
  }
  const timer = setInterval(() => report(false), REPORT_EVERY_MS)
  const limits = batchOptions(
    {
      ...{ dataset: DATASET, files, batchBytes: isStream ? STREAM_BATCH_BYTES : BATCH_BYTES },
      ...(isStream && { flushEvery: FLUSH_MS }),
    },
    signal,
  )
  let isFull = false
  const progress = countingProgress(context, async (length) => {
    bytes += length
    if (!isStream || bytes < MOST_STREAM_BYTES) return
    isFull = true
    report(true)
    await aborted(signal)
  })
  try {
    const items = readFiles(files, { reading, context, limits, unread, progress, signal })
    await storeItems(
      DATASET,
      firstAtOnce(items, () => report(false)),
      {
        ...{ connection, reading, unread, signal },
      },
    )
  } finally {
    clearInterval(timer)
    await limits.thread?.close()
  }
  if (!signal.aborted) report(true)
  return unread
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

/** Returns the progress of reading; each read waits for `count`, which gets its length. */
function countingProgress(
  context: Context,
  count: (length: number) => Promise<void>,
): ReadingProgress {
  return {
    context,
    close() {},
    count(opened) {
      const { bytes: source } = opened
      return {
        ...opened,
        bytes: {
          ready: () => source.ready(),
          close: () => source.close(),
          async read(target) {
            const length = await source.read(target)
            await count(length)
            return length
          },
        },
      }
    },
  }
}

function troubleOf(unread: Unread): string | undefined {
  if (unread.inputs.length > 0) return unread.inputs[0]
  if (unread.unread === 0) return undefined
  let first: string | undefined
  unread.report({
    warn: (text) => {
      first ??= text
    },
  })
  return first
}
