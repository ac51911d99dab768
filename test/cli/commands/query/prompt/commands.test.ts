import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../../support/needs.js'
import { hasTerminal } from '../../../../support/pty.js'
import { temporaryDirectory } from '../../../../support/temporary.js'
import { openLocalPrompt } from './local-prompt.js'

const scratch = temporaryDirectory()

/** Returns the part of a text after the last occurrence of a mark. */
function after(text: string, mark: string): string {
  return text.slice(text.lastIndexOf(mark) + mark.length)
}

describe('commands of the prompt', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('\\d lists the datasets, and the fields of one with types, counts and examples', async () => {
    const { enter } = await openLocalPrompt(scratch, { columns: 80 })
    expect(after(await enter('\\d'), '\\d')).toMatch(/│ logs │ +3 │/)
    const fields = after(await enter('\\d logs'), '\\d logs')
    expect(fields).toMatch(/│ level +│ string +│ +3 │ info, error +│/)
    expect(fields).toMatch(/│ odd name +│ int +│ +1 │ 1 +│/)
    expect(fields).toMatch(/│ status +│ int +│ +3 │ 200, 500 +│/)
    expect(fields).toContain('counts and examples of 3 events')
    expect(await enter('\\d lgs')).toContain('lgs')
  })

  it.each([60, 80, 200])('\\d and \\h fit in %i columns', async (columns) => {
    const { terminal, enter } = await openLocalPrompt(scratch, { columns, env: { NO_COLOR: '1' } })
    await enter('\\d logs', '\\h', '\\h where', "['logs'] | take 1;")
    const { hasWrapped } = terminal.screen()
    expect(hasWrapped).toBe(false)
    expect(terminal.raw().replaceAll('\u001b[', 'CSI')).not.toMatch(/CSI[\d;]*m/)
  })

  it('\\x prints records, and tables again', async () => {
    const { enter } = await openLocalPrompt(scratch)
    const apl = "['logs'] | summarize n = count();"
    expect(after(await enter('\\x', apl), apl)).toMatch(/^n +3$/m)
    expect(after(await enter('\\x', apl), apl)).toContain('│ 3 │')
  })

  it('\\o sets the format, and appends results to a file until it comes alone', async () => {
    const { enter, home } = await openLocalPrompt(scratch)
    const apl = "['logs'] | summarize n = count() by level | sort by n asc;"
    expect(after(await enter('\\o csv', apl), apl)).toContain('level,n\nerror,1\ninfo,2\n')
    const both = after(await enter('\\o csv out.csv', apl, apl, 'print m = 1;'), '\\o csv out.csv')
    expect(both).not.toContain('error,1')
    expect(both).toContain('Results are appended to `out.csv` until `\\o` alone.')
    await enter('\\o')
    const rows = 'error,1\ninfo,2\n'
    expect(readFileSync(join(home, 'out.csv'), 'utf8')).toBe(`level,n\n${rows}${rows}m\n1\n`)
    expect(after(await enter(apl), apl)).toContain('│ error │ 1 │')
    expect(await enter('\\o cvs')).toContain('There is no format `cvs`. Did you mean `\\o csv`?')
    expect(await enter('\\o out.csv')).toContain('There is no format `out.csv`. Formats: ')
    expect(await enter('\\o csv no/such/file')).toContain("`no/such/file` can't be written")
  })

  it('\\o raw appends responses in the legacy form, too', async () => {
    const { enter, home } = await openLocalPrompt(scratch, {}, [
      ...['sh', '-c', '"$@" --format legacy', 'sh'],
    ])
    const apl = "['logs'] | summarize n = count();"
    expect(await enter('\\o raw out.json', apl, apl)).not.toContain('Unexpected response')
    const lines = readFileSync(join(home, 'out.json'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).buckets.totals.length)).toEqual([1, 1])
  })

  it('\\last shows, saves and pipes the last result without querying again', async () => {
    const { terminal, enter, home } = await openLocalPrompt(scratch)
    expect(await enter('\\last')).toContain('There is no result yet.')
    await enter("['logs'] | where status == 500 | project level, status, at = now();")
    const [, at = ''] =
      terminal
        .screen()
        .text()
        .match(/│ error │ +500 │ (\S+)/) ?? []
    expect(at).not.toBe('')
    // The time of the query would differ in another one.
    expect(after(await enter('\\last'), '\\last')).toContain(`│ error │    500 │ ${at}`)
    await enter('\\last > saved.json')
    const [saved] = JSON.parse(readFileSync(join(home, 'saved.json'), 'utf8')) as [{ at: string }]
    expect(saved.at.slice(0, 19)).toBe(at.slice(0, 19))
    expect(after(await enter('\\last | tr a-z A-Z'), 'tr a-z A-Z')).toContain('"LEVEL":"ERROR"')
    expect(after(await enter('\\last | exit 3'), 'exit 3')).toContain('ended with exit code 3')
    expect(await enter('\\last saved')).toContain(
      '`\\last` takes no argument, `> FILE` or `| COMMAND`',
    )
  })

  it('\\last ends its command when the result has no picture', async () => {
    const { terminal, enter } = await openLocalPrompt(scratch)
    await enter("['logs'] | project level;", '\\o svg')
    terminal.type('\\last | cat; echo command end"ed"\r')
    await terminal.until(/No column has numbers to draw/)
    await terminal.until(/command ended/)
  })

  it('\\since shows its value, rejects nonsense and restores the default', async () => {
    const { enter } = await openLocalPrompt(scratch)
    expect(await enter('\\since')).toContain('Queries read events since 2026-01-01T00:00:00Z')
    expect(await enter('\\since 2y')).toContain('`2y` is not a time.')
    expect(after(await enter('\\since'), '\\since\n')).toContain('since 2026-01-01T00:00:00Z')
    expect(after(await enter('\\since 2026-01-01T00:00:02Z'), 'Z\n')).toContain(
      'Queries read events since 2026-01-01T00:00:02Z',
    )
    const apl = "['logs'] | count;"
    expect(after(await enter(apl), apl)).toMatch(/│ +1 │/)
    expect(after(await enter('\\since default', apl), apl)).toMatch(/│ +3 │/)
  })

  it('\\timing prints the elapsed time of each query', async () => {
    const { enter } = await openLocalPrompt(scratch)
    expect(after(await enter('\\timing', 'print 1;'), 'print 1;')).toMatch(/^Time: \d+ ms$/m)
    expect(after(await enter('\\timing', 'print 1;'), 'print 1;')).not.toContain('Time:')
  })

  it('\\i runs the queries and commands of a file up to the first failure', async () => {
    const { enter, home } = await openLocalPrompt(scratch)
    writeFileSync(
      join(home, 'some.apl'),
      "\\o csv\n['logs']\n\n| where level == 'error'\n| project status;\nprint two = 2;\nprint thre(3);\nprint four = 4",
    )
    writeFileSync(join(home, 'again.apl'), '\\i again.apl\n')
    const shown = after(await enter('\\i some.apl'), 'some.apl')
    expect(shown).toMatch(/status\n500\n[\s\S]*two\n2\n[\s\S]*thre/)
    expect(shown).not.toContain('four\n4')
    expect(await enter('\\i again.apl')).toContain('`again.apl` runs itself.')
    expect(await enter('\\i missing.apl')).toContain("`missing.apl` can't be read")
  })

  it('\\e edits the typed lines or the last query, and runs what ends with `;`', async () => {
    const editor = join(scratch, 'editor.sh')
    writeFileSync(editor, '#!/bin/sh\ncp "$1" "$SEEN"\nsed -i s/count/take/ "$1"\n')
    chmodSync(editor, 0o755)
    const seen = join(scratch, 'seen')
    const { terminal, enter } = await openLocalPrompt(scratch, {
      env: { EDITOR: editor, SEEN: seen, NO_COLOR: '1' },
    })
    await enter("['logs']", '| project level')
    // The edited text is on the line, and Enter runs it.
    terminal.type('\\e\r')
    await terminal.until(/\['logs'\] \| project level/)
    expect(readFileSync(seen, 'utf8')).toBe("['logs']\n| project level\n")
    expect(await enter(' | count;')).toMatch(/│ +3 │/)
    writeFileSync(join(scratch, 'query.apl'), "['logs'] | count 1;\n")
    expect(after(await enter(`\\e ${join(scratch, 'query.apl')}`), '\\e')).toContain('1 row')
    expect(after(await enter('print count = 5;', '\\e'), '\\e')).toMatch(/│ take │[\s\S]*│ +5 │/)
  })

  it('\\e reports an editor that fails', async () => {
    const { enter } = await openLocalPrompt(scratch, { env: { VISUAL: 'no-such-editor' } })
    expect(await enter('\\e')).toContain('The editor `no-such-editor` ended with exit code 127.')
  })

  it('\\h explains words of the language, and suggests near ones', async () => {
    const { enter } = await openLocalPrompt(scratch)
    expect(after(await enter('\\h summarize'), '\\h summarize')).toContain('one row for each group')
    expect(await enter('\\h percentil')).toContain('Did you mean `\\h percentile`?')
    expect(after(await enter('help'), '> help')).toMatch(/^ {2}\\d \[DATASET\] +list the datasets/m)
    const { terminal, enter: other } = await openLocalPrompt(scratch)
    await other('\\?')
    terminal.type('exit\r')
    expect((await terminal.ended).status).toBe(0)
  })
})
