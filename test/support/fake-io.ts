import { existsSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import type { Context, Io, Output } from '../../src/cli/context.js'
import { temporaryDirectory } from './temporary.js'

let state: string | undefined

/** Keeps the state of tests out of the user's directories; each file that shares a process has its own. */
function stateDirectory(): string {
  if (state === undefined || !existsSync(state)) state = temporaryDirectory()
  return state
}

export interface FakeIoOptions {
  /** True when standard output and error are a terminal. */
  readonly isTerminal?: boolean
  readonly columns?: number
  /** The contents of standard input, which is a terminal if undefined. */
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds since 1970. */
  readonly now?: number
}

/** An environment of buffers, whose output can be read back. */
export interface FakeIo extends Io {
  out(): string
  err(): string
}

export function fakeIo(options: FakeIoOptions = {}): FakeIo {
  const {
    isTerminal = false,
    columns = 80,
    stdin,
    env = {},
    now = Date.UTC(2026, 0, 31, 12),
  } = options
  const terminal = isTerminal ? { isTTY: true, columns } : {}
  const stdout = sink(terminal)
  const stderr = sink(terminal)
  const input = stdin === undefined ? { isTTY: true } : { isTTY: false }
  return {
    stdin: Object.assign(Readable.from(stdin === undefined ? [] : [stdin]), input),
    stdout: stdout.output,
    stderr: stderr.output,
    env: { ...env, XDG_STATE_HOME: env.XDG_STATE_HOME ?? stateDirectory() },
    now: () => now,
    out: stdout.text,
    err: stderr.text,
  }
}

/** The context of a command whose messages are ignored. */
export function silentContext(): Context {
  const nothing = () => {}
  return {
    ...{ io: fakeIo(), flags: () => ({}) },
    ...{
      info: nothing,
      warn: nothing,
      debug: nothing,
      attach: () => false,
      hide: nothing,
      finish: nothing,
    },
  }
}

/** An output whose reader has closed the pipe, or whose device is full. */
export function brokenOutput(code: 'EPIPE' | 'ENOSPC'): Output {
  return new Writable({
    write: (_chunk, _encoding, done) =>
      done(Object.assign(new Error(`write ${code}`), { code, syscall: 'write' })),
  })
}

function sink(terminal: { readonly isTTY?: boolean; readonly columns?: number }) {
  const chunks: Buffer[] = []
  const output: Output = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk)
        done()
      },
    }),
    terminal,
  )
  return { output, text: () => Buffer.concat(chunks).toString('utf8') }
}
