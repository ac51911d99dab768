import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../../support/needs.js'
import { hasTerminal, startOnTerminal } from '../../../../support/pty.js'
import { temporaryDirectory } from '../../../../support/temporary.js'
import { until } from '../../../../support/until.js'
import { complete } from './tab.js'

const binary = join(import.meta.dirname, '../../../../../bin/evq.js')
const scratch = temporaryDirectory()

describe('a prompt on files', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('answers queries that begin with an operator, and completes their fields and values', async () => {
    const file = join(scratch, 'app.ndjson')
    writeFileSync(
      file,
      '{"level":"info","n":1}\n{"level":"error","n":2}\n{"level":"error","n":3}\n',
    )
    const env = { XDG_STATE_HOME: scratch, TMPDIR: scratch, NO_COLOR: '1', PAGER: '' }
    const terminal = startOnTerminal([process.execPath, binary, 'query', '-i', file], { env })
    await terminal.until(/3 events in \['app\.ndjson'\][\s\S]*evq> /)
    terminal.type("summarize total = sum(n) by level | where level == 'error';\r")
    await terminal.until(/│ +error +│ +5 │[\s\S]*1 row[\s\S]*evq> /)
    terminal.type("['app.ndjson'] | count;\r")
    await terminal.until(/│ +3 │[\s\S]*evq> /)
    const line = 'where level == "inf'
    await complete(terminal, line, () => terminal.raw().includes(`${line}o"`))
    terminal.type(' | summarize last = max(n);\r')
    await terminal.until(/│ +1 │[\s\S]*1 row[\s\S]*evq> /)
    terminal.type('\\q\r')
    expect((await terminal.ended).status).toBe(0)
    expect(readdirSync(scratch).filter((name) => name.startsWith('evq-query'))).toEqual([])
  })

  it('leaves nothing behind when Ctrl-C ends it before it is open', async () => {
    // It waits for a program that writes to the pipe.
    const file = join(scratch, 'one.ndjson')
    execFileSync('mkfifo', [file])
    const temporary = join(scratch, 'temporary')
    mkdirSync(temporary)
    const env = { XDG_STATE_HOME: scratch, TMPDIR: temporary }
    const terminal = startOnTerminal([process.execPath, binary, 'query', '-i', file], { env })
    await until(() => readdirSync(temporary).length > 0, 'there is a directory')
    terminal.type('\x03')
    await terminal.ended
    expect(terminal.raw()).not.toContain('evq> ')
    expect(readdirSync(temporary)).toEqual([])
  })

  it('does not open without a file that can be read', async () => {
    const command = [process.execPath, binary, 'query', '-i', join(scratch, 'missing.log')]
    const terminal = startOnTerminal(command, { env: { XDG_STATE_HOME: scratch } })
    expect((await terminal.ended).status).toBe(1)
    expect(terminal.screen().text()).toContain('missing.log')
    expect(terminal.screen().text()).not.toContain('evq> ')
  })
})
