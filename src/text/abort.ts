export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/**
 * Settles like `work` or, when the signal is aborted first, with the result or error of `stop`. The work is not canceled.
 * Removes its listener from the signal once the work has settled.
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
