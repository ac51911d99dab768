import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evq } from '../../../../support/evq.js'
import { needs } from '../../../../support/needs.js'
import { hasTerminal, type Terminal } from '../../../../support/pty.js'
import { temporaryDirectory } from '../../../../support/temporary.js'
import { until } from '../../../../support/until.js'
import { openLocalPrompt, receivedBytes } from './local-prompt.js'
import { complete } from './tab.js'

const scratch = temporaryDirectory()

/** Waits until the last lines of the screen are these. */
async function shows(terminal: Terminal, ...lines: readonly string[]): Promise<void> {
  const expected = lines.join('\n')
  await until(
    () => terminal.screen().text().endsWith(expected),
    () => `${expected} at the end of ${terminal.screen().text()}`,
  )
}

const LONG = `['logs'] | where message has "注文を受け付けました" and level == "info" | project level, status`

describe('the line editor of the prompt', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('colors the parts of a query by their kinds, and nothing with NO_COLOR', async () => {
    const { terminal } = await openLocalPrompt(scratch)
    terminal.type("['logs'] | project-away a // b")
    await terminal.until(/project-away/)
    await until(() => terminal.raw().includes('\u001b[2m// b\u001b[22m'), terminal.raw)
    const raw = terminal.raw()
    expect(raw).toContain("[\u001b[32m'logs'\u001b[39m] | \u001b[1mproject-away\u001b[22m a ")
    const plain = await openLocalPrompt(scratch, { env: { NO_COLOR: '1' } })
    plain.terminal.type("['logs'] | project-away a // b")
    await shows(plain.terminal, "evq> ['logs'] | project-away a // b")
    expect(plain.terminal.raw()).not.toContain('\u001b[1m')
  })

  it.each([60, 80, 200])(
    'draws long lines with wide characters, pasted and edited, in %i columns',
    async (columns) => {
      const { terminal, enter } = await openLocalPrompt(scratch, { columns })
      terminal.type(LONG)
      await until(
        () => terminal.screen().lines.join('').includes('status'),
        () => terminal.screen().text(),
      )
      // Home, and 60 characters to the right; then one is inserted and removed again.
      terminal.type(`\u001b[H${'\u001b[C'.repeat(60)}X\u007f\u001b[F`)
      const shown = await enter(';')
      const drawn = shown.split('\n').slice(
        0,
        shown.split('\n').findIndex((line) => line.startsWith('┌')),
      )
      const text = drawn.slice(drawn.findIndex((line) => line.startsWith('evq> '))).join('')
      // A row that ends within a wide character, or in a space, is shorter.
      expect(text.replaceAll(' ', '')).toBe(`evq>${LONG};`.replaceAll(' ', ''))
      expect(shown).toMatch(/│ info +│ +200 │/)
    },
  )

  it('inserts tabs of pasted text instead of completing', async () => {
    const { terminal } = await openLocalPrompt(scratch, { env: { NO_COLOR: '1' } })
    terminal.type("['logs']\r\t| where\tlevel == 'error'\r\t| project status;\r")
    await terminal.until(/│ +500 │/)
    expect(terminal.screen().text()).toContain("  | where  level == 'error'")
  })

  it('keeps the cursor behind text that was pasted together with the line before', async () => {
    const { terminal } = await openLocalPrompt(scratch, { env: { NO_COLOR: '1' } })
    terminal.type("['logs']\r| where lev")
    await shows(terminal, "evq> ['logs']", '...> | where lev')
    terminal.type('X')
    await shows(terminal, "evq> ['logs']", '...> | where levX')
  })

  it('shows the whole of a discarded line that wrapped', async () => {
    const { terminal } = await openLocalPrompt(scratch, { columns: 60 })
    const line = `print "${'a'.repeat(80)}"`
    terminal.type(line)
    await until(() => terminal.screen().text().includes('a"'), terminal.raw)
    terminal.type('\u0003')
    await shows(terminal, `evq> ${line.slice(0, 55)}`, `${line.slice(55)}^C`, 'evq>')
  })

  it('continues with the typed line after Ctrl-Z and fg', async () => {
    const shell = ['/bin/sh', '-mc', '"$@"; echo stopped; fg', 'sh']
    const { terminal, enter } = await openLocalPrompt(scratch, {}, shell)
    terminal.type("['logs'] | count")
    await shows(terminal, "evq> ['logs'] | count")
    terminal.type('\u001a')
    await terminal.until(/stopped[\s\S]*evq> /)
    expect(await enter(';')).toMatch(/│ +3 │/)
  })

  it('searches the history with Ctrl-R, and shows the match before it runs', async () => {
    const { terminal, enter } = await openLocalPrompt(scratch)
    await enter("['logs'] | count;", "['logs'] | where status == 500 | count;", 'print 7;')
    terminal.type('\u0012')
    await shows(terminal, '(search: )')
    terminal.type('count')
    await shows(terminal, "(search: count) ['logs'] | where status == 500 | count;")
    // Again: the next older match, and then there is none.
    terminal.type('\u0012\u0012')
    await shows(terminal, "(search: count) ['logs'] | count;")
    terminal.type('x')
    await shows(terminal, '(no match: countx)')
    terminal.type('\u007f')
    await shows(terminal, "(search: count) ['logs'] | where status == 500 | count;")
    terminal.type('\r')
    await shows(terminal, "evq> ['logs'] | where status == 500 | count;")
    // It did not run yet.
    expect(terminal.screen().text().match(/1 row/g)).toHaveLength(3)
    expect(await enter('')).toMatch(/│ +1 │\n└─+┘\n1 row[^│]*$/)
  })

  it('returns to the typed line when the search is canceled', async () => {
    const { terminal, enter } = await openLocalPrompt(scratch)
    await enter('print 7;')
    for (const key of ['\u0007', '\u0003', '\u001b']) {
      terminal.type('half\u0012')
      await shows(terminal, '(search: )')
      terminal.type('7')
      await shows(terminal, '(search: 7) print 7;')
      terminal.type(key)
      await shows(terminal, 'evq> half')
      terminal.type('\u0015')
      await shows(terminal, 'evq>')
    }
  })

  it('completes values by their frequency, and quoted names', async () => {
    const { terminal } = await openLocalPrompt(scratch, { env: { NO_COLOR: '1' } })
    terminal.type("['logs'] | where level == \"")
    await shows(terminal, 'where level == "')
    const isListed = () => /"info" +"error"/.test(terminal.raw())
    const before = await receivedBytes()
    terminal.type('\t')
    await until(async () => (await receivedBytes()) > before, 'the values are asked for')
    // The second Tab lists them.
    await complete(terminal, '', isListed)
    const endsWith = (text: string) => terminal.screen().text().endsWith(text)
    // A Tab that repeats the last one is not inserted when it arrives together with other keys.
    await complete(terminal, '\te', () => endsWith('where level == "error"'))
    const quoted = 'where level == "error" and [\'odd name\']'
    await complete(terminal, " and ['odd", () => endsWith(quoted))
  })
  it('lists and completes names that would control the terminal, with escapes', async () => {
    const own = join(scratch, 'hostile')
    const event = { 'f\u001b]0;pwned\u0007': 1, 'f\u009b31m\u202e': 2, n: 42 }
    await evq(['ingest', 'logs', '-q'], { directory: own, stdin: JSON.stringify(event) })
    const { terminal } = await openLocalPrompt(scratch, {
      env: { EVQ_DATA_DIR: own },
      columns: 120,
    })
    const found = "['f\\u001b]0;pwned\\u0007']"
    const other = "['f\\u009b31m\\u202e']"
    const isListed = () => terminal.raw().includes(found) && terminal.raw().includes(other)
    const endsWith = (text: string) => terminal.screen().text().endsWith(text)
    const start = "['logs'] | where "
    await complete(terminal, `${start}['f`, () => endsWith(`${start}['f\\u00`))
    await complete(terminal, '', isListed)
    await complete(terminal, '1b', () => endsWith(start + found))
    terminal.type(' == 1;\r')
    await terminal.until(/1 row/)
    for (const raw of ['\u001b]', '\u0007', '\u009b', '\u202e'])
      expect(terminal.raw()).not.toContain(raw)
  })
})
