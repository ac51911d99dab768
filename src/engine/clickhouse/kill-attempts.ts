/** Short, since the statement may not be listed yet at the first attempt. */
const FIRST_DELAY_MS = 25
const LONGEST_DELAY_MS = 5_000
/** With the delays between them, the attempts take about a minute. */
export const KILL_ATTEMPTS = 20

interface KillOptions {
  isRunning(): boolean
  kill(): Promise<void>
  /** Resolves after `ms` milliseconds, or earlier when nothing is running. */
  wait(ms: number): Promise<void>
}

/** Kills repeatedly, at increasing intervals, until nothing is running; resolves with false when the last attempt has no effect. */
export async function killUntilEnded({ isRunning, kill, wait }: KillOptions): Promise<boolean> {
  let delayMs = FIRST_DELAY_MS
  for (let attempt = 0; attempt < KILL_ATTEMPTS && isRunning(); attempt++) {
    await kill()
    if (isRunning()) await wait(delayMs)
    delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)
  }
  return !isRunning()
}
