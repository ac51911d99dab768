import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deleteExpired } from '../service/retention.js'

const HOUR_MS = 3_600_000

/** The file whose modification time is the time of the last pass. */
const FILE = 'last-retention-pass'

/**
 * Deletes the events that exceed the maximum age of their dataset, unless a command on this directory did so within the last
 * hour. `stop` resolves when they are deleted: most commands end sooner, and expired events would be kept if they did not wait.
 */
export function hourlyRetention(
  directory: string,
  options: Parameters<typeof deleteExpired>[0],
): { stop(): Promise<void> } {
  const path = join(directory, FILE)
  const pass = async (): Promise<void> => {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
    // A clock that was set back must not stop the passes.
    if (Math.abs(Date.now() - mtimeMs) < HOUR_MS) return
    await deleteExpired(options, { isFirst: false, isStopped: () => false })
    await writeFile(path, '', { mode: 0o600 })
  }
  // The command is not about retention, and the next command tries again.
  const done = pass().catch(() => {})
  return { stop: () => done }
}
