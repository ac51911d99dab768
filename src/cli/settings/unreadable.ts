import { systemWords } from '../error/system-error.js'
import { UsageError } from '../error/usage-error.js'

/** A file that the command line or another file names can't be read. */
export function unreadable(path: string, error: unknown): UsageError {
  return new UsageError(`\`${path}\` can't be read (${systemWords(error) ?? String(error)}).`)
}
