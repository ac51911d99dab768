import { EXIT, type ExitCode } from '../exit-code.js'

/** What was asked for could not be done; says what stood in the way, and what to do about it. */
export class CommandError extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}
