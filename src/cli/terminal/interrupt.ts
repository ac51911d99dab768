import { EXIT, type ExitCode, SIGNAL_CODES, type StopSignal } from '../exit-code.js'

/** A request to stop, by SIGINT (Ctrl-C), SIGQUIT (Ctrl-\), SIGTERM or SIGHUP. */
export interface Interrupt {
  /** Aborted when the first of the signals arrives. */
  readonly signal: AbortSignal
  /** Returns the exit code that stands for the signal; undefined while no signal has arrived. */
  readonly exitCode: () => ExitCode | undefined
  /** Stops listening. The next signal ends the process at once, as it does by default. */
  release(): void
}

const SIGNALS = Object.keys(SIGNAL_CODES) as StopSignal[]

/** The number of running programs that handle Ctrl-C themselves. */
let handlers = 0

/**
 * Listens for the signals that stop a command. Only the first signal is caught, so a second Ctrl-C ends the process at once. A
 * command that ends because of a signal returns the signal's exit code, and the program then raises the signal again: only a
 * process that is killed by SIGINT ends a shell loop around it.
 */
export function listenForInterrupt(signals: readonly StopSignal[] = SIGNALS): Interrupt {
  const controller = new AbortController()
  let code: ExitCode | undefined
  function heard(name: NodeJS.Signals): void {
    if (name === 'SIGINT' && handlers > 0) return
    code ??= SIGNAL_CODES[name as StopSignal]
    // Later, because `ora` also listens, and ends the process when there is no other listener.
    setImmediate(release)
    controller.abort()
  }
  function release(): void {
    for (const name of signals) process.off(name, heard)
  }
  for (const name of signals) process.on(name, heard)
  return { signal: controller.signal, exitCode: () => code, release }
}

/**
 * Runs work that a signal stops. Returns the exit code of the signal, or else of the work, which need not return one when it
 * succeeds. Errors that follow from the signal, such as canceled requests, are not reported.
 */
export async function interruptible(
  work: (interrupt: Interrupt) => Promise<ExitCode | undefined>,
): Promise<ExitCode> {
  const interrupt = listenForInterrupt()
  try {
    const exitCode = await work(interrupt)
    return interrupt.exitCode() ?? exitCode ?? EXIT.done
  } catch (error) {
    const exitCode = interrupt.exitCode()
    if (exitCode !== undefined) return exitCode
    throw error
  } finally {
    interrupt.release()
  }
}

/** Ignores a signal. Returns a function that restores the previous behavior. */
export function ignoreSignal(name: NodeJS.Signals): () => void {
  const ignore = (): void => {}
  process.on(name, ignore)
  return () => process.off(name, ignore)
}

/**
 * Leaves Ctrl-C to another program on the same terminal, such as a pager: this program ignores it until the returned function is
 * called.
 */
export function yieldCtrlC(): () => void {
  const listen = ignoreSignal('SIGINT')
  handlers += 1
  return () => {
    handlers -= 1
    listen()
  }
}
