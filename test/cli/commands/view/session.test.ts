// Sessions of the real program on a terminal.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Terminal as Emulator } from '@xterm/headless'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../support/needs.js'
import {
  hasTerminal,
  startOnTerminal,
  type Terminal,
  type TerminalOptions,
} from '../../../support/pty.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { until } from '../../../support/until.js'

const directory = temporaryDirectory()
const binary = join(import.meta.dirname, '../../../../bin/evq.js')
const file = join(directory, 'app.log')
writeFileSync(
  file,
  Array.from(
    { length: 200 },
    (_, index) =>
      `2026-01-31 10:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')},000 ${index % 9 === 0 ? 'ERROR' : 'INFO'} [main] com.example.Orders - event ${index}\n`,
  ).join(''),
)

const ENTER = '\x1b[?1049h'
const LEAVE = '\x1b[?1049l'
/** Terminal modes that the view changes, and must restore. */
const MODES = ['?7', '?25', '?2004', '?1007', '?1049']

function view(args: readonly string[] = [file], options: TerminalOptions = {}): Terminal {
  const env = {
    EVQ_DATA_DIR: directory,
    XDG_STATE_HOME: directory,
    TMPDIR: directory,
    ...options.env,
  }
  return startOnTerminal([process.execPath, binary, 'view', ...args], { ...options, env })
}

/** Returns the screen of a terminal, or the one that is behind it after the view has left. */
async function screenOf(terminal: Terminal, { columns = 80, rows = 24 } = {}) {
  const emulator = new Emulator({ cols: columns, rows, allowProposedApi: true, convertEol: true })
  await new Promise<void>((resolve) => emulator.write(terminal.raw(), resolve))
  const { active } = emulator.buffer
  const lines = Array.from({ length: rows }, (_, row) =>
    active.getLine(row + active.baseY)!.translateToString(true),
  )
  const { type } = active
  emulator.dispose()
  return { lines, text: lines.join('\n'), isOther: type === 'alternate' }
}

async function untilShown(terminal: Terminal, pattern: RegExp, size = {}): Promise<void> {
  await until(
    async () => pattern.test((await screenOf(terminal, size)).text),
    () => `${pattern} in ${JSON.stringify(terminal.raw().slice(-3_000))}`,
  )
}

/** Expects that each mode was set back, and that the cursor is visible. */
function expectRestored(terminal: Terminal): void {
  const raw = terminal.raw()
  expect(raw).toContain(ENTER)
  for (const mode of MODES) {
    const last = [...raw.matchAll(new RegExp(`\\x1b\\[\\${mode}([hl])`, 'g'))].at(-1)?.[1]
    expect([mode, last]).toEqual([mode, mode === '?25' || mode === '?7' ? 'h' : 'l'])
  }
}

describe('a session', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('shows a log, and prints the command when it ends', async () => {
    const terminal = view()
    await untilShown(terminal, /1 of 200 /)
    const { lines, isOther } = await screenOf(terminal)
    expect(isOther).toBe(true)
    expect(lines[4]).toMatch(/10:00:00\.000 error .*event 0/)
    terminal.type('&event 19\r')
    await untilShown(terminal, /of 11 /)
    terminal.type('q')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expectRestored(terminal)
    expect((await screenOf(terminal, { columns: 200 })).text).toContain(
      `evq query -i ${file} "where * contains 'event 19'"`,
    )
  })

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
    'gives the terminal back after %s',
    async (signal) => {
      const terminal = view()
      await terminal.until(/event 0/)
      terminal.child.kill(signal)
      expect((await terminal.ended).signal).toBe(signal)
      expectRestored(terminal)
    },
  )

  it('removes its temporary files when a signal ends it', async () => {
    const temporary = join(directory, 'temporary')
    mkdirSync(temporary)
    const terminal = view([file], { env: { TMPDIR: temporary } })
    await untilShown(terminal, /1 of 200 /)
    expect(readdirSync(temporary)).not.toEqual([])
    terminal.child.kill('SIGTERM')
    expect((await terminal.ended).signal).toBe('SIGTERM')
    expect(readdirSync(temporary)).toEqual([])
  })

  it('removes its temporary files when a signal ends it while it opens', async () => {
    const temporary = join(directory, 'opening')
    mkdirSync(temporary)
    const terminal = view([file], { env: { TMPDIR: temporary } })
    await until(() => readdirSync(temporary).length > 0, 'a temporary directory exists')
    terminal.child.kill('SIGTERM')
    expect((await terminal.ended).signal).toBe('SIGTERM')
    expect(readdirSync(temporary)).toEqual([])
    expectRestored(terminal)
  })

  it('explains that the name of a missing dataset is that of a directory', async () => {
    mkdirSync(join(directory, 'many'), { recursive: true })
    const terminal = view(['many'], { cwd: directory })
    await untilShown(terminal, /`many` is a directory\. Name its files: `evq view 'many\/\*'`\./)
    terminal.type('q')
    expect((await terminal.ended).status).toBe(0)
  })

  it('ends with Ctrl-C, which is a key', async () => {
    const terminal = view()
    await terminal.until(/event 0/)
    terminal.type('\x03')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expectRestored(terminal)
  })

  it('gives the terminal back when it crashes', async () => {
    const crash = join(directory, 'crash.cjs')
    writeFileSync(crash, "process.on('SIGUSR2', () => { throw new Error('crashed on purpose') })\n")
    const terminal = view([file], { env: { NODE_OPTIONS: `--require ${crash}` } })
    await untilShown(terminal, /1 of 200 /)
    terminal.child.kill('SIGUSR2')
    await terminal.ended
    expectRestored(terminal)
    // The error is readable: it was printed after the screen was given back.
    expect(terminal.raw().split(LEAVE).at(-1)).toContain('crashed on purpose')
  })

  it('stops with Ctrl-Z and goes on', async () => {
    const terminal = view()
    await untilShown(terminal, /1 of 200 /)
    terminal.type('\x1a')
    await until(() => terminal.raw().includes(LEAVE), 'the end of the screen')
    expectRestored(terminal)
    const before = terminal.raw().length
    // It may not have stopped yet.
    await until(() => {
      terminal.child.kill('SIGCONT')
      return terminal.raw().slice(before).includes(ENTER)
    }, 'the screen again')
    terminal.type('j')
    await untilShown(terminal, /2 of 200 /)
    terminal.type('q')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
  })

  it('draws for each size of the terminal', async () => {
    const terminal = view([file], { columns: 60, rows: 10 })
    await untilShown(terminal, /1 of 200 /, { columns: 60, rows: 10 })
    const mark = terminal.raw().length
    terminal.resize(120, 30)
    await until(() => terminal.raw().slice(mark).includes('2026-01-31 10:00:20'), 'a larger screen')
    terminal.type('q')
    await terminal.ended
    expectRestored(terminal)
  })

  it('takes its keys from the terminal when events arrive on standard input', async () => {
    const terminal = view([], { pipes: ['stdin'] })
    const producer = spawn('cat', [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    producer.stdout.pipe(terminal.child.stdin!)
    await untilShown(terminal, /1 of 200 /)
    terminal.type('G')
    await untilShown(terminal, /200 of 200 /)
    terminal.type('q')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expect((await screenOf(terminal)).text).toContain('… | evq query "where true"')
  })

  it('shows events of a stream while it is open, and Ctrl-C leaves its producer alone', async () => {
    const terminal = view([], { pipes: ['stdin'] })
    const stdin = terminal.child.stdin!
    stdin.on('error', () => {})
    stdin.write('{"message":"first event"}\n')
    await untilShown(terminal, /first event/)
    stdin.write('{"message":"second event"}\n')
    await untilShown(terminal, /second event/)
    terminal.type('\x03')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expectRestored(terminal)
  })
})

describe('without a terminal', () => {
  it('names the command that prints events', async () => {
    const { evq } = await import('../../../support/evq.js')
    const { status, stderr } = await evq(['view', file], { directory })
    expect(status).toBe(2)
    expect(stderr).toContain('Standard output is not a terminal. `evq query` prints events')
  })
})
