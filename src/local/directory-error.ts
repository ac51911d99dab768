import { EngineMissingError, LowLimitError } from '../engine/clickhouse/chdb.js'
import { StoreError } from '../engine/store-error.js'
import { shortageText } from '../text/resource-limits.js'
import { DescribedError, errorCode } from '../text/system-error.js'

/** The reasons why a data directory cannot be used. */
type DirectoryProblem = 'in-use' | 'denied' | 'not-a-directory' | 'full' | 'failed'

/** Thrown when a data directory cannot be used. The message is for the user. */
export class DirectoryError extends DescribedError {
  readonly problem: DirectoryProblem

  constructor(problem: DirectoryProblem, message: string, options?: ErrorOptions) {
    super('directory', message, options)
    this.name = 'DirectoryError'
    this.problem = problem
  }
}

/** Converts a file system error to a `DirectoryError`; returns other errors unchanged. */
export function directoryError(directory: string, error: unknown): unknown {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new DirectoryError(
        'denied',
        `The data directory \`${directory}\` can't be written: permission denied. Choose another directory with \`--data-dir\`.`,
        { cause: error },
      )
    case 'EEXIST':
    case 'ENOTDIR':
      return new DirectoryError(
        'not-a-directory',
        `The data directory \`${directory}\` can't be created: a file with that name exists. Choose another directory with \`--data-dir\`.`,
        { cause: error },
      )
    case 'ENOENT':
      return new DirectoryError(
        'failed',
        `The data directory \`${directory}\` can't be created: its file system does not allow it. Choose another directory with \`--data-dir\`.`,
        { cause: error },
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return new DirectoryError(
        'full',
        `The data directory \`${directory}\` can't be written: the disk is full.`,
        { cause: error },
      )
    default:
      return error
  }
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
  if (shortage !== undefined) {
    return new DirectoryError(
      'failed',
      `The data in \`${directory}\` can't be opened. ${shortage}`,
      { cause: error },
    )
  }
  return new DirectoryError(
    'failed',
    `The data in \`${directory}\` can't be opened: it is corrupted, or was not created by evq. Choose another directory with \`--data-dir\`.`,
    { cause: error },
  )
}
