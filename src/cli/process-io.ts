import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { fstatSync, writeSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Io, Output } from './context.js'
import type { StopSignal } from './exit-code.js'
import { yieldCtrlC } from './terminal/interrupt.js'

/** The environment of this process. Streams are opened on first use, because that takes time. */
export const processIo: Io = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return withWholeWrites(process.stdout)
  },
  get stderr() {
    return withWholeWrites(process.stderr)
  },
  env: process.env,
  now: Date.now,
  async openPager(command) {
    // As in git: less passes colors and assumes UTF-8 unless configured otherwise.
    const env = { LESS: 'FRX', LESSCHARSET: 'utf-8', ...process.env }
    const { child, ended } = await startShell([command], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env,
    })
    return { input: child.stdin!, ended: ended.then((code) => code ?? 0) }
  },
  /** Runs a shell command with a file as its argument on this terminal. */
  async openEditor(command, file) {
    const args = [`${command} "$1"`, 'sh', file]
    const { ended } = await startShell(args, { stdio: 'inherit' })
    return (await ended) ?? 1
  },
}

/** Returns a stream that fails when a file takes only a part of a write, as on a disk that gets full: Node ignores the rest. */
function withWholeWrites(stream: FileStream): FileStream {
  if (stream._write !== writeWhole && fstatSync(stream.fd).isFile()) stream._write = writeWhole
  return stream
}

type FileStream = Output & { readonly fd: number }

function writeWhole(
  this: FileStream,
  bytes: Buffer,
  _: BufferEncoding,
  done: (error?: Error) => void,
): void {
  let failure: Error | undefined
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.fd, bytes, at)
  } catch (error) {
    failure = error as Error
  }
  done(failure)
}

/**
 * Starts a shell command on this terminal, and leaves Ctrl-C to it: Ctrl-C is sent to both programs. `ended` resolves with its exit
 * code; with `null` when a signal has ended it.
 */
async function startShell(args: readonly string[], options: SpawnOptions) {
  const listen = yieldCtrlC()
  const { spawn } = await import('node:child_process')
  const child = spawn('/bin/sh', ['-c', ...args], options)
  const release = endTogether(child)
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(127))
    child.on('close', resolve)
  }).finally(async () => {
    // A signal that arrived before the end of the program is handled first: Node may report the end before it.
    await nextTurn()
    listen()
    release()
  })
  return { child, ended }
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
