import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { metric } from '../../../../support/metric.js'
import { programIn } from '../../../../support/program-in.js'
import { startOnTerminal, type Terminal, type TerminalOptions } from '../../../../support/pty.js'
import { temporaryDirectory } from '../../../../support/temporary.js'

const binary = join(import.meta.dirname, '../../../../../bin/evq.js')

/** Three events: two of the level `info`, one of `error`, whose statuses are 200, 200 and 500. */
export const EVENTS = [
  '{"_time":"2026-01-01T00:00:00Z","level":"info","status":200,"message":"注文を受け付けました","odd name":1}',
  '{"_time":"2026-01-01T00:00:01Z","level":"info","status":200,"message":"done"}',
  '{"_time":"2026-01-01T00:00:02Z","level":"error","status":500,"message":"failed"}',
]

const directory = join(temporaryDirectory(), 'data')
const { run } = programIn(directory)

beforeAll(async () => {
  await run(['ingest', 'logs', '-q'], EVENTS.join('\n'))
})

/** Returns the number of bytes of requests to the data directory: it increases with each query, also of a completion. */
export function receivedBytes(): Promise<number> {
  return metric(directory, 'evq_http_received_bytes_total')
}

/**
 * Starts a prompt with a dataset `logs` of these events, in a data directory that all prompts of a test file share.
 *
 * With `shell`, the prompt is started by a command, which gets its arguments.
 */
export async function openLocalPrompt(
  scratch: string,
  options: TerminalOptions = {},
  shell: readonly string[] = [],
) {
  const home = mkdtempSync(join(scratch, 'prompt-'))
  const env = { EVQ_DATA_DIR: directory, XDG_STATE_HOME: home, HOME: home, PAGER: '' }
  const prompt = [process.execPath, binary, 'query', '--since', '2026-01-01']
  const terminal = startOnTerminal([...shell, ...prompt], {
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
