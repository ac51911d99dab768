import { EXIT, type ExitCode } from '../exit-code.js'

/** The failure of a command for an expected reason. The message states the reason, and what to do. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}
