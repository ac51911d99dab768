import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

const POLL_MS = 10
const LONGEST_POLL_MS = 100
/** The delay of the next check, as a share of the time waited so far. */
const POLL_SHARE = 0.02
const LATE = Symbol('late')

type Falsy = false | 0 | 0n | '' | null | undefined

/**
 * Polls a condition every 10 ms, after half a second less and less often, and returns its first truthy value.
 *
 * Rejects after `limitMs` with a message that names `what` was expected and the last state seen: the last falsy value, or
 * the last error of a condition that throws, so that a condition may hold an `expect`. A check that is still pending by
 * then is reported as such. Pass `what` as a function to include details of that moment.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  what: string | (() => string),
  limitMs = 120_000,
): Promise<Exclude<T, Falsy>> {
  const start = performance.now()
  let lastState = 'none'
  let cause: unknown
  const settled = new AbortController()
  const late = sleep(limitMs, LATE, { signal: settled.signal }).catch(() => LATE)
  try {
    for (;;) {
      const waited = performance.now() - start
      const isLast = waited >= limitMs
      try {
        const state = condition()
        const value = state instanceof Promise ? await Promise.race([state, late]) : state
        if (value === LATE) {
          lastState += ', and a check is still pending'
          break
        }
        if (value) return value as Exclude<T, Falsy>
        lastState = inspect(value)
        cause = undefined
      } catch (error) {
        lastState = error instanceof Error ? `${error.name}: ${error.message}` : inspect(error)
        cause = error
      }
      if (isLast) break
      await sleep(Math.min(Math.max(POLL_MS, waited * POLL_SHARE), LONGEST_POLL_MS))
    }
  } finally {
    settled.abort()
  }
  const expected = typeof what === 'string' ? what : what()
  throw new Error(`Not within ${limitMs} ms: ${expected}. Last state seen: ${lastState}`, { cause })
}
