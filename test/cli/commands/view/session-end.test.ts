// Sessions that end by a signal or an error.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../support/needs.js'
import { hasTerminal } from '../../../support/pty.js'
import { until } from '../../../support/until.js'
import {
  directory,
  expectRestored,
  file,
  LEAVE,
  untilShown,
  view,
} from '../../../support/view-session.js'

describe('a session', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it.each(['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const)(
    'gives the terminal back after %s',
    async (signal) => {
      const terminal = view()
      await terminal.until(/event 0/)
      terminal.child.kill(signal)
      expect((await terminal.ended).signal).toBe(signal)
      expectRestored(terminal)
    },
  )

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
})
