/** Resolves once a signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/**
 * Settles as `work` does or, when the signal is aborted first, with what `stop` returns or throws. Leaves no listener on
 * a signal that outlives the work; the work itself goes on.
 */
export function orAborted<Result, Stopped>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  stop: () => Stopped,
): Promise<Result | Stopped> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      try {
        resolve(stop())
      } catch (error) {
        reject(error)
      }
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
