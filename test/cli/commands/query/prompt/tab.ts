import type { Terminal } from '../../../../support/pty.js'
import { until } from '../../../../support/until.js'

/** A completion takes a few seconds at most. */
const COMPLETION_MS = 10_000
const MOST_TIMES = 10

/** Types keys and Tab, and Tab again if the completion took too long, until the condition is met. */
export async function complete(
  terminal: Terminal,
  keys: string,
  isDone: () => unknown,
): Promise<void> {
  terminal.type(`${keys}\t`)
  for (let times = 1; ; times++) {
    try {
      await until(isDone, terminal.raw, COMPLETION_MS)
      return
    } catch (error) {
      if (times === MOST_TIMES) throw error
      terminal.type('\t')
    }
  }
}
