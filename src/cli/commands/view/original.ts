// Finds the bytes from which events were read. Their batch is read again, because recording the source of each event would make
// reading half as fast.
import { isUtf8 } from 'node:buffer'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Batch } from '../../../input/batch.js'
import { fileRange, withRead } from '../../../input/byte-source.js'
import { InputError } from '../../../input/error.js'
import { detectInput, type Input } from '../../../input/input.js'
import { locate, sourcesOf } from '../../../input/locate.js'
import { openFile } from '../../../input/open.js'
import type { ReadOptions } from '../../../input/read-options.js'
import { ResumedInput } from '../../../input/resume.js'
import { shortBytes } from '../../option/quantity.js'
import { isSameBatch, type StoredBatch, type StoredBatches } from './stored-batches.js'
import { MOST_COPIED_BYTES } from './stream-copies.js'

/** The lines of an event as they were written, or the reason why they are not shown. */
export type Original =
  | { readonly kind: 'text'; readonly place: string; readonly text: string }
  | { readonly kind: 'missing'; readonly reason: string }

/** The file with the bytes of an input, and the options for reading them again. */
export interface InputForm {
  /** The name in messages. */
  readonly name: string
  /** The file with the bytes; undefined when there is none, because the events were not lines. */
  readonly path: string | undefined
  readonly isCopy: boolean
  /** The options that read the same events again, whatever the file has become since. */
  readonly read: ReadOptions
}

/** The places of stored events, and the number of them that precede an event. */
interface OriginalsOptions {
  readonly stored: StoredBatches<InputForm>
  before(cursor: string): Promise<number>
  readonly signal: AbortSignal
}

/** The batch that was read last, whose other events are often asked for next. */
interface Held {
  readonly batch: StoredBatch<InputForm>
  readonly found: Promise<Batch | undefined>
  stop(): void
}

/** A compressed file is read from its start; after this time, that is given up. */
const MOST_MS = 20_000
const TIME_UP = 'the time is up'
/** The reason for which reading for an event that is no longer shown ends. */
const NOT_SHOWN = 'the event is not shown any more'
/** The time for which the outcome of a batch is waited for, and the interval. */
const MOST_WAITS = 100
const WAIT_MS = 50

/** Opens a reader of originals. The answer for an event is undefined when events of its input have no original. */
export function originalsOf({
  stored,
  before,
  signal,
}: OriginalsOptions): (cursor: string) => Promise<Original | undefined> {
  let held: Held | undefined
  /** The event that was asked for last. Only its answer is used. */
  let latest: string | undefined

  function hold(batch: StoredBatch<InputForm>, path: string): Held {
    if (held?.batch === batch) return held
    held?.stop()
    const stopping = new AbortController()
    const timer = setTimeout(() => stopping.abort(TIME_UP), MOST_MS)
    const stop = AbortSignal.any([signal, stopping.signal])
    const found = readAgain(batch, path, stop).finally(() => clearTimeout(timer))
    const holding = { batch, found, stop: () => stopping.abort(NOT_SHOWN) }
    held = holding
    found.catch(() => {
      if (held === holding) held = undefined
    })
    return holding
  }

  return async (cursor) => {
    latest = cursor
    const count = await before(cursor)
    // The outcome of its batch arrives after the event can be queried.
    for (let waits = 0; count >= stored.events && waits < MOST_WAITS; waits++) await sleep(WAIT_MS)
    const place = stored.find(count)
    if (latest !== cursor) return missing(NOT_SHOWN)
    if (place === undefined) return missing('Its place in the input is not known.')
    const { batch, index } = place
    const { name, path, isCopy } = batch.form
    if (path === undefined) return undefined
    try {
      const again = await hold(batch, path).found
      const source = again && isSameBatch(again, batch) ? sourcesOf(again) : undefined
      const bytes = source?.(index)?.text
      // Lines that are not UTF-8 are read as Latin-1, as for the fields of their events.
      const text = bytes?.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
      if (again === undefined || text === undefined) return missing(notFound(batch.form))
      return { kind: 'text', place: locate(again, { first: index, events: 1 }, source), text }
    } catch (error) {
      if (error === NOT_SHOWN) return missing(NOT_SHOWN)
      if (error === TIME_UP) {
        const seconds = MOST_MS / 1000
        return missing(`\`${name}\` is read from its start, and ${seconds} s were not enough.`)
      }
      if (error instanceof InputError && !isCopy) return missing(error.message)
      throw error
    }
  }
}

function missing(reason: string): Original {
  return { kind: 'missing', reason }
}

function notFound({ name, isCopy }: InputForm): string {
  return isCopy
    ? `It is not in the copy of ${name}, which has at most ${shortBytes(MOST_COPIED_BYTES)}.`
    : `It is not found again: \`${name}\` may have changed since it was read.`
}

/** Reads the events of a batch again; undefined when the file does not have them any more. */
async function readAgain(
  { form, start, bytes, events }: StoredBatch<InputForm>,
  path: string,
  signal: AbortSignal,
): Promise<Batch | undefined> {
  const opened = await openFile(path)
  try {
    const source = withRead(opened.bytes, async (target) => {
      signal.throwIfAborted()
      return await opened.bytes.read(target)
    })
    const input = await detectInput({ ...opened, name: form.name, bytes: source }, form.read)
    const resumed = new ResumedInput(beginningBefore(input, { path, offset: start.offset }))
    return await resumed.batch({ ...start, bytes, events }).catch((error: unknown) => {
      // The range has another number of events.
      if (error instanceof InputError) return undefined
      throw error
    })
  } finally {
    await opened.bytes.close()
  }
}

/** Returns the input from one byte before an offset on, if its bytes can be read from anywhere. */
function beginningBefore(
  input: Input,
  { path, offset }: { readonly path: string; readonly offset: number },
): Input {
  const { storedAs, framing, start } = input
  // Directives in front of the offset would be missed.
  const isSequential = storedAs !== undefined || framing.conversion?.skip !== undefined
  if (isSequential || offset <= start.offset) return input
  const bytes = fileRange(path, { start: offset - 1, end: Number.POSITIVE_INFINITY })
  return { ...input, bytes, start: { ...start, offset: offset - 1 } }
}
