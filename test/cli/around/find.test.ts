import { describe, expect, it } from 'vitest'
import { eventsAround } from '../../../src/cli/around/find.js'
import { nearbyEvents } from '../../../src/cli/around/nearby-events.js'
import { decodeTabularResult } from '../../../src/wire/http/tabular-result.js'
import { formatTimestamp, parseTimestamp } from '../../../src/wire/time/timestamp.js'

/** A service in memory: the times of arrival of its events by number, at most `most` rows in a response. */
function service(arrivals: readonly number[], most: number) {
  const asked: string[] = []
  const events = arrivals.map((arrived, n) => ({ arrived, n }))
  const ask = async (apl: string, limit: number) => {
    asked.push(apl)
    const there = events.filter(({ arrived }) =>
      [...apl.matchAll(/_sysTime ([<>]=?) datetime\((.*?)\)/g)].every(([, sign, time]) => {
        const at = Number(parseTimestamp(time ?? ''))
        return sign === '<' ? arrived < at : sign === '>' ? arrived > at : arrived >= at
      }),
    )
    const rows = (apl.includes('_sysTime desc') ? there.toReversed() : there).slice(
      0,
      Math.min(limit, most),
    )
    const fields = ['_sysTime', '_time', 'n'].map((name) => ({ name, type: '' }))
    const columns = [
      rows.map(({ arrived }) => formatTimestamp(BigInt(arrived))),
      rows.map(() => formatTimestamp(7n)),
      rows.map(({ n }) => n),
    ]
    const table = { name: '0', sources: [], fields, order: [], groups: [], columns }
    const status = { rowsMatched: there.length }
    const result = decodeTabularResult(
      JSON.stringify({ format: 'tabular', status, tables: [table] }),
    )
    return { table: result.tables[0], matched: there.length }
  }
  return { ask, asked }
}

async function around(
  arrivals: readonly number[],
  matches: readonly number[],
  { before, after, most = 50_000 }: { before: number; after: number; most?: number },
) {
  const { ask, asked } = service(arrivals, most)
  let isCut = false
  const nearby = nearbyEvents({
    ...{ source: 'logs', field: '_sysTime' as const, columns: '', condition: 'true', ask },
    onCut: () => {
      isCut = true
    },
  })
  const places = matches.map((n) => ({
    at: BigInt(arrivals[n]!),
    event: new Map([
      ['_sysTime', JSON.stringify(formatTimestamp(BigInt(arrivals[n]!)))],
      ['_time', JSON.stringify(formatTimestamp(7n))],
      ['n', String(n)],
    ]),
  }))
  const shown: string[] = []
  /** The number of requests before the first event was found. */
  let first: number | undefined
  for await (const events of eventsAround(places, nearby, { before, after, changing: [] })) {
    if (events.length > 0) first ??= asked.length
    for (const { event, isMatch, isApart } of events) {
      if (isApart || shown.length === 0) shown.push('')
      const text = `${isMatch ? '>' : ''}${event.get('n')}`
      shown.push([shown.pop(), text].filter(Boolean).join(' '))
    }
  }
  return { shown, isCut, requests: asked.length, first }
}

const MANY = Array.from({ length: 20_000 }, (_, n) => 1_000 + n)

const ONE_EACH = Array.from({ length: 400 }, (_, n) => 1_000 + n)

describe('events around matches', () => {
  it('are read next to each match only', async () => {
    const { shown, requests } = await around(MANY, [5, 15_000], { before: 2, after: 1 })
    expect(shown).toEqual(['3 4 >5 6', '14998 14999 >15000 15001'])
    // For each match: the events from it on, and those before.
    expect(requests).toBe(4)
  })

  it('need few requests for many matches, and one or two for the first of them', async () => {
    const matches = Array.from({ length: 200 }, (_, n) => 50 + n * 100)
    const { shown, requests, first } = await around(MANY, matches, { before: 3, after: 3 })
    expect(shown).toHaveLength(200)
    expect(shown[1]).toBe('147 148 149 >150 151 152 153')
    expect(requests).toBeLessThan(15)
    expect(first).toBeLessThan(3)
  })

  it('are found inside a batch, whose events all arrived at the same time', async () => {
    const arrivals = MANY.map((_, n) => 1_000 + Math.floor(n / 10_000))
    const matches = [4_321, 9_999, 10_001, 19_000]
    const { shown, isCut } = await around(arrivals, matches, { before: 2, after: 2 })
    expect(isCut).toBe(false)
    expect(shown).toEqual([
      '4319 4320 >4321 4322 4323',
      '9997 9998 >9999 10000 >10001 10002 10003',
      '18998 18999 >19000 19001 19002',
    ])
  })

  it('are not read without end when the query replaces their times', async () => {
    const earlier = service([5, 5, 5], 3)
    const nearby = nearbyEvents({
      ...{ source: 'logs', field: '_sysTime' as const, columns: '', condition: 'true' },
      ask: (_, limit) => earlier.ask('logs', limit),
      onCut: () => {},
    })
    for await (const { events } of nearby.from(10n)) expect(events).toEqual([])
    expect(earlier.asked).toHaveLength(1)
  })

  it('that were deleted in the meantime are left out', async () => {
    const known = service(MANY.slice(0, 400), 50_000)
    const nearby = nearbyEvents({
      ...{
        source: 'logs',
        field: '_sysTime' as const,
        columns: '',
        condition: 'true',
        ask: known.ask,
        onCut: () => {},
      },
    })
    const gone = [{ at: 1_005n, event: new Map([['n', '"gone"']]) }]
    const found = []
    for await (const events of eventsAround(gone, nearby, { before: 1, after: 1, changing: [] })) {
      found.push(...events.filter(({ isMatch }) => isMatch))
    }
    expect(found).toEqual([])
  })

  it('merge with those of the next match, also when the same times or responses divide them', async () => {
    // Six events at each time of arrival.
    const arrivals = Array.from({ length: 60 }, (_, n) => 1_000 + Math.floor(n / 6))
    for (const most of [1_000, 8, 6]) {
      const { shown } = await around(arrivals, [20, 26, 40], { before: 3, after: 3, most })
      expect(shown).toEqual(['17 18 19 >20 21 22 23 24 25 >26 27 28 29', '37 38 39 >40 41 42 43'])
    }
  })

  it('end at the first and the last event', async () => {
    const { shown } = await around(ONE_EACH, [0, 399], { before: 2, after: 2 })
    expect(shown).toEqual(['>0 1 2', '397 398 >399'])
  })

  it('are reported as missing when a service returns fewer events of one time than there are', async () => {
    const arrivals = Array.from({ length: 30 }, () => 1_000)
    const { isCut, shown } = await around(arrivals, [9], { before: 1, after: 1, most: 10 })
    expect({ isCut, shown }).toEqual({ isCut: true, shown: ['8 >9'] })
  })
})
