import { stat } from 'node:fs/promises'
import { errorCode } from '../../text/system-error.js'
import { systemErrorMessage } from '../error/system-error.js'
import { UsageError } from '../error/usage-error.js'

/** Throws a `UsageError` when other users can read a file that contains a secret, as `ssh` does for its keys. */
export async function requirePrivateFile(
  path: string,
  secret: 'token' | 'password' | 'key',
): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o077) === 0) return
  const shown = (mode & 0o777).toString(8).padStart(4, '0')
  throw new UsageError(
    `\`${path}\` contains a ${secret} and other users can read it (mode ${shown}). Run \`chmod 600 ${path}\`.`,
  )
}

/** Returns the error for a file that can't be read, and is named on the command line or in another file. */
export function readError(path: string, error: unknown): UsageError {
  return new UsageError(`\`${path}\` can't be read (${reasonOf(error)}).`)
}

/** Returns the reason why a file was not read, as a clause. */
export function whyUnread(error: unknown): string {
  return errorCode(error) === 'ENOENT'
    ? 'it does not exist'
    : `it can't be read (${reasonOf(error)})`
}

function reasonOf(error: unknown): string {
  return systemErrorMessage(error) ?? String(error)
}
