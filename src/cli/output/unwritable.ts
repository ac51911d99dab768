import { CommandError } from '../error/command-error.js'
import { systemWords } from '../error/system-error.js'

/** Why nothing can be written to a file, when that is what went wrong; else the error as it was. */
export function unwritable(file: string, error: unknown): unknown {
  const words = systemWords(error)
  return words === undefined ? error : new CommandError(`${file} can't be written: ${words}.`)
}
