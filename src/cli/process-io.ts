import type { ChildProcess } from 'node:child_process'
import type { Io } from './context.js'
import type { StopSignal } from './exit-code.js'
import { yieldCtrlC } from './terminal/interrupt.js'

/** The environment of this process. Streams are opened on first use, because that takes time. */
export const processIo: Io = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  env: process.env,
  now: Date.now,
  async openPager(command) {
    // Ctrl-C is sent to both programs, and a pager handles it itself.
    const listen = yieldCtrlC()
    const { spawn } = await import('node:child_process')
    // As in git: less passes colors and assumes UTF-8 unless configured otherwise.
    const env = { LESS: 'FRX', LESSCHARSET: 'utf-8', ...process.env }
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'inherit', 'inherit'], env })
    const release = endTogether(child)
    const ended = new Promise<number>((resolve) => {
      child.on('error', () => resolve(127))
      child.on('close', (code) => resolve(code ?? 0))
    })
    return {
      input: child.stdin,
      ended: ended.finally(async () => {
        await delivered()
        listen()
        release()
      }),
    }
  },
  openEditor: runOnTerminal,
}

/** Runs a shell command with a file as its argument on this terminal; resolves with its exit code. */
async function runOnTerminal(command: string, file: string): Promise<number> {
  const listen = yieldCtrlC()
  const { spawn } = await import('node:child_process')
  const child = spawn('/bin/sh', ['-c', `${command} "$1"`, 'sh', file], { stdio: 'inherit' })
  const release = endTogether(child)
  return await new Promise<number>((resolve) => {
    child.on('error', () => resolve(127))
    child.on('close', (code) => resolve(code ?? 1))
  }).finally(async () => {
    await delivered()
    listen()
    release()
  })
}

/** Waits until a signal that arrived before the end of another program is handled: Node may report the end first. */
function delivered(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Passes the signals that end this program to a child process. Returns a function that stops it. */
function endTogether(child: ChildProcess): () => void {
  const names: readonly StopSignal[] = ['SIGHUP', 'SIGTERM']
  function pass(name: NodeJS.Signals): void {
    child.kill(name)
    release()
    if (process.listenerCount(name) === 0) process.kill(process.pid, name)
  }
  function release(): void {
    for (const name of names) process.off(name, pass)
  }
  for (const name of names) process.on(name, pass)
  return release
}
