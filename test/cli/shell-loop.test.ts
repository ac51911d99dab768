import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Reply, scriptedService, silent, stored } from '../client/scripted-service.js'
import { evq } from '../support/evq.js'
import { needs } from '../support/needs.js'
import { hasBash, hasTerminal, startOnTerminal } from '../support/pty.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const scratch = temporaryDirectory()
const binary = join(import.meta.dirname, '../../bin/evq.js')
const local = join(scratch, 'data')
const file = join(scratch, 'a.ndjson')
writeFileSync(file, '{"n":1}\n')

/** Responds to ingest requests only. */
const half: Reply = (response, request) =>
  request.url.startsWith('/v1/ingest') ? stored(response, request) : silent(response, request)

/** A loop that ends only when a command is killed by SIGINT; after exit code 130 it continues. */
const LOOP = 'for i in 1 2 3; do echo "round $i"; "$@"; done; echo "end of the loop"'

const waiting = [
  ['query', "['logs'] | count"],
  ['query', "['logs'] | count", '--assert', 'Count > 0'],
  ['query', '--legacy', 'logs'],
  ['page', "['logs']"],
  ['tail', 'logs'],
  ['ingest', 'logs', '-F', file],
  ['dataset', 'list'],
  ['starred', 'list'],
  ['starred', 'run', '5f1c'],
] as const

/** Commands on the local service, and what is on the screen when they wait. */
const shown = [
  [['serve', '--listen', '127.0.0.1:0'], /Press Ctrl-C to stop/],
  [['dataset', 'delete', 'logs'], /\[y\/N\]/],
] as const

describe(
  'Ctrl-C ends a shell loop that runs',
  needs(hasTerminal && hasBash, 'bash, a pseudo-terminal'),
  () => {
    it.each(waiting.map((args) => [args]))('evq %j', async (args) => {
      const { url, received } = await scriptedService(half)
      const terminal = loop(args, { EVQ_URL: url })
      await until(() => received.length > 0, 'a request is received')
      terminal.type('\x03')
      await endsBySignal(terminal)
    })

    it.each(shown)('evq %j', async (args, pattern) => {
      await evq(['ingest', 'logs', file, '--no-checkpoint'], { directory: local })
      const terminal = loop(args, {})
      await terminal.until(pattern)
      terminal.type('\x03')
      await endsBySignal(terminal)
    })
  },
)

function loop(args: readonly string[], env: Readonly<Record<string, string>>) {
  const command = ['bash', '-c', LOOP, 'bash', process.execPath, binary, ...args]
  return startOnTerminal(command, {
    columns: 200,
    env: { EVQ_DATA_DIR: local, XDG_STATE_HOME: join(scratch, 'state'), ...env },
  })
}

async function endsBySignal(terminal: ReturnType<typeof loop>): Promise<void> {
  const { signal } = await terminal.ended
  const output = terminal.raw()
  expect({ signal, output }).toEqual({ signal: 'SIGINT', output })
  expect(output).toContain('round 1')
  expect(output).not.toContain('round 2')
  expect(output).not.toContain('end of the loop')
}
