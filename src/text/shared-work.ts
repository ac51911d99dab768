/** Returns a function that starts work unless it is running: all calls until its end have the same result. */
export function sharedWhileRunning<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}

/**
 * Returns a function whose calls share runs of work: each gets the result of a run that starts after the call. `gather` delays the
 * start of a run, so that more calls share it.
 */
export function startedAfterCall<Result>(
  work: () => Promise<Result>,
  gather?: () => Promise<unknown>,
): () => Promise<Result> {
  let running: Promise<unknown> | undefined
  let next: Promise<Result> | undefined
  async function start(): Promise<Result> {
    await running
    await gather?.()
    next = undefined
    const result = work()
    running = result.catch(() => {})
    return await result
  }
  return () => {
    next ??= start()
    return next
  }
}
