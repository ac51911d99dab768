import { stat } from 'node:fs/promises'
import { inputLabel } from '../../../input/error.js'
import { openFollowed } from '../../../input/follow.js'
import { type FileIdentity, identityOf, type OpenInput } from '../../../input/open.js'
import {
  isSameFile,
  openFileOfLog,
  openNextFileOfLog,
  type ReadFile,
  type RotatedFile,
} from '../../../input/rotated.js'
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
 * Yields the events of a file, and the events written to it later, even after it is truncated or rotated. Starts with rotated files
 * that an earlier run has not read completely.
 */
export async function* followFile(file: string, options: FollowOptions): AsyncGenerator<Item> {
  const { reader, signal, note } = options
  const missing = () => note(`${inputLabel(file)} does not exist yet. Waiting for it.`)
  const following = { signal, missing }
  const first = await openFollowed(file, following)
  if (first === undefined) return
  if (first.file === undefined) {
    // Pipes and devices are not rotated.
    for (let opened: OpenInput | undefined = first; opened !== undefined; ) {
      const open = async () => opened
      yield* reader.itemsOf(file, { open })
      opened = await openFollowed(file, following)
    }
    return
  }
  const current = { path: file, file: first.file }
  const start = await startOf(first, current, options)
  let last: ReadFile = { file: start.reading }
  let { isAnother } = start
  const remembering = (opened: OpenInput): OpenInput => {
    const { bytes, file, lastWritten } = opened
    if (file === undefined) return opened
    last = { file }
    const close = () => {
      last = { file, writtenAt: lastWritten && Number(lastWritten() / 1_000_000n) }
      return bytes.close()
    }
    return { ...opened, bytes: { ...bytes, close } }
  }
  let isRead = false
  while (!signal.aborted) {
    const open = async () => {
      const opened = isRead
        ? await openNextFileOfLog(file, last, following)
        : await openFileOfLog(file, last.file, following)
      // Without a complete read in between, the same file is opened again, because it was truncated.
      isRead = false
      return opened && remembering(opened)
    }
    yield* reader.itemsOf(file, { open, isAnother })
    isRead = true
    isAnother = true
  }
}

interface Start {
  /** The file to read first: the file that an earlier run followed, which may be rotated, or else the current file. */
  readonly reading: FileIdentity
  /** True when `reading` is not the file that was read last. */
  readonly isAnother: boolean
}

/** Finds the file that an earlier run followed. */
async function startOf(
  opened: OpenInput,
  current: RotatedFile,
  { checkpoints, note }: FollowOptions,
): Promise<Start> {
  const { path, file } = current
  try {
    const isFirst = { reading: file, isAnother: false }
    const checkpoint = await checkpoints.open(opened, path)
    if (checkpoint?.state.beginning?.file === undefined) return isFirst
    const stats = await stat(path).catch(() => undefined)
    const isCurrent = stats !== undefined && isSameFile(identityOf(stats), file)
    const isWhole = isCurrent && stats.size >= (checkpoint.state.next?.offset ?? 0)
    const found = await rotatedFileOf(checkpoint, path, isWhole ? current : undefined)
    if (found !== undefined) return { reading: found.file, isAnother: false }
    if (checkpoint.state.hasBegun) {
      note(
        `${inputLabel(path)} is not the file that was followed before, and that file was not found next to it. Lines added to it since were not sent.`,
      )
    }
    return { reading: file, isAnother: true }
  } finally {
    checkpoints.finishReading(opened)
    await opened.bytes.close()
  }
}
