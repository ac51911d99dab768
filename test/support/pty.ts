// A pseudo-terminal for the real program, without any other program.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, write } from 'node:fs'
import { ReadStream } from 'node:tty'
import { onTestFinished } from 'vitest'
import { Screen } from './screen.js'
import { showOnFailure } from './shown-runs.js'
import { temporaryDirectory } from './temporary.js'
import { until } from './until.js'

/** Keeps the state of tests out of the user's directories. */
const state = temporaryDirectory()

export interface TerminalOptions {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** The streams that are pipes: standard input in `cat app.ndjson | evq …`, standard output in `evq … | cat`. */
  readonly pipes?: readonly (typeof STREAMS)[number][]
}

interface End {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
}

/** A program on its own terminal, as a shell would start it. */
export interface Terminal {
  readonly child: ChildProcess
  /** Everything that was written to it, with escape sequences. */
  raw(): string
  /** The lines on the screen, including those that were scrolled off. */
  screen(): Screen
  /** Types keys: `\r` is Enter, `\x03` is Ctrl-C and reaches the program as a signal. */
  type(keys: string): void
  resize(columns: number, rows?: number): void
  /** Closes the terminal, as when a connection is lost. */
  hangUp(): void
  /** Waits until the raw output matches. */
  until(pattern: RegExp): Promise<RegExpMatchArray>
  readonly ended: Promise<End>
}

interface Size {
  columns: number
  rows: number
}

interface Libc {
  /** Unlocks the other end of the terminal and returns its path. */
  unlock(fd: number): string
  setSize(fd: number, size: Size): void
}

const libc = await loadLibc()

/** True when this machine has pseudo-terminals; tests that need one are skipped otherwise. */
export const hasTerminal = libc !== undefined

/** True when bash is installed. */
export const hasBash = spawnSync('bash', ['-c', 'exit']).status === 0

const STREAMS = ['stdin', 'stdout', 'stderr'] as const
const REDIRECT = { stdin: '<"$tty"', stdout: '>"$tty"', stderr: '2>"$tty"' } as const

/** Starts a program on a new terminal; it ends with the test at the latest. */
export function startOnTerminal(
  command: readonly string[],
  { columns = 80, rows = 24, env = {}, cwd, pipes = [] }: TerminalOptions = {},
): Terminal {
  if (libc === undefined) throw new Error('no terminal can be made on this machine')
  const { setSize, unlock } = libc
  const master = openSync('/dev/ptmx', constants.O_RDWR | constants.O_NOCTTY)
  const size: Size = { columns, rows }
  setSize(master, size)
  const redirects = STREAMS.filter((name) => !pipes.includes(name)).map((name) => REDIRECT[name])
  const tty = unlock(master)
  // Node reads at most 4 KiB from a terminal after its last user is gone, so this process is one until it has read everything.
  const user = openSync(tty, constants.O_RDWR | constants.O_NOCTTY)
  // The first process of a session gets the first terminal that it opens for reading as its own. A shell does so, Node does not.
  const script = `: <"$tty"; exec "$@" ${redirects.join(' ')}`
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
    cwd,
    detached: true,
    env: {
      PATH: process.env.PATH,
      TERM: 'xterm-256color',
      XDG_STATE_HOME: state,
      ...env,
      tty,
    },
  })
  const stream = new ReadStream(master)
  const output = listen(stream, () => closeSync(user))
  const exited = new Promise<End>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (status, signal) => resolve({ status, signal }))
  })
  // After everything that the program wrote.
  child.on('exit', () => write(user, END, () => {}))
  showOnFailure(() => ({
    command: command.join(' '),
    end: child.signalCode ?? child.exitCode ?? undefined,
    stdout: new Screen(output.text(), size.columns).text(),
    stderr: '',
  }))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    child,
    raw: output.text,
    until: output.until,
    screen: () => new Screen(output.text(), size.columns),
    type: (keys) => void stream.write(keys),
    resize(columns, rows = size.rows) {
      Object.assign(size, { columns, rows })
      setSize(master, size)
    },
    hangUp: () => void stream.destroy(),
    ended: output.ended.then(() => exited),
  }
}

/** Written to a terminal after its program has ended. */
const END = '\0the end\0'

/** Collects what is written to a terminal. Calls `hasEnded` once all output of the program was read. */
function listen(stream: ReadStream, hasEnded: () => void) {
  let output = ''
  stream.setEncoding('utf8').on('data', (piece: string) => {
    output += piece
    const end = output.indexOf(END, Math.max(0, output.length - piece.length - END.length))
    if (end === -1) return
    output = output.slice(0, end) + output.slice(end + END.length)
    hasEnded()
  })
  // The system reports an error once no process has the terminal open.
  stream.on('error', () => stream.destroy())
  const ended = new Promise<void>((resolve) => {
    stream.on('close', resolve)
  })
  async function untilMatch(pattern: RegExp): Promise<RegExpMatchArray> {
    const match = await until(
      () => output.match(pattern) ?? (stream.destroyed && 'closed'),
      () => `a match of ${pattern} in ${JSON.stringify(output)}`,
    )
    if (match === 'closed') throw new Error(`ended without a match of ${pattern}: ${output}`)
    return match
  }
  return { text: () => output, until: untilMatch, ended }
}

/** The functions of the C library that open a terminal; undefined when it can't be called. */
async function loadLibc(): Promise<Libc | undefined> {
  if (process.platform === 'win32') return undefined
  try {
    const { default: koffi } = await import('koffi')
    const library = koffi.load(null)
    const grantpt = library.func('int grantpt(int)')
    const unlockpt = library.func('int unlockpt(int)')
    const ptsname = library.func('const char *ptsname(int)')
    const ioctl = library.func('int ioctl(int, unsigned long, ...)')
    const setWindowSize = process.platform === 'darwin' ? 0x80087467 : 0x5414
    return {
      unlock(fd) {
        if (grantpt(fd) + unlockpt(fd) !== 0) throw new Error('the terminal stays locked')
        return ptsname(fd)
      },
      setSize(fd, { columns, rows }) {
        const size = Uint16Array.of(rows, columns, 0, 0)
        if (ioctl(fd, setWindowSize, 'void *', size) !== 0) throw new Error('no size can be set')
      },
    }
  } catch {
    return undefined
  }
}
