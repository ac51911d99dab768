import { type SpawnOptions, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { temporaryDirectory } from './temporary.js'

/** Nothing that a test does is remembered where the user's own evq looks. */
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

/** Runs the real program to its end on a data directory of its own. */
export async function evq(args: readonly string[], options: EvqOptions): Promise<Ended> {
  return start(args, options).ended
}

/** Starts the real program; the caller feeds and ends it. */
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
  // The program may end before it has read everything; that is for the test to judge by the exit code.
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
  return { child, stdin, out, err, ended }
}

/** What a stream has said so far, and a wait for it to say something. */
function collect(stream: Readable) {
  let said = ''
  const waiting = new Set<() => void>()
  stream.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
    for (const check of waiting) check()
  })
  stream.on('close', () => {
    for (const check of waiting) check()
  })
  return {
    text: () => said,
    async until(pattern: RegExp): Promise<RegExpMatchArray> {
      for (;;) {
        const match = said.match(pattern)
        if (match) return match
        if (stream.closed) throw new Error(`ended without saying ${pattern}: ${said}`)
        await new Promise<void>((resolve) => {
          const check = () => {
            waiting.delete(check)
            resolve()
          }
          waiting.add(check)
        })
      }
    },
  }
}
