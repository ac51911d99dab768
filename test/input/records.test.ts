import { describe, expect, it } from 'vitest'
import { jsonFraming } from '../../src/input/json.js'
import { findRecords } from '../../src/input/records-start.js'
import { cut, eventsIn, inPieces, unsendable } from './support.js'

/** Returns the events of an input, which is read in pieces. */
async function eventsOf(text: string, options: Parameters<typeof cut>[1] = {}, piece = 7) {
  const seen = await cut(inPieces(Buffer.from(text), piece), { ...options, batchBytes: 200 })
  expect(unsendable(seen)).toEqual([])
  return eventsIn(seen)
}

const RECORDS = [{ eventTime: '2026-02-01T03:04:05Z', a: [{ b: '}]"' }] }, { eventName: 'x' }]

describe('a document that wraps an array', () => {
  it.each([
    ['Records', {}],
    ['logEvents', { owner: '1', n: 2.5, none: null }],
    ['value', { '@odata.context': 'https://x' }],
  ])('of %s has an event per element, with the scalars in front of it', async (key, outer) => {
    const filters = { filters: ['a'], nested: { a: [{ b: 1 }] } }
    for (const indent of [0, 2]) {
      const text = JSON.stringify(
        { ...outer, ...filters, [key]: RECORDS, nextToken: 'x' },
        null,
        indent,
      )
      expect(await eventsOf(text)).toEqual(RECORDS.map((record) => ({ ...record, ...outer })))
    }
  })

  it.each([
    // The trace of a browser, the kernel's log, and a list of an interface.
    ['traceEvents', [{ name: 'x', ts: 1 }, { name: 'y' }]],
    ['dmesg', [{ pri: 6, time: 0.5, msg: 'x' }]],
    ['data', [{ id: 'evt_1', created: 1_769_904_000 }, { id: 'evt_2' }]],
  ])('of %s is one by its name, or by a time in it', async (key, elements) => {
    expect(await eventsOf(JSON.stringify({ [key]: elements }))).toEqual(elements)
  })

  it('gives its scalars to the elements that do not have them', async () => {
    const items = [{ kind: 'Event', time: '2026-01-01T00:00:00Z' }, { metadata: { kind: 'x' } }]
    const text = JSON.stringify({ kind: 'List', apiVersion: 'v1', items })
    // `JSON.parse` returns the last value of a repeated key.
    expect(await eventsOf(text)).toEqual([
      { ...items[0], apiVersion: 'v1' },
      { ...items[1], kind: 'List', apiVersion: 'v1' },
    ])
  })

  it('in an object', async () => {
    const text = JSON.stringify({
      took: 3,
      hits: { total: 2, hits: [{ _time: '2026-01-01', n: 1 }] },
    })
    expect(await eventsOf(text)).toEqual([{ _time: '2026-01-01', n: 1, total: 2 }])
    // The pages of an HTTP archive are not its requests.
    const archive = {
      pages: [{ startedDateTime: '2026-01-01T00:00:00Z' }],
      entries: [{ startedDateTime: '2026-01-01T00:00:01Z', time: 12.5 }],
    }
    const log = JSON.stringify({ log: { version: '1.2', ...archive } })
    expect(await eventsOf(log)).toEqual([{ ...archive.entries[0], version: '1.2' }])
    // A flight recording of Java.
    expect(await eventsOf(JSON.stringify({ recording: { events: RECORDS } }))).toEqual(RECORDS)
  })

  it('at the path that the user names, or that is an event itself', async () => {
    const text = JSON.stringify({ id: 7, answer: { list: [{ n: 1 }, { n: 2 }] } })
    expect(await eventsOf(text)).toEqual([JSON.parse(text)])
    expect(await eventsOf(text, { records: 'answer.list' })).toEqual([{ n: 1 }, { n: 2 }])
    const wrapped = '{"Records":[{"n":1}]}'
    expect(await eventsOf(wrapped, { records: 'none' })).toEqual([JSON.parse(wrapped)])
  })

  it('of any size', async () => {
    const many = Array.from({ length: 40_000 }, (_, n) => ({ time: '2026-01-01T00:00:00Z', n }))
    const text = JSON.stringify({ account: '1', events: many })
    const events = await eventsOf(text, {}, 64 * 1024)
    expect(events).toHaveLength(many.length)
    expect(events.at(-1)).toEqual({ time: '2026-01-01T00:00:00Z', n: 39_999, account: '1' })
  })

  it.each([
    ['{"Records":[{"n":1}] garbage', 'the array is followed by content that is not JSON'],
    ['{"Records":[{"n":1}]', 'the input ends before the end of the document'],
    ['{"a":{"list":[{"n":1}],"b":[{}, "', 'the input ends before the end of the document'],
    ['{"a":{"list":[{"n":1}]}', 'the input ends before the end of the document'],
    ['{"a":{"list":[{"n":1}]}} {', 'the document is followed by more content'],
    ['{"a":{"list":[{"n":1}]},"s":"}"} ,', 'the document is followed by more content'],
    [
      '{"a":{"list":[{"n":1}]}}{"b":{"list":[{"n":2}]}}',
      'the document is followed by more content',
    ],
  ])('%s is reported', async (text, reason) => {
    const records = text.includes('list') ? { records: 'a.list' } : {}
    for (const piece of [1, 7, 1_000]) {
      const seen = await cut(inPieces(Buffer.from(text), piece), { ...records, batchBytes: 200 })
      expect(eventsIn(seen)).toEqual([{ n: 1 }])
      expect(unsendable(seen)).toMatchObject([{ reason }])
    }
  })

  it('may be followed by anything in the document', async () => {
    const text = '{"list":[{"n":1}] , "s":"a]}\\"{[", "o":{"list":[{"n":2}]}, "a":[[],[{}]]}\n\n'
    for (const piece of [1, 7, 1_000]) {
      expect(await eventsOf(text, { records: 'list' }, piece)).toEqual([{ n: 1 }])
    }
  })

  it.each([
    ['one after another', ''],
    ['on a line each', '\n'],
    ['apart from one another', ' \n\n\t'],
  ])('may be one of several, %s', async (_, separator) => {
    const documents = [RECORDS, [{ n: 1, s: '}{"Records":[' }], [], [{ n: 2 }, { n: 3 }]]
    for (const indent of [0, 2]) {
      const text = documents
        .map((Records) => JSON.stringify({ Records }, null, indent))
        .join(separator)
      for (const piece of [1, 7, 1_000]) {
        expect(await eventsOf(text, {}, piece)).toEqual(documents.flat())
      }
      expect(await eventsOf(text, { records: 'none' })).toEqual(
        documents.map((Records) => ({ Records })),
      )
    }
  })

  it('in an object may be one of several', async () => {
    const texts = [1, 2].map((n) => JSON.stringify({ log: { events: [{ n }] } }))
    expect(await eventsOf(texts.join(''))).toEqual([{ n: 1 }, { n: 2 }])
    const named = [1, 2].map((n) => JSON.stringify({ id: 7, list: [{ n }], more: [{ a: '"]' }] }))
    expect(await eventsOf(named.join(' '), { records: 'list' })).toEqual([
      { n: 1, id: 7 },
      { n: 2, id: 7 },
    ])
  })

  it('of any size may be one of several', async () => {
    const many = Array.from({ length: 40_000 }, (_, n) => ({
      eventTime: '2026-01-01T00:00:00Z',
      n,
    }))
    const text = [many, [{ n: 7 }], many].map((Records) => JSON.stringify({ Records })).join('')
    const events = await eventsOf(text, {}, 64 * 1024)
    expect(events).toHaveLength(2 * many.length + 1)
    expect(events[many.length]).toEqual({ n: 7 })
    expect(events.at(-1)).toEqual(many.at(-1))
  })

  it('reads the others again from a position between their events', () => {
    const text = '{"Records":[{"n":1}]}\n{"Records":[{"n":2},{"n":3}]}'
    const framing = jsonFraming({ kind: 'records', objects: 1, head: '{"Records":[' })
    const from = text.indexOf(']') + 1
    const bytes = Buffer.from(text)
    const { scanner } = framing.restart(bytes[from - 1])
    const { events, end } = scanner.scan(bytes, { from, to: bytes.length, maxEvents: 9 })
    const lines = bytes.toString('utf8', from, end).trim().split('\n')
    expect([events, ...lines.map((line) => JSON.parse(line))]).toEqual([2, { n: 2 }, { n: 3 }])
  })

  it('which ends too early is reported', async () => {
    const seen = await cut('{"Records":[{"n":1},{"n":2}')
    expect(unsendable(seen)).toMatchObject([
      { reason: 'the input ends before the end of the array' },
    ])
  })
})

it.each([
  ['one of several with more', '{"id":1,"events":[{"n":1}]}\n{"id":1,"events":[{"n":2}]}\n'],
  ['one of several with more after the array', '{"events":[{}],"id":1}\n{"events":[{}],"id":1}\n'],
  ['followed by another one', '{"events":[{"n":1}]}\n{"Records":[{"n":2}]}\n'],
  ['an event with a level', '{"level":"info","events":[{"n":1}]}'],
  ['an event with items that have no time', '{"id":1,"items":[{"sku":"a"}]}'],
  ['an object without an array', '{"a":{"b":1}}'],
])('%s is no such document', (_, text) => {
  expect(findRecords(text, { isWhole: true })).toBeUndefined()
})
