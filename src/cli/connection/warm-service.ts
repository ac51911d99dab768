import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Countdown } from '../../text/countdown.js'

interface WarmServiceOptions {
  readonly directory: string
  /** The time without requests after which the service ends. */
  readonly idleMs: number
  /** Resolves with true when a service accepts connections on the directory's socket. */
  readonly isListening: () => Promise<boolean>
}

/** The time to wait for the service, which usually starts within a second. After it, the command opens the directory itself. */
const START_TIMEOUT_MS = 10_000
const PAUSE_MS = 20

/**
 * Starts a service on a data directory that outlives this process, for later commands. Resolves with true when it accepts
 * connections, and with false when it does not start. The reason is then reported by the caller, which opens the directory itself.
 */
export async function startWarmService(options: WarmServiceOptions): Promise<boolean> {
  const { directory, idleMs, isListening } = options
  const program = process.argv[1]
  if (program === undefined) return false
  const args = ['serve', '--listen', 'none', '--idle', `${idleMs}ms`, '--data-dir', directory]
  const child = spawn(process.execPath, [program, ...args], {
    detached: true,
    stdio: 'ignore',
    cwd: '/',
  })
  let hasEnded = false
  child.once('error', () => {
    hasEnded = true
  })
  child.once('exit', () => {
    hasEnded = true
  })
  child.unref()
  const start = new Countdown(START_TIMEOUT_MS)
  while (!hasEnded && !start.isOver) {
    if (await isListening()) return true
    await sleep(PAUSE_MS)
  }
  return false
}
