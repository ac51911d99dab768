import { expect, it } from 'vitest'
import { NOTHING_READ, type ReadingState } from '../../../../src/cli/commands/view/reading-state.js'
import { type Event, type Request, startState } from '../../../../src/cli/commands/view/state.js'
import { update } from '../../../../src/cli/commands/view/update.js'
import { UTC } from '../../../../src/wire/time/time-zone.js'

const reading = (events: number, isDone: boolean): ReadingState => ({
  ...NOTHING_READ,
  ...{ events, isDone, share: isDone ? 1 : 0.5, bytes: 100 * events },
})

const counts = (total: number): Event => ({
  kind: 'counts',
  generation: 0,
  counts: { total, kept: [] },
})

it('counts again after the last event was read, and keeps the larger count', () => {
  let state = startState({
    ...{ size: { columns: 80, rows: 24 }, title: 'app.log', zone: UTC, reading: reading(0, false) },
    query: { source: '', operators: [], isByTime: false },
  })
  const asked: string[][] = []
  const happen = (event: Event): void => {
    const step = update(state, event)
    state = step.state
    asked.push(step.requests.map(({ kind }) => kind))
  }
  happen({ kind: 'reading', reading: reading(10, false) })
  happen({ kind: 'reading', reading: reading(20, true) })
  expect(asked).toEqual([['counts'], ['counts']])
  happen(counts(20))
  happen(counts(10))
  expect(state.counts?.total).toBe(20)
})

it('numbers the last rows by the final count', () => {
  let state = startState({
    ...{
      size: { columns: 80, rows: 24 },
      title: 'app.log',
      zone: UTC,
      reading: reading(10, false),
    },
    query: { source: '', operators: [], isByTime: false },
  })
  const happen = (event: Event): void => {
    state = update(state, event).state
  }
  const rows = [{ cells: new Map(), cursor: 'a' }]
  happen({ kind: 'reading', reading: reading(10, false) })
  happen(counts(10))
  happen({ kind: 'reading', reading: reading(20, true) })
  const page = { rows, columns: [], hasStart: false, hasEnd: true, index: 0 }
  happen({ kind: 'page', generation: 0, place: { kind: 'end' }, page, isComplete: true })
  expect(state.rows.first).toBeUndefined()
  happen(counts(20))
  expect(state.rows.first).toBe(19)
})

it('looks for the last events of a dataset while it is followed, and counts when there are more', () => {
  let state = startState({
    ...{ size: { columns: 80, rows: 24 }, title: 'logs', zone: UTC },
    query: { source: "['logs']", operators: [], isByTime: true },
  })
  let asked: readonly Request[] = []
  const happen = (event: Event) => {
    const step = update(state, event)
    state = step.state
    asked = step.requests
    return asked.map(({ kind }) => kind)
  }
  const page = (cursors: readonly string[]) => {
    const rows = cursors.map((cursor) => ({ cells: new Map(), cursor }))
    const found = { rows, columns: [], hasStart: true, hasEnd: true, index: rows.length - 1 }
    return happen({
      kind: 'page',
      generation: 0,
      place: { kind: 'end' },
      page: found,
      isComplete: true,
    })
  }
  happen({ kind: 'ready' })
  page(['a', 'b'])
  happen(counts(2))
  happen({ kind: 'tick' })
  expect(asked).toEqual([])
  happen({ kind: 'key', press: { kind: 'key', name: 'F' } })
  expect(asked).toEqual([{ kind: 'follow' }])
  expect(happen({ kind: 'tick' })).toEqual(['page'])
  expect(page(['a', 'b'])).not.toContain('counts')
  happen({ kind: 'tick' })
  expect(page(['a', 'b', 'c'])).toContain('counts')
  expect(state.rows.selected).toBe(2)
  happen({ kind: 'key', press: { kind: 'key', name: 'k' } })
  expect(happen({ kind: 'tick' })).toEqual([])
})

it('searches again when more was read, until a row is found or all was read', () => {
  let state = startState({
    ...{
      size: { columns: 80, rows: 24 },
      title: 'app.log',
      zone: UTC,
      reading: reading(10, false),
    },
    query: { source: '', operators: [], isByTime: false },
  })
  const happen = (event: Event) => {
    const step = update(state, event)
    state = step.state
    return step.requests.map(({ kind }) => kind)
  }
  const press = (name: string) => happen({ kind: 'key', press: { kind: 'key', name } })
  const found: Event = { kind: 'found', generation: 0, what: 'error', cursor: undefined }
  expect(press('e')).toEqual(['find'])
  expect(happen({ kind: 'reading', reading: reading(20, false) })).not.toContain('find')
  happen(found)
  expect(state.message?.text).toBe('Searching error …')
  expect(happen({ kind: 'reading', reading: reading(30, false) })).toContain('find')
  happen(found)
  expect(happen({ kind: 'reading', reading: reading(40, true) })).toContain('find')
  happen(found)
  expect(state.message?.text).toBe('No error beyond this row.')
  expect(happen({ kind: 'reading', reading: reading(50, true) })).not.toContain('find')
  press('e')
  press('j')
  expect(happen({ kind: 'reading', reading: reading(60, true) })).not.toContain('find')
})

it('shows files that are merged by time again when the last of them was read', () => {
  let state = startState({
    ...{ size: { columns: 80, rows: 24 }, title: 'two', zone: UTC, reading: reading(10, false) },
    query: { source: '', operators: [], isByTime: true },
  })
  const happen = (event: Event) => {
    const step = update(state, event)
    state = step.state
    return step.requests
  }
  const rows = ['a', 'b'].map((cursor) => ({ cells: new Map(), cursor }))
  const page = { rows, columns: [], hasStart: true, hasEnd: true, index: 0 }
  happen({ kind: 'ready' })
  happen({ kind: 'page', generation: 0, place: { kind: 'start' }, page, isComplete: false })
  const places = (requests: readonly Request[]) =>
    requests.flatMap((request) => (request.kind === 'page' ? request.place.kind : []))
  expect(places(happen({ kind: 'reading', reading: reading(20, false) }))).not.toContain('start')
  expect(places(happen({ kind: 'reading', reading: reading(30, true) }))).toEqual(['start'])
  happen({ kind: 'page', generation: 0, place: { kind: 'start' }, page, isComplete: true })
  // What is appended later is read behind the rest.
  expect(places(happen({ kind: 'reading', reading: reading(40, true) }))).not.toContain('start')
})
