/** The exit codes of a command; `evq help exit-codes` lists them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  incomplete: 3,
  denied: 4,
  tooManyErrors: 5,
  assertion: 6,
  hungUp: 129,
  interrupted: 130,
  quit: 131,
  terminated: 143,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The signals that stop a command, with the exit codes that a shell reports for them: 128 + the signal's number. */
export const SIGNAL_CODES = {
  SIGHUP: EXIT.hungUp,
  SIGINT: EXIT.interrupted,
  SIGQUIT: EXIT.quit,
  SIGTERM: EXIT.terminated,
} as const

export type StopSignal = keyof typeof SIGNAL_CODES

/** Returns the signal that stopped a command which ended with this code; undefined when no signal did. */
export function signalOf(exitCode: ExitCode): StopSignal | undefined {
  const signals = Object.keys(SIGNAL_CODES) as StopSignal[]
  return signals.find((signal) => SIGNAL_CODES[signal] === exitCode)
}
