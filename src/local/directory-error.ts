import { accessSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shortageText } from '../text/resource-limits.js'
import { DescribedError, errorCode } from '../text/system-error.js'

/** Thrown when a data directory cannot be used. The message is for the user. */
export class DirectoryError extends DescribedError {
  override readonly name = 'DirectoryError'
}

const CHOOSE = 'Choose another directory with `--data-dir`.'
const DENIED = `can't be written: permission denied. ${CHOOSE}`
const FILE = `can't be created: a file with that name exists. ${CHOOSE}`
const FULL = "can't be written: the disk is full."

/** The meaning of file system errors, by their codes. */
const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: DENIED,
  EPERM: DENIED,
  EROFS: `can't be written: its file system is read-only. ${CHOOSE}`,
  EEXIST: FILE,
  ENOTDIR: FILE,
  ENOENT: `can't be created: it is a link to a missing directory, or its file system does not allow it. ${CHOOSE}`,
  ENOSPC: FULL,
  EDQUOT: FULL,
}

/** Converts a file system error to a `DirectoryError`; returns other errors unchanged. */
export function directoryError(directory: string, error: unknown): unknown {
  const meaning = MEANINGS[errorCode(error) ?? '']
  if (meaning === undefined) return error
  return new DirectoryError(`The data directory \`${directory}\` ${meaning}`, { cause: error })
}

/** Returns the error for a directory that has the name of a file in a data directory. */
export function notAFile(path: string): DirectoryError {
  return new DirectoryError(
    `\`${path}\` is a directory, but evq needs a file with that name. Remove or rename it, or choose another directory with \`--data-dir\`.`,
  )
}

/** Converts an error of opening the data to a `DirectoryError`; errors with an actionable message are returned unchanged. */
export function openError(directory: string, error: unknown): unknown {
  const isUnderstood =
    error instanceof DescribedError ||
    // File system errors are described by their own messages.
    (error instanceof Error && 'syscall' in error)
  if (isUnderstood) return error
  const cause = writeError(directory)
  if (cause !== undefined) return directoryError(directory, cause)
  const denied = deniedPath(directory)
  if (denied !== undefined) {
    return new DirectoryError(
      `\`${denied}\` can't be read or written: permission denied. Another user may own it.`,
      { cause: error },
    )
  }
  const shortage = shortageText(error)
  const why =
    shortage === undefined
      ? `: it is corrupted, or was not created by evq. ${CHOOSE}`
      : `. ${shortage}`
  const message = `The data in \`${directory}\` can't be opened${why}`
  return new DirectoryError(message, { cause: error })
}

/** Returns the error of writing in a directory, which the engine does not report. A full tmpfs still creates directories. */
function writeError(directory: string): unknown {
  let probe: string | undefined
  try {
    probe = mkdtempSync(join(directory, 'probe-'))
    writeFileSync(join(probe, 'file'), 'x')
    return undefined
  } catch (error) {
    return error
  } finally {
    if (probe !== undefined) rmSync(probe, { recursive: true, force: true })
  }
}

/** Returns the path of a file of the engine to which this user has no access; undefined without one. The engine only prints it. */
function deniedPath(directory: string): string | undefined {
  const engine = join(directory, 'engine')
  try {
    accessSync(engine, constants.W_OK)
    for (const name of readdirSync(engine, { recursive: true, encoding: 'utf8' })) {
      accessSync(join(engine, name), constants.R_OK)
    }
    return undefined
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    return code === 'EACCES' ? path : undefined
  }
}
