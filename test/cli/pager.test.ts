import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cannedService, tabular } from '../support/canned-service.js'
import { isRunning } from '../support/is-running.js'
import { needs } from '../support/needs.js'
import { hasTerminal, startOnTerminal, type TerminalOptions } from '../support/pty.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const binary = join(import.meta.dirname, '../../bin/evq.js')
const service = await cannedService()
const scratch = temporaryDirectory()

/** Runs a query with this many rows on a terminal of 24 lines. */
function query(
  rows: number,
  args: readonly string[],
  { shell = [], ...options }: TerminalOptions & { readonly shell?: readonly string[] } = {},
) {
  const values = `[${Array.from({ length: rows }, (_, row) => row).join(',')}]`
  service.respondWith({ body: tabular([{ name: 'n', type: 'integer', values }]) })
  const env = { EVQ_URL: service.url, NO_COLOR: '1', ...options.env }
  const command = [...shell, process.execPath, binary, 'query', "['logs']", ...args]
  return startOnTerminal(command, {
    ...options,
    env,
  })
}

describe('a pager', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('shows a result that is longer than the screen', async () => {
    const file = join(scratch, 'paged')
    const terminal = query(100, [], { env: { PAGER: `cat > ${file}; echo paged` } })
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expect(terminal.raw()).toMatch(/^paged\r\n100 rows/)
    expect(readFileSync(file, 'utf8')).toContain('│  0 │')
    expect(readFileSync(file, 'utf8')).toContain('│ 99 │')
  })

  it('does not run for a result that fits, or when it is turned off', async () => {
    const env = { PAGER: 'echo paged' }
    for (const [rows, args, more] of [
      [5, [], {}],
      [100, ['--no-pager'], {}],
      [100, ['-o', 'csv'], {}],
      [100, [], { PAGER: '' }],
      [100, [], { TERM: 'dumb' }],
    ] as const) {
      const terminal = query(rows, args, { env: { ...env, ...more } })
      expect((await terminal.ended).status).toBe(0)
      expect(terminal.raw()).toContain(String(rows - 1))
      expect(terminal.raw()).not.toContain('paged')
    }
  })

  it('may be closed before the end of the result', async () => {
    const terminal = query(20_000, [], { env: { PAGER: 'head -1' } })
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expect(terminal.screen().text()).toContain('20,000 rows')
    expect(terminal.screen().text()).not.toContain('evq:')
  })

  it('is skipped when it is not installed', async () => {
    const terminal = query(100, [], { env: { PAGER: 'no-such-pager' } })
    expect((await terminal.ended).status).toBe(0)
    expect(terminal.screen().lines).toContain('│ 99 │')
  })

  it('handles Ctrl-C itself', async () => {
    const pager = `trap 'echo heard' INT; cat > /dev/null; echo ready; until [ "$line" = two ]; do read line < "$tty"; done`
    const terminal = query(100, [], { env: { PAGER: pager } })
    await terminal.until(/ready/)
    // A shell that has not yet begun to read runs the trap after the line.
    terminal.type('\x03one\r')
    await terminal.until(/heard/)
    terminal.type('two\r')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expect(terminal.screen().text()).toContain('100 rows')
  })

  it('ends with evq', async () => {
    const pager = 'cat > /dev/null; echo "pids $PPID $$"; exec sleep 1000'
    // The end of a session's first process would end the pager too.
    const shell = ['/bin/sh', '-c', '"$@"; echo "ended $?"; read line', 'sh']
    const terminal = query(100, [], { shell, env: { PAGER: pager } })
    const [, own, child] = await terminal.until(/pids (\d+) (\d+)/)
    process.kill(Number(own), 'SIGTERM')
    await terminal.until(/ended 143/)
    await until(() => !isRunning(Number(child)), 'the pager has ended')
  })
})
