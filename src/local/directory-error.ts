import { EngineMissingError, LowLimitError } from '../engine/clickhouse/chdb.js'
import { StoreError } from '../engine/store-error.js'
import { shortageText } from '../text/resource-limits.js'
import { DescribedError, errorCode } from '../text/system-error.js'

type DirectoryProblem = 'in-use' | 'denied' | 'not-a-directory' | 'full' | 'failed'

/** Thrown when a data directory cannot be used. The message is for the user. */
export class DirectoryError extends DescribedError {
  override readonly name = 'DirectoryError'
  readonly problem: DirectoryProblem

  constructor(problem: DirectoryProblem, message: string, options?: ErrorOptions) {
    super('directory', message, options)
    this.problem = problem
  }
}

type Meaning = readonly [problem: DirectoryProblem, text: string]

const CHOOSE = 'Choose another directory with `--data-dir`.'
const DENIED: Meaning = ['denied', `can't be written: permission denied. ${CHOOSE}`]
const FILE: Meaning = [
  'not-a-directory',
  `can't be created: a file with that name exists. ${CHOOSE}`,
]
const FULL: Meaning = ['full', "can't be written: the disk is full."]

/** The meaning of file system errors, by their codes. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  EACCES: DENIED,
  EPERM: DENIED,
  EROFS: DENIED,
  EEXIST: FILE,
  ENOTDIR: FILE,
  ENOENT: [
    'failed',
    `can't be created: it is a link to a missing directory, or its file system does not allow it. ${CHOOSE}`,
  ],
  ENOSPC: FULL,
  EDQUOT: FULL,
}

/** Converts a file system error to a `DirectoryError`; returns other errors unchanged. */
export function directoryError(directory: string, error: unknown): unknown {
  const meaning = MEANINGS[errorCode(error) ?? '']
  if (meaning === undefined) return error
  const [problem, text] = meaning
  return new DirectoryError(problem, `The data directory \`${directory}\` ${text}`, {
    cause: error,
  })
}

/** Returns the error for a directory that has the name of a file in a data directory. */
export function notAFile(path: string): DirectoryError {
  return new DirectoryError(
    'failed',
    `\`${path}\` is a directory, but evq needs a file with that name. Remove or rename it, or choose another directory with \`--data-dir\`.`,
  )
}

/** Converts an error of opening the data to a `DirectoryError`; errors with an actionable message are returned unchanged. */
export function openError(directory: string, error: unknown): unknown {
  const isUnderstood =
    error instanceof StoreError ||
    error instanceof EngineMissingError ||
    error instanceof LowLimitError ||
    // File system errors are described by their own messages.
    (error instanceof Error && 'syscall' in error)
  if (isUnderstood) return error
  const shortage = shortageText(error)
  const why =
    shortage === undefined
      ? `: it is corrupted, or was not created by evq. ${CHOOSE}`
      : `. ${shortage}`
  const message = `The data in \`${directory}\` can't be opened${why}`
  return new DirectoryError('failed', message, { cause: error })
}
