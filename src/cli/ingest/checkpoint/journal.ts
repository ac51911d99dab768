import { closeSync, existsSync, fstatSync, ftruncateSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Lock } from '../../../local/file-lock.js'
import { makeDirectory } from '../../../text/make-directory.js'
import { replaceFileSync } from '../../../text/replace-file.js'
import { errorCode } from '../../../text/system-error.js'
import { CommandError } from '../../error/command-error.js'
import { systemErrorMessage } from '../../error/system-error.js'
import { lockFile } from '../../file/exclusive-file.js'
import { type Entry, type Head, parseEntries } from './entry.js'

export type Journal = Awaited<ReturnType<typeof openJournal>>

/**
 * Opens and locks a checkpoint on disk, which need not exist yet: a file with one entry per line. An entry is in the page cache when
 * `add` returns, so it survives the end of the process. It is not synced, because a sync per entry would slow every run: after a power
 * failure, evq may send a batch twice.
 *
 * It is read and written synchronously: an entry is about a hundred bytes, while an asynchronous write would wait for the thread pool,
 * which reads and compresses.
 */
export async function openJournal(path: string) {
  const held = await lockJournal(path)
  let file: number | undefined
  /** True when the last line may be incomplete. */
  let isTorn = false

  function closeFile(): void {
    if (file !== undefined) closeSync(file)
    file = undefined
  }

  return {
    /** Reads the entries; an empty list when the checkpoint does not exist yet. Throws a `CommandError` for a damaged checkpoint. */
    read(): readonly Entry[] {
      const text = readText(path)
      if (text === undefined) return []
      const isCut = text.startsWith('{"kind":"checkpoint"') && !text.endsWith('\n')
      const entries = isCut ? undefined : parseEntries(text)
      if (entries !== undefined) return entries
      throw new CommandError(
        `\`${path}\` is not a checkpoint, or not a complete one, so it is not known which events were sent. Restore it, and the same command resumes; or delete it, if it is a checkpoint, to send the input from the beginning, which stores events again that are already stored.`,
      )
    },
    /** Replaces all entries, and continues behind them. */
    write(head: Head, entries: Iterable<Entry>): void {
      try {
        const replacement = writeEntries(path, head, entries)
        closeFile()
        file = replacement
      } catch (error) {
        throw checkpointError(path, error)
      }
    },
    add(...entries: readonly Entry[]): void {
      if (file === undefined) return
      const text = Buffer.from(`${isTorn ? '\n' : ''}${entries.map(line).join('')}`)
      let written = 0
      try {
        while (written < text.length) written += writeSync(file, text, written)
        isTorn = false
      } catch (error) {
        isTorn = !removeEnd(file, written)
        throw checkpointError(path, error)
      }
    },
    close(): void {
      closeFile()
      held.release()
    },
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw checkpointError(path, error)
  }
}

/** Replaces a checkpoint atomically. Returns its descriptor, for further entries. */
export function writeEntries(path: string, head: Head, entries: Iterable<Entry>): number {
  return replaceFileSync(path, [head, ...entries].map(line).join(''), { mode: 0o600 })
}

/** The error for a checkpoint that can't be read or written. */
export class CheckpointFileError extends CommandError {
  override readonly name = 'CheckpointFileError'
}

/** Locks a checkpoint, because two runs that resume from it would send everything twice. */
async function lockJournal(path: string): Promise<Lock> {
  try {
    if (!existsSync(dirname(path))) await makeDirectory(dirname(path))
    return await lockFile(
      path,
      (who) =>
        `${who} is sending this input to this dataset. Once it has ended, the same command resumes there.`,
    )
  } catch (error) {
    throw checkpointError(path, error)
  }
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
