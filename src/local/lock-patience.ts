import { Countdown } from '../text/countdown.js'
import { lockHolder, lockPath } from './file-lock.js'

/**
 * Returns a function that returns true when a data directory was held for too long since the first call. The time begins again with
 * each process that takes the directory: many commands may have to use it in turn.
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
