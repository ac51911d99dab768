import { Countdown } from '../text/countdown.js'
import { lockHolder, lockPath } from './file-lock.js'

/**
 * Returns a function that returns true once another process has held a data directory for too long, counted from the first call.
 * The time starts again with each process that takes the directory, because many commands may use it in turn.
 */
export function lockPatience(directory: string, timeoutMs: number): () => boolean {
  const path = lockPath(directory)
  let countdown: Countdown | undefined
  let holder: number | undefined
  return () => {
    const current = lockHolder(path)
    if (countdown === undefined || current !== holder) {
      countdown?.stop()
      countdown = new Countdown(timeoutMs)
      holder = current
    }
    return countdown.isOver
  }
}
