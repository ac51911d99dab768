import { spawnSync } from 'node:child_process'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { manPage } from '../../src/cli/man.js'
import { COMMAND_NAMES, createProgram } from '../../src/cli/program.js'
import { silentContext } from '../support/fake-io.js'
import { needs } from '../support/needs.js'

const program = await createProgram(COMMAND_NAMES, silentContext())
const page = await manPage(program, '1.2.3')

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}

describe('the manual page', () => {
  it('describes every command with its flags and examples', () => {
    for (const command of leavesOf(program)) {
      const parent = command.parent === program ? '' : `${command.parent?.name()} `
      const heading = page.indexOf(`\n.SS evq ${parent}${command.name()} `)
      expect(heading, command.name()).toBeGreaterThan(0)
      const part = page.slice(heading + 1).split(/\n(?=\.S[HS] )/)[0] ?? ''
      for (const { long, hidden } of command.options) {
        if (!hidden) expect(part).toContain(long?.replaceAll('-', '\\-'))
      }
      expect(part).toContain('\nExamples:\n')
    }
  })

  it('has the operands of commands as their help has them', () => {
    expect(page).toContain('\n.SS evq ingest [options] <dataset> [file...]\n')
    expect(page).toContain('\n.SS evq starred run [options] <id or name>\n')
    expect(page).toContain('\n.SS evq completion [options] bash|zsh|fish\n')
  })

  it('begins no line with an accidental roff request', () => {
    const steering = page.split('\n').filter((line) => /^[.']/.test(line))
    const known = /^\.(?:TH|SH|SS|TP|IP|PP|RS|RE|nf|fi)(?: |$)/
    expect(steering.filter((line) => !known.test(line))).toEqual([])
  })

  const hasGroff = spawnSync('groff', ['--version']).status === 0

  it('passes groff without warnings', needs(hasGroff, 'groff'), () => {
    const { stdout, stderr } = spawnSync('groff', ['-man', '-Tascii', '-ww', '-P-cbu'], {
      input: page,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(stdout).toContain('where status >= 500 | summarize count() by service')
    expect(stdout).toMatch(/-q, --quiet\s+print no summaries/)
    expect(stdout).toMatch(/\b130\s+Ended by SIGINT \(Ctrl-C\)/)
  })
})
