import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { json, scriptedService, silent } from '../../../../client/scripted-service.js'
import { tabular } from '../../../../support/canned-service.js'
import { needs } from '../../../../support/needs.js'
import { hasBash, hasTerminal, startOnTerminal, type Terminal } from '../../../../support/pty.js'
import { temporaryDirectory } from '../../../../support/temporary.js'
import { until } from '../../../../support/until.js'
import { complete } from './tab.js'

const binary = join(import.meta.dirname, '../../../../../bin/evq.js')
const scratch = temporaryDirectory()

const SCHEMA = JSON.parse(
  tabular([{ name: 'ColumnName', type: 'string', values: '["status","service"]' }]),
)
const QUIET = JSON.parse(
  tabular([{ name: 'count_', type: 'integer', values: '[0]' }], { rowsExamined: 0 }),
)
const COUNT = JSON.parse(tabular([{ name: 'count_', type: 'integer', values: '[42]' }]))

const MANY = JSON.parse(
  tabular([{ name: 'n', type: 'integer', values: JSON.stringify([...Array(1_000).keys()]) }]),
)

/**
 * Runs a program, then prints how it ended and the settings of the terminal. It waits for a line at the end, because the last
 * output of a terminal that closes may be lost.
 */
const SHELL = [
  'bash',
  '-c',
  '(echo "pid $BASHPID"; exec "$@"); echo "ended $?"; stty -a; echo "mode printed"; read -r',
  'bash',
]

function aplOf({ body }: { readonly body: Buffer }): string {
  return (JSON.parse(body.toString()) as { readonly apl: string }).apl
}

interface Opening {
  readonly state?: string
  /** A command that starts the prompt. */
  readonly shell?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The prompt with a service that counts, rejects misspelled queries and never responds to slow ones. */
async function open({
  state = mkdtempSync(join(scratch, 'state-')),
  shell = [],
  env: more = {},
}: Opening = {}) {
  const { url, received } = await scriptedService((response, request) => {
    if (request.method === 'GET') return json([{ name: 'logs' }])(response, request)
    if (aplOf(request).includes('quiet')) return json(QUIET)(response, request)
    if (aplOf(request).includes('getschema')) return json(SCHEMA)(response, request)
    if (aplOf(request).includes('many')) return json(MANY)(response, request)
    if (aplOf(request).includes('slow')) return silent(response, request)
    if (!aplOf(request).includes('cuont')) return json(COUNT)(response, request)
    const span = {
      start: aplOf(request).indexOf('cuont'),
      end: aplOf(request).indexOf('cuont') + 5,
    }
    const problems = [{ code: 'unknown-operator', message: 'No `cuont`.', span, label: 'here' }]
    json({ code: 400, message: 'No `cuont`.', problems }, 400)(response, request)
  })
  const env = { EVQ_URL: url, XDG_STATE_HOME: state, NO_COLOR: '1', PAGER: '', ...more }
  const terminal = startOnTerminal([...shell, process.execPath, binary, 'query'], { env })
  await terminal.until(/evq> /)
  return { terminal, received, state }
}

/** Waits for texts in this order and for the prompt after them, where readline puts the cursor. */
function prompted(terminal: Terminal, ...patterns: readonly RegExp[]) {
  const parts = [...patterns.map(({ source }) => source), 'evq> (?:\\u001b\\[\\w+)*$']
  return terminal.until(new RegExp(parts.join('[\\s\\S]*')))
}

describe('the prompt', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('runs queries of one and of several lines', async () => {
    const { terminal, received } = await open()
    terminal.type("['logs'] | count;\r")
    await prompted(terminal, /42 │/, /1 row/)
    terminal.type("['logs']\r| where n > 1\r\r")
    await prompted(terminal, /42 │/, /42 │/, /1 row/)
    terminal.type('\\q\r')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expect(received.map(aplOf)).toEqual(["['logs'] | count", "['logs']\n| where n > 1"])
  })

  it('explains that `exit` continues a query', async () => {
    const { terminal, received } = await open()
    terminal.type("['logs']\rexit\r")
    await terminal.until(
      /This line is part of the query\. Ctrl-C drops the query, and \\q leaves\./,
    )
    terminal.type('\\q\r')
    expect((await terminal.ended).status).toBe(0)
    expect(received.map(aplOf)).toEqual([])
  })

  it('completes datasets, operators and fields with Tab', async () => {
    const { terminal, received } = await open()
    await complete(terminal, 'lo', () => terminal.raw().includes("['logs']"))
    await complete(terminal, ' | whe', () => terminal.raw().includes('where '))
    await complete(terminal, 'statu', () => terminal.raw().includes('status'))
    terminal.type(' > 1;\r')
    await prompted(terminal, /42 │/)
    terminal.type('\\q\r')
    expect((await terminal.ended).status).toBe(0)
    expect(aplOf(received.at(-1)!)).toBe("['logs'] | where status > 1")
  })

  it('reports problems in a query and stays open', async () => {
    const { terminal } = await open()
    terminal.type("['logs'] | cuont;\r")
    await prompted(terminal, /\^\^\^\^\^ here/)
    // Ctrl-D on an empty line.
    terminal.type('\x04')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expect(terminal.screen().text()).toContain("1 | ['logs'] | cuont\n  |            ^^^^^ here")
  })

  it('stays open when Ctrl-C cancels a query or discards lines', async () => {
    const { terminal, received } = await open()
    terminal.type("['slow'];\r")
    await until(() => received.length > 0, 'the query is received')
    terminal.type('\x03')
    await prompted(terminal, /Query canceled\./)
    terminal.type('half\x03')
    await prompted(terminal, /half/, /\^C/)
    terminal.type('print 1;\r')
    await prompted(terminal, /42 │/)
    terminal.type('\\q\r')
    expect((await terminal.ended).status).toBe(0)
    expect(received.map(aplOf)).toEqual(["['slow']", 'print 1'])
  })

  it('never ends on Ctrl-C, not even in a pager', async () => {
    // Without a listener, a signal ends the process.
    const unprotected = join(scratch, 'unprotected')
    const hook = join(scratch, 'hook.cjs')
    writeFileSync(
      hook,
      `process.on('removeListener', (name) => {
        if (name !== 'SIGINT' || process.listenerCount(name) > 0) return
        require('node:fs').appendFileSync(${JSON.stringify(unprotected)}, 'no listener\\n')
      })`,
    )
    const { terminal } = await open({
      env: {
        NODE_OPTIONS: `--require ${hook}`,
        PAGER: 'kill -INT $PPID; cat > /dev/null; kill -INT $PPID',
      },
    })
    terminal.type("['many'];\r")
    await prompted(terminal, /1,000 rows/)
    terminal.type("['logs'];\r")
    await prompted(terminal, /1,000 rows/, /42 │/)
    expect(existsSync(unprotected)).toBe(false)
    terminal.type('\\q\r')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
  })

  it('is not drawn over a pager when the size of the terminal changes', async () => {
    const { terminal } = await open({
      env: {
        PAGER: `trap 'echo resized' WINCH; cat > /dev/null; echo paging; read line < /dev/tty`,
      },
    })
    terminal.type("['many'];\r")
    await terminal.until(/paging/)
    const mark = terminal.raw().length
    terminal.resize(60, 20)
    terminal.type('\r')
    await prompted(terminal, /1,000 rows/)
    const shown = terminal.raw().slice(mark)
    expect(shown.slice(0, shown.indexOf('1,000 rows'))).not.toContain('evq> ')
    terminal.type('print 1;\r')
    await prompted(terminal, /1,000 rows/, /42 │/)
  })

  it.each([
    ['waits for a line', 'SIGTERM', 143],
    ['waits for a line', 'SIGHUP', 129],
    ['waits for a line', 'SIGQUIT', 131],
    ['runs a query', 'SIGTERM', 143],
  ] as const)(
    'restores the terminal when it %s and ends by %s',
    needs(hasBash, 'bash'),
    async (state, signal, status) => {
      const { terminal, received } = await open({ shell: SHELL })
      const pid = Number((await terminal.until(/pid (\d+)/))[1])
      // A query has changed the mode of the terminal twice before.
      terminal.type("['logs'];\r")
      await prompted(terminal, /42 │/)
      if (state === 'runs a query') {
        terminal.type("['slow'];\r")
        await until(() => received.length === 2, 'the query is received')
      }
      process.kill(pid, signal)
      await terminal.until(new RegExp(`ended ${status}\r\n`))
      await terminal.until(/mode printed\r\n/)
      expect(terminal.raw()).toMatch(/[^-]icanon/)
      expect(terminal.raw()).toMatch(/[^-]echo\b/)
    },
  )

  it('hints how to look further back than the last hour', async () => {
    const { terminal } = await open()
    terminal.type("['quiet'] | count;\r")
    await prompted(terminal, /no events of the last hour \(`\\since 7d` looks further back\)/)
    terminal.type("\\since 7d\r['quiet'] | count;\r")
    await prompted(terminal, /1 row, 0 events examined/)
  })

  it('changes the time range with \\since', async () => {
    const { terminal, received } = await open()
    terminal.type('\\since 2026-01-01\rprint 1;\r')
    await prompted(terminal, /42 │/)
    terminal.type('\\q\r')
    expect((await terminal.ended).status).toBe(0)
    expect(JSON.parse(received[0]!.body.toString())).toMatchObject({
      startTime: '2026-01-01T00:00:00Z',
    })
  })

  it('rejects an invalid time and keeps the previous one', async () => {
    const { terminal, received } = await open()
    terminal.type('\\since 2026-01-01\r\\since banana\rprint 1;\r')
    await prompted(terminal, /evq: `banana` is not a time\./, /42 │/)
    terminal.type('\\q\r')
    expect((await terminal.ended).status).toBe(0)
    expect(JSON.parse(received[0]!.body.toString())).toMatchObject({
      startTime: '2026-01-01T00:00:00Z',
    })
  })

  it('reports an unknown command and keeps the lines entered so far', async () => {
    const { terminal, received } = await open()
    terminal.type("['logs']\r\\wat\r\\sinse\r| count;\r")
    await prompted(
      terminal,
      /There is no command `\\wat`\. `\\h` lists the commands\./,
      /There is no command `\\sinse`\. Did you mean `\\since`\?/,
      /42 │/,
    )
    terminal.type('\\q\r')
    await terminal.ended
    expect(terminal.screen().text()).not.toContain('list the datasets')
    expect(received.map(aplOf)).toEqual(["['logs']\n| count"])
  })

  it('brings back with Up what Ctrl-C discarded or canceled, also of several lines', async () => {
    const { terminal, received } = await open()
    terminal.type("['slow']\r| count;\r")
    await until(() => received.length === 1, 'the query is received')
    terminal.type('\x03')
    await prompted(terminal, /Query canceled\./)
    terminal.type("['logs']\r| where n > 1\x03")
    await prompted(terminal, /n > 1/, /\^C/)
    terminal.type('\x1b[A;\r')
    await prompted(terminal, /42 │/)
    terminal.type('\x1b[A\x1b[A\r')
    await until(() => received.length === 3, 'the slow query is received again')
    expect(received.map(aplOf)).toEqual([
      "['slow']\n| count",
      "['logs'] | where n > 1",
      "['slow'] | count",
    ])
  })

  it('saves queries in a history that only the user can read', async () => {
    const { terminal, state } = await open()
    terminal.type("['logs'] // all\r| count;\r print 'secret';\r")
    await prompted(terminal, /42 │/, /42 │/)
    terminal.type('\\q\r')
    await terminal.ended
    const path = join(state, 'evq/history')
    expect(readFileSync(path, 'utf8')).toBe("['logs'] | count;\n\\q\n")
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const next = await open({ state })
    // Arrow up twice: the first entry is the command that quit.
    next.terminal.type('\x1b[A\x1b[A\r')
    await prompted(next.terminal, /42 │/)
    next.terminal.type('\\q\r')
    expect(next.received.map(aplOf)).toEqual(["['logs'] | count"])
  })
})
