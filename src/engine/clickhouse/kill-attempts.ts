/** At first the statement may not be listed yet, so that the second attempt comes soon. */
const FIRST_DELAY_MS = 25
const LONGEST_DELAY_MS = 5_000
/** With the delays between them, attempts go on for about a minute. */
export const KILL_ATTEMPTS = 20

interface KillOptions {
  isRunning(): boolean
  kill(): Promise<void>
  /** Resolves after so many milliseconds, or earlier when nothing runs any more. */
  wait(ms: number): Promise<void>
}

/** Kills what runs again and again, at growing intervals, until it has ended; false when it outlasts the last attempt. */
export async function killUntilEnded({ isRunning, kill, wait }: KillOptions): Promise<boolean> {
  let delayMs = FIRST_DELAY_MS
  for (let attempt = 0; attempt < KILL_ATTEMPTS && isRunning(); attempt++) {
    await kill()
    if (isRunning()) await wait(delayMs)
    delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)
  }
  return !isRunning()
}
