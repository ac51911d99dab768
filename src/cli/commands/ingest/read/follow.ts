import { stat } from 'node:fs/promises'
import { inputLabel } from '../../../../input/error.js'
import { openFollowed, waitForFile } from '../../../../input/follow.js'
import { type FileIdentity, type OpenInput, openFile } from '../../../../input/open.js'
import { isSameFile, type RotatedFile, rotatedFiles } from '../../../../input/rotated.js'
import type { IngestCheckpoints } from '../checkpoint/checkpoints.js'
import { rotatedFileOf } from '../checkpoint/rotation.js'
import type { IngestReader, Item } from './ingest-reader.js'

interface FollowOptions {
  readonly reader: IngestReader
  readonly checkpoints: IngestCheckpoints
  /** Stops following when aborted. */
  readonly signal: AbortSignal
  note(text: string): void
}

/**
 * Yields the events of a file and those written to it later, also after it is truncated or rotated. Starts with rotated
 * files that an earlier run has not read yet.
 */
export async function* followFile(file: string, options: FollowOptions): AsyncGenerator<Item> {
  const { reader, signal, note } = options
  const missing = () => note(`${inputLabel(file)} does not exist yet. Waiting for it.`)
  if (!(await waitForFile(file, { signal, missing }))) return
  let last: FileIdentity | undefined
  const remembering = async (opening: Promise<OpenInput | undefined>) => {
    const opened = await opening
    last = opened?.file
    return opened
  }
  let { missed, isAnother } = await missedSinceLastRun(file, options)
  while (!signal.aborted) {
    for (const { path } of missed) {
      const open = () => remembering(openFile(path, signal))
      yield* reader.itemsOf(file, { open, isAnother })
      isAnother = true
    }
    let current = await openFollowed(file, { signal, missing })
    // While files were read, or before this one was opened, others may have had its name.
    missed = await rotatedBetween(file, { last, next: current?.file })
    if (missed.length > 0) {
      await current?.bytes.close()
      continue
    }
    const open = () => {
      const opened = current
      current = undefined
      return remembering(opened ? Promise.resolve(opened) : openFollowed(file, { signal, missing }))
    }
    yield* reader.itemsOf(file, { open, isAnother })
    isAnother = true
  }
}

/** Returns the rotated files of a log after the one that was read last, up to the next one, the oldest first. */
async function rotatedBetween(
  file: string,
  {
    last,
    next,
  }: { readonly last: FileIdentity | undefined; readonly next: FileIdentity | undefined },
): Promise<readonly RotatedFile[]> {
  const rotated = await rotatedFiles(file)
  const indexOf = (one: FileIdentity | undefined) =>
    rotated.findIndex(({ file }) => one !== undefined && isSameFile(file, one))
  const [from, to] = [indexOf(last), indexOf(next)]
  if (from === -1) return []
  return rotated.slice(from + 1, to === -1 ? undefined : to)
}

interface Missed {
  /** Rotated files to read before the current one, starting with the one that was read last. */
  readonly missed: readonly RotatedFile[]
  /** True when the first file to read is not the one that was read last. */
  readonly isAnother: boolean
}

/** Finds the file that an earlier run followed, and the files after it. */
async function missedSinceLastRun(
  file: string,
  { checkpoints, note }: FollowOptions,
): Promise<Missed> {
  const isFirst = { missed: [], isAnother: false }
  const stats = await stat(file)
  if (!stats.isFile()) return isFirst
  const opened = await openFile(file)
  try {
    const checkpoint = await checkpoints.open(opened, file)
    if (checkpoint?.knownFile === undefined) return isFirst
    const rotated = await rotatedFiles(file)
    const isWhole = stats.size >= checkpoint.reach
    const current = isWhole && opened.file ? [{ path: file, file: opened.file }] : []
    const found = await rotatedFileOf(checkpoint, [...current, ...rotated])
    if (found?.path === file) return isFirst
    if (found !== undefined)
      return { missed: rotated.slice(rotated.indexOf(found)), isAnother: false }
    if (checkpoint.hasBegun) {
      note(
        `${inputLabel(file)} is not the file that was followed before, and that file was not found next to it. Lines added to it since were not sent.`,
      )
    }
    return { missed: [], isAnother: true }
  } finally {
    checkpoints.finishReading(opened)
    await opened.bytes.close()
  }
}
