import { describe, expect, it } from 'vitest'
import { poll, SeenEvents } from '../../../../src/cli/commands/tail/poll.js'
import {
  decodeTabularResult,
  type TabularResult,
} from '../../../../src/wire/http/tabular-result.js'
import { formatTimestamp, parseTimestamp } from '../../../../src/wire/time/timestamp.js'

/** An event with its two times in nanoseconds; equal ones cannot be distinguished. */
type Event = readonly [arrived: number, happened: number]

/** A service in memory with short responses. */
function model(events: readonly Event[], most: number) {
  const sorted = [...events].sort(([a, b], [c, d]) => a - c || b - d)
  return async (apl: string, limit: number): Promise<TabularResult> => {
    const [, first, second] =
      /_sysTime > datetime\((.*?)\) or .* _time >= datetime\((.*?)\)/.exec(apl) ?? []
    const there = sorted.filter(
      ([arrived, happened]) =>
        first === undefined ||
        arrived > nanoseconds(first) ||
        (arrived === nanoseconds(first) && happened >= nanoseconds(second)),
    )
    const rows = there.slice(0, Math.min(limit, most))
    const fields = ['_sysTime', '_time'].map((name) => ({ name, type: 'datetime' }))
    const columns = [0, 1].map((i) => rows.map((row) => formatTimestamp(BigInt(row[i as 0 | 1]))))
    const status = { rowsMatched: there.length }
    const table = { name: '0', sources: [], fields, order: [], groups: [], columns }
    return decodeTabularResult(JSON.stringify({ format: 'tabular', status, tables: [table] }))
  }
}

function nanoseconds(text = ''): number {
  return Number(parseTimestamp(text))
}

async function pollAll(
  events: readonly Event[],
  most: number,
  seen = new SeenEvents(),
  isFinal = false,
) {
  const notes: string[] = []
  const yielded: Event[] = []
  const options = {
    apl: 'x',
    condition: 'true',
    from: undefined,
    seen,
    isFinal,
    note: (text: string) => void notes.push(text),
  }
  for await (const { columns } of poll({
    ...options,
    order: ['_sysTime', '_time'],
    ask: model(events, most),
  })) {
    for (const [row, arrived] of columns[0]!.entries()) {
      yielded.push([nanoseconds(JSON.parse(arrived)), nanoseconds(JSON.parse(columns[1]![row]!))])
    }
  }
  return { yielded, notes }
}

const MANY: readonly Event[] = Array.from({ length: 1_000 }, (_, n) => [Math.floor(n / 400), n])

describe('poll', () => {
  it.each([4, 150, 1_000, 1_003, 100_000])(
    'finds each event once and in order, in responses of %i rows',
    async (most) => {
      const events = [...MANY, MANY[5]!, MANY[5]!, MANY[990]!]
      const expected = [...events].sort(([a, b], [c, d]) => a - c || b - d)
      expect(await pollAll(events, most)).toEqual({ yielded: expected, notes: [] })
    },
  )

  it('yields only events that arrived since the last poll', async () => {
    const seen = new SeenEvents()
    await pollAll(MANY, 100, seen)
    expect(await pollAll(MANY, 100, seen)).toEqual({ yielded: [], notes: [] })
    const more: readonly Event[] = [...MANY, [0, 3], [1, 700], [5, 0]]
    expect((await pollAll(more, 100, seen)).yielded).toEqual([
      [0, 3],
      [1, 700],
      [5, 0],
    ])
  })

  it('remembers only the last of events that are not polled again', async () => {
    const seen = new SeenEvents()
    expect((await pollAll(MANY, 100, seen, true)).yielded).toEqual(MANY)
    expect(seen.total).toBe(1)
  })

  it('requests larger pages when more events have the same times than a page holds', async () => {
    const same: readonly Event[] = Array.from({ length: 12_000 }, () => [1, 1])
    const { yielded, notes } = await pollAll([...same, [1, 2]], 50_000)
    expect({ count: yielded.length, notes }).toEqual({ count: 12_001, notes: [] })
  })

  it('warns and continues when more events have the same times than the service returns', async () => {
    const same: readonly Event[] = Array.from({ length: 300 }, () => [1, 1])
    const { yielded, notes } = await pollAll([[0, 0], ...same, [2, 0]], 100)
    expect(notes).toEqual([expect.stringContaining('Some of them are not shown')])
    expect(yielded.at(-1)).toEqual([2, 0])
  })
})
