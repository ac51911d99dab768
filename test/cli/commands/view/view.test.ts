import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { draw } from '../../../../src/cli/commands/view/draw.js'
import { FAINT, INVERSE } from '../../../../src/render/screen/style.js'
import { until } from '../../../support/until.js'
import { type OpenedView, openView, typed } from '../../../support/view.js'
import {
  directory,
  eventAt,
  eventsIn,
  eventsOfCommand,
  fileOf,
  outputOf,
  range,
  rowsOfCommand,
} from '../../../support/view-events.js'

const selectedCells = (view: OpenedView) => view.state.rows.items[view.state.rows.selected]!.cells

const status = (view: OpenedView) => view.screen().at(-1)!.trim()

/** The line that is being typed, without the note after it. */
const promptOf = (view: OpenedView) =>
  view
    .screen()
    .at(-1)!
    .replace(/ {2}keeps .*/, '')
    .trim()

/** The marked characters of a row of the screen. */
function markedIn(view: OpenedView, row: number): string {
  const grid = draw(view.state)
  const cells = range(row * grid.width, (row + 1) * grid.width)
  return cells
    .map((cell) => ((grid.styles[cell]! & INVERSE) !== 0 ? grid.texts[cell] : ''))
    .join('')
}

describe('the view of a file', () => {
  const file = fileOf('app.ndjson', range(0, 60))

  it('shows its events from the first one on', async () => {
    const view = await openView([file], { rows: 12 })
    expect(view.screen()[0]).toContain('app.ndjson')
    expect(eventsIn(view.screen())).toEqual(range(0, 10))
    expect(view.screen()[1]).toContain('2026-01-31 10:00:00.000 info  web-0 event 0')
    expect(status(view)).toMatch(/^1 of 60 {2}2026-01-31 /)
  })

  it('names the keys that may have been meant by a word in place of a query', async () => {
    const view = await openView([file], { rows: 12 })
    for (const word of ['q', 'timeout', 'logs | count']) {
      await view.press(':', 'Ctrl-U', ...typed(word), 'Enter')
      expect(view.state.message?.text).toBe(
        "The query starts with an operator, such as `where level == 'error'`. Without `:`, / finds a text and q leaves.",
      )
    }
    await view.press(':', 'Ctrl-U', ...typed('join (users) on user'), 'Enter')
    expect(view.state.message?.text).toMatch(/^There is no dataset `users`\./)
  })

  it('moves like less and vim', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('j', 'j')
    expect(status(view)).toMatch(/^3 of 60/)
    await view.press(' ')
    expect(eventsIn(view.screen())).toEqual(range(10, 20))
    expect(status(view)).toMatch(/^13 of 60/)
    await view.press('G')
    expect(eventsIn(view.screen())).toEqual(range(50, 60))
    expect(status(view)).toMatch(/^60 of 60/)
    await view.press('k', 'b', 'g')
    expect(eventsIn(view.screen())).toEqual(range(0, 10))
  })

  it('moves by the number in front of a key', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('4', '2', 'G')
    expect(status(view)).toMatch(/^42 of 60/)
    await view.press('7', 'g')
    expect(status(view)).toMatch(/^7 of 60/)
    await view.press('1', '0', 'j', '3', 'k')
    expect(status(view)).toMatch(/^14 of 60/)
    await view.press('5', ' ')
    expect(status(view)).toMatch(/^19 of 60/)
    // 59 rows are between the first one and the last one.
    for (const [percent, row] of Object.entries({ 0: 1, 50: 31, 100: 60, 900: 60 })) {
      await view.press(...typed(percent), '%')
      expect(status(view)).toMatch(new RegExp(`^${row} of 60`))
    }
    await view.press(...typed('999999999999999'), 'G')
    expect(status(view)).toMatch(/^60 of 60/)
    await view.press('9', '9', 'k')
    expect(status(view)).toMatch(/^1 of 60/)
    await view.press('%')
    expect(status(view)).toBe('Type a number first: `50%`.')
  })

  it('returns to marked rows, and to the row before a jump', async () => {
    const view = await openView([fileOf('marks.ndjson', range(0, 3_000))], { rows: 12 })
    await view.press(...typed('7g'), 'm', 'a', ...typed('2500G'), 'm', 'b', 'k')
    expect(view.screen().filter((line) => line.startsWith('b'))).toHaveLength(1)
    await view.press("'", 'a')
    expect(status(view)).toMatch(/^7 of 3,000/)
    await view.press("'", "'")
    expect(status(view)).toMatch(/^2,499 of 3,000/)
    await view.press('/', ...typed('event 2900'), 'Enter', "'", "'")
    expect(status(view)).toMatch(/^2,499 of 3,000/)
    await view.press("'", 'x')
    expect(status(view)).toBe('No row has the mark x.')
    await view.press('m', 'Escape', "'", 'Ctrl-C', 'j')
    expect(status(view)).toMatch(/^2,500 of 3,000/)
    // The next row that remains stands for a marked row that is filtered out.
    await view.press('&', ...typed('web-1'), 'Enter', "'", 'a')
    expect(selectedCells(view).get('message')).toContain('event 7 ')
    await view.press('u')
    await view.pressAtOnce('g', 'j', 'm', 'c', 'G', 'm', 'd', 'g', "'", 'd')
    expect(status(view)).toMatch(/^3,000 of 3,000/)
    await view.press("'", 'c')
    expect(status(view)).toMatch(/^2 of 3,000/)
    await view.press(':', 'Ctrl-U', ...typed('count'), 'Enter', 'm')
    expect(status(view)).toBe('Only events have marks.')
  })

  it('shows a number until it is used or cancelled', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('1', '2', '3')
    expect(status(view)).toMatch(/^123 +G row {2}% percent {2}.* Esc cancels$/)
    await view.press('Backspace')
    expect(status(view)).toMatch(/^12 /)
    await view.press('Escape', 'j')
    expect(status(view)).toMatch(/^2 of 60/)
    await view.press('5', 'Ctrl-C', 'j')
    expect(status(view)).toMatch(/^3 of 60/)
    // A key that has no use for a number ignores it.
    await view.press('5', '?', 'Escape', 'j')
    expect(status(view)).toMatch(/^4 of 60/)
  })

  it('finds the match of a number', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('/', ...typed('event 1'), 'Enter')
    // The matches are 1, and 10 to 19.
    await view.press('3', 'n')
    expect(selectedCells(view).get('message')).toContain('event 12 ')
    await view.press('2', 'N')
    expect(selectedCells(view).get('message')).toContain('event 10 ')
    await view.press('1', '0', 'n')
    expect(status(view)).toBe(
      'Fewer than 10 matches of `event 1` after this row; N searches before it.',
    )
    await view.press('9', 'n')
    expect(selectedCells(view).get('message')).toContain('event 19 ')
    // The errors are 2, 6, 10, …
    await view.press('g', '3', 'e')
    expect(selectedCells(view).get('message')).toContain('event 10 ')
    await view.press('8', 'E')
    expect(status(view)).toBe('Fewer than 8 errors before this row; e searches after it.')
  })

  it('goes to rows far from those that were read', async () => {
    const view = await openView([fileOf('far.ndjson', range(0, 3_000))], { rows: 20 })
    const selected = () => JSON.parse(selectedCells(view).get('message')!) as string
    await view.press(...typed('1500G'))
    expect(status(view)).toMatch(/^1,500 of 3,000/)
    expect(selected()).toContain('event 1499 ')
    await view.press(...typed('1200k'))
    expect(status(view)).toMatch(/^300 of 3,000/)
    await view.press(...typed('2400 '))
    expect(status(view)).toMatch(/^2,700 of 3,000/)
    await view.press(...typed('90%'))
    expect(status(view)).toMatch(/^2,700 of 3,000/)
    await view.press(...typed('5000j'))
    expect(status(view)).toMatch(/^3,000 of 3,000/)
    await view.press('&', ...typed('web-1'), 'Enter', ...typed('900G'))
    // Every third event is from this host, from 1 on, but not 10.
    expect(status(view)).toMatch(/^900 of 999/)
    expect(selected()).toContain('event 2701 ')
    await view.press('u', 'g')
    // The keys are handled in their order, also those after a number.
    await view.pressAtOnce(...typed('2000G5j10k'))
    expect(status(view)).toMatch(/^1,995 of 3,000/)
    // Ctrl-C ends a move, as it ends a search.
    await view.pressAtOnce(...typed('20G'), 'Ctrl-C')
    expect(status(view)).toMatch(/^1,995 of 3,000/)
    expect(view.requests).not.toContain('quit')
    await view.pressAtOnce('G', ...typed('12k'))
    expect(status(view)).toMatch(/^2,988 of 3,000/)
  })

  it('filters by the values of an event, and keeps the place', async () => {
    const view = await openView([file], { rows: 20 })
    await view.press('j', 'j', '=', 'j', 'j', '=')
    expect(view.screen()[0]).toContain("app.ndjson │ where host == 'web-2' −40")
    expect(eventsIn(view.screen())).toContain(2)
    expect(status(view)).toMatch(/^1 of 20/)
    await view.press('Ctrl-F')
    expect(view.screen()[0]).toContain("(where host == 'web-2')")
    expect(status(view)).toMatch(/^3 of 60/)
    await view.press('Ctrl-F', 'u')
    expect(status(view)).toMatch(/^3 of 60/)
    await view.press('Ctrl-R')
    expect(status(view)).toMatch(/^1 of 20/)
  })

  it('compares numbers and times, and tells what is not compared', async () => {
    const view = await openView([file], { rows: 20 })
    await view.press('Enter', 'G', 'k', '>')
    expect(view.screen()[0]).toContain('where status >= 200')
    await view.press('Enter', 'g', '<')
    expect(view.screen()[0]).toContain('where _time <= datetime(2026-01-31T10:00:00Z)')
    await view.press('Enter', 'j', '>')
    expect(status(view)).toBe('`client.ip` is neither a number nor a time.')
  })

  it('finds a text in both directions, and the next error', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('/', ...typed('EVENT 4'), 'Enter')
    expect(status(view)).toMatch(/^5 of 60/)
    await view.press('n')
    expect(status(view)).toMatch(/^41 of 60/)
    await view.press('N', 'N')
    expect(status(view)).toBe('No `EVENT 4` before this row; n searches after it.')
    await view.press('e')
    expect(status(view)).toMatch(/^7 of 60/)
    await view.press('W')
    expect(status(view)).toMatch(/^6 of 60/)
  })

  it('handles keys in their order, also while rows are read or searched', async () => {
    // Each answer arrives after all keys were pressed.
    const view = await openView([fileOf('ahead.ndjson', range(0, 3_000))], { rows: 20 })
    await view.press('/', ...typed('event 1'), 'Enter')
    await view.pressAtOnce('n', 'n', 'j', 'n')
    // The matches are 1, 10, 11, 12, …
    expect(selectedCells(view).get('message')).toContain('event 13 ')
    await view.pressAtOnce('G', 'k', 'k')
    expect(status(view)).toMatch(/^2,998 of 3,000 /)
    await view.pressAtOnce('g', 'j', 'j', 'y')
    expect(status(view)).toBe('The event is copied.')
    expect(JSON.parse(view.copied.at(-1)!).message).toContain('event 2 ')
    await view.pressAtOnce('G', 'y', 'g')
    expect(JSON.parse(view.copied.at(-1)!).message).toContain('event 2999 ')
    expect(status(view)).toMatch(/^1 of 3,000 /)
    // A key that does not depend on the row replaces those that wait.
    await view.pressAtOnce('G', 'k', 'g')
    expect(status(view)).toMatch(/^1 of 3,000 /)
  })

  it('finds and keeps a text with the spaces at its ends', async () => {
    const view = await openView([file], { rows: 12, hasDrafts: true })
    await view.press('/', ...typed('event 4 '), 'Enter', 'n')
    expect(status(view)).toBe('No `event 4 ` after this row; N searches before it.')
    await view.press('&', ...typed('event 5 '))
    expect(status(view)).toMatch(/keeps 1$/)
    await view.press('Enter')
    expect(eventsIn(view.screen().slice(1))).toEqual([5])
  })

  it('recalls what was entered before, and keeps an unfinished line', async () => {
    const view = await openView([file], { rows: 12 })
    const prompt = () => promptOf(view)
    await view.press('/', ...typed('event 1'), 'Enter', '/', ...typed('web'), 'Enter')
    await view.press('/', ...typed('event 2'), 'Enter')
    await view.press('/', 'Up')
    expect(prompt()).toBe('/ event 2')
    await view.press('Up', 'Up', 'Up')
    expect(prompt()).toBe('/ event 1')
    await view.press('Ctrl-N')
    expect(prompt()).toBe('/ web')
    await view.press('Down', 'Down')
    expect(prompt()).toMatch(/^\/ /)
    // Only texts with the same beginning are recalled.
    await view.press(...typed('eve'), 'Up', 'Up')
    expect(prompt()).toBe('/ event 1')
    await view.press('Down', 'Down', 'Down', ...typed('nt 5'))
    expect(prompt()).toBe('/ event 5')
    // An edited text is the unfinished line.
    await view.press('Ctrl-U', 'Up', 'Backspace', 'Up', 'Up')
    expect(prompt()).toBe('/ event 1')
    await view.press('Down', 'Down', 'Down', '7')
    expect(prompt()).toBe('/ event 7')
    // A text that is entered again is recalled once, and what was searched can be filtered.
    await view.press('Ctrl-U', ...typed('web'), 'Enter', '&', 'Up', 'Up', 'Up', 'Up')
    expect(prompt()).toBe('& event 1')
    await view.press('Enter')
    expect(status(view)).toMatch(/of 11 /)
  })

  it('recalls queries, operators, times and files each in their prompts', async () => {
    const view = await openView([file], { rows: 12 })
    const prompt = () => promptOf(view)
    await view.press('t', ...typed('10:00:12'), 'Enter', 't', 'Up')
    expect(prompt()).toBe('time: 10:00:12')
    await view.press('Escape', ':', ...typed('where status >= 400'), 'Enter')
    await view.press(':', ...typed(' | where host == "web-1"'), 'Enter')
    // The query with which the prompt opens was not typed.
    await view.press(':', 'Up')
    expect(prompt()).toBe(': where status >= 400')
    await view.press('Down')
    expect(prompt()).toBe(': where status >= 400 | where host == "web-1"')
    await view.press('Escape', 'Tab', 'Enter', 'Up')
    expect(prompt()).toBe(': where host == "web-1"')
    await view.press('Escape', 'o', 'Up')
    expect(prompt()).toBe('save as:')
  })

  it('finds a regular expression in both directions, and marks its matches', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('/', 'Ctrl-R')
    expect(view.screen().at(-1)).toMatch(/^regex \/ +Ctrl-R text$/)
    await view.press(...typed('EVENT [35]\\b'), 'Enter')
    expect(status(view)).toMatch(/^4 of 60/)
    const row = view.screen().findIndex((line) => line.includes('event 5 '))
    expect(markedIn(view, row)).toBe('event 5')
    expect(markedIn(view, row - 1)).toBe('')
    await view.press('n')
    expect(status(view)).toMatch(/^6 of 60/)
    await view.press('N', 'N')
    expect(status(view)).toBe('No `EVENT [35]\\b` before this row; n searches after it.')
    // The next text is a regular expression, too, until Ctrl-R is pressed.
    await view.press('/', ...typed('event 1$'), 'Enter')
    expect(status(view)).toBe('No `event 1$` after this row; N searches before it.')
    await view.press('/', 'Ctrl-R', ...typed("it's $"), 'Enter')
    expect(status(view)).toMatch(/^5 of 60/)
    await view.press('/', 'Up', 'Up')
    expect(promptOf(view)).toBe('regex / event 1$')
    await view.press('Down', 'Down')
    expect(promptOf(view)).toMatch(/^\/ /)
  })

  it('finds a regular expression that would take JavaScript ages', async () => {
    const long = join(directory, 'long.log')
    writeFileSync(long, `first\n${'a'.repeat(1_000_000)}b\n${'a'.repeat(90)}\n`)
    for (const regex of ['(a+)+$', '(a+){20}$']) {
      const view = await openView([long], { rows: 12 })
      await view.press('/', 'Ctrl-R', ...typed(regex), 'Enter')
      expect(status(view)).toMatch(/^3 of 3/)
      await view.press('N')
      expect(status(view)).toBe(`No \`${regex}\` before this row; n searches after it.`)
      await view.close()
    }
  })

  it('finds a regular expression at the ends of the lines of an event', async () => {
    const traces = join(directory, 'traces.log')
    const trace = (index: number) =>
      `2026-01-31 10:00:0${index} ERROR boom\njava.lang.Error: x\n\tat com.a.B.c(B.java:${index})\n`
    writeFileSync(traces, range(0, 6).map(trace).join(''))
    const view = await openView([traces], { rows: 12 })
    await view.press('/', 'Ctrl-R', ...typed('^\\s+at com.*:4.$'), 'Enter')
    expect(status(view)).toMatch(/^5 of 6/)
    // A dot matches no line break.
    await view.press('/', ...typed('boom.*java:4'), 'Enter', 'N')
    expect(status(view)).toMatch(/^No `/)
  })

  it('marks the matches of a regular expression among wide characters', async () => {
    const wide = join(directory, 'wide.log')
    writeFileSync(wide, 'x\nnaïve 界界 12 界\n')
    const view = await openView([wide], { rows: 12 })
    await view.press('/', 'Ctrl-R', ...typed('界 \\d+ .'), 'Enter')
    expect(markedIn(view, 2)).toBe('界 12 界')
  })

  it('filters by a regular expression', async () => {
    const view = await openView([file], { rows: 20, hasDrafts: true })
    await view.press('&', 'Ctrl-R', ...typed('Event \\d\\b'))
    expect(status(view)).toMatch(/keeps 10$/)
    await view.press('Enter')
    expect(view.screen()[0]).toContain("where * matches regex '(?im)Event \\\\d\\\\b' −50")
    expect(eventsIn(view.screen())).toEqual(range(0, 10))
    await view.press('&', ...typed('!event (?:[0-4]|7) "'), 'Enter')
    expect(await eventsOfCommand(view)).toEqual([5, 6, 8, 9])
  })

  it('says in the prompt why a regular expression is not valid', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('/', 'Ctrl-R', ...typed('event (4'), 'Enter')
    expect(promptOf(view)).toBe('regex / event (4')
    expect(view.screen().at(-2)!.trim()).toBe(
      'The regular expression is malformed: unbalanced bracket, bad repetition or trailing backslash.',
    )
    await view.press(...typed(')'), 'Enter')
    expect(status(view)).toMatch(/^5 of 60/)
    await view.press('&', ...typed('!(?=a)'), 'Enter')
    expect(promptOf(view)).toBe('regex & !(?=a)')
    expect(view.screen().at(-2)!.trim()).toBe(
      'Look-around is not supported in regular expressions: not supported by RE2.',
    )
    await view.press('Escape')
    expect(status(view)).toMatch(/^5 of 60/)
  })

  it('handles keys after the prompt in their order', async () => {
    const view = await openView([file], { rows: 12 })
    await view.pressAtOnce('/', 'Ctrl-R', ...typed('event .4'), 'Enter', 'n', 'j')
    expect(status(view)).toMatch(/^26 of 60/)
    await view.pressAtOnce('t', ...typed('10:00:12'), 'Enter', 'j')
    expect(status(view)).toMatch(/^14 of 60/)
    await view.pressAtOnce(':', ...typed('where status == 300'), 'Enter', 'G', 'k')
    expect(status(view)).toMatch(/^11 of 12/)
  })

  it('has nothing of an event in the last line of a screen of two lines', async () => {
    const view = await openView([file], { rows: 2 })
    expect(view.screen().at(-1)).toMatch(/^ 1 of 60 {2}2026-01-31 +\? keys .* UTC$/)
  })

  it('goes to a time of the day, and to a time before and after the event', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('t', ...typed('10:00:41'), 'Enter')
    expect(selectedCells(view).get('message')).toContain('event 41')
    await view.press('t', ...typed('-29s'), 'Enter')
    expect(selectedCells(view).get('message')).toContain('event 12')
    await view.press('t', ...typed('+20s'), 'Enter')
    expect(selectedCells(view).get('message')).toContain('event 32')
    await view.press('t', ...typed('9:59:00'), 'Enter')
    expect(selectedCells(view).get('message')).toContain('event 0')
    await view.press('t', ...typed('soon'), 'Enter')
    expect(view.screen().slice(-3, -1).join(' ')).toContain('`soon` is not a time.')
    expect(view.screen().at(-1)).toBe('time: soon')
    await view.press('Ctrl-U', ...typed('25:99'), 'Enter')
    expect(view.screen().slice(-3, -1).join(' ')).toContain('`25:99` is not a time.')
    await view.press('Ctrl-U', ...typed('10:00:12'), 'Enter')
    expect(selectedCells(view).get('message')).toContain('event 12')
  })

  it('takes back a query that is refused, and tells why', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('&', ...typed('web-1'), 'Enter')
    const before = view.commandLine()
    await view.press(':', ...typed(' | where leve == 1'), 'Enter')
    expect(status(view)).toBe(
      'There is no field `leve` at this point of the query. Close to `level`.',
    )
    expect(view.commandLine()).toBe(before)
    // The refused query can be corrected.
    await view.press(':')
    expect(status(view)).toBe(": where * contains 'web-1' | where leve == 1")
    await view.press('Escape')
    await view.press(':', ...typed(' | where ('), 'Enter')
    expect(view.state.panel.kind).toBe('prompt')
    expect(view.state.message?.kind).toBe('error')
    expect(view.screen().at(-2)).toBe(' Expected a value, found the end of the query.')
    await view.press('Ctrl-U', ...typed('where level = 1'), 'Enter')
    expect(view.screen().at(-2)).toContain(' `=` is not a comparison. ')
    expect(view.screen().at(-2)).toContain('compare values with `==`')
  })

  it('shows the rows of other queries as a table', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press(
      ':',
      'Ctrl-U',
      ...typed('summarize n = count() by host | sort by host asc'),
      'Enter',
    )
    expect(
      view
        .screen()
        .slice(1, 6)
        .map((line) => line.trim()),
    ).toEqual(['host   n', expect.stringMatching(/^▌? *1$/), 'web-0  20', 'web-1  19', 'web-2  20'])
  })

  it('finds a text and a regular expression in a table', async () => {
    const view = await openView([file], { rows: 20, apl: 'project message, n = status | take 30' })
    await view.press('/', ...typed('EVENT 1'), 'Enter')
    expect(status(view)).toMatch(/^2 of 30/)
    await view.press('3', 'n')
    expect(status(view)).toMatch(/^13 of 30/)
    await view.press('/', 'Ctrl-R', ...typed('^600$'), 'Enter')
    // The statuses of events 4, 9, 14 and 19 are 600.
    expect(status(view)).toMatch(/^15 of 30/)
    await view.press('N', 'N')
    expect(status(view)).toMatch(/^5 of 30/)
    await view.press('N')
    expect(status(view)).toBe('No `^600$` before this row; n searches after it.')
  })

  it('says that nothing matches, and how to go back', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('j', '&', ...typed('nowhere'), 'Enter')
    expect(view.screen()[1]).toContain('No events match.')
    expect(view.screen().slice(1, 4).join('\n')).toMatch(/press\s+:\s+and\s+edit\s+the\s+query/)
    await view.press('u')
    expect(status(view)).toMatch(/^2 of 60/)
  })

  it('searches its list of keys', async () => {
    const view = await openView([file], { rows: 20 })
    await view.press('?', ...typed('warn'))
    const lines = view.screen().map((line) => line.trim())
    expect(lines.filter((line) => /^[wW] /.test(line))).toHaveLength(2)
    expect(lines.some((line) => line.startsWith('Ctrl-F'))).toBe(false)
    await view.press('Escape')
    expect(eventsIn(view.screen())).toContain(0)
  })

  it('says what the keys do on a narrow screen, too', async () => {
    const view = await openView([file], { rows: 20, columns: 22 })
    await view.press('?', ...typed('screen again'))
    expect(view.screen().slice(2, 6)).toEqual([
      '  Other',
      '    Ctrl-L',
      '      draw the screen',
      '      again',
    ])
  })

  it('prints a command that a shell understands', async () => {
    const odd = fileOf("it's $odd.ndjson", range(0, 12))
    const view = await openView([odd], { rows: 20 })
    await view.press('&', ...typed("it's $HOME"), 'Enter', '&', ...typed('!event 3 "'), 'Enter')
    expect(await eventsOfCommand(view)).toEqual(range(0, 12).filter((index) => index !== 3))
  })
})

describe('the events over time', () => {
  const file = fileOf('times.ndjson', range(0, 60))

  it('are counted for the query, with its errors and warnings', async () => {
    const view = await openView([file], { columns: 62, rows: 24, hasHistogram: true })
    const bars = () => view.state.histogram.value!.bars
    expect(view.state.histogram.value!.step).toBe(1_000_000_000n)
    expect(bars()).toHaveLength(60)
    expect(bars().slice(0, 4)).toEqual([
      { events: 1, errors: 0, warnings: 0 },
      { events: 1, errors: 0, warnings: 1 },
      { events: 1, errors: 1, warnings: 0 },
      { events: 1, errors: 0, warnings: 0 },
    ])
    await view.press('&', ...typed('web-0'), 'Enter')
    expect(bars().reduce((sum, { events }) => sum + events, 0)).toBe(20)
  })

  it('are above the lines, with the time that is on the screen marked', async () => {
    const view = await openView([file], { columns: 62, rows: 24, hasHistogram: true })
    const screen = view.screen()
    expect(screen.slice(1, 3)).toEqual([` ${'█'.repeat(61)}`, ` ${'█'.repeat(61)}`])
    expect(screen[3]).toMatch(/^ 2026-01-31 10:00:00 ─ 1s each, up to 1 ── 2026-01-31 10:01:00$/)
    expect(eventsIn(screen)).toEqual(range(0, 19))
    const marked = () => {
      const { styles, width } = draw(view.state)
      const line = [...styles.slice(3 * width, 4 * width)]
      return line.flatMap((style, column) => ((style & INVERSE) === 0 ? [] : [column - 1]))
    }
    // 60 bars in 61 columns: the first one has two.
    expect(marked()).toEqual(range(0, 20))
    await view.press('G')
    expect(marked()).toEqual(range(42, 61))
    await view.press('i')
    expect(eventsIn(view.screen())).toEqual(range(38, 60))
  })

  it('take one line of a low screen, and none of a very low one', async () => {
    const view = await openView([file], { columns: 62, rows: 10, hasHistogram: true })
    expect(view.screen()[1]).toBe(` ${'█'.repeat(61)}`)
    expect(eventsIn(view.screen())).toEqual(range(0, 7))
    await view.resize({ columns: 61, rows: 7 })
    expect(eventsIn(view.screen())).toEqual(range(0, 5))
  })
})

describe('the values of a field', () => {
  const file = fileOf('values.ndjson', range(0, 60))
  const shown = (view: OpenedView) =>
    view
      .screen()
      .slice(1)
      .flatMap((line) => line.split('│')[1]?.trim().replace(/ +/g, ' ') ?? [])

  it('are listed with the number of their events, and filter', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('v')
    expect(shown(view).slice(0, 3)).toEqual(['level 4 values', '15 25% debug', '15 25% error'])
    await view.press('l', 'l')
    expect(shown(view).slice(0, 5)).toEqual([
      'host 4 values',
      '20 33% web-0',
      '20 33% web-2',
      '19 32% web-1',
      '1 2% no value',
    ])
    await view.press('j', '!')
    expect(view.screen()[0]).toContain("where host != 'web-2' −20")
    expect(shown(view)[2]).toBe('19 48% web-1')
    await view.press('Enter')
    expect(view.screen()[0]).toContain("where host == 'web-1'")
    expect(await eventsOfCommand(view)).toEqual(
      range(0, 60).filter((at) => at % 3 === 1 && at !== 10),
    )
  })

  it('are those of the field that was chosen in an event', async () => {
    const view = await openView([file], { rows: 20 })
    await view.press('Enter', 'G', 'k', 'v')
    expect(shown(view).slice(0, 2)).toEqual(['status 6 values', '12 20% 300'])
  })
})

describe('following a file', () => {
  const append = (file: string, indexes: readonly number[]) =>
    appendFileSync(file, indexes.map((index) => `${JSON.stringify(eventAt(index))}\n`).join(''))

  it('shows what is written to it, until a key moves up', async () => {
    const file = fileOf('growing.ndjson', range(0, 60))
    const view = await openView([file], { rows: 12 })
    await view.press('F')
    expect(status(view)).toMatch(/^60 of 60 .* following/)
    append(file, [60, 61])
    await until(() => eventsIn(view.screen()).includes(61), 'the appended events')
    expect(eventsIn(view.screen())).toEqual(range(52, 62))
    await view.press('k')
    append(file, [62])
    await until(() => view.state.counts?.total === 63, 'the count of the next one')
    expect(eventsIn(view.screen())).toEqual(range(52, 62))
    await view.press('&', ...typed('event 6'), 'Enter')
    expect(await eventsOfCommand(view)).toEqual([6, 60, 61, 62])
  })

  it('stays at the last row when the filter changes', async () => {
    const view = await openView([fileOf('still.ndjson', range(0, 60))], { rows: 12 })
    await view.press('F', '&', ...typed('web-1'), 'Enter')
    // The tenth event has no host.
    expect(status(view)).toMatch(/^19 of 19 .* following/)
    await view.press('u')
    expect(status(view)).toMatch(/^60 of 60 .* following/)
    expect(eventsIn(view.screen())).toEqual(range(50, 60))
  })

  it('adds only what was written to a log', async () => {
    const file = logOf('growing.log', (index) => `event ${index}`)
    const view = await openView([file], { rows: 12 })
    await view.press('F')
    appendFileSync(file, '2026-01-31 11:00:00 INFO event 60\n')
    await until(() => eventsIn(view.screen()).includes(60), 'the appended event')
    expect(eventsIn(view.screen())).toEqual(range(51, 61))
  })

  it('goes on with the file that takes its place', async () => {
    const file = fileOf('rotated.ndjson', range(0, 3))
    const view = await openView([file], { rows: 12 })
    await view.press('F')
    append(file, [3])
    await until(() => eventsIn(view.screen()).includes(3), 'the appended event')
    renameSync(file, `${file}.1`)
    append(file, [4])
    await until(() => eventsIn(view.screen()).includes(4), 'the event of the next file')
    expect(eventsIn(view.screen())).toEqual(range(0, 5))
  })
})

describe('a last line that is written in two parts', () => {
  it('is one event, also when its first part was read before the file is followed', async () => {
    const file = logOf('half.log', (index) => `event ${index}`)
    appendFileSync(file, '2026-01-31 11:00:00 INFO event 60 is ha')
    const view = await openView([file], { rows: 12 })
    await view.press('F')
    expect(view.screen().at(-2)).toMatch(/event 60 is ha$/)
    appendFileSync(file, 'lf written\n2026-01-31 11:00:01 INFO event 61\n')
    await until(() => eventsIn(view.screen()).includes(61), 'the next event')
    expect(eventsIn(view.screen())).toEqual(range(52, 62))
    expect(view.screen().at(-3)).toMatch(/event 60 is half written$/)
    await until(() => view.state.counts?.total === 62, 'the number of events')
    expect(await eventsOfCommand(view)).toEqual(range(0, 62))
  })

  it('is no problem of the file once it is complete', async () => {
    const file = fileOf('half.ndjson', range(0, 3))
    appendFileSync(file, '{"message":"eve')
    const view = await openView([file], { rows: 12, columns: 120 })
    expect(view.state.reading?.trouble).toContain('half.ndjson')
    await view.press('F')
    appendFileSync(file, 'nt 3"}\n')
    await until(() => eventsIn(view.screen()).includes(3), 'the whole event')
    expect(eventsIn(view.screen())).toEqual(range(0, 4))
    expect(view.state.reading?.trouble).toBeUndefined()
  })

  it('is one event of several lines, the rest of which is written later', async () => {
    const file = logOf('trace.log', (index) => `event ${index}`)
    appendFileSync(file, '2026-01-31 11:00:00 ERROR event 60\n  at one (a.js:1)\n')
    const view = await openView([file], { rows: 12 })
    await view.press('F')
    appendFileSync(file, '  at two (b.js:2)\n2026-01-31 11:00:01 INFO event 61\n')
    await until(() => eventsIn(view.screen()).includes(61), 'the next event')
    expect(eventsIn(view.screen())).toEqual(range(52, 62))
    await view.press('k', 'Enter')
    expect(view.screen().join('\n')).toContain('at two (b.js:2)')
  })
})

describe('events around matches', () => {
  const file = fileOf('around.ndjson', range(0, 60))

  it('are shown beside them, and by the command', async () => {
    const view = await openView([file], { rows: 30 })
    await view.press('z')
    expect(status(view)).toBe('All events are shown: there is no filter.')
    await view.press('&', ...typed('event 3'), 'Enter', '&', ...typed('web-0'), 'Enter', 'z')
    // Events 3, 30, 33, 36 and 39 match.
    const near = [...range(2, 5), ...range(29, 41)]
    expect(eventsIn(view.screen().slice(1))).toEqual(near)
    const marks = view
      .screen()
      .slice(1, 4)
      .map((line) => line[0])
    expect(marks).toEqual(['┄', '▌', ' '])
    expect(status(view)).toMatch(/^5 matching events {2}2026-01-31 {2}1 around each/)
    expect(await eventsOfCommand(view)).toEqual(near)
  })

  it('are on the screen, also in front of a match on its first line', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('&', ...typed('event'), 'Enter', 'G', 'g', '&', ...typed('event 4'), 'Enter')
    await view.press('z', 'z')
    expect(eventsIn(view.screen().slice(1)).slice(0, 4)).toEqual([1, 2, 3, 4])
  })

  it('are more or fewer, and stay when the filter changes', async () => {
    const view = await openView([file], { rows: 30 })
    await view.press('&', ...typed('event 20'), 'Enter', 'z', 'z')
    expect(eventsIn(view.screen().slice(1))).toEqual(range(17, 24))
    await view.press('Z')
    expect(eventsIn(view.screen().slice(1))).toEqual(range(19, 22))
    await view.press('u')
    expect(status(view)).toMatch(/^21 of 60 {2}2026-01-31 *\?/)
    expect(
      view
        .screen()
        .slice(1, -1)
        .some((line) => line.startsWith('>')),
    ).toBe(false)
    await view.press('&', ...typed('event 41'), 'Enter')
    expect(eventsIn(view.screen().slice(1))).toEqual(range(40, 43))
    expect(view.commandLine()).toContain(' -C 1 ')
    await view.press('Z')
    expect(eventsIn(view.screen().slice(1))).toEqual([41])
  })
})

/** Writes a log with an event a second. */
function logOf(name: string, textAt: (index: number) => string): string {
  const file = join(directory, name)
  const lines = range(0, 60).map(
    (index) => `2026-01-31 10:00:${String(index).padStart(2, '0')} INFO ${textAt(index)}\n`,
  )
  writeFileSync(file, lines.join(''))
  return file
}

describe('a log of a web server', () => {
  it('has its errors and warnings in the statuses of responses', async () => {
    const file = join(directory, 'access.log')
    const statuses = [200, 200, 404, 200, 500, 200, 200, 503]
    const lines = statuses.map(
      (status, index) =>
        `10.0.0.1 - - [31/Jan/2026:10:00:0${index} +0000] "GET /cart HTTP/1.1" ${status} 17\n`,
    )
    writeFileSync(file, lines.join(''))
    const view = await openView([file], { rows: 20, hasHistogram: true })
    const { bars, step } = view.state.histogram.value!
    const seconds = bars.flatMap(({ errors }, bar) =>
      errors > 0 ? (Number(step) * bar) / 1e9 : [],
    )
    expect(seconds).toEqual([4, 7])
    await view.press('e', 'e')
    expect(status(view)).toMatch(/^8 of 8/)
    await view.press('W')
    expect(status(view)).toMatch(/^3 of 8/)
    await view.press('v')
    expect(view.screen()[4]).toContain('│ status 4 values')
  })
})

describe('patterns', () => {
  it('stand for the messages that differ in numbers, and lead to them', async () => {
    const file = logOf('patterns.log', (index) =>
      index % 6 === 5 ? `cannot reach (db-${index})? retry!` : `request ${index} is done`,
    )
    const view = await openView([file], { rows: 20, columns: 120 })
    await view.press('p')
    expect(view.screen()[1]).toMatch(/^ pattern +count_/)
    expect(view.screen()[2]).toMatch(/request \* is done +50/)
    await view.press('j', 'Enter')
    expect(status(view)).toMatch(/^1 of 10 /)
    expect(view.screen()[10]).toContain('cannot reach (db-59)? retry!')
    await view.press('u')
    expect(status(view)).toMatch(/ of 60 /)
  })

  it('lead to as many events as were counted, also those that were combined of rare ones', async () => {
    // Names are rare, so that they are combined; that of the administrator is frequent, and has a pattern of its own.
    const name = (index: number) => `u${'abcdefgh'[index % 8]}${'mnopqrst'[index >> 3]}x`
    const texts = [
      ...Array.from({ length: 60 }, (_, index) => `user ${name(index)} logged in`),
      ...Array.from({ length: 50 }, () => 'user admin logged in'),
      ...Array.from({ length: 3_000 }, (_, index) => `request ${index} is done`),
      ...['alone', 'for itself', 'neither'],
    ]
    const file = join(directory, 'names.log')
    const lines = texts.map((text) => `2026-01-31 10:00:00 INFO ${text}\n`)
    writeFileSync(file, lines.join(''))
    const view = await openView([file], { rows: 20, columns: 120 })
    await view.press('p')
    const rows = () =>
      view
        .screen()
        .slice(2, -1)
        .flatMap((line) => /^▌? ?(.*?) {2,}(\d+) /.exec(line)?.slice(1, 3).join(': ') ?? [])
    expect(rows()).toEqual([
      ...['request * is done: 3000', 'user * logged in: 60'],
      ...['user admin logged in: 50', '*: 3'],
    ])
    for (const [down, count] of [3_000, 60, 50, 3].entries()) {
      await view.press(...Array.from({ length: down }, () => 'j'), 'Enter')
      expect(status(view)).toMatch(new RegExp(`^1 of ${count.toLocaleString('en')} `))
      if (count === 60) expect(view.screen().join('\n')).not.toContain('admin logged in\n')
      await view.press('u', 'p')
    }
  })

  it('have events that can be shown with others around them', async () => {
    const file = logOf('pattern-around.log', (index) =>
      index === 30 ? 'disk 7 is full' : `event ${index}`,
    )
    const view = await openView([file], { rows: 20, columns: 120 })
    await view.press('p', 'G', 'Enter', 'z')
    expect(eventsIn(view.screen().slice(1))).toEqual([29, 31])
    expect(view.commandLine()).toContain(' -C 1 ')
    expect(await eventsOfCommand(view)).toEqual([29, 31])
  })

  it('are compared between two spans of time', async () => {
    const file = logOf('changes.log', (index) =>
      index >= 50 && index % 2 === 0 ? `disk ${index} is full` : `request ${index} is done`,
    )
    const view = await openView([file], { rows: 20, columns: 120, hasHistogram: true })
    // The span of the last ten seconds, compared with all before.
    await view.press('d', 'G', 'H', 'l', ' ')
    expect(status(view)).toContain('Space: the span ends here.')
    await view.press('G', ' ', 'Enter')
    const shown = view
      .screen()
      .slice(1, 4)
      .map((line) => line.slice(1).trim().replace(/ +/g, ' '))
    expect(shown).toEqual([
      'after expected before pattern',
      '5 0 0 disk * is full',
      '5 10 50 request * is done',
    ])
    await view.press('Enter')
    expect(status(view)).toMatch(/^1 of 5 /)
  })
})

describe('an operator of the query', () => {
  const file = fileOf('operators.ndjson', range(0, 60))

  it('is switched off, edited and removed, and the others stay', async () => {
    const view = await openView([file], { rows: 20 })
    const first = "where * contains 'web-2'"
    await view.press('&', ...typed('web-2'), 'Enter')
    await view.press(':', ...typed(' | where status >= 500'), 'Enter')
    expect(status(view)).toMatch(/ of 8 /)
    await view.press('Tab', 'h', ' ')
    expect(view.screen()[0]).toContain(`(${first}) │ where status >= 500 −36`)
    expect(status(view)).toMatch(/ of 24 /)
    await view.press('l', 'Enter')
    expect(status(view)).toBe(': where status >= 500')
    await view.press('Ctrl-U', ...typed('where ('), 'Enter')
    expect(view.state.message?.kind).toBe('error')
    await view.press('Ctrl-U', ...typed('where status == 600'), 'Enter')
    expect(view.screen()[0]).toContain(`(${first}) │ where status == 600 −48`)
    await view.press('Tab', 'h', ' ')
    expect(view.screen()[0]).toContain(`${first} −40 │ where status == 600 −16`)
    expect(eventsIn(view.screen().slice(1))).toEqual([14, 29, 44, 59])
    await view.press('x')
    expect(view.screen()[0]).toMatch(/operators.ndjson │ where status == 600 −48$/)
    await view.press('x')
    expect(view.state.panel.kind).toBe('none')
    expect(status(view)).toMatch(/ of 60 /)
    await view.press('Ctrl-R', 'Ctrl-R', 'Tab', 'Enter', 'Ctrl-U', 'Enter')
    expect(view.screen()[0]).toContain('operators.ndjson │ where status == 600 −48')
    expect(await eventsOfCommand(view)).toEqual(range(0, 60).filter((index) => index % 5 === 4))
  })

  it('is marked, also when it is the first of many', async () => {
    const view = await openView([file], { rows: 20, columns: 60 })
    for (const text of ['event 1', 'web-2', 'info']) await view.press('&', ...typed(text), 'Enter')
    await view.press('Tab', 'g')
    const { styles } = draw(view.state)
    const inverse = [...view.screen()[0]!].filter((_, x) => (styles[x]! & INVERSE) !== 0)
    expect(inverse.join('')).toBe("where * contains 'event 1'")
  })

  it('tells how many events it keeps while it is typed', async () => {
    const view = await openView([file], { rows: 12, hasDrafts: true })
    await view.press('&', ...typed('web-2'), 'Enter', 'Tab', 'Enter', 'Ctrl-U')
    await view.press(...typed("where host == 'web-1'"))
    expect(status(view)).toMatch(/^: where host == 'web-1' +keeps 19$/)
  })
})

it('shows the chosen fields of an event as a table', async () => {
  const view = await openView([fileOf('fields.ndjson', range(0, 12))], { rows: 20 })
  await view.press('Enter', 'G', 'c', 'Escape')
  expect(view.screen()[0]).not.toContain('project')
  await view.press('Enter', 'G', 'k', 'c', 'k', 'c')
  expect(view.screen().filter((line) => /^[▌ ]\+/.test(line))).toHaveLength(2)
  await view.press('Enter')
  expect(view.screen()[0]).toContain('project _time, status, message')
  expect(view.screen()[1]!.trim()).toMatch(/^_time +status +message$/)
  expect(await rowsOfCommand(view)).toHaveLength(12)
})

describe('a query that is typed', () => {
  const file = fileOf('typed.ndjson', range(0, 60))

  it('tells how many events it keeps, and which go', async () => {
    const view = await openView([file], { rows: 12, hasDrafts: true })
    await view.press('&', ...typed('web-2'))
    expect(status(view)).toMatch(/^& web-2 +keeps 20$/)
    const { styles, width } = draw(view.state)
    const faint = range(1, 11).filter((y) => (styles[y * width + 40]! & FAINT) !== 0)
    expect(faint.map((y) => y - 1)).toEqual([0, 1, 3, 4, 6, 7, 9])
    await view.press('Escape', ':', 'Ctrl-U', ...typed('where status > 500'))
    expect(status(view)).toMatch(/^: where status > 500 +keeps 12$/)
    await view.press(' ', '(')
    expect(status(view)).toBe(': where status > 500 (')
  })

  it('is completed with operators, fields and values', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press(':', 'Ctrl-U', ...typed('whe'), 'Tab', ...typed('hos'), 'Tab')
    expect(status(view)).toBe(': where host')
    await view.press(...typed(" == '"), 'Tab')
    expect(status(view)).toBe(": where host == 'web-")
    expect(view.screen().at(-2)).toMatch(/^ 'web-0' +'web-2' +'web-1'/)
    await view.press('1', "'", 'Enter')
    expect(status(view)).toMatch(/^1 of 19/)
  })
})

describe('the screen', () => {
  const file = logOf('screen.log', (index) =>
    index >= 10 && index < 30
      ? `retry ${index} of db-1`
      : `event ${index} ${'long '.repeat(20)}end`,
  )

  it('shows a burst of similar events as one row, and as it is', async () => {
    const view = await openView([file], { rows: 30, columns: 150 })
    await view.press('x')
    const [first, second, third] = view.screen().slice(1)
    expect(first).toMatch(/10:00:00\.000 info +×10 until 10:00:09\.000 event 0 long/)
    expect(second).toMatch(/10:00:10\.000 info +×20 until 10:00:29\.000 retry 10 of db-1$/)
    expect(third).toMatch(/10:00:30\.000 info +×30 /)
    await view.press('&', ...typed('retry'), 'Enter')
    expect(view.screen()[1]).toContain('×20 until')
    await view.press('x')
    expect(
      view
        .screen()
        .slice(1, -1)
        .filter((line) => line.includes('retry')),
    ).toHaveLength(20)
  })

  it('shows a burst as one row, however many pages of events it has', async () => {
    const sizes = { 'opened connection': 7, 'retry of': 9_000, 'closed connection': 1_200 }
    const lines = Object.entries(sizes).flatMap(([text, count]) =>
      Array.from({ length: count }, (_, at) => `2026-01-31 10:00:00 INFO ${text} ${at}\n`),
    )
    const long = join(directory, 'bursts.log')
    writeFileSync(long, lines.join(''))
    const view = await openView([long], { rows: 12, columns: 100 })
    const counts = () => view.screen().flatMap((line) => /×([\d,]+)/.exec(line)?.[1] ?? [])
    await view.press('x')
    expect(counts()).toEqual(['7', '9,000', '1,200'])
    await view.press('x', 'G', 'x')
    expect(counts()).toEqual(['7', '9,000', '1,200'])
    expect(view.state.rows.items[view.state.rows.selected]!.repeats?.count).toBe(1_200)
  })

  it('has no empty line below a line that just fits', async () => {
    // The time and the level take 19 columns, the mark of the row one.
    const fitting = logOf('fitting.log', (index) => `event ${index} `.padEnd(40, 'x'))
    const view = await openView([fitting], { rows: 14, columns: 60 })
    await view.press('S')
    expect(
      view
        .screen()
        .slice(1, -1)
        .map((line) => eventsIn([line])[0]),
    ).toEqual(range(0, 12))
  })

  it('wraps long lines, so that each row is seen once on the way down', async () => {
    const view = await openView([file], { rows: 14, columns: 60 })
    await view.press('S')
    const [first, ...others] = view.screen().slice(1, 4)
    expect(first + others.map((line) => line.slice(1)).join('')).toMatch(/event 0 (?:long ){20}end/)
    const seen: number[] = []
    for (let page = 0; page < 4; page++) {
      seen.push(...eventsIn(view.screen().slice(1, -1)))
      await view.press(' ')
    }
    expect(seen.slice(0, 10)).toEqual(range(0, 10))
    await view.press('G')
    expect(
      view
        .screen()
        .slice(1, -1)
        .some((line) => line.includes('event 59')),
    ).toBe(true)
    expect(view.screen().slice(1, -1).at(-1)).toContain('end')
  })
})

describe('what is taken along', () => {
  const file = fileOf('taken.ndjson', range(0, 60))

  it('is the event, or the command', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('j', 'y', '&', ...typed('web-2'), 'Enter', 'Y')
    const [event, command] = view.copied
    expect(JSON.parse(event!)).toEqual({
      ...{ _time: '2026-01-31T10:00:01Z', level: 'warn', message: 'event 1 "of" it\'s $HOME' },
      ...{ 'client.ip': '10.0.0.1', status: 300, host: 'web-1' },
    })
    expect(command).toBe(view.commandLine())
  })

  it('is a file with the rows, in the format of its extension', async () => {
    const view = await openView([file], { rows: 12 })
    await view.press('o', '-', 'Enter')
    expect(view.screen().at(-2)!.trim()).toBe('Standard output is this screen. Name a file.')
    await view.press('Escape')
    const saved = join(directory, 'saved.csv')
    await view.press('&', ...typed('web-2'), 'Enter', 'o', ...typed(saved), 'Enter')
    expect(status(view)).toBe(`20 rows in ${saved}`)
    const lines = readFileSync(saved, 'utf8').trimEnd().split('\n')
    expect(lines[0]).toBe('_time,client.ip,host,level,message,status')
    expect(eventsIn(lines)).toEqual(range(0, 60).filter((at) => at % 3 === 2))
    await view.press('o', ...typed(file), 'Enter')
    expect(view.screen().slice(-3, -1).join(' ')).toContain('which is an input file')
    await view.press('Ctrl-U', ...typed('rows.unknown'), 'Enter')
    expect(view.state.message?.kind).toBe('error')
    // The name can be corrected.
    expect(view.screen().at(-1)).toBe('save as: rows.unknown')
  })

  it('replaces a file only when its name is entered twice', async () => {
    const view = await openView([file], { rows: 12 })
    const saved = join(directory, 'kept.csv')
    writeFileSync(saved, 'mine\n')
    await view.press('o', ...typed(saved), 'Enter')
    expect(view.screen().slice(-3, -1).join(' ')).toContain('exists. Enter replaces it.')
    expect(readFileSync(saved, 'utf8')).toBe('mine\n')
    await view.press('Escape', 'o', ...typed(saved), 'Enter')
    expect(readFileSync(saved, 'utf8')).toBe('mine\n')
    await view.press('Enter')
    expect(status(view)).toBe(`60 rows in ${saved}`)
    expect(eventsIn(readFileSync(saved, 'utf8').split('\n'))).toEqual(range(0, 60))
  })
})

describe('rows that are saved with the events around them', () => {
  const file = fileOf('saved-around.ndjson', range(0, 60))

  it('are those on the screen, with the matches marked', async () => {
    const view = await openView([file], { rows: 30 })
    const saved = join(directory, 'passages.ndjson')
    await view.press('&', ...typed('event 3'), 'Enter', '&', ...typed('web-0'), 'Enter', 'z')
    await view.press('o', ...typed(saved), 'Enter')
    // Events 3, 30, 33, 36 and 39 match.
    const near = [...range(2, 5), ...range(29, 41)]
    expect(status(view)).toBe(`${near.length} rows in ${saved}`)
    const lines = readFileSync(saved, 'utf8').trimEnd().split('\n')
    expect(eventsIn(lines)).toEqual(near)
    const matched = lines.filter((line) => (JSON.parse(line) as { _match: boolean })._match)
    expect(eventsIn(matched)).toEqual([3, 30, 33, 36, 39])
  })

  it('are all of them, also those beyond what was read for the screen', async () => {
    const long = fileOf('saved-long.ndjson', range(0, 2_402))
    const view = await openView([long], { rows: 12 })
    const saved = join(directory, 'long.csv')
    await view.press('&', ...typed('web-0'), 'Enter', 'z', 'o', ...typed(saved), 'Enter')
    // Each third event matches, so that each event is a match or beside one.
    const lines = readFileSync(saved, 'utf8').trimEnd().split('\n').slice(1)
    expect(eventsIn(lines)).toEqual(range(0, 2_402))
  })
})

describe('the view of several files', () => {
  it('merges them by time', async () => {
    const files = [
      fileOf(
        'even.ndjson',
        range(0, 30).map((index) => 2 * index),
      ),
      fileOf(
        'odd.ndjson',
        range(0, 30).map((index) => 2 * index + 1),
      ),
    ]
    const view = await openView(files, { rows: 70 })
    expect(eventsIn(view.screen())).toEqual(range(0, 60))
    expect(await eventsOfCommand(view)).toEqual(range(0, 60))
  })

  const [orders, gateway] = [
    fileOf('orders.ndjson', [0, 2, 4, 6]),
    fileOf('gateway.ndjson', [1, 3, 5]),
  ]
  const linesOf = (view: OpenedView) => view.screen().slice(1, -1)

  it('shows the file of each line where there is room', async () => {
    const view = await openView([orders, gateway], { rows: 12, columns: 160 })
    expect(linesOf(view)[0]).toContain('10:00:00.000 orders  info  web-0 event 0')
    expect(linesOf(view)[1]).toContain('10:00:01.000 gateway warn  web-1 event 1')
    expect(linesOf(view).join()).not.toMatch(/_file|_line|_offset/)
    const at = linesOf(view)[1]!.indexOf('gateway')
    const { styles, width } = draw(view.state)
    expect(styles[2 * width + at]).toBe(FAINT)
    await view.resize({ columns: 80, rows: 12 })
    expect(linesOf(view)[1]).toContain('10:00:01.000 gateway warn  web-1 event 1')
    await view.resize({ columns: 79, rows: 12 })
    expect(linesOf(view)[1]).toContain('10:00:01.000 warn  web-1 event 1')
    await view.close()
    const alone = await openView([orders], { rows: 12, columns: 160 })
    expect(linesOf(alone)[0]).toContain('10:00:00.000 info  web-0 event 0')
  })

  it('filters by the file, and counts the events of each', async () => {
    const view = await openView([orders, gateway], { rows: 20 })
    await view.press('j', 'Enter', 'j')
    expect(view.screen()[2]).toMatch(/^▌ _file +string +\S+gateway\.ndjson$/)
    await view.press('v')
    const counts = () => view.screen().flatMap((line) => /│ (\d+ +\d+% \w+)/.exec(line)?.[1] ?? [])
    expect(counts()).toEqual(['4  57% orders', '3  43% gateway'])
    await view.press('Escape', 'Enter', 'j', '!')
    expect(view.state.query.operators[0]?.text).toBe(`where _file != '${gateway}'`)
    expect(eventsIn(linesOf(view))).toEqual([0, 2, 4, 6])
    await view.press('u', 'g', 'j', 'Enter', 'j', '=')
    expect(eventsIn(linesOf(view))).toEqual([1, 3, 5])
    expect(await eventsOfCommand(view)).toEqual([1, 3, 5])
  })

  it('finds no text in the name of a file or a position', async () => {
    const view = await openView([orders, gateway], { rows: 20 })
    await view.press('&', ...typed('orders'), 'Enter')
    expect(eventsIn(linesOf(view))).toEqual([])
    // The position of the second event of the file.
    const offset = readFileSync(orders).indexOf('\n') + 1
    await view.press('u', '&', ...typed(String(offset)), 'Enter')
    expect(eventsIn(linesOf(view))).toEqual([])
    await view.press('u', '&', ...typed('event 3'), 'Enter')
    expect(eventsIn(linesOf(view))).toEqual([3])
    await view.press('u', '/', ...typed('gateway'), 'Enter')
    expect(status(view)).toBe('No `gateway` after this row; N searches before it.')
    await view.press('&', ...typed('!GATEWAY'), 'Enter')
    expect(await eventsOfCommand(view)).toEqual(range(0, 7))
  })

  it('folds no events of different files', async () => {
    const [one, two] = ['1', '2'].map((name) => {
      const file = join(directory, `replica-${name}.log`)
      const lines = range(0, 3).map((at) => `2026-01-31 10:00:0${name} INFO event ${at}\n`)
      writeFileSync(file, lines.join(''))
      return file
    })
    const view = await openView([one!, two!], { rows: 20 })
    await view.press('x')
    const bursts = linesOf(view).map((line) => line.match(/replica-\d|×\d/g) ?? [])
    expect(bursts.slice(0, 3)).toEqual([['replica-1', '×3'], ['replica-2', '×3'], []])
  })
})

describe('a log without times', () => {
  const file = join(directory, 'build.log')
  const lines = range(0, 30).map((at) => `[${at % 2 === 0 ? 'INFO' : 'ERROR'}] event ${at}`)
  writeFileSync(file, `${lines.join('\n')}\n`)

  it('is shown without the times at which its lines were read', async () => {
    const view = await openView([file], { rows: 22, hasHistogram: true })
    expect(eventsIn(view.screen())).toEqual(range(0, 20))
    expect(view.screen()[1]).toBe('▌info  event 0')
    expect(status(view)).toMatch(/^1 of 30 {2,}\? keys/)
    await view.press('Enter')
    expect(view.screen().join()).not.toContain('_time')
    await view.press('Escape', 'd')
    expect(status(view)).toBe('There are no times.')
    await view.press('j', 'k', 't')
    expect(status(view)).toBe('There are no times.')
    await view.press('x')
    expect(view.screen()[1]).toBe('▌info  event 0')
  })

  it('has times next to a log with times, which comes first', async () => {
    const timed = logOf('timed.log', (index) => `event ${index + 100}`)
    const view = await openView([file, timed], { rows: 80 })
    expect(eventsIn(view.screen())[0]).toBe(100)
    expect(view.screen().filter((line) => /^.\d{4}-\d\d-\d\d .*event/.test(line))).toHaveLength(
      eventsIn(view.screen()).length,
    )
  })
})

describe('several files', () => {
  const requests = join(directory, 'requests.log')
  writeFileSync(
    requests,
    range(0, 20)
      .map((at) => {
        const second = String(at).padStart(2, '0')
        const status = at === 3 ? 500 : 200
        return `10.0.0.1 - - [31/Jan/2026:10:00:${second} +0000] "GET /cart HTTP/1.1" ${status} 17\n`
      })
      .join(''),
  )
  const files = [requests, logOf('worker.log', (index) => `event ${index} of job ${index % 2}`)]

  it('have pages of rows also after operators that compute columns', async () => {
    const view = await openView(files, { rows: 100, columns: 120 })
    await view.press('p', 'Enter')
    expect(status(view)).toMatch(/^1 of 60 /)
    expect(eventsIn(view.screen().slice(1))).toEqual(range(0, 60))
    // The requests have no message.
    await view.press('u', 'p', 'j', 'Enter')
    expect(status(view)).toMatch(/^1 of 20 /)
    await view.press('u', ':', ...typed('project message, size = strlen(message)'), 'Enter', 'G')
    expect(status(view)).toMatch(/^80 of 80/)
    await view.press(':', 'Enter')
    expect(view.state.query.isByTime).toBe(true)
    expect(view.state.query.operators).toHaveLength(1)
    expect(status(view)).toMatch(/ of 80/)
  })

  it('have patterns of all their messages, whatever the fields are named', async () => {
    const service = join(directory, 'service.ndjson')
    const orders = range(0, 30).map((at) => ({
      time: `2026-01-31T10:01:${at + 10}Z`,
      msg: `order ${at} placed`,
    }))
    writeFileSync(service, orders.map((order) => `${JSON.stringify(order)}\n`).join(''))
    const view = await openView([files[1]!, service], { rows: 12, columns: 120 })
    await view.press('p')
    const patterns = view.state.rows.items.map(({ cells }) => cells.get('pattern'))
    expect(patterns).toEqual(['"event * of job *"', '"order * placed"'])
    await view.press('j', 'Enter')
    expect(status(view)).toMatch(/^1 of 30 /)
    expect(await rowsOfCommand(view)).toHaveLength(30)
  })

  it('have events of all of them around matches, by time', async () => {
    const rows = (view: OpenedView) =>
      view.state.rows.items.map(({ cells, isBeside = false }) => ({
        ...Object.fromEntries([...cells].map(([name, cell]) => [name, JSON.parse(cell)])),
        _match: !isBeside,
      }))
    const placeOf = (row: object) => {
      const { _file, _line } = row as { readonly _file: string; readonly _line: number }
      return `${_file === requests ? 'request' : 'job'} ${_line}`
    }
    const view = await openView(files, { rows: 40 })
    await view.press('&', ...typed('event 5 of'), 'Enter', 'z', 'z')
    const shown = rows(view)
    // Of two events in a second, that of the first file is in front.
    const before = ['request 5', 'job 5', 'request 6']
    const near = [...before, 'job 6', 'request 7', 'job 7', 'request 8']
    expect(shown.map(placeOf)).toEqual(near)
    expect(shown.map(({ _match }) => _match)).toEqual(near.map((place) => place === 'job 6'))
    const printed = await rowsOfCommand(view)
    expect(printed).toMatchObject(shown)
    expect(printed).toHaveLength(near.length)
  })

  it('have their fields without a value behind the others', async () => {
    const view = await openView(files, { rows: 40 })
    await view.press('&', ...typed('job 1'), 'Enter', 'v')
    const heading = () => view.screen()[1]!.split('│')[1]!.trim()
    expect(heading()).toBe('level 1 value')
    await view.press('l')
    expect(heading()).toBe('_file 1 value')
    // The fields of the requests are behind that of the messages.
    await view.press('l')
    expect(heading()).toBe('message 30 values')
  })

  it('have errors in their levels, and in the statuses of events without one', async () => {
    const errors = join(directory, 'errors.log')
    writeFileSync(errors, '2026-01-31 10:00:07 ERROR event 7\n2026-01-31 10:00:30 INFO event 8\n')
    const view = await openView([requests, errors], { rows: 40, hasHistogram: true })
    await view.press('e')
    expect(status(view)).toMatch(/^4 of 22/)
    await view.press('e')
    expect(status(view)).toMatch(/^9 of 22/)
    const { bars } = view.state.histogram.value!
    expect(bars.reduce((sum, { errors: count }) => sum + count, 0)).toBe(2)
  })
})

describe('the order of a file', () => {
  it('is that of its lines, whatever the times are', async () => {
    const disordered = [3, 1, 2, 0, 5, 4]
    const view = await openView([fileOf('disorder.ndjson', disordered)], { rows: 20 })
    expect(eventsIn(view.screen())).toEqual(disordered)
    await view.press('G', 'k', '&', ...typed('event'), 'Enter')
    expect(eventsIn(view.screen())).toEqual(disordered)
    expect(await eventsOfCommand(view)).toEqual(disordered)
  })

  it('numbers its events, also at a place that a search or a time has found', async () => {
    const view = await openView([fileOf('numbered.ndjson', range(0, 3_000))], { rows: 20 })
    await view.press('/', ...typed('event 2345'), 'Enter')
    expect(status(view)).toMatch(/^2,346 of 3,000 /)
    await view.press('t', ...typed('10:20'), 'Enter')
    expect(status(view)).toMatch(/^1,201 of 3,000 /)
  })
})

describe('the command that leaving prints', () => {
  const odd = [
    ...["it's $HOME.ndjson", 'a  b"c`d.ndjson', '[x].ndjson', 'größe 日本.ndjson'],
    ...['back\\slash!.ndjson', '~user.ndjson', 'star*?.ndjson'],
  ]

  it('names files, whatever the characters of their names', async () => {
    const files = odd.map((name, at) => fileOf(name, range(10 * at, 10 * at + 5)))
    const view = await openView(files, { rows: 12 })
    await view.press('&', ...typed('3 "of"'), 'Enter')
    expect(await eventsOfCommand(view)).toEqual(odd.map((_, at) => 10 * at + 3))
  })

  it('has what was typed, whatever the characters', async () => {
    const texts = [
      '"of" it\'s',
      '\\',
      '$(id)`',
      'x!y',
      '\u001b[31m',
      '\u007f\u0085\u202e',
      '日本 👩‍👩‍👧',
    ]
    const file = join(directory, 'typed.ndjson')
    const events = texts.map((text, at) => ({ message: `event ${at}`, text: `a ${text} b` }))
    writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
    const view = await openView([file], { rows: 12 })
    const commands: string[] = []
    for (const [index, text] of texts.entries()) {
      await view.press('&')
      await view.paste(text)
      await view.press('Enter')
      expect({ text, events: eventsIn(view.screen().slice(1)) }).toEqual({ text, events: [index] })
      commands.push(view.commandLine())
      await view.press('u')
    }
    await view.close()
    for (const [index, text] of texts.entries()) {
      const events = eventsIn((await outputOf(commands[index]!)).split('\n'))
      expect({ text, events }).toEqual({ text, events: [index] })
    }
  })

  it('has the parameters of the query', async () => {
    const file = fileOf('parameters.ndjson', range(0, 20))
    const apl = 'declare query_parameters (wanted: string); where host == wanted'
    const view = await openView([file], { rows: 20, apl, param: { wanted: 'web-1' } })
    const shown = eventsIn(view.screen().slice(1))
    expect(shown).toEqual([1, 4, 7, 13, 16, 19])
    expect(await eventsOfCommand(view)).toEqual(shown)
  })

  it('compares the values of nested fields that were chosen from their list', async () => {
    const file = fileOf('nested.ndjson', range(0, 20))
    const view = await openView([file], { rows: 24 })
    await view.press('v')
    const isShown = () => view.screen().some((line) => line.includes('│ client.ip'))
    for (let field = 0; field < 8 && !isShown(); field++) await view.press('l')
    await view.press('j', 'Enter')
    const shown = eventsIn(view.screen().slice(1))
    expect(shown.length).toBeGreaterThan(5)
    expect(new Set(shown.map((index) => index % 3)).size).toBe(1)
    expect(await eventsOfCommand(view)).toEqual(shown)
  })
})
