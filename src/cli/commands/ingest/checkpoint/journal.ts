import { closeSync, openSync, writeSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFileSync } from '../../../../text/replace-file.js'
import { errorCode } from '../../../../text/system-error.js'
import { CommandError } from '../../../error/command-error.js'
import { systemErrorMessage } from '../../../error/system-error.js'
import { type FileLock, lockFile } from '../../../file/exclusive-file.js'
import { type Entry, type Head, parseEntries } from './entry.js'

/**
 * A checkpoint on disk: a line for each thing that has happened. What a line says is known to the system
 * when `add` returns, so it outlives this process, however it ends. It is not forced onto the disk: a
 * power cut in the wrong second can make evq send a batch twice, and forcing each line would cost every run.
 *
 * The writing waits for nobody: a line is a hundred bytes into the system's memory, while each batch would
 * be held up by its turns in the thread pool, where others read and pack.
 */
export class CheckpointJournal {
  private readonly path: string
  private readonly lock: FileLock
  private file: number | undefined
  /** Whether the last line may lack its end. */
  private isTorn = false

  private constructor(path: string, held: FileLock) {
    this.path = path
    this.lock = held
  }

  /** Takes hold of a checkpoint, which need not exist yet. */
  static async open(path: string): Promise<CheckpointJournal> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      return new CheckpointJournal(path, await lockJournal(path))
    } catch (error) {
      throw checkpointError(path, error)
    }
  }

  /** What it says so far; nothing where there is none yet. */
  async read(): Promise<readonly Entry[]> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return ''
      throw checkpointError(this.path, error)
    })
    const entries = parseEntries(text)
    if (entries !== undefined) return entries
    throw new CommandError(
      `\`${this.path}\` is not a checkpoint of evq, or is damaged. Without it the input is sent from its beginning.`,
    )
  }

  /** Replaces all that it says, in one step. */
  write(head: Head, entries: readonly Entry[]): void {
    try {
      replaceFileSync(this.path, [head, ...entries].map(line).join(''), { mode: 0o600 })
      this.closeFile()
      this.file = openSync(this.path, 'a')
    } catch (error) {
      throw checkpointError(this.path, error)
    }
  }

  /** Lets the next run know what has happened. */
  add(...entries: readonly Entry[]): void {
    if (this.file === undefined) return
    const text = Buffer.from(`${this.isTorn ? '\n' : ''}${entries.map(line).join('')}`)
    this.isTorn = true
    try {
      for (let at = 0; at < text.length; ) at += writeSync(this.file, text, at)
      this.isTorn = false
    } catch (error) {
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

/** A checkpoint can't be written where it is. */
export class CheckpointFileError extends CommandError {
  constructor(message: string) {
    super(message)
    this.name = 'UnkeptError'
  }
}

/** Two runs that go on from one checkpoint would send everything twice. */
function lockJournal(path: string): Promise<FileLock> {
  return lockFile(
    path,
    (who) =>
      `${who} sends this input to this dataset at the moment. When it has ended, the same command goes on from there.`,
  )
}

function line(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`
}

function checkpointError(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  const words = systemErrorMessage(error) ?? error.message
  return new CheckpointFileError(
    `The checkpoint \`${path}\` can't be kept: ${words}. \`--no-checkpoint\` does without it.`,
  )
}
