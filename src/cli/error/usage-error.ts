import { EXIT } from '../exit-code.js'
import { CommandError } from './command-error.js'

/** The command line or the configuration is wrong. The message says what to write instead. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, EXIT.usage)
    this.name = 'UsageError'
  }
}
