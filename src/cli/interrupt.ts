import { EXIT, type ExitCode } from './exit-code.js'

/** The wish to stop, as a signal that work can watch. */
export interface Interrupt {
  readonly signal: AbortSignal
  /** What to end with, once a wish was heard. */
  readonly exitCode: () => ExitCode | undefined
  /** Lets Ctrl-C end the process again. */
  release(): void
}

const CODES = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated } as const

/**
 * Makes the first Ctrl-C (or SIGTERM) a wish to stop in good order. The second finds no listener
 * and ends the process at once, as the system does it.
 */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController()
  let code: ExitCode | undefined
  function heard(name: keyof typeof CODES): void {
    code = CODES[name]
    // The spinner's package listens too, and ends the process when it finds itself alone: it must not yet.
    setImmediate(release)
    controller.abort()
  }
  const onInterrupt = () => heard('SIGINT')
  const onTerminate = () => heard('SIGTERM')
  function release(): void {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onTerminate)
  }
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onTerminate)
  return { signal: controller.signal, exitCode: () => code, release }
}

/**
 * Does work that Ctrl-C (or SIGTERM) stops. What fails because of it is no failure: the command then
 * ends as one that was interrupted.
 */
export async function interruptible(
  work: (interrupt: Interrupt) => Promise<ExitCode>,
): Promise<ExitCode> {
  const interrupt = listenForInterrupt()
  try {
    return await work(interrupt)
  } catch (error) {
    const exitCode = interrupt.exitCode()
    if (exitCode !== undefined) return exitCode
    throw error
  } finally {
    interrupt.release()
  }
}
