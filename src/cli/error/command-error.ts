import { EXIT, type ExitCode } from '../exit-code.js'

/** A command failed for an expected reason. The message says why, and what to do. */
export class CommandError extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}
