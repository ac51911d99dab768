import { describe, expect, it } from 'vitest'
import { aplOf } from '../../../../src/cli/commands/view/query.js'
import type { Place } from '../../../../src/cli/commands/view/row-source.js'
import type { Event, Request } from '../../../../src/cli/commands/view/state.js'
import {
  histogramLines,
  NOTHING_READ,
  type ReadingState,
} from '../../../../src/cli/commands/view/state.js'
import { modelOf } from '../../../support/view-model.js'

const reading = (events: number, isDone: boolean): ReadingState => ({
  ...NOTHING_READ,
  ...{ events, isDone, share: isDone ? 1 : 0.5, bytes: 100 * events },
})

/** The target of `e`. */
const ERROR = { what: 'error', direction: 'next', nth: 1 } as const

const counts = (total: number, ticks = 0): Event => ({
  kind: 'counts',
  generation: 0,
  ticks,
  counts: { total, kept: [] },
})

/** Returns the places of the pages that are asked for. */
function placesOf(requests: readonly Request[]): readonly string[] {
  return requests.flatMap((request) => (request.kind === 'page' ? request.place.kind : []))
}

it('counts again after the last event was read, and keeps the larger count', () => {
  const model = modelOf({ reading: reading(0, false) })
  expect(model.kinds({ kind: 'reading', reading: reading(10, false) })).toEqual(['counts'])
  expect(model.kinds({ kind: 'reading', reading: reading(20, true) })).toEqual(['counts'])
  model.happen(counts(20))
  model.happen(counts(10))
  expect(model.state.counts?.total).toBe(20)
})

it('numbers the last rows by the final count', () => {
  const model = modelOf({ reading: reading(10, false) })
  const rows = [{ cells: new Map(), cursor: 'a' }]
  model.happen({ kind: 'reading', reading: reading(10, false) })
  model.happen(counts(10))
  model.happen({ kind: 'reading', reading: reading(20, true) })
  model.press('G')
  const page = { rows, columns: [], hasStart: false, hasEnd: true, index: 0 }
  model.happen({ kind: 'page', generation: 0, place: { kind: 'end' }, page, isComplete: true })
  expect(model.state.rows.first).toBeUndefined()
  model.happen(counts(20))
  expect(model.state.rows.first).toBe(19)
})

it('shows the end of a file until all of it was read, and then the rows of the query', () => {
  const model = modelOf({ reading: reading(0, false) })
  const rows = ['a', 'b'].map((text) => ({ cells: new Map([['message', `"${text}"`]]) }))
  model.happen({ kind: 'preview', rows, end: 'head' })
  expect(model.press('G')).toEqual(['preview'])
  model.happen({ kind: 'preview', rows, end: 'tail' })
  expect(placesOf(model.happen({ kind: 'ready' }))).toEqual([])
  expect(placesOf(model.happen({ kind: 'reading', reading: reading(10, false) }))).toEqual([])
  expect(model.state.rows.items).toBe(rows)
  expect(placesOf(model.happen({ kind: 'reading', reading: reading(20, true) }))).toEqual(['end'])
})

it('has no room for events over time while the events of a file have no times', () => {
  const model = modelOf({ reading: reading(0, false) })
  const withTimes = histogramLines(model.state)
  expect(withTimes).toBeGreaterThan(0)
  const rows = [{ cells: new Map([['message', '"a"']]) }]
  model.happen({ kind: 'preview', rows, end: 'head' })
  expect(histogramLines(model.state)).toBe(0)
  model.happen({ kind: 'reading', reading: { ...reading(1, false), hasTimes: false } })
  model.happen({ kind: 'ready' })
  const page = { rows: [{ cells: new Map(), cursor: 'a' }], columns: [], index: 0 }
  const whole = { ...page, hasStart: true, hasEnd: true }
  const place: Place = { kind: 'start' }
  model.happen({
    ...{ kind: 'page', place, page: whole, isComplete: false },
    generation: model.state.generation,
  })
  expect(histogramLines(model.state)).toBe(0)
  // Another file has times, and those of the rows are read again.
  expect(model.kinds({ kind: 'reading', reading: reading(2, false) })).toContain('page')
  expect(histogramLines(model.state)).toBe(withTimes)
})

it('does not show the end of a file when the user went elsewhere meanwhile', () => {
  const model = modelOf({ reading: reading(10, false) })
  const rows = ['a', 'b'].map((text) => ({ cells: new Map([['message', `"${text}"`]]) }))
  model.happen({ kind: 'preview', rows, end: 'head' })
  model.press('G')
  model.press('&')
  model.press('a')
  model.press('Enter')
  model.happen({ kind: 'preview', rows: rows.toReversed(), end: 'tail' })
  expect(model.state.rows.items).toBe(rows)
  const page = { rows: rows.slice(0, 1), columns: [], hasStart: true, hasEnd: true, index: 0 }
  const place = { kind: 'start' } as const
  const { generation } = model.state
  model.happen({ kind: 'page', generation, place, page, isComplete: false })
  expect(model.state.rows.items).toEqual(page.rows)
})

it('goes to the end of a file when the service is ready before the end was read', () => {
  const model = modelOf({ reading: reading(10, false) })
  const rows = ['a', 'b'].map((text) => ({ cells: new Map([['message', `"${text}"`]]) }))
  model.press('G')
  expect(placesOf(model.happen({ kind: 'ready' }))).toEqual([])
  model.happen({ kind: 'preview', rows, end: 'tail' })
  expect(model.state.rows.items).toBe(rows)
})

it('shows the end of a file until its rows replace those of a filter', () => {
  const model = modelOf({ reading: reading(10, false) })
  const rows = ['a', 'b'].map((text) => ({ cells: new Map([['message', `"${text}"`]]) }))
  model.press('G')
  model.happen({ kind: 'preview', rows, end: 'tail' })
  model.happen({ kind: 'ready' })
  model.press('&')
  model.press('a')
  model.press('Enter')
  expect(placesOf(model.happen({ kind: 'reading', reading: reading(20, true) }))).toEqual([])
})

it('keeps the selected row of a table that is read again after the last event', () => {
  const model = modelOf({ reading: reading(0, false) })
  model.happen({ kind: 'ready' })
  for (const key of [':', ...'take 9', 'Enter']) model.press(key)
  const { generation } = model.state
  const rows = Array.from({ length: 9 }, (_, at) => ({ cells: new Map([['n', `${at}`]]) }))
  const page = { rows, columns: [], hasStart: true, hasEnd: true, index: 0 }
  const answer = (place: Place) =>
    model.happen({ kind: 'page', generation, place, page, isComplete: true })
  answer({ kind: 'start' })
  model.press('j')
  const requests = model.happen({ kind: 'reading', reading: reading(20, true) })
  const [place] = requests.flatMap((request) => (request.kind === 'page' ? [request.place] : []))
  model.press('j')
  answer(place!)
  expect(model.state.rows.selected).toBe(2)
})

it('shows the last events that were read of a stream, and follows it from there on', () => {
  const model = modelOf({ reading: { ...reading(500, false), share: undefined } })
  const rows = Array.from({ length: 500 }, (_, at) => ({ cells: new Map(), cursor: `${at}` }))
  const answer = (place: Place, from: number, to: number, hasEnd: boolean) => {
    const items = rows.slice(from, to)
    const page = { rows: items, columns: [], hasStart: from === 0, hasEnd, index: items.length - 1 }
    return model.happen({ kind: 'page', generation: 0, place, page, isComplete: false })
  }
  model.happen({ kind: 'ready' })
  expect(model.kinds({ kind: 'follow' })).toEqual(['preview', 'follow'])
  answer({ kind: 'start' }, 0, 400, false)
  expect(placesOf(model.happen({ kind: 'preview', rows: [], end: 'tail' }))).toEqual(['end'])
  answer({ kind: 'end' }, 80, 480, true)
  expect(model.state.rows.items[model.state.rows.selected]?.cursor).toBe('479')
  const more = { ...reading(600, false), share: undefined }
  expect(placesOf(model.happen({ kind: 'reading', reading: more }))).toEqual(['after'])
  answer({ kind: 'after', cursor: '479' }, 480, 500, true)
  expect(model.state.rows.items[model.state.rows.selected]?.cursor).toBe('499')
})

it('looks for the last events of a dataset while it is followed, and counts when there are more', () => {
  const model = modelOf({ isByTime: true })
  const page = (cursors: readonly string[]) => {
    const rows = cursors.map((cursor) => ({ cells: new Map(), cursor }))
    const found = { rows, columns: [], hasStart: true, hasEnd: true, index: rows.length - 1 }
    const place = { kind: 'end' } as const
    return model.kinds({ kind: 'page', generation: 0, place, page: found, isComplete: true })
  }
  model.happen({ kind: 'ready' })
  page(['a', 'b'])
  model.happen(counts(2))
  expect(model.kinds({ kind: 'tick' })).toEqual([])
  expect(model.press('F')).toEqual(['page', 'follow'])
  expect(model.kinds({ kind: 'tick' })).toEqual([])
  expect(page(['a', 'b'])).not.toContain('counts')
  expect(model.kinds({ kind: 'tick' })).toEqual(['page'])
  expect(page(['a', 'b'])).not.toContain('counts')
  model.happen({ kind: 'tick' })
  expect(page(['a', 'b', 'c'])).toContain('counts')
  expect(model.state.rows.selected).toBe(2)
  model.press('k')
  expect(model.kinds({ kind: 'tick' })).toEqual([])
})

it('numbers the rows of a dataset that grows while it is counted', () => {
  const model = modelOf({ isByTime: true })
  const rows = Array.from({ length: 9 }, (_, at) => ({ cells: new Map(), cursor: `${at}` }))
  const page = (from: number, to: number) => {
    const items = rows.slice(from, to)
    const found = { rows: items, columns: [], hasStart: false, hasEnd: true, index: to - from - 1 }
    const place = { kind: 'end' } as const
    return model.kinds({ kind: 'page', generation: 0, place, page: found, isComplete: true })
  }
  model.happen({ kind: 'ready' })
  page(2, 5)
  model.happen(counts(5))
  expect(model.state.rows.first).toBe(2)
  model.press('F')
  expect(page(3, 7)).toContain('counts')
  expect(model.state.rows.first).toBe(3)
  model.happen({ kind: 'tick' })
  // The count in progress may lack the last events, so another one follows.
  expect(page(4, 9)).not.toContain('counts')
  expect(model.kinds(counts(7, 1))).toContain('counts')
  expect(model.kinds(counts(9, 2))).not.toContain('counts')
  expect(model.state.rows.first).toBe(4)
  model.happen({ kind: 'tick' })
  page(4, 9)
  expect(model.state.rows.first).toBe(4)
})

it('reads the end of a dataset again for a key, since events may have arrived', () => {
  const dataset = modelOf({ isByTime: true })
  const file = modelOf({ reading: reading(2, true) })
  const rows = ['a', 'b'].map((cursor) => ({ cells: new Map(), cursor }))
  const page = { rows, columns: [], hasStart: true, hasEnd: true, index: 1 }
  for (const model of [dataset, file]) {
    model.press('G')
    model.happen({ kind: 'page', generation: 0, place: { kind: 'end' }, page, isComplete: true })
  }
  expect(dataset.press('G')).toEqual(['page'])
  expect(file.press('G')).toEqual([])
})

it('ends a count when it fails, and not when another request does', () => {
  const model = modelOf({ reading: reading(10, false) })
  const fail = (request: Request['kind']) =>
    model.happen({
      ...{ kind: 'failed', generation: 0, request, message: 'No connection.', isRefused: false },
    })
  model.happen({ kind: 'ready' })
  fail('save')
  expect(model.state.isCounting).toBe(true)
  fail('counts')
  expect(model.state.isCounting).toBe(false)
})

it('does not repeat a search that failed', () => {
  const model = modelOf({ reading: reading(10, false) })
  expect(model.press('e')).toEqual(['find'])
  model.happen({
    ...{ kind: 'failed', generation: 0, request: 'find', message: 'No.', isRefused: false },
  })
  expect(model.kinds({ kind: 'reading', reading: reading(20, true) })).not.toContain('find')
})

it('searches again when more was read, until a row is found or all was read', () => {
  const model = modelOf({ reading: reading(10, false) })
  const read = (events: number, isDone: boolean) =>
    model.kinds({ kind: 'reading', reading: reading(events, isDone) })
  const found: Event = { kind: 'found', generation: 0, ...ERROR, cursor: undefined }
  expect(model.press('e')).toEqual(['find'])
  expect(read(20, false)).not.toContain('find')
  model.happen(found)
  expect(model.state.message?.text).toBe('Searching error …')
  expect(read(30, false)).toContain('find')
  model.happen(found)
  expect(read(40, true)).toContain('find')
  model.happen(found)
  expect(model.state.message?.text).toBe('No error after this row; E searches before it.')
  expect(read(50, true)).not.toContain('find')
  model.press('e')
  model.press('j')
  model.happen(found)
  expect(read(60, true)).not.toContain('find')
})

it('stops a search with Ctrl-C while it runs, and ignores its result', () => {
  const model = modelOf({ reading: reading(10, true) })
  model.press('e')
  expect(model.press('Ctrl-C')).not.toContain('quit')
  expect(model.state.message?.text).toBe('Stopped searching error.')
  expect(model.happen({ kind: 'found', generation: 0, ...ERROR, cursor: 'a' })).toEqual([])
  expect(model.press('Ctrl-C')).toEqual(['quit'])
})

it('begins at the last events of a dataset, and at the first row of a table', () => {
  const events = modelOf({ isByTime: true })
  expect(placesOf(events.happen({ kind: 'ready' }))).toEqual(['end'])
  const role = 'other'
  const top = { text: 'top 10 by ms', role, isProjection: false, isOn: true } as const
  const table = modelOf({ isByTime: true, operators: [top] })
  expect(placesOf(table.happen({ kind: 'ready' }))).toEqual(['start'])
})

it('returns from a table to the row that was selected before, in the same order', () => {
  const model = modelOf({ isByTime: true })
  const page = { columns: [], hasStart: true, hasEnd: true, index: 0 }
  const paged = (...cursors: readonly (string | undefined)[]) => {
    const rows = cursors.map((cursor) => ({ cells: new Map(), ...(cursor && { cursor }) }))
    const { generation } = model.state
    const { place } = model.state.rows.loading.other!
    model.happen({ kind: 'page', generation, place, page: { ...page, rows }, isComplete: true })
  }
  const edited = (text: string) => {
    for (const key of [':', 'Ctrl-U', ...text, 'Enter']) model.press(key)
    return model.state.rows.loading.other?.place
  }
  model.happen({ kind: 'ready' })
  paged('a', 'b')
  model.press('k')
  model.press('j')
  expect(edited("['logs'] | count")).toEqual({ kind: 'start' })
  paged(undefined)
  model.press('u')
  expect(model.state.rows.loading.other?.place).toEqual({ kind: 'around', cursor: 'b' })
  paged('a', 'b')
  model.press('j')
  edited("['logs'] | count")
  paged(undefined)
  expect(edited("['logs'] | sort by _time asc")).toEqual({ kind: 'around', cursor: 'b' })
})

it('stops a query with Ctrl-C until it has rows, and leaves with the next one', () => {
  const model = modelOf({ reading: reading(10, true) })
  const rows = [{ cells: new Map([['message', '"a"']]), cursor: 'a' }]
  const page = { rows, columns: [], hasStart: true, hasEnd: true, index: 0 }
  const paged = () => {
    const { generation } = model.state
    model.happen({ kind: 'page', generation, place: { kind: 'start' }, page, isComplete: true })
  }
  model.happen({ kind: 'ready' })
  paged()
  const slow = () => {
    for (const key of [':', ...'count', 'Enter']) model.press(key)
  }
  slow()
  expect(aplOf(model.state.query)).toBe('count')
  const { generation } = model.state
  expect(model.press('Ctrl-C')).toEqual(['page', 'counts'])
  expect(aplOf(model.state.query)).toBe('where true')
  expect(model.state.generation).toBeGreaterThan(generation)
  expect(model.state.message?.text).toBe('Stopped the query; `:` edits it.')
  // The stopped query is no longer the one before.
  expect(model.press('Ctrl-C')).toEqual(['quit'])
  model.press(':')
  expect(model.state.panel).toMatchObject({ kind: 'prompt', line: { text: 'count' } })
  model.press('Escape')
  slow()
  paged()
  expect(model.press('Ctrl-C')).toEqual(['quit'])
})

it('forgets the keys that wait when the rows before them cannot be read', () => {
  const model = modelOf({ reading: reading(10, true) })
  model.press('e')
  model.press('e')
  const message = 'The disk is full.'
  const failed: Event = {
    kind: 'failed',
    generation: 0,
    request: 'find',
    message,
    isRefused: false,
  }
  expect(model.happen(failed)).toEqual([])
  expect(model.state.message?.text).toBe(message)
})

it.each(['j', 'Escape', 'Ctrl-C'])('says that %s ends a search that waits for more', (key) => {
  const model = modelOf({ reading: reading(10, false) })
  model.press('e')
  model.happen({ kind: 'found', generation: 0, ...ERROR, cursor: undefined })
  expect(model.press(key)).toEqual([])
  expect(model.state.message?.text).toBe('Stopped searching error.')
  expect(model.kinds({ kind: 'reading', reading: reading(20, false) })).not.toContain('find')
  expect(model.press('Ctrl-C')).toEqual(['quit'])
})

describe('a row that is not read yet', () => {
  const afterMove = (keys: readonly string[], { isDone = false, hasEnd = true }) => {
    const model = modelOf({ reading: reading(10, isDone) })
    const rows = ['a', 'b'].map((cursor) => ({ cells: new Map(), cursor }))
    const page = { rows, columns: [], hasStart: true, hasEnd: false, index: 0 }
    model.happen({ kind: 'ready' })
    model.happen({ kind: 'page', generation: 0, place: { kind: 'start' }, page, isComplete: false })
    for (const key of keys) model.press(key)
    const { place } = model.state.rows.loading.other!
    const last = { ...page, hasEnd, index: 1 }
    model.happen({ kind: 'page', generation: 0, place, page: last, isComplete: isDone })
    return model.state.message?.text
  }

  it('is noted when its number or its time was entered', () => {
    const text = 'This is the last event that was read so far.'
    expect(afterMove([...'900G'], {})).toBe(text)
    expect(afterMove(['t', ...'2026-01-31', 'Enter'], {})).toBe(text)
  })

  it('is not noted when it was read, or when everything was read', () => {
    expect(afterMove([...'900G'], { hasEnd: false })).toBeUndefined()
    expect(afterMove([...'900G'], { isDone: true })).toBeUndefined()
  })
})

it('does not deny a match when a key ended the search before all was read', () => {
  const model = modelOf({ reading: reading(10, false) })
  model.press('e')
  model.press('j')
  model.happen({ kind: 'found', generation: 0, ...ERROR, cursor: undefined })
  expect(model.state.message?.text).toBe('Stopped searching error.')
})

it('shows files that are merged by time again when the last of them was read', () => {
  const model = modelOf({ reading: reading(10, false), isByTime: true })
  const rows = ['a', 'b'].map((cursor) => ({ cells: new Map(), cursor }))
  const page = { rows, columns: [], hasStart: true, hasEnd: true, index: 0 }
  const shown = (isComplete: boolean): Event => ({
    ...{ kind: 'page', generation: 0, place: { kind: 'start' }, page, isComplete },
  })
  const read = (events: number, isDone: boolean) =>
    placesOf(model.happen({ kind: 'reading', reading: reading(events, isDone) }))
  model.happen({ kind: 'ready' })
  model.happen(shown(false))
  expect(read(20, false)).not.toContain('start')
  expect(read(30, true)).toEqual(['start'])
  model.happen(shown(true))
  // Lines that are appended later are read behind the rest.
  expect(read(40, true)).not.toContain('start')
})

describe('rows that are on their way', () => {
  const rowsOf = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ cells: new Map(), cursor: `${from + at}` }))
  const pageAt = (place: Place, from: number, count: number, index = 0): Event => {
    const page = {
      rows: rowsOf(from, count),
      columns: [],
      hasStart: from === 0,
      hasEnd: false,
      index,
    }
    return { kind: 'page', generation: 0, place, page, isComplete: true }
  }
  /** A model with the first 400 rows, of which the next ones were requested. */
  const scrolled = () => {
    const model = modelOf({ reading: reading(5_000, true) })
    model.happen({ kind: 'ready' })
    model.happen(pageAt({ kind: 'start' }, 0, 400))
    for (let screen = 0; screen < 13; screen++) model.press(' ')
    return model
  }
  const cursorsOf = ({ state }: ReturnType<typeof modelOf>) =>
    state.rows.items.map(({ cursor }) => Number(cursor))

  it('are dropped when the user went elsewhere meanwhile', () => {
    const model = scrolled()
    model.press('G')
    model.happen(pageAt({ kind: 'end' }, 4_000, 400, 399))
    model.happen(pageAt({ kind: 'after', cursor: '399' }, 400, 400))
    expect(cursorsOf(model)).toEqual(Array.from({ length: 400 }, (_, at) => 4_000 + at))
  })

  it('are those of the last move, whatever arrives first', () => {
    const model = scrolled()
    model.press('G')
    model.press('g')
    model.happen(pageAt({ kind: 'start' }, 0, 400))
    model.happen(pageAt({ kind: 'end' }, 4_000, 400, 399))
    expect(model.state.rows.selected).toBe(0)
    expect(cursorsOf(model)[0]).toBe(0)
  })

  it('continue behind the one that was found when the key is pressed again', () => {
    const model = scrolled()
    model.press('e')
    model.happen({ kind: 'found', generation: 0, ...ERROR, cursor: '2000' })
    const key = { kind: 'key', press: { kind: 'key', name: 'e' } } as const
    expect(model.happen(key)).toMatchObject([{ kind: 'find', from: '2000' }])
  })

  it('begin at the time that was chosen, also before its rows are read', () => {
    const model = scrolled()
    for (const key of ['t', ...'2026-01-31T10:00:00Z', 'Enter']) model.press(key)
    const find = (name: string) => model.happen({ kind: 'key', press: { kind: 'key', name } })
    expect(find('e')).toMatchObject([
      {
        from: undefined,
        operator: expect.stringMatching(
          /^where _time >= datetime\(2026-01-31T10:00:00Z\) \| where /,
        ),
      },
    ])
    // The page is asked for again after Ctrl-C has ended the search.
    expect(placesOf(find('Ctrl-C'))).toEqual(['time'])
    expect(find('E')).toMatchObject([
      {
        from: undefined,
        operator: expect.stringMatching(
          /^where _time < datetime\(2026-01-31T10:00:00Z\) \| where /,
        ),
      },
    ])
    // The rows at the time do not replace a row that is found before they are read.
    const { cursor } = model.state.rows.items.at(-1)!
    model.happen({ kind: 'found', generation: model.state.generation, ...ERROR, cursor })
    expect(model.state.rows.loading.other?.place).toEqual({ kind: 'around', cursor })
  })

  it('are on a line of the screen that shows what came before', () => {
    const model = scrolled()
    model.press('e')
    model.happen({ kind: 'found', generation: 0, ...ERROR, cursor: '2000' })
    model.happen(pageAt({ kind: 'around', cursor: '2000' }, 1_800, 400, 200))
    const { selected, top } = model.state.rows
    expect([selected, selected - top]).toEqual([200, 6])
  })

  it('are requested again with a key, and not before, when they could not be read', () => {
    const model = scrolled()
    const failed: Event = {
      ...{ kind: 'failed', generation: 0, request: 'page', message: 'No connection.' },
      isRefused: false,
    }
    expect(model.kinds(failed)).toEqual([])
    expect(model.state.message?.text).toBe('No connection.')
    expect(model.kinds(counts(5_000))).toEqual([])
    expect(model.press('j')).toEqual(['page'])
  })

  it('of a changed query are requested again with a key, or the query before is restored', () => {
    const model = modelOf({ isByTime: true })
    model.happen({ kind: 'ready' })
    model.happen(pageAt({ kind: 'end' }, 0, 10, 9))
    for (const key of ['&', 'x', 'Enter']) model.press(key)
    const failed = () =>
      model.kinds({
        ...{ kind: 'failed', generation: model.state.generation, request: 'page' },
        message: 'No connection.',
        isRefused: false,
      })
    expect(failed()).not.toContain('page')
    expect(model.press('j')).toContain('page')
    expect(model.state.rows.loading.other?.place).toEqual({ kind: 'around', cursor: '9' })
    expect(aplOf(model.state.query)).toContain("where * contains 'x'")
    failed()
    model.press('Ctrl-C')
    expect(aplOf(model.state.query)).not.toContain('where')
  })

  it('are read again when the last events were stored after they were', () => {
    const model = modelOf({ reading: reading(10, false) })
    model.happen({ kind: 'ready' })
    model.happen({ kind: 'reading', reading: reading(20, true) })
    const answer = pageAt({ kind: 'start' }, 0, 10) as Event & { readonly kind: 'page' }
    const page = { ...answer.page, hasEnd: true }
    expect(placesOf(model.happen({ ...answer, page, isComplete: false }))).toEqual(['after'])
  })

  it('are at the place to which the user went before files were merged', () => {
    const model = modelOf({ reading: reading(5_000, false), isByTime: true })
    model.happen({ kind: 'ready' })
    model.happen(pageAt({ kind: 'start' }, 0, 400))
    model.press(' ')
    for (const key of ['t', ...'2026-01-31T10:00:00Z', 'Enter']) model.press(key)
    expect(placesOf(model.happen({ kind: 'reading', reading: reading(6_000, true) }))).toEqual([
      'time',
    ])
  })

  it('are kept when bursts are folded, so that none is requested without end', () => {
    const model = modelOf({ reading: reading(50_000, true) })
    model.happen({ kind: 'ready' })
    model.happen(pageAt({ kind: 'start' }, 0, 400))
    model.press('x')
    model.happen(pageAt({ kind: 'around', cursor: '0' }, 0, 4_000))
    let next = 4_000
    for (let screen = 0; screen < 800; screen++) {
      model.press(' ')
      if (!model.state.rows.loading.after) continue
      const after = { kind: 'after', cursor: `${next - 1}` } as const
      expect(placesOf(model.happen(pageAt(after, next, 4_000)))).toEqual([])
      next += 4_000
    }
    expect(next).toBeGreaterThan(12_000)
  })

  it('take the place of the message that they could not be read', () => {
    const model = modelOf({ isByTime: true })
    const place = { kind: 'end' } as const
    model.happen({ kind: 'ready' })
    model.happen(pageAt(place, 0, 10, 9))
    model.press('F')
    model.happen({ kind: 'tick' })
    model.happen({
      ...{ kind: 'failed', generation: 0, request: 'page', message: 'No connection.' },
      isRefused: false,
    })
    expect(model.state.message?.text).toBe('No connection.')
    model.happen({ kind: 'tick' })
    model.happen(pageAt(place, 0, 11, 10))
    expect(model.state.message).toBeUndefined()
  })
})

it('does not find the events of a pattern before the patterns are counted', () => {
  const model = modelOf({ reading: reading(1, true) })
  const columns = [{ name: 'message', type: 'string' }]
  const page = { columns, hasStart: true, hasEnd: true, index: 0 }
  const rows = [{ cells: new Map([['message', '"a"']]), cursor: 'a' }]
  const place: Place = { kind: 'start' }
  model.happen({ kind: 'ready' })
  model.happen({
    ...{ kind: 'page', generation: 0, place, isComplete: true },
    page: { ...page, rows },
  })
  expect(model.press('p')).toContain('page')
  expect(model.press('Enter')).toEqual([])
  expect(model.state.message?.text).toBe('The patterns are being counted …')
  const patterns = [{ cells: new Map([['pattern', '"a"']]) }]
  const counted = { ...page, columns: [{ name: 'pattern', type: 'string' }], rows: patterns }
  model.happen({
    ...{ kind: 'page', generation: 1, place, isComplete: true },
    page: counted,
  })
  expect(model.press('Enter')).toEqual(['pattern'])
})

it('says that events are still being read when there are none to count', () => {
  const note = (text: string) => ({ kind: 'note', text })
  const model = modelOf({ reading: reading(0, false) })
  for (const key of ['v', 'p']) {
    model.press(key)
    expect(model.state.message).toEqual(note('The events are still being read.'))
  }
  model.happen({ kind: 'reading', reading: reading(0, true) })
  model.press('p')
  expect(model.state.message).toEqual(note('Only the messages of events have patterns.'))
})
