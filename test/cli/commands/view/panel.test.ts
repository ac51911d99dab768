import { describe, expect, it } from 'vitest'
import { draw } from '../../../../src/cli/commands/view/draw.js'
import { fieldLines } from '../../../../src/cli/commands/view/field-lines.js'
import type { Histogram } from '../../../../src/cli/commands/view/histogram.js'
import { KEYS } from '../../../../src/cli/commands/view/keymap.js'
import { aplOf } from '../../../../src/cli/commands/view/query.js'
import {
  NOTHING_READ,
  type ReadingState,
  type State,
  startState,
} from '../../../../src/cli/commands/view/state.js'
import { INVERSE } from '../../../../src/render/screen/style.js'
import type { TableField } from '../../../../src/wire/http/tabular-result.js'
import { timeZone, UTC } from '../../../../src/wire/time/time-zone.js'
import { gridLine } from '../../../support/grid-line.js'
import { modelOf } from '../../../support/view-model.js'

const READ = { ...NOTHING_READ, events: 1, isDone: true }

/** A model with events on a screen of 80 columns and 24 rows, of which the histogram takes three. */
function modelWith(...events: readonly Readonly<Record<string, string>>[]) {
  const model = modelOf({ reading: READ })
  model.happen({ kind: 'ready' })
  const rows = events.map((fields, at) => {
    const cells = Object.entries(fields).map(
      ([name, text]) => [name, JSON.stringify(text)] as const,
    )
    return { cells: new Map(cells), cursor: `${at}` }
  })
  const page = { rows, columns: [], hasStart: true, hasEnd: true, index: 0 }
  const place = { kind: 'start' } as const
  model.happen({ kind: 'page', generation: 0, place, page, isComplete: true })
  const screen = () => {
    const grid = draw(model.state)
    return Array.from({ length: grid.height }, (_, row) => gridLine(grid, row))
  }
  return Object.assign(model, { screen, grid: () => draw(model.state) })
}

const frames = Array.from({ length: 50 }, (_, at) => `at frame${at}`)

describe('a value with more lines than the screen', () => {
  const framesOn = (screen: readonly string[]) =>
    screen.flatMap((line) => /at (frame\d+)$/.exec(line)?.[1] ?? [])

  it('is scrolled line by line and page by page, before the next field is selected', () => {
    const model = modelWith({ stack: frames.join('\n'), user: 'ann' })
    const page = (from: number) => frames.slice(from, from + 19).map((frame) => frame.slice(3))
    model.press('Enter')
    expect(framesOn(model.screen())).toEqual(page(0))
    model.press('j')
    expect(framesOn(model.screen())).toEqual(page(1))
    model.press(' ')
    expect(framesOn(model.screen())).toEqual(page(20))
    model.press(' ')
    expect(framesOn(model.screen())).toEqual(page(31))
    model.press('j')
    expect(model.screen().some((line) => line.startsWith('▌ user'))).toBe(true)
    model.press('k')
    expect(framesOn(model.screen())).toEqual(page(31))
    model.press('k')
    expect(framesOn(model.screen())).toEqual(page(30))
    model.press('g')
    expect(framesOn(model.screen())).toEqual(page(0))
  })
})

it('shows the first 20,000 characters of a value', () => {
  const model = modelWith({ short: 'x'.repeat(20_000), long: 'x'.repeat(20_001) })
  model.happen({ kind: 'resize', size: { columns: 300, rows: 24 } })
  const { lines } = fieldLines(model.state)
  const textOf = (at: number) => lines.flatMap(({ field, text }) => (field === at ? text : []))
  expect(textOf(0).join('')).toBe('x'.repeat(20_000))
  expect(textOf(1).join('')).toBe(`${'x'.repeat(20_000)}…`)
})

it('has a selected field also when the next event has fewer of them', () => {
  const model = modelWith({ message: 'x', user: 'ann', host: 'web' }, { message: 'y' })
  model.press('Enter')
  for (const key of ['G', 'k']) model.press(key)
  expect(model.screen().find((line) => line.startsWith('▌'))).toContain('host')
  model.press('J')
  expect(model.screen().find((line) => line.startsWith('▌'))).toMatch(/message .*y$/)
  expect(model.press('=')).toContain('page')
})

it('chooses spans at the same times when the histogram of another range replaces the shown one', () => {
  const model = modelWith({ _time: '2026-01-31T10:00:05Z', message: 'x' })
  const start = BigInt(Date.UTC(2026, 0, 31, 10)) * 1_000_000n
  const step = 1_000_000_000n
  const bars = Array(60).fill({ events: 1, errors: 0, warnings: 0 })
  const histogram = (value: Histogram | undefined) =>
    model.happen({ kind: 'histogram', generation: model.state.generation, value })
  histogram({ start, step, bars })
  model.press('d')
  model.press(' ')
  for (const _ of [1, 2, 3]) model.press('l')
  expect(model.state.panel).toEqual({ kind: 'spans', bar: 8, ends: [5] })
  // Bars of half the length that begin ten seconds earlier.
  histogram({ start: start - 10n * step, step: step / 2n, bars: [...bars, ...bars] })
  expect(model.state.panel).toEqual({ kind: 'spans', bar: 36, ends: [30] })
  histogram(undefined)
  expect(model.state.panel.kind).toBe('none')
})

it('keeps the events of one span', () => {
  const model = modelWith({ _time: '2026-01-31T10:00:05Z' })
  const start = BigInt(Date.UTC(2026, 0, 31, 10)) * 1_000_000n
  const bars = Array(60).fill({ events: 1, errors: 0, warnings: 0 })
  const histogram = () =>
    model.happen({
      ...{ kind: 'histogram', generation: model.state.generation },
      value: { start, step: 1_000_000_000n, bars },
    })
  histogram()
  for (const key of ['d', ' ', 'l', 'l', '=']) model.press(key)
  const span = (from: string, to: string) =>
    `where _time >= datetime(2026-01-31T10:00:${from}Z) and _time < datetime(2026-01-31T10:00:${to}Z)`
  expect(aplOf(model.state.query)).toBe(span('05', '08'))
  expect(model.state.panel.kind).toBe('none')
  model.press('u')
  histogram()
  for (const key of ['d', 'h', '=']) model.press(key)
  expect(aplOf(model.state.query)).toBe(span('04', '05'))
})

describe('a key without a function', () => {
  const pressed = (open: readonly string[], key: string) => {
    const model = modelWith({ message: 'x' })
    for (const name of ['&', 'x', 'Enter', ...open, key]) model.press(name)
    const { panel, query, message } = model.state
    return { panel: panel.kind, query: aplOf(query), text: message?.text }
  }
  const panels = [['Enter'], ['v'], ['Tab']] as const

  it('says so, in the lines and in panels', () => {
    const text = '`X` does nothing here; ? lists the keys.'
    for (const open of [[], ...panels]) expect(pressed(open, 'X').text).toBe(text)
    expect(pressed([], 'Escape').text).toBeUndefined()
  })

  it('in a panel may have the one that it has in the lines', () => {
    for (const open of panels) {
      expect(pressed(open, '?').panel).toBe('help')
      expect(pressed(open, 'Ctrl-F').query).toBe('where true')
      expect(pressed(open, 'u').query).toBe('where true')
    }
  })
})

it('has a row that was not counted yet in the total number', () => {
  const model = modelOf({ reading: READ })
  model.happen({ kind: 'ready' })
  const rows = ['a', 'b', 'c'].map((cursor) => ({ cells: new Map(), cursor }))
  const page = { rows, columns: [], hasStart: true, hasEnd: false, index: 0 }
  const place = { kind: 'start' } as const
  const { generation } = model.state
  model.happen({ kind: 'page', generation, place, page, isComplete: false })
  model.happen({ kind: 'counts', generation, ticks: 0, counts: { total: 2, kept: [] } })
  const status = () => gridLine(draw(model.state), 23).trimStart()
  expect(status()).toMatch(/^1 of 2 /)
  for (const key of ['j', 'j']) model.press(key)
  expect(status()).toMatch(/^3 of 3 /)
})

it('draws the screen again with Ctrl-L, whatever is open', () => {
  const model = modelWith({ message: 'x' })
  expect(model.press('Ctrl-L')).toEqual(['redraw'])
  for (const key of ['Enter', '?', '/']) {
    model.press(key)
    const { panel } = model.state
    expect(panel.kind).not.toBe('none')
    expect(model.press('Ctrl-L')).toEqual(['redraw'])
    expect(model.state.panel).toBe(panel)
    model.press('Escape')
  }
})

describe('the events over time', () => {
  const histogram = (model: ReturnType<typeof modelWith>) => {
    const bars = Array(60).fill({ events: 1, errors: 0, warnings: 0 })
    const { generation } = model.state
    const value = { start: 0n, step: 1_000_000_000n, bars }
    model.happen({ kind: 'histogram', generation, value })
  }
  const texts = (model: ReturnType<typeof modelWith>) =>
    ['d', 'i', 't'].map((key) => {
      model.press(key)
      const { panel, message } = model.state
      model.press('Escape')
      return panel.kind === 'none' ? message?.text : panel.kind
    })

  it('are not chosen and not hidden above a table, which does not show them', () => {
    const model = modelWith({ _time: '1970-01-01T00:00:05Z', message: 'x' })
    histogram(model)
    for (const key of [':', ...'count', 'Enter']) model.press(key)
    expect(texts(model)).toEqual(Array(3).fill('Rows of a table have no times.'))
  })

  it('are not chosen and not hidden on a screen that has no line for them', () => {
    const model = modelWith({ _time: '1970-01-01T00:00:05Z', message: 'x' })
    histogram(model)
    model.happen({ kind: 'resize', size: { columns: 80, rows: 7 } })
    const low = 'The screen has too few lines for the events over time.'
    expect(texts(model)).toEqual([low, low, 'prompt'])
    model.happen({ kind: 'resize', size: { columns: 80, rows: 8 } })
    expect(texts(model)).toEqual(['spans', undefined, 'prompt'])
  })
})

describe('the list of keys', () => {
  it('is scrolled to its end, and not beyond', () => {
    const model = modelWith({ message: 'x' })
    model.press('?')
    const [first, last] = [KEYS[0]!, KEYS.at(-1)!]
    const has = (summary: string) => model.screen().some((line) => line.includes(summary))
    expect([has(first.summary), has(last.summary)]).toEqual([true, false])
    for (let page = 0; page < 20; page++) model.press('PageDown')
    expect([has(first.summary), has(last.summary)]).toEqual([false, true])
    for (let line = 0; line < 20; line++) model.press('Down')
    const end = model.screen()
    model.press('Up')
    expect(model.screen()).not.toEqual(end)
    model.press('Home')
    expect(has(first.summary)).toBe(true)
  })

  it('continues on further lines of a narrow screen', () => {
    const model = modelWith({ message: 'x' })
    model.happen({ kind: 'resize', size: { columns: 60, rows: 24 } })
    for (const key of ['?', ...'follow']) model.press(key)
    const summary = KEYS.find(({ action }) => action === 'follow')!.summary
    const lines = model.screen().slice(6, 9)
    expect(lines[0]).toMatch(/^ {4}F {20}\S/)
    const words = lines.map((line) => line.slice(25)).filter((line) => line !== '')
    expect(words.length).toBeGreaterThan(1)
    expect(words.join(' ')).toBe(summary)
  })

  it('says what Ctrl-C does, on a screen of 80 columns', () => {
    const model = modelWith({ message: 'x' })
    for (const key of ['?', ...'Ctrl-C']) model.press(key)
    const line = model.screen().find((text) => text.includes('Ctrl-C  '))
    expect(line?.trim().split(/ {2,}/)).toEqual([
      'Ctrl-C',
      'end a query, search or move, close a prompt, or leave',
    ])
  })
})

describe('the original of an event', () => {
  const found = (model: ReturnType<typeof modelWith>, cursor: string, text: string) =>
    model.happen({ kind: 'original', cursor, found: { kind: 'text', place: 'app.log:7', text } })
  const copies = (model: ReturnType<typeof modelWith>) =>
    model
      .happen({ kind: 'key', press: { kind: 'key', name: 'y' } })
      .flatMap((request) => (request.kind === 'copy' ? [request.text] : []))
  const shown = (model: ReturnType<typeof modelWith>) =>
    model
      .screen()
      .slice(4, -1)
      .filter((line) => line !== '')

  it('is asked for once, and shown below the fields on the whole width', () => {
    const model = modelWith({ message: 'x' }, { message: 'y' })
    expect(model.press('Enter')).toEqual(['original'])
    expect(shown(model).at(-1)).toBe('  original          reading…')
    expect(model.press('j')).toEqual([])
    const long = 'ab '.repeat(30)
    found(model, '0', `${long}\n\tat A.b`)
    expect(shown(model).slice(1)).toEqual([
      '▌ original          app.log:7',
      `▌ ${long.slice(0, 78).trimEnd()}`,
      `▌ ${long.slice(78).trimEnd()}`,
      '▌     at A.b',
    ])
    expect(model.press('Escape')).toEqual([])
    expect(model.press('Enter')).toEqual([])
  })

  it('has no control characters on the screen, and is copied as it is', () => {
    const model = modelWith({ message: 'x' })
    const text = 'a \x1b[31mred\x1b[0m \x00\u009b31m\ttab'
    model.press('Enter')
    expect(copies(model)).toEqual(['{"message":"x"}'])
    model.press('G')
    expect(copies(model)).toEqual([])
    found(model, '0', text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
    expect(model.screen().join('')).not.toMatch(/[\x00-\x1f\x7f-\x9f]/)
    expect(copies(model)).toEqual([text])
  })

  it('stays selected for the next event, and answers for other events are ignored', () => {
    const model = modelWith({ message: 'x', user: 'ann' }, { message: 'y' })
    model.press('Enter')
    model.press('G')
    expect(model.press('J')).toEqual(['original'])
    found(model, '0', 'the line of x')
    expect(shown(model).at(-1)).toBe('▌ original          reading…')
    found(model, '1', 'the line of y')
    expect(shown(model).at(-1)).toBe('▌ the line of y')
    for (const key of ['=', '>', 'v', 'c']) {
      expect(model.press(key)).toEqual([])
      expect(model.screen().at(-1)).toContain('The original is not a field.')
    }
  })

  it('is scrolled when it is higher than the screen', () => {
    const model = modelWith({ message: 'x' })
    model.press('Enter')
    found(model, '0', frames.join('\n'))
    model.press('j')
    expect(shown(model).slice(0, 2)).toEqual(['▌ original          app.log:7', '▌ at frame0'])
    model.press('j')
    expect(shown(model).slice(0, 2)).toEqual(['▌ at frame0', '▌ at frame1'])
    for (const _ of [1, 2, 3]) model.press('PageDown')
    expect(shown(model).at(-1)).toBe('▌ at frame49')
  })

  it('may be a reason why it is missing, or nothing at all', () => {
    const model = modelWith({ message: 'x' })
    model.press('Enter')
    const reason = `\`app.log\` has changed ${'since '.repeat(12)}then.`
    model.happen({ kind: 'original', cursor: '0', found: { kind: 'missing', reason } })
    const lines = shown(model).slice(1)
    expect(lines[0]).toMatch(/^ {2}original {10}`app\.log`/)
    expect(
      lines
        .map((line) => line.slice(20))
        .join('')
        .replaceAll(' ', ''),
    ).toBe(reason.replaceAll(' ', ''))
    model.happen({ kind: 'original', cursor: '0', found: null })
    expect(shown(model)).toHaveLength(1)
  })

  it('is asked for again when the answer was dropped because the query has changed', () => {
    const model = modelWith({ message: 'x' })
    expect(model.press('Enter')).toEqual(['original'])
    const page = {
      rows: model.state.rows.items,
      columns: [],
      hasStart: true,
      hasEnd: true,
      index: 0,
    }
    for (const key of ['Escape', ':', 'Enter']) model.press(key)
    model.happen({
      ...{ kind: 'page', generation: 1, place: { kind: 'around', cursor: '0' }, page },
      isComplete: true,
    })
    expect(model.press('Enter')).toContain('original')
  })
})

describe('a message', () => {
  const long = `the ${'quick brown '.repeat(12)}fox`

  it('has as many lines as it needs', () => {
    const model = modelWith({ message: 'x' })
    model.happen({ kind: 'note', text: long })
    const lines = model.screen().slice(22)
    expect(lines.map((line) => line.trim()).join(' ')).toBe(long)
    model.press('j')
    expect(model.screen().at(-1)).toContain('q quit')
  })

  it('is above the line that is typed', () => {
    const model = modelWith({ message: 'x' })
    for (const key of [':', ...'where (', 'Enter']) model.press(key)
    const problem = ' Expected a value, found the end of the query.'
    expect(model.screen().slice(-2)).toEqual([problem, ': where ('])
    model.press('x')
    expect(model.screen().at(-2)).toBe('')
  })
})

it.each([
  ['v', 'facet'],
  ['Enter', 'event'],
  ['?', 'help'],
])('the panel that %s opens is drawn on a screen of one column', (key, kind) => {
  const model = modelWith({ message: 'x', user: 'ann' })
  model.press(key)
  expect(model.state.panel?.kind).toBe(kind)
  model.happen({ kind: 'resize', size: { columns: 1, rows: 4 } })
  expect(model.screen()).toHaveLength(4)
})

describe('a time', () => {
  const zone = timeZone('Asia/Tokyo')!
  const shown = (state: State) => {
    const grid = draw({ ...state, zone })
    return Array.from({ length: grid.height }, (_, row) => gridLine(grid, row)).join('\n')
  }

  it('is in the zone of the screen among the fields of an event and in a table', () => {
    const model = modelWith({ _time: '2026-01-31T10:00:00.5Z' })
    model.press('Enter')
    expect(shown(model.state)).toContain('2026-01-31T19:00:00.5+09:00')
    model.press('Escape')
    const { rows, query } = model.state
    const columns = [{ name: '_time', type: 'datetime' }]
    const operators = [
      { text: 'project _time', role: 'other', isOn: true, isProjection: true },
    ] as const
    const table = { ...model.state, rows: { ...rows, columns }, query: { ...query, operators } }
    expect(shown(table)).toContain('2026-01-31T19:00:00.5+09:00')
  })
})

describe('the first line', () => {
  it('shows the number of events that a long operator removes', () => {
    const model = modelWith({ message: 'x' })
    for (const key of ['&', ...'y'.repeat(100), 'Enter']) model.press(key)
    const { generation } = model.state
    const counts = { total: 0, kept: [1_234] }
    model.happen({ kind: 'counts', generation, ticks: 0, counts })
    expect(model.screen()[0]).toMatch(/^ logs │ where \* contains 'y+… −1,234$/)
  })

  it('has the names of the files where there is room', () => {
    const start = startState({
      ...{
        size: { columns: 40, rows: 10 },
        labels: new Map(),
        zone: UTC,
        now: () => 0n,
        reading: READ,
      },
      ...{ title: `${'a'.repeat(20)}.log`, query: { source: '', operators: [], isByTime: false } },
    })
    expect(gridLine(draw(start), 0)).toBe(` ${'a'.repeat(20)}.log`)
    const long = { ...start, title: `${'a'.repeat(50)}.log` }
    expect(gridLine(draw(long), 0)).toBe(` ${'a'.repeat(37)}…`)
  })
})

describe('the line that is typed', () => {
  /** Returns the last line of the screen, and what is under the cursor. */
  function typedLine(text: string, ...keys: readonly string[]) {
    const model = modelWith({ message: 'x' })
    for (const key of ['/', ...text, ...keys]) model.press(key)
    const grid = model.grid()
    const row = grid.height - 1
    const cells = Array.from({ length: grid.width }, (_, column) => row * grid.width + column)
    const under = cells.filter((cell) => (grid.styles[cell]! & INVERSE) !== 0)
    return [gridLine(grid, row), under.map((cell) => grid.texts[cell]).join('')]
  }

  it('has its cursor on a whole character', () => {
    expect(typedLine('a日本b')).toEqual(['/ a日本b', ' '])
    expect(typedLine('a日本b', 'Left', 'Left')).toEqual(['/ a日本b', '本'])
    expect(typedLine('a日本b', 'Home')).toEqual(['/ a日本b', 'a'])
  })

  it('shows its end when it is longer than the screen', () => {
    const [line, under] = typedLine('日'.repeat(60))
    expect([line, under]).toEqual([`/ ${'日'.repeat(38)}`, ' '])
  })
})

it('scrolls to the side by columns', () => {
  const model = modelWith({ message: `${'日'.repeat(7)}a日${'本'.repeat(40)}` })
  model.press('l')
  // Of 16 columns, 14 are those of seven characters and one that of the letter.
  expect(model.screen()[4]!.slice(1)).toBe(` ${'本'.repeat(39)}`)
})

it('shows from which column on lines are scrolled, which are no longer wrapped then', () => {
  const model = modelWith({ message: '0123456789'.repeat(20) }, { message: 'short' })
  expect(model.press('S')).toEqual([])
  expect(model.state.message?.text).toBe('Long lines are wrapped.')
  expect(model.screen()[6]).toBe(`▌${'0123456789'.repeat(20).slice(158)}`)
  model.press('l')
  expect(model.screen()[4]).toBe(`▌${'6789012345'.repeat(8).slice(0, 79)}`)
  expect(model.screen()[5]).toBe('')
  expect(model.screen().at(-1)).toMatch(/^ 1 of 2 {2}from column 17 /)
  model.press('h')
  expect(model.screen().at(-1)).not.toContain('column')
})

it('shows no other text after a wide character that does not fit', () => {
  const model = modelWith({ message: '漢'.repeat(60), user: 'ann' })
  expect(model.screen()[4]).toBe(`▌${'漢'.repeat(39)}`)
})

it('tells why there are no events, however long the reason is', () => {
  const model = modelOf({ reading: READ })
  model.happen({ kind: 'ready' })
  const trouble = `${'No text. '.repeat(12)}The end.`
  model.happen({ kind: 'reading', reading: { ...READ, trouble } })
  const page = { rows: [], columns: [], hasStart: true, hasEnd: true, index: 0 }
  model.happen({ kind: 'page', generation: 0, place: { kind: 'start' }, page, isComplete: true })
  const grid = draw(model.state)
  expect(gridLine(grid, 5)).toMatch(/The end\.$/)
  expect(gridLine(grid, 6)).toBe('  There are no events.')
  for (const y of [grid.height - 2, grid.height - 1])
    expect(gridLine(grid, y)).not.toContain('The end')
})

it('tells why there are no events beside the values of a field', () => {
  const model = modelWith({ message: 'x' })
  for (const key of ['&', 'y', 'Enter', 'v']) model.press(key)
  const { generation } = model.state
  const { place } = model.state.rows.loading.other!
  const page = { rows: [], columns: [], hasStart: true, hasEnd: true, index: 0 }
  model.happen({ kind: 'page', generation, place, page, isComplete: true })
  const lines = model.screen().slice(4, -1)
  const text = lines.map((line) => line.slice(0, 40).trim()).join(' ')
  expect(text).toMatch(/^No events match\. u removes the last filter, .* edit the query\. *$/)
  expect(lines[0]![40]).toBe('│')
})

it('shows a problem of reading at once, until it is resolved or a key is pressed', () => {
  const model = modelWith({ message: 'x' })
  const trouble = `app.log:2: ${'not JSON, '.repeat(10)}and so on`
  const read = (other: Partial<ReadingState>) =>
    model.happen({ kind: 'reading', reading: { ...READ, isDone: false, ...other } })
  const end = () => model.screen().slice(-2).join('').trim().replace(/\s+/g, ' ')
  read({ trouble })
  expect(end()).toBe(trouble)
  read({ trouble, events: 2 })
  expect(end()).toBe(trouble)
  read({ events: 3 })
  expect(end()).toContain('q quit')
  read({ trouble, events: 4 })
  model.press('j')
  expect(end()).toContain('q quit')
})

it('shows in the status that similar events are folded, also when none are', () => {
  const model = modelWith({ message: 'x' })
  const status = () => model.screen().at(-1)!.trim().split(/ {2,}/)
  expect(status()).not.toContain('folded')
  model.press('x')
  expect(status()).toContain('folded')
  const { generation } = model.state
  const rows = [{ cells: new Map([['message', '"x"']]), cursor: '0' }]
  const page = { rows, columns: [], hasStart: true, hasEnd: true, index: 0 }
  const { place } = model.state.rows.loading.other!
  model.happen({ kind: 'page', generation, place, page, isComplete: true })
  model.press('x')
  expect(status()).not.toContain('folded')
})

it('has no position in a query while its rows are read', () => {
  const model = modelWith({ message: 'x' }, { message: 'y' })
  model.press('j')
  const position = () => model.screen().at(-1)!.trim().split(/ {2,}/)[0]
  expect(position()).toBe('2 of 2')
  for (const key of [':', ...'count', 'Enter']) model.press(key)
  const { generation } = model.state
  // The rows of tables are not counted.
  model.happen({ kind: 'counts', generation, ticks: 0, counts: { total: 0, kept: [] } })
  expect(position()).toBe('loading')
})

describe('a table', () => {
  /** A table of 30 rows with a wide column, on a screen for 21 rows and a heading. */
  function tableOf(...others: readonly TableField[]) {
    const model = modelOf({ reading: READ })
    model.happen({ kind: 'ready' })
    for (const key of [':', ...'summarize count() by text', 'Enter']) model.press(key)
    const rows = Array.from({ length: 30 }, (_, at) => ({
      cells: new Map([['text', `"日${at} ${'x'.repeat(100)}!"`]]),
    }))
    const page = {
      rows,
      columns: [{ name: 'text', type: 'string' }, ...others],
      hasStart: true,
      hasEnd: true,
      index: 0,
    }
    const { generation } = model.state
    model.happen({ kind: 'page', generation, place: { kind: 'start' }, page, isComplete: true })
    const screen = () => {
      const grid = draw(model.state)
      return Array.from({ length: grid.height }, (_, row) => gridLine(grid, row))
    }
    return { ...model, screen }
  }

  it('shows its last row', () => {
    const model = tableOf()
    expect(model.screen()[1]).toBe(' text')
    model.press('G')
    expect(model.screen()[22]).toMatch(/^▌日29 /)
    model.press('g')
    for (let row = 0; row < 21; row++) model.press('j')
    expect(model.screen()[22]).toMatch(/^▌日21 /)
  })

  it('has as many rows as it shows, also while events are read', () => {
    const model = tableOf()
    expect(model.screen().at(-1)).toMatch(/^ 1 of 30 /)
    const { generation } = model.state
    model.happen({ kind: 'reading', reading: { ...READ, isDone: false, events: 2 } })
    model.happen({ kind: 'counts', generation, ticks: 0, counts: { total: 0, kept: [] } })
    expect(model.screen().at(-1)).toMatch(/^ 1 of 30… /)
  })

  it('marks values that are cut, and shows more of them on a wide screen', () => {
    const model = tableOf({ name: 'count_', type: 'integer' })
    const shown = () => model.screen()[2]!.split(/ {2,}/)[0]
    expect(shown()).toBe(`▌日0 ${'x'.repeat(35)}…`)
    model.happen({ kind: 'resize', size: { columns: 120, rows: 24 } })
    expect(shown()).toBe(`▌日0 ${'x'.repeat(55)}…`)
  })

  it('is not wrapped', () => {
    const model = tableOf()
    model.press('S')
    expect(model.screen().at(-1)).toContain('Only the lines of events are wrapped.')
  })

  it('is scrolled to the side', () => {
    const model = tableOf()
    model.press('l')
    expect(model.screen()[2]).toBe(`▌${'x'.repeat(79)}`)
    model.press('l')
    expect(model.screen()[2]).toBe(`▌${'x'.repeat(72)}!`)
  })
})
