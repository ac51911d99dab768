import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFileSync } from '../../../text/replace-file.js'
import { errorCode } from '../../../text/system-error.js'
import { CommandError } from '../../error/command-error.js'
import { systemErrorMessage } from '../../error/system-error.js'
import { type FileLock, lockFile } from '../../file/exclusive-file.js'
import { type Entry, type Head, parseEntries } from './entry.js'

/**
 * A checkpoint on disk, one entry per line. An entry is in the page cache when `add` returns, so it survives the end of the
 * process. It is not synced, because a sync per entry would slow every run: after a power failure, evq may send a batch twice.
 *
 * Writes are synchronous: an entry is about a hundred bytes, while an asynchronous write would wait for the thread pool,
 * which reads and compresses.
 */
export class CheckpointJournal {
  private readonly path: string
  private readonly lock: FileLock
  private file: number | undefined
  /** True when the last line may be incomplete. */
  private isTorn = false

  private constructor(path: string, held: FileLock) {
    this.path = path
    this.lock = held
  }

  /** Locks a checkpoint, which need not exist yet. */
  static async open(path: string): Promise<CheckpointJournal> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      return new CheckpointJournal(path, await lockJournal(path))
    } catch (error) {
      throw checkpointError(path, error)
    }
  }

  /** Reads the entries; an empty list when the checkpoint does not exist yet. Throws a `CommandError` for a damaged checkpoint. */
  async read(): Promise<readonly Entry[]> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined
      throw checkpointError(this.path, error)
    })
    if (text === undefined) return []
    if (text.trim() === '') throw damaged(this.path, 'is empty')
    if (startsAsCheckpoint(text) && !text.endsWith('\n'))
      throw damaged(this.path, 'is cut off within its last line')
    const entries = parseEntries(text)
    if (entries !== undefined) return entries
    throw new CommandError(
      `\`${this.path}\` is not a checkpoint of evq, or is corrupted. Delete it to send the input from the beginning.`,
    )
  }

  /** Replaces all entries atomically. */
  write(head: Head, entries: readonly Entry[]): void {
    try {
      replaceFileSync(this.path, [head, ...entries].map(line).join(''), { mode: 0o600 })
      this.closeFile()
      this.file = openSync(this.path, 'a')
    } catch (error) {
      throw checkpointError(this.path, error)
    }
  }

  add(...entries: readonly Entry[]): void {
    if (this.file === undefined) return
    const text = Buffer.from(`${this.isTorn ? '\n' : ''}${entries.map(line).join('')}`)
    let written = 0
    try {
      while (written < text.length) written += writeSync(this.file, text, written)
      this.isTorn = false
    } catch (error) {
      this.isTorn = !removeEnd(this.file, written)
      throw checkpointError(this.path, error)
    }
  }

  close(): void {
    this.closeFile()
    this.lock.release()
  }

  private closeFile(): void {
    if (this.file !== undefined) closeSync(this.file)
    this.file = undefined
  }
}

/** The error for a checkpoint that can't be read or written. */
export class CheckpointFileError extends CommandError {
  constructor(message: string) {
    super(message)
    this.name = 'CheckpointFileError'
  }
}

/** Locks a checkpoint, because two runs that resume from it would send everything twice. */
function lockJournal(path: string): Promise<FileLock> {
  return lockFile(
    path,
    (who) =>
      `${who} is sending this input to this dataset. Once it has ended, the same command resumes there.`,
  )
}

/** Removes the last bytes of a file, so that it ends with a complete line even on a full disk. Returns true if this succeeded. */
function removeEnd(file: number, bytes: number): boolean {
  try {
    if (bytes > 0) ftruncateSync(file, fstatSync(file).size - bytes)
    return true
  } catch {
    return false
  }
}

function startsAsCheckpoint(text: string): boolean {
  return text.startsWith('{"kind":"checkpoint"')
}

function damaged(path: string, how: string): CommandError {
  return new CommandError(
    `The checkpoint \`${path}\` ${how}, so it is not known which events were sent. Restore it, and the same command resumes; or delete it to send the input from the beginning, which stores events again that are already stored.`,
  )
}

function line(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`
}

function checkpointError(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  const words = systemErrorMessage(error) ?? error.message
  return new CheckpointFileError(
    `The checkpoint \`${path}\` can't be used: ${words}. \`--no-checkpoint\` sends without one.`,
  )
}
