import { stat } from 'node:fs/promises'
import type { InputItem } from '../../../input/batch.js'
import { type ByteSource, withRead } from '../../../input/byte-source.js'
import { InputError, inputLabel } from '../../../input/error.js'
import { FingerprintedBytes } from '../../../input/fingerprint.js'
import { type FollowOptions, openFollowed, pause } from '../../../input/follow.js'
import {
  type FileIdentity,
  identityOf,
  isSameFile,
  missingHelp,
  type OpenInput,
} from '../../../input/open.js'
import {
  openFileOfLog,
  openNextFileOfLog,
  openRotated,
  type ReadFile,
  searchesOf,
  unreadableFiles,
} from '../../../input/rotated.js'
import { counted } from '../../../text/integer.js'
import { errorCode } from '../../../text/system-error.js'
import type { Checkpoint } from '../checkpoint/checkpoint.js'
import { rotatedFileOf } from '../checkpoint/rotation.js'
import { type IngestReader, itemsOf } from './ingest-reader.js'

/**
 * Yields the events of a file, and the events written to it later, even after it is truncated or rotated. Starts with rotated files
 * that an earlier run has not read completely.
 */
export async function* followFile(file: string, reader: IngestReader): AsyncGenerator<InputItem> {
  const { signal, note } = reader
  const missing = () =>
    note(`${inputLabel(file)} does not exist yet. Waiting for it.${missingHelp(file)}`)
  const skipped = ({ message }: InputError) => note(`${message} Its events may be missing.`)
  const following = { signal, missing, skipped }
  const rotated = await openWithoutCurrent(file, reader)
  let start = rotated && (await startOf(file, { opened: rotated }, reader))
  if (start === undefined) {
    const mayChange = ({ cause }: InputError) => errorCode(cause) === 'EACCES'
    const openAny = () => openFollowed(file, following)
    let opened = await onceReadable(openAny, reader, mayChange)
    // Pipes and devices are not rotated, but a file may get their name.
    while (opened !== undefined && opened.file === undefined) {
      const pipe = opened
      yield* itemsOf({ file, open: () => pipe }, reader)
      opened = await onceReadable(openAny, reader)
    }
    if (opened === undefined) return
    start = await startOf(file, { opened, current: opened.file }, reader)
  }
  if (start === undefined) return
  const files = new FilesOfLog(file, start.reading, reader)
  let { isAnother } = start
  try {
    while (!signal.aborted) {
      const open = () => onceReadable(() => files.open(following), reader)
      const opened = (checkpoint: Checkpoint | undefined) => files.remember(checkpoint)
      try {
        yield* itemsOf({ file, open, isAnother, opened }, reader)
      } catch (error) {
        // The next file is read all the same.
        if (!(error instanceof InputError) || !files.isCompressed) throw error
        skipped(error)
      }
      isAnother = signal.aborted || !(await files.readCopy())
    }
  } finally {
    await files.close()
  }
}

/**
 * Opens a file, if necessary after waiting until it can be opened: a new file of a log may get its permissions later, and a directory
 * or a socket may have its name for a while. Other errors than those that `mayChange` accepts are thrown. Resolves with undefined when
 * the signal aborts.
 */
async function onceReadable(
  open: () => Promise<OpenInput | undefined>,
  { signal, note }: Pick<IngestReader, 'signal' | 'note'>,
  mayChange: (error: InputError) => boolean = () => true,
): Promise<OpenInput | undefined> {
  for (let noted = ''; !signal.aborted; await pause(signal)) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof InputError) || !mayChange(error)) throw error
      if (error.message !== noted) note(`${error.message} Waiting until it can be read.`)
      noted = error.message
    }
  }
  return undefined
}

class FilesOfLog {
  private readonly log: string
  private readonly reader: IngestReader
  private last: ReadFile
  private checkpoint: Checkpoint | undefined
  /** True when the last file was read to its end, and has no copy with more events. */
  private isRead = false
  /** The last file stays open until the next one is, so that no other file gets its inode. */
  private closeLast: () => Promise<void> = async () => {}
  isCompressed = false
  private readonly startedAt = Date.now()
  /** The number of files that may be compressed since the start although they were read. */
  private mostUnreadable = 0

  constructor(log: string, last: ReadFile, reader: IngestReader) {
    this.log = log
    this.last = last
    this.reader = reader
  }

  /** Opens the next file; the last one again if it was truncated, or if a copy of it has to be read. */
  async open(options: FollowOptions): Promise<OpenInput | undefined> {
    const { log, last, isRead } = this
    const opened = await (isRead ? openNextFileOfLog : openFileOfLog)(log, last, options)
    await this.close()
    if (isRead && opened !== undefined) await this.noteUnreadable()
    // Without a complete read in between, the same file is opened again, because it was truncated.
    this.isRead = false
    const { file } = opened ?? {}
    if (opened === undefined || file === undefined) return opened
    const { lastWritten, isCompressed = false } = opened
    const bytes = this.fingerprinted(opened.bytes)
    this.isCompressed = isCompressed
    this.last = { ...this.last, file, writtenAt: undefined }
    const close = async () => {
      const writtenAt = lastWritten && Number(lastWritten() / 1_000_000n)
      this.last = { ...this.last, file, writtenAt }
      this.closeLast = () => bytes.close()
    }
    return { ...opened, bytes: { ...withRead(bytes, (target) => bytes.read(target)), close } }
  }

  /** Without a checkpoint, the compressed copy of a file is recognized by the bytes that were read. */
  private fingerprinted(bytes: ByteSource): ByteSource {
    if (this.reader.checkpoints.areUsed) return bytes
    const read = new FingerprintedBytes(bytes)
    const isCopy = async (other: ByteSource) =>
      read.fingerprintLength > 0 &&
      (await new FingerprintedBytes(other).hasPrefix(read.fingerprint()))
    this.last = { ...this.last, isCopy }
    return read
  }

  /** Sets the checkpoint of the last file. */
  remember(checkpoint: Checkpoint | undefined): void {
    this.checkpoint = checkpoint
    if (checkpoint !== undefined) this.last = { ...this.last, isCopy: isCopyOf(checkpoint) }
  }

  /**
   * Finds the copy of the last file, which was copied and truncated, or compressed: lines that were written shortly before may be
   * only there. Returns true if it is to be read.
   */
  async readCopy(): Promise<boolean> {
    const { checkpoint, last, log, reader } = this
    const searches = searchesOf(reader)
    const found = checkpoint && (await rotatedFileOf(checkpoint, log, { searches }))
    this.isRead = found === undefined || isSameFile(found.file, last.file)
    if (found !== undefined && !this.isRead) this.last = { ...last, file: found.file }
    return !this.isRead
  }

  /** Reports files that were compressed before they were read, so that they can't be read any more. */
  private async noteUnreadable(): Promise<void> {
    const { log, reader, startedAt } = this
    this.mostUnreadable += 1
    const found = await unreadableFiles(log)
    const written = found.filter(({ writtenAt }) => writtenAt > startedAt)
    const missing = written.length - this.mostUnreadable
    if (missing <= 0) return
    this.mostUnreadable = written.length
    reader.note(
      `${inputLabel(log)} was rotated faster than it was read: events of ${counted(missing, 'file')} like \`${written.at(-1)?.path}\` may be missing. Only files compressed with gzip or zstd can still be read.`,
    )
  }

  async close(): Promise<void> {
    const { closeLast } = this
    this.closeLast = async () => {}
    await closeLast()
  }
}

function isCopyOf(checkpoint: Checkpoint): (bytes: ByteSource) => Promise<boolean> {
  return async (bytes) => checkpoint.state.hasBegun && (await checkpoint.isBeginningOf(bytes))
}

interface Start {
  /** The file to read first: the file that an earlier run followed, which may be rotated, or else the first one after it. */
  readonly reading: ReadFile
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
  { checkpoints, note, signal }: IngestReader,
): Promise<Start | undefined> {
  const searches = searchesOf({ signal })
  try {
    const currentStart = (isAnother: boolean) =>
      current && { reading: { file: current }, isAnother }
    // Locking takes longer than anything else with thousands of new files.
    if (!(await checkpoints.isKnown(opened, file))) return currentStart(false)
    const checkpoint = await checkpoints.open(opened, file)
    const { beginning, hasBegun = false } = checkpoint?.state ?? {}
    if (checkpoint === undefined || beginning?.file === undefined) return currentStart(false)
    const stats = await stat(file).catch(() => undefined)
    const isCurrent =
      stats !== undefined && current !== undefined && isSameFile(identityOf(stats), current)
    const isWhole = isCurrent && stats.size >= (checkpoint.state.next?.offset ?? 0)
    const found = await rotatedFileOf(checkpoint, file, {
      searches,
      current: isWhole ? { path: file, file: current } : undefined,
    })
    const isCopy = isCopyOf(checkpoint)
    if (found !== undefined) return { reading: { file: found.file, isCopy }, isAnother: false }
    const later = (await searches[0](file)).find(
      ({ isCertain, writtenAt }) => isCertain && writtenAt > checkpoint.writtenAt,
    )
    const next =
      later === undefined ? currentStart(true) : { reading: { file: later.file }, isAnother: true }
    if (next !== undefined && beginning.length > 0) {
      const unsent = hasBegun
        ? 'Lines added to it since were not sent.'
        : 'Its lines were not sent.'
      note(
        `${inputLabel(file)} is not the file that was followed before, and that file was not found next to it. ${unsent}`,
      )
    }
    return next
  } finally {
    checkpoints.finishReading(opened)
    await opened.bytes.close()
  }
}

/** Opens the newest rotated file of a log that has no current file; resolves to `undefined` when there is a current file. */
async function openWithoutCurrent(
  log: string,
  { signal }: IngestReader,
): Promise<OpenInput | undefined> {
  if ((await stat(log).catch(errorCode)) !== 'ENOENT') return undefined
  const [inDirectory] = searchesOf({ signal })
  const newest = (await inDirectory(log)).findLast(({ isCertain }) => isCertain)
  return newest && openRotated(newest)
}
