import { EXIT } from '../exit-code.js'
import { CommandError } from './command-error.js'

/** A wrong command line or configuration. The message states what to write instead. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'

  constructor(message: string) {
    super(message, EXIT.usage)
  }
}
