import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shareText } from '../../src/cli/commands/query/input/progress.js'
import { needs } from '../support/needs.js'
import { hasTerminal, startOnTerminal } from '../support/pty.js'
import { temporaryDirectory } from '../support/temporary.js'

const binary = join(import.meta.dirname, '../../bin/evq.js')
const scratch = temporaryDirectory()

describe('reading the inputs of a query', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('shows its progress on a terminal, and clears it before the result', async () => {
    const env = { EVQ_DATA_DIR: join(scratch, 'data'), TMPDIR: scratch, NO_COLOR: '1', PAGER: '' }
    const command = [process.execPath, binary, 'query', 'summarize total = sum(n)']
    const terminal = startOnTerminal(command, { env, pipes: ['stdin'] })
    terminal.child.stdin!.write('{"n":1}\n{"n":2}\n')
    await terminal.until(/reading standard input: 16 B/)
    terminal.child.stdin!.end()
    expect((await terminal.ended).status).toBe(0)
    const shown = terminal.screen().text()
    expect(shown).toMatch(/│ +3 │/)
    expect(shown).not.toContain('reading standard input')
  })
})

describe('the share of what was read', () => {
  it('is at most 100 %, and a size when the total is not known', () => {
    expect(shareText(199, 400)).toBe('49 %')
    expect(shareText(4_000, 400)).toBe('100 %')
    expect(shareText(16, undefined)).toBe('16 B')
  })
})
