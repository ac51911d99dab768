import { stat } from 'node:fs/promises'
import { shown } from '../../input/error.js'
import { isThere, openFollowed } from '../../input/follow.js'
import { openFile } from '../../input/open.js'
import { rotatedFiles } from '../../input/rotated.js'
import type { Checkpoint } from './checkpoint.js'
import type { IngestCheckpoints } from './checkpoints.js'
import type { IngestReading, Item } from './ingest-reading.js'

export interface FollowingOptions {
  readonly reading: IngestReading
  readonly checkpoints: IngestCheckpoints
  /** Ends the following. */
  readonly signal: AbortSignal
  note(text: string): void
}

/**
 * What is in a file and what is written to it, also after it was emptied or another one took its name;
 * first what earlier runs have missed of files that were rotated since.
 */
export async function* followed(file: string, options: FollowingOptions): AsyncGenerator<Item> {
  const { reading, signal, note } = options
  const missing = () => note(`${shown(file)} does not exist yet: waits until it does.`)
  if (!(await isThere(file, { signal, missing }))) return
  let isAnother = false
  const rotated = await missedFiles(file, options)
  for (const path of rotated?.paths ?? []) {
    yield* reading.itemsOf(file, { open: () => openFile(path, signal), isAnother })
    isAnother = true
  }
  isAnother = rotated !== undefined
  while (!signal.aborted) {
    yield* reading.itemsOf(file, { open: () => openFollowed(file, { signal, missing }), isAnother })
    isAnother = true
  }
}

interface Missed {
  /** The files that may hold what was not seen, the one that was followed last first. */
  readonly paths: readonly string[]
}

/** The files that had the name since an earlier run; undefined when that run's file still has it. */
async function missedFiles(
  file: string,
  { checkpoints, note }: FollowingOptions,
): Promise<Missed | undefined> {
  const stats = await stat(file)
  if (!stats.isFile()) return undefined
  const opened = await openFile(file)
  try {
    const checkpoint = await checkpoints.open(opened, file)
    if (!checkpoint?.hasBegun) return undefined
    if (stats.size >= checkpoint.reach && (await checkpoint.isSame())) return undefined
    const rotated = await rotatedFiles(file)
    const at = await placeOf(checkpoint, rotated)
    if (at === -1) {
      note(
        `${shown(file)} is not the file that was followed before, and that one is not found beside it: what was written to it since is not sent.`,
      )
      return { paths: [] }
    }
    return { paths: rotated.slice(at) }
  } finally {
    checkpoints.leave(opened)
    await opened.bytes.close()
  }
}

async function placeOf(checkpoint: Checkpoint, paths: readonly string[]): Promise<number> {
  for (const [at, path] of paths.entries()) {
    const opened = await openFile(path)
    try {
      if (await checkpoint.isOf(opened.bytes)) return at
    } finally {
      await opened.bytes.close()
    }
  }
  return -1
}
