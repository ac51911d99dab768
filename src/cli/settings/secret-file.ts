import { stat } from 'node:fs/promises'
import { systemErrorMessage } from '../error/system-error.js'
import { UsageError } from '../error/usage-error.js'

/** Refuses a file that holds a secret and that others can read: it is not one any more, as `ssh` has it of its keys. */
export async function requirePrivateFile(
  path: string,
  secret: 'token' | 'password' | 'key',
): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o077) === 0) return
  const shown = (mode & 0o777).toString(8).padStart(4, '0')
  throw new UsageError(
    `\`${path}\` holds a ${secret} and others may read it (mode ${shown}). \`chmod 600 ${path}\` closes it.`,
  )
}

/** A file that the command line or another file names can't be read. */
export function readError(path: string, error: unknown): UsageError {
  return new UsageError(
    `\`${path}\` can't be read (${systemErrorMessage(error) ?? String(error)}).`,
  )
}
