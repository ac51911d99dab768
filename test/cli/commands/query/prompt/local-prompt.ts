import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { evq } from '../../../../support/evq.js'
import { startOnTerminal, type Terminal, type TerminalOptions } from '../../../../support/pty.js'

const binary = join(import.meta.dirname, '../../../../../bin/evq.js')

/** Three events: two of the level `info`, one of `error`, whose statuses are 200, 200 and 500. */
export const EVENTS = [
  '{"_time":"2026-01-01T00:00:00Z","level":"info","status":200,"message":"注文を受け付けました","odd name":1}',
  '{"_time":"2026-01-01T00:00:01Z","level":"info","status":200,"message":"done"}',
  '{"_time":"2026-01-01T00:00:02Z","level":"error","status":500,"message":"failed"}',
]

/** Starts a prompt with a dataset `logs` of these events in a new data directory. */
export async function openLocalPrompt(scratch: string, options: TerminalOptions = {}) {
  const home = mkdtempSync(join(scratch, 'prompt-'))
  const directory = join(home, 'data')
  mkdirSync(directory)
  await evq(['ingest', 'logs', '-q'], { directory, stdin: EVENTS.join('\n') })
  const env = { EVQ_DATA_DIR: directory, XDG_STATE_HOME: home, HOME: home, PAGER: '' }
  const terminal = startOnTerminal([process.execPath, binary, 'query', '--since', '2026-01-01'], {
    rows: 50,
    cwd: home,
    ...options,
    env: { ...env, ...options.env },
  })
  await terminal.until(/evq> /)
  return { terminal, home, enter: entering(terminal) }
}

/** Returns a function that enters lines one after the other; it resolves with the new lines of the screen. */
function entering(terminal: Terminal) {
  return async (...lines: readonly string[]): Promise<string> => {
    let shown = ''
    for (const line of lines) {
      const before = terminal.raw().length
      terminal.type(`${line}\r`)
      await terminal.until(
        new RegExp(
          `^[\\s\\S]{${before}}[\\s\\S]*\\n[\\s\\S]*(?:evq|\\.\\.\\.)> (?:\\u001b\\[\\w+)*$`,
        ),
      )
      shown = terminal.screen().text()
    }
    return shown
  }
}
