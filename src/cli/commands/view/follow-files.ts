// Reads what is appended to files after they were read to their ends.
import type { InputItem, Position } from '../../../input/batch.js'
import { batches } from '../../../input/batches.js'
import { BufferPool } from '../../../input/buffer-pool.js'
import { openFollowed, openWritten } from '../../../input/follow.js'
import { detectInput, type Input } from '../../../input/input.js'
import { isSameFile, openFile } from '../../../input/open.js'
import type { ReadOptions } from '../../../input/read-options.js'
import type { LastEvent } from './last-events.js'

export interface FileEnd {
  readonly input: Input
  readonly position: Position
  /** The last event before the end, if more of it may be written. */
  readonly last: LastEvent | undefined
}

interface FollowOptions {
  readonly read: ReadOptions
  readonly signal: AbortSignal
  /** Called when the format of a file is known. */
  onInput(input: Input): void
  /** Removes the last event, which a longer one replaces. */
  replace(last: LastEvent): Promise<void>
}

/** Smaller batches take less memory, and the keys are handled between them. */
const BATCH_BYTES = 1024 * 1024
/** The longest time for which an event waits for its batch to fill. */
const FLUSH_MS = 100

/** Yields what is appended to a file after its end, and the contents of files that replace it. */
export async function* followFile(
  { input, position, last }: FileEnd,
  { read, signal, replace, onInput }: FollowOptions,
): AsyncGenerator<InputItem> {
  const { name } = input
  if (name === '-' || input.storedAs !== undefined) return
  const limits = {
    pool: new BufferPool(BATCH_BYTES),
    maxEvents: 10_000,
    flushMs: FLUSH_MS,
    signal,
  }
  const start = last?.start ?? position
  let opened = await openWritten(name, { log: name, signal, from: start.offset })
  let stored = last
  try {
    // The file may have been rotated since it was read to its end.
    const isOther = opened?.file && input.file && !isSameFile(opened.file, input.file)
    let next = isOther
      ? undefined
      : opened && { ...(await formOf(name, read)), bytes: opened.bytes, start }
    while (!signal.aborted) {
      if (next !== undefined) {
        onInput(next)
        for await (const item of batches(next, limits)) {
          const isStored = item.kind === 'batch' && item.bytes === stored?.bytes
          if (stored !== undefined && item.kind !== 'end' && !isStored) await replace(stored)
          if (stored !== undefined && isStored) item.release()
          else yield item
          stored = undefined
        }
      }
      stored = undefined
      const ended = opened
      opened = undefined
      await ended?.bytes.close()
      opened = await openFollowed(name, { signal })
      next = opened && (await detectInput(opened, read))
    }
  } finally {
    await opened?.bytes.close()
  }
}

/** Detects the format of a file again, because the reader that has read the file to its end has state. */
async function formOf(name: string, read: ReadOptions): Promise<Input> {
  const opened = await openFile(name)
  try {
    return await detectInput(opened, read)
  } finally {
    await opened.bytes.close()
  }
}
