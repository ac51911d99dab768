import { stat } from 'node:fs/promises'
import type { InputItem } from '../../../input/batch.js'
import { inputLabel } from '../../../input/error.js'
import { openFollowed } from '../../../input/follow.js'
import { type FileIdentity, identityOf, type OpenInput } from '../../../input/open.js'
import {
  isSameFile,
  openFileOfLog,
  openNextFileOfLog,
  openRotated,
  type ReadFile,
  rotatedFiles,
} from '../../../input/rotated.js'
import { errorCode } from '../../../text/system-error.js'
import { rotatedFileOf } from '../checkpoint/rotation.js'
import { type IngestReader, itemsOf } from './ingest-reader.js'

/**
 * Yields the events of a file, and the events written to it later, even after it is truncated or rotated. Starts with rotated files
 * that an earlier run has not read completely.
 */
export async function* followFile(file: string, reader: IngestReader): AsyncGenerator<InputItem> {
  const { signal, note } = reader
  const missing = () => note(`${inputLabel(file)} does not exist yet. Waiting for it.`)
  const following = { signal, missing }
  const rotated = await openWithoutCurrent(file)
  let start = rotated && (await startOf(file, { opened: rotated }, reader))
  if (start === undefined) {
    const opened = await openFollowed(file, following)
    if (opened === undefined) return
    if (opened.file === undefined) {
      // Pipes and devices are not rotated.
      for (let pipe: OpenInput | undefined = opened; pipe !== undefined; ) {
        const open = async () => pipe
        yield* itemsOf({ file, open }, reader)
        pipe = await openFollowed(file, following)
      }
      return
    }
    start = await startOf(file, { opened, current: opened.file }, reader)
  }
  if (start === undefined) return
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
    yield* itemsOf({ file, open, isAnother }, reader)
    const copy = signal.aborted ? undefined : await copyOf(file, last.file, reader)
    if (copy !== undefined) last = { file: copy }
    isRead = copy === undefined
    isAnother = isRead
  }
}

/**
 * Finds the copy of a file that was copied and truncated: lines that were written shortly before may be only there. Resolves with
 * undefined when the file was not truncated, or there is no copy.
 */
async function copyOf(
  log: string,
  file: FileIdentity,
  { checkpoints }: IngestReader,
): Promise<FileIdentity | undefined> {
  const opened = await openNewestRotated(log)
  if (opened === undefined) return undefined
  try {
    const checkpoint = await checkpoints.open(opened, log)
    const found = checkpoint && (await rotatedFileOf(checkpoint, log))
    return found === undefined || isSameFile(found.file, file) ? undefined : found.file
  } finally {
    checkpoints.finishReading(opened)
    await opened.bytes.close()
  }
}

interface Start {
  /** The file to read first: the file that an earlier run followed, which may be rotated, or else the first one after it. */
  readonly reading: FileIdentity
  /** True when `reading` is not the file that was read last. */
  readonly isAnother: boolean
}

/**
 * Finds the file that an earlier run followed, or the first one that was written after it. While there is no current file, resolves
 * with undefined unless a rotated file is to be read first.
 */
async function startOf(
  file: string,
  { opened, current }: { readonly opened: OpenInput; readonly current?: FileIdentity },
  { checkpoints, note }: IngestReader,
): Promise<Start | undefined> {
  try {
    const checkpoint = await checkpoints.open(opened, file)
    const currentStart = (isAnother: boolean) => current && { reading: current, isAnother }
    if (checkpoint?.state.beginning?.file === undefined) return currentStart(false)
    const stats = await stat(file).catch(() => undefined)
    const isCurrent =
      stats !== undefined && current !== undefined && isSameFile(identityOf(stats), current)
    const isWhole = isCurrent && stats.size >= (checkpoint.state.next?.offset ?? 0)
    const found = await rotatedFileOf(
      checkpoint,
      file,
      isWhole ? { path: file, file: current } : undefined,
    )
    if (found !== undefined) return { reading: found.file, isAnother: false }
    const later = (await rotatedFiles(file)).find(
      ({ writtenAt }) => writtenAt > checkpoint.writtenAt,
    )
    const next = later === undefined ? currentStart(true) : { reading: later.file, isAnother: true }
    if (next !== undefined && checkpoint.state.hasBegun) {
      note(
        `${inputLabel(file)} is not the file that was followed before, and that file was not found next to it. Lines added to it since were not sent.`,
      )
    }
    return next
  } finally {
    checkpoints.finishReading(opened)
    await opened.bytes.close()
  }
}

/** Opens the newest rotated file of a log that has no current file; resolves to `undefined` when there is a current file. */
async function openWithoutCurrent(log: string): Promise<OpenInput | undefined> {
  return (await stat(log).catch(errorCode)) === 'ENOENT' ? openNewestRotated(log) : undefined
}

async function openNewestRotated(log: string): Promise<OpenInput | undefined> {
  const newest = (await rotatedFiles(log)).at(-1)
  return newest && openRotated(newest)
}
