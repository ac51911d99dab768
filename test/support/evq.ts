import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { aroundAll } from 'vitest'
import { showOnFailure } from './shown-runs.js'
import { temporaryDirectory } from './temporary.js'
import { until } from './until.js'

/** Keeps the state of tests out of the user's directories. */
const state = temporaryDirectory()

const binary = join(import.meta.dirname, '../../bin/evq.js')

export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface EvqOptions {
  readonly directory: string
  readonly stdin?: string | Buffer | Readable
  readonly env?: Readonly<Record<string, string>>
  readonly spawn?: SpawnOptions
}

/** Runs the real program to its end. */
export async function evq(args: readonly string[], options: EvqOptions): Promise<Ended> {
  return start(args, options).ended
}

/** Functions that kill the processes that run. */
const running = new Map<ChildProcess, () => Promise<Ended>>()

aroundAll(async (runSuite) => {
  await runSuite()
  await Promise.all([...running.values()].map((kill) => kill()))
})

/** Starts the real program; the caller feeds and ends it. It is killed after the last test of the file at the latest. */
export function start(args: readonly string[], options: EvqOptions) {
  const child = spawn(process.execPath, [binary, ...args], {
    ...options.spawn,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      EVQ_DATA_DIR: options.directory,
      XDG_STATE_HOME: state,
      ...options.env,
    },
  })
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('no pipes')
  // The program may end before it has read everything; the test checks the exit code.
  stdin.on('error', () => {})
  if (options.stdin instanceof Object && 'pipe' in options.stdin) options.stdin.pipe(stdin)
  else if (options.stdin !== undefined) stdin.end(options.stdin)
  const out = collect(stdout)
  const err = collect(stderr)
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status, signal) =>
      resolve({ status, signal, stdout: out.text(), stderr: err.text() }),
    )
  })
  /** Kills the program and waits until it has ended. */
  const kill = async (): Promise<Ended> => {
    child.kill('SIGKILL')
    return await ended
  }
  running.set(child, kill)
  showOnFailure(() => ({
    command: `evq ${args.join(' ')}`,
    end: child.signalCode ?? child.exitCode ?? undefined,
    stdout: out.text(),
    stderr: err.text(),
  }))
  child.on('exit', () => running.delete(child))
  return { child, stdin, out, err, ended, kill }
}

/** Collects the text of a stream. */
function collect(stream: Readable) {
  let text = ''
  stream.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  return {
    text: () => text,
    /** Returns the first match; rejects when the stream ends without one, or after a while. */
    async until(pattern: RegExp): Promise<RegExpMatchArray> {
      const match = await until(
        () => text.match(pattern) ?? (stream.closed && 'closed'),
        () => `a match of ${pattern} in ${JSON.stringify(text)}`,
      )
      if (match === 'closed') throw new Error(`ended without a match of ${pattern}: ${text}`)
      return match
    },
  }
}
