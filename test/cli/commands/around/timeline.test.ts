import { describe, expect, it } from 'vitest'
import { passagesAround } from '../../../../src/cli/commands/around/passages.js'
import { Timeline } from '../../../../src/cli/commands/around/timeline.js'
import { decodeTabularResult } from '../../../../src/wire/http/tabular-result.js'
import { formatTimestamp, parseTimestamp } from '../../../../src/wire/time/timestamp.js'

/** A service in memory: the times of arrival of its events by number, at most `most` rows in a response. */
function service(arrivals: readonly number[], most: number) {
  const asked: string[] = []
  const events = arrivals.map((arrived, n) => ({ arrived, n }))
  const ask = async (apl: string, limit: number) => {
    asked.push(apl)
    const [, sign, time] = /_sysTime ([<>=]+) datetime\((.*?)\)/.exec(apl) ?? []
    const at = Number(parseTimestamp(time ?? ''))
    // All events have the same `_time`.
    const isInclusive = apl.includes('_time >=')
    const there = events.filter(({ arrived }) =>
      sign === '==' || (isInclusive && arrived === at)
        ? arrived === at
        : sign === '<'
          ? arrived < at
          : arrived > at,
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
  { before, after, most = 1_000 }: { before: number; after: number; most?: number },
) {
  const { ask, asked } = service(arrivals, most)
  let isCut = false
  const timeline = new Timeline({
    ...{ source: 'logs', columns: '', condition: 'true', ask },
    onCut: () => {
      isCut = true
    },
  })
  const places = matches.map((n) => ({
    place: { first: BigInt(arrivals[n]!), second: 7n },
    event: new Map([
      ['_sysTime', JSON.stringify(formatTimestamp(BigInt(arrivals[n]!)))],
      ['_time', JSON.stringify(formatTimestamp(7n))],
      ['n', String(n)],
    ]),
  }))
  const found = await passagesAround(places, timeline, { before, after })
  const shown = found.map(({ passage }) =>
    passage.map(({ event, isMatch }) => `${isMatch ? '>' : ''}${event.get('n')}`).join(' '),
  )
  return { shown, isCut, requests: asked.length }
}

const ONE_EACH = Array.from({ length: 400 }, (_, n) => 1_000 + n)

describe('events around matches', () => {
  it('are read next to each match only', async () => {
    const { shown, requests } = await around(ONE_EACH, [5, 300], { before: 2, after: 1 })
    expect(shown).toEqual(['3 4 >5 6', '298 299 >300 301'])
    // For each match: the events from it on, and those before.
    expect(requests).toBe(4)
  })

  it('need few requests for many matches that are close together', async () => {
    const matches = Array.from({ length: 100 }, (_, n) => n * 2)
    const { shown, requests } = await around(ONE_EACH, matches, { before: 1, after: 1 })
    expect(shown).toHaveLength(1)
    expect(requests).toBeLessThan(40)
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
    const { isCut, shown } = await around(arrivals, [3], { before: 1, after: 1, most: 10 })
    expect({ isCut, shown }).toEqual({ isCut: true, shown: ['2 >3 4'] })
  })
})
