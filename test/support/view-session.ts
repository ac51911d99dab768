// Sessions of the view: the real program on a terminal.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Terminal as Emulator } from '@xterm/headless'
import { expect } from 'vitest'
import { startOnTerminal, type Terminal, type TerminalOptions } from './pty.js'
import { temporaryDirectory } from './temporary.js'
import { until } from './until.js'

export const directory = temporaryDirectory()
export const binary = join(import.meta.dirname, '../../bin/evq.js')
/** A log with 200 events. */
export const file = join(directory, 'app.log')
writeFileSync(
  file,
  Array.from(
    { length: 200 },
    (_, index) =>
      `2026-01-31 10:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')},000 ${index % 9 === 0 ? 'ERROR' : 'INFO'} [main] com.example.Orders - event ${index}\n`,
  ).join(''),
)

export const ENTER = '\x1b[?1049h'
export const LEAVE = '\x1b[?1049l'
/** Terminal modes that the view changes, and must restore. */
const MODES = ['?7', '?25', '?2004', '?1007', '?1049']

/** Keeps what the view writes in a directory of its own. */
export const environment = {
  EVQ_DATA_DIR: directory,
  XDG_STATE_HOME: directory,
  TMPDIR: directory,
}

export function view(args: readonly string[] = [file], options: TerminalOptions = {}): Terminal {
  const env = { ...environment, ...options.env }
  return startOnTerminal([process.execPath, binary, 'view', ...args], { ...options, env })
}

/** Returns the screen of a terminal, or the one that is behind it after the view has left. */
export async function screenOf(terminal: Terminal, { columns = 80, rows = 24 } = {}) {
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

export async function untilShown(terminal: Terminal, pattern: RegExp, size = {}): Promise<void> {
  await until(
    async () => pattern.test((await screenOf(terminal, size)).text),
    () => `${pattern} in ${JSON.stringify(terminal.raw().slice(-3_000))}`,
  )
}

/** Expects that each mode was set back, and that the cursor is visible. */
export function expectRestored(terminal: Terminal): void {
  const raw = terminal.raw()
  expect(raw).toContain(ENTER)
  for (const mode of MODES) {
    const last = [...raw.matchAll(new RegExp(`\\x1b\\[\\${mode}([hl])`, 'g'))].at(-1)?.[1]
    expect([mode, last]).toEqual([mode, mode === '?25' || mode === '?7' ? 'h' : 'l'])
  }
}
