import { EXIT } from '../exit-code.js'
import { CommandError } from './command-error.js'

/** A wrong command line or configuration. The message states what to write instead. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, EXIT.usage)
    this.name = 'UsageError'
  }
}
