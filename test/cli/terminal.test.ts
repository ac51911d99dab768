import { once } from 'node:events'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../support/needs.js'
import { programIn } from '../support/program-in.js'
import { hasTerminal, startOnTerminal, type TerminalOptions } from '../support/pty.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const binary = join(import.meta.dirname, '../../bin/evq.js')
const directory = join(scratch, 'data')
const config = join(scratch, 'config')
const { run: inPipe } = programIn(directory, { XDG_CONFIG_HOME: config })
const APL = "['logs'] | project _time, level, message, n"
const EVENTS = [
  '{"_time":"2026-01-01T00:00:00Z","level":"info","message":"注文を受け付けました 👩‍👩‍👧 e\u0301","n":1}',
  '{"_time":"2026-01-01T00:00:01Z","level":"error","message":"\\u001b[31mno\\u001b[0m","n":9007199254740993}',
  '{"_time":"2026-01-01T00:00:02.000000001Z","level":"warn","message":null,"n":-1}',
]

/** A command with a terminal, as it was when the command ended. */
async function onTerminal(args: readonly string[], options: TerminalOptions = {}) {
  const terminal = start(args, options)
  const { status } = await terminal.ended
  const screen = terminal.screen()
  return { status, raw: terminal.raw(), text: screen.text(), lines: screen.lines, screen }
}

function start(args: readonly string[], options: TerminalOptions = {}) {
  const env = { EVQ_DATA_DIR: directory, XDG_CONFIG_HOME: config, XDG_STATE_HOME: scratch }
  const command = [process.execPath, binary, ...args]
  return startOnTerminal(command, { ...options, env: { ...env, ...options.env } })
}

describe('on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  beforeAll(async () => {
    await inPipe(['ingest', 'logs', '-q'], EVENTS.join('\n'))
  })

  it('`evq query` prints a table that fits, and NDJSON in a pipe', async () => {
    const args = ['query', APL, '--since', '2026-01-01']
    for (const columns of [60, 80, 200]) {
      const { status, lines, raw, screen } = await onTerminal(args, { columns })
      expect(status).toBe(0)
      // Messages are not limited to the width.
      if (columns > 60) expect(screen.hasWrapped).toBe(false)
      expect(lines[0]).toMatch(columns > 60 ? /^┌─+┬─+┬─+┬─+┐$/ : /^The columns do not fit/)
      expect(raw).toContain('\\u001b[31mno')
      expect(raw).toContain('\u001b[31merror\u001b[39m')
    }
    const piped = await inPipe(args)
    expect(events(piped.stdout)).toEqual(events(EVENTS.toReversed().join('\n')))
  })

  it('prints no colors where they are disabled', async () => {
    const args = ['query', APL, '--since', '2026-01-01']
    const without: Record<string, string>[] = [{ NO_COLOR: '1' }, { TERM: 'dumb' }]
    for (const env of without) {
      const { raw } = await onTerminal(args, { env })
      // The progress, which a slow machine shows, moves the cursor.
      const sequences = raw.split('\u001b').slice(1)
      expect(sequences.filter((sequence) => /^\[[\d;]*m/.test(sequence))).toEqual([])
    }
  })

  it('`evq page` prints a table, and shows progress while it writes to a pipe', async () => {
    const args = ['page', APL, '--direction', 'asc', '--page-size', '2']
    const { status, text } = await onTerminal(args, { columns: 100 })
    expect(status).toBe(0)
    expect(text).toContain('9007199254740993 │')
    expect(text).toMatch(/3 rows \(all matching\) in \d pages/)

    const piped = start(args, { pipes: ['stdout'] })
    let rows = ''
    piped.child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      rows += piece
    })
    const closed = once(piped.child.stdout!, 'close')
    expect((await piped.ended).status).toBe(0)
    await closed
    expect(events(rows)).toEqual(events(EVENTS.join('\n')))
    expect(piped.screen().text()).toMatch(/^3 rows \(all matching\) in \d pages[^\n]*$/)
  })

  it('`evq tail` prints a line per event until Ctrl-C', async () => {
    const terminal = start(['tail', 'logs', '-n', '2'], { columns: 100 })
    await terminal.until(/n=[^\n]*-1\r\n/)
    terminal.type('\x03')
    expect((await terminal.ended).signal).toBe('SIGINT')
    const [first, second] = terminal.screen().lines
    expect(first).toBe('2026-01-01T00:00:01.000Z error \\u001b[31mno\\u001b[0m n=9007199254740993')
    expect(second).toMatch(/^2026-01-01T00:00:02\.000Z warn .*n=-1$/)
  })

  it('`evq starred` shows the record, its changes, and whole ids in a list', async () => {
    const created = await onTerminal(['starred', 'create', '--name', 'mine', '--apl', APL])
    const [id = ''] = created.text.match(/[0-9a-f-]{36}/) ?? []
    expect(created.status).toBe(0)
    const listed = await onTerminal(['starred', 'list'], { columns: 80 })
    expect(listed.screen.hasWrapped).toBe(false)
    expect(listed.text).toContain(`│ ${id} │ mine │`)
    const updated = await onTerminal(['starred', 'update', id, '--name', 'yours'])
    expect(updated.raw).toContain('\u001b[31m- name: mine\u001b[39m\r\n')
    expect(updated.raw).toContain('\u001b[32m+ name: yours\u001b[39m\r\n')
    expect((await onTerminal(['starred', 'run', id, '--since', '2026-01-01'])).text).toContain('┌')
    const piped = await inPipe(['starred', 'get', id])
    expect(JSON.parse(piped.stdout)).toMatchObject({ id, name: 'yours', query: { apl: APL } })
  })

  it('`evq token` prints the token, and a list with the columns that fit', async () => {
    const created = await onTerminal(['token', 'create', 'ci', '--query', '*', '--expires', '30d'])
    expect(created.lines[0]).toMatch(/^xaat-[\w-]{32}$/)
    const listed = await onTerminal(['token', 'list'], { columns: 80 })
    expect(listed.screen.hasWrapped).toBe(false)
    expect(listed.lines[0]).toBe(
      'The terminal is too narrow for `created`. `-o record` shows all columns.',
    )
    expect(listed.lines[2]).toMatch(/^│ name +│ kind +│ permissions +│ expires +│ id +│$/)
    expect((await onTerminal(['token', 'list'], { columns: 120 })).lines[1]).toContain('│ created')
    expect(Object.keys(JSON.parse((await inPipe(['token', 'list'])).stdout))).toContain('created')
    const revoked = await onTerminal(['token', 'revoke', 'ci'])
    expect(revoked).toMatchObject({ status: 0 })
  })

  it('`evq dataset list` omits columns that do not fit', async () => {
    const { lines, screen } = await onTerminal(['dataset', 'list'], { columns: 80 })
    expect(screen.hasWrapped).toBe(false)
    expect(lines[0]).toBe('The terminal is too narrow for `first`. `-o record` shows all columns.')
    expect(lines[4]).toMatch(/^│ logs +│ +3 │/)
    const records = await onTerminal(['dataset', 'list', '-o', 'record'], { columns: 80 })
    expect(records.text).toContain('first   2026-01-01T00:00:00Z')
  })

  it('`evq profile` prints a table, and NDJSON in a pipe', async () => {
    const added = ['profile', 'add', 'prod', '--url', 'https://api.example.com', '--org-id', 'acme']
    expect((await onTerminal(added)).status).toBe(0)
    const listed = await onTerminal(['profile', 'list'])
    expect(listed.text).toContain('│ prod │ true    │ https://api.example.com │ acme   │')
    const piped = await inPipe(['profile', 'list'])
    expect(JSON.parse(piped.stdout)).toMatchObject({ name: 'prod', org_id: 'acme', token: null })
    expect((await onTerminal(['profile', 'remove', 'prod'])).status).toBe(0)
  })

  it('`evq serve` prints its address, and stops with Ctrl-C', async () => {
    const own = { EVQ_DATA_DIR: join(scratch, 'served') }
    const terminal = start(['serve', '--listen', '127.0.0.1:0'], { env: own, columns: 200 })
    const [, url = ''] = await terminal.until(/(http:\/\/127\.0\.0\.1:\d+)/)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    terminal.type('\x03')
    expect((await terminal.ended).signal).toBe('SIGINT')
  })

  it('help fits in 80 columns', async () => {
    for (const command of ['query', 'page', 'tail', 'starred', 'token', 'serve', 'dataset']) {
      const { status, screen } = await onTerminal([command, '--help'], { columns: 80 })
      expect(status).toBe(0)
      expect([command, screen.hasWrapped]).toEqual([command, false])
    }
  })
})

/** Parses lines of NDJSON, with integers as they are written. */
function events(lines: string): readonly unknown[] {
  const exact = lines.replaceAll(/"n":(-?\d+)/g, '"n":"$1"')
  return exact
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
