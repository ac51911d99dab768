import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../../src/main.js'
import { fakeIo } from '../../support/fake-io.js'
import { type Foreign, type ForeignEvent, foreignService } from '../../support/foreign-service.js'
import { RUNS } from '../../support/runs.js'

const service = await foreignService()

const T0 = 1_760_000_000_000_000_000n
const SECOND = 1_000_000_000n

beforeEach(() => service.become({ events: [] }))

/** Runs an export of everything the service has. */
async function page(args: readonly string[], apl = "['logs']") {
  const io = fakeIo({ env: { EVQ_URL: service.url } })
  const exitCode = await main(['page', apl, ...args], io)
  return {
    exitCode,
    out: io.out(),
    err: io.err(),
    texts: io.out().startsWith('{') ? textsIn(io.out()) : [],
  }
}

function textsIn(ndjson: string): readonly string[] {
  return ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly text: string }).text)
}

/** Events at these seconds, each with a distinct string. */
function at(...seconds: readonly number[]): readonly ForeignEvent[] {
  return seconds.map((second, i) => ({ time: T0 + BigInt(second) * SECOND, text: `e${i}` }))
}

describe('pages by time', () => {
  it('contain each row once, newest first', async () => {
    service.become({ events: at(1, 2, 3, 4, 5) })
    const { exitCode, texts, err } = await page(['--page-size', '2'])
    expect(exitCode).toBe(0)
    expect(texts).toEqual(['e4', 'e3', 'e2', 'e1', 'e0'])
    expect(err).toMatch(/^5 rows \(all matching\) in \d+ pages/)
  })

  it('are requested from the last instant (inclusive)', async () => {
    service.become({ events: at(1, 2, 3) })
    await page(['--page-size', '2', '--direction', 'asc', '--since', '2020-01-01'])
    expect(service.requests.slice(0, 2)).toEqual([
      {
        apl: "['logs'] | sort by _time asc | limit 2",
        startTime: '2020-01-01T00:00:00Z',
        endTime: '2026-01-31T12:00:00Z',
        defaultLimit: 2,
      },
      {
        apl: "['logs'] | sort by _time asc | limit 2",
        startTime: '2025-10-09T08:53:22Z',
        endTime: '2026-01-31T12:00:00Z',
        defaultLimit: 2,
      },
    ])
    service.become({ events: at(1, 2, 3) })
    await page(['--page-size', '2'])
    expect(service.requests[1]).toMatchObject({ endTime: '2025-10-09T08:53:22.000000001Z' })
  })

  // The present is 9,860,800 seconds after `T0`.
  it.each(['asc', 'desc'])('go on after the present if there are events, %s', async (direction) => {
    const events = at(1, 2, 20_000_000, 20_000_001, 30_000_000)
    const args = ['--page-size', '2', '--direction', direction]
    const expected = ['e0', 'e1', 'e2', 'e3', 'e4']
    service.become({ events, hasNewest: true })
    const { texts, err } = await page(args)
    expect(texts).toEqual(direction === 'asc' ? expected : expected.toReversed())
    expect(err).toMatch(/^5 rows \(all matching\)/)
    service.become({ events, hasNewest: true })
    expect((await page([...args, '--until', '2026-01-31'])).texts.toSorted()).toEqual(['e0', 'e1'])
  })

  it('need two more requests only if the service has events after the present', async () => {
    const requests = async (...seconds: readonly number[]) => {
      service.become({ events: at(...seconds), hasNewest: true })
      await page([])
      return service.requests.length
    }
    const past = await requests(1, 2)
    expect(await requests(1, 20_000_000)).toBe(past + 2)
  })

  it('contain more events of one instant than a page holds', async () => {
    service.become({ events: at(1, 2, 2, 2, 2, 2, 2, 2, 3) })
    const { exitCode, texts } = await page(['--page-size', '2'])
    expect(exitCode).toBe(0)
    expect(texts.toSorted()).toEqual(['e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8'])
  })

  it('double while one instant has more events', async () => {
    service.become({ events: at(...Array<number>(64).fill(1)) })
    const { texts } = await page(['--page-size', '1'])
    expect(new Set(texts).size).toBe(64)
    const limits = service.requests.map(({ apl }) => Number(/limit (\d+)$/.exec(String(apl))?.[1]))
    expect(limits).toEqual([1, 2, 4, 8, 16, 32, 64, 128])
  })

  it('contain two equal events twice', async () => {
    const events = at(1, 2, 2, 2, 3).map((event) => ({ ...event, text: 'same' }))
    service.become({ events })
    expect((await page(['--page-size', '1'])).texts).toEqual(Array(5).fill('same'))
  })

  it('continue by cursor within an instant that the service truncates', async () => {
    service.become({ events: at(1, 2, 2, 2, 2, 2, 3), cap: 2, cursors: 'given' })
    const { exitCode, texts } = await page(['--page-size', '2', '--direction', 'asc'])
    expect(exitCode).toBe(0)
    expect(texts).toEqual(['e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6'])
  })

  it('fail when an instant is truncated and there are no cursors', async () => {
    service.become({ events: at(1, 2, 2, 2, 2, 2, 3), cap: 2 })
    const { exitCode, err } = await page(['--page-size', '2'])
    expect(exitCode).toBe(1)
    expect(err).toContain(
      'evq: 5 rows have the time 2025-10-09T08:53:22Z, but the service returns only 2 at once',
    )
  })

  it('work with a service that rounds bounds', async () => {
    const events = Array.from({ length: 9 }, (_, i) => ({
      time: T0 + BigInt(i * 300),
      text: `e${i}`,
    }))
    service.become({ events, precision: 1_000n })
    const { exitCode, texts } = await page(['--page-size', '2'])
    expect(exitCode).toBe(0)
    expect(texts).toEqual(events.map(({ text }) => text).toReversed())
  })

  it('contain late events that the export has not passed yet', async () => {
    const events = [...at(1, 2, 3, 4)]
    service.become({
      events,
      before(request) {
        if (request === 2) events.push({ time: T0 + 4n * SECOND, text: 'late' })
        return undefined
      },
    })
    const { exitCode, texts } = await page(['--page-size', '2', '--direction', 'asc'])
    expect(exitCode).toBe(0)
    expect(texts).toEqual(['e0', 'e1', 'e2', 'e3', 'late'])
  })
})

describe('rows of several pages', () => {
  const flags = ['--page-size', '2', '--columns', 'text']
  beforeEach(() => service.become({ events: at(1, 2, 3, 4, 5) }))

  it('are one Markdown table', async () => {
    const rows = ['| e4 |', '| e3 |', '| e2 |', '| e1 |', '| e0 |', '']
    const { out } = await page([...flags, '-o', 'markdown'])
    expect(out).toBe(['| text |', '| :--- |', ...rows].join('\n'))
    const bare = await page([...flags, '-o', 'markdown', '--no-header'])
    expect(bare.out).toBe(['|  |', '| :-- |', ...rows].join('\n'))
  })

  it('are numbered across pages as records', async () => {
    const { out } = await page([...flags, '-o', 'record'])
    expect(out.match(/(?<=^── )\d/gm)).toEqual(['1', '2', '3', '4', '5'])
  })

  it('are all records once a page is too wide for tables, with one notice', async () => {
    const wide = at(1, 2, 3, 4, 5).map((event, i) => ({ ...event, text: `${i}`.padEnd(200, '.') }))
    service.become({ events: wide })
    const io = fakeIo({ env: { EVQ_URL: service.url }, isTerminal: true, columns: 30 })
    expect(await main(['page', "['logs']", '--page-size', '2'], io)).toBe(0)
    expect(io.err().match(/The columns do not fit/g)).toHaveLength(1)
    expect(io.out()).not.toContain('┌')
    expect(io.out().match(/── \d/g)).toEqual(['── 1', '── 2', '── 3', '── 4', '── 5'])
  })
})

describe('pages by cursor', () => {
  it.each([
    ['asc', ['e0', 'e1', 'e2', 'e3', 'e4']],
    ['desc', ['e4', 'e3', 'e2', 'e1', 'e0']],
  ])('give each row once: %s', async (direction, expected) => {
    service.become({ events: at(1, 2, 2, 2, 3), cursors: 'given' })
    const args = ['--by', 'cursor', '--page-size', '2', '--direction', direction]
    expect(await page(args)).toMatchObject({ exitCode: 0, texts: expected })
    expect(service.requests[1]).toMatchObject({
      cursor: direction === 'asc' ? 'c00000001' : 'c00000003',
    })
  })

  it('end when only the row of the cursor is returned again', async () => {
    service.become({ events: at(1), cursors: 'with their row' })
    expect(await page(['--by', 'cursor'])).toMatchObject({ exitCode: 0, texts: ['e0'] })
  })

  it.each([1, 3])(
    'continue when that row is repeated and more rows are wanted: %i per page',
    async (size) => {
      service.become({ events: at(1, 2, 3, 4, 5), cursors: 'with their row' })
      const args = ['--by', 'cursor', '--page-size', String(size), '--max-rows', '4']
      const expected = ['e4', 'e3', 'e2', 'e1']
      expect(await page(args)).toMatchObject({ exitCode: 0, texts: expected })
    },
  )

  it.each(['stuck', 'in a circle'] as const)(
    'stop with a message at cursors that are %s',
    async (cursors) => {
      service.become({ events: at(1, 2, 3, 4, 5, 6, 7, 8), cursors })
      const { exitCode, err } = await page([
        '--by',
        'cursor',
        '--page-size',
        '2',
        '--direction',
        'asc',
      ])
      expect(exitCode).toBe(1)
      expect(err).toContain('twice, so the export would never end')
    },
  )

  it('fail when there are none', async () => {
    service.become({ events: at(1, 2, 3) })
    const { exitCode, err } = await page(['--by', 'cursor', '--page-size', '2'])
    expect(exitCode).toBe(1)
    expect(err).toContain('Use `--by time` to page without cursors')
  })
})

describe('a service', () => {
  it('may fail for a while', async () => {
    service.become({ events: at(1, 2, 3, 4), before: (n) => (n === 2 ? 503 : undefined) })
    expect(await page(['--page-size', '2'])).toMatchObject({
      exitCode: 0,
      texts: ['e3', 'e2', 'e1', 'e0'],
    })
  })

  it('that returns a partial result makes the export exit with 3', async () => {
    service.become({ events: at(1, 2, 3), isPartial: true })
    const { exitCode, texts, err } = await page([])
    expect({ exitCode, texts }).toEqual({ exitCode: 3, texts: ['e2', 'e1', 'e0'] })
    expect(err).toContain('The export is partial')
  })

  it('may return new columns midway: NDJSON has them, CSV reports them as missing', async () => {
    service.become({ events: at(1, 2, 3), grownAt: 2 })
    const lines = await page(['--page-size', '2'])
    expect(lines.exitCode).toBe(1)
    expect(lines.err).toContain('are missing now')
    service.become({ events: at(1, 2, 3), grownAt: 2, cursors: 'given' })
    const ndjson = await page(['--page-size', '2', '--by', 'cursor'])
    expect(ndjson.exitCode).toBe(0)
    expect(ndjson.out).toContain('{"extra":7,"_time":"2025-10-09T08:53:21Z","text":"e0"}')
    service.become({ events: at(1, 2, 3), grownAt: 2, cursors: 'given' })
    const csv = await page(['--page-size', '2', '--by', 'cursor', '-o', 'csv'])
    expect(csv.exitCode).toBe(3)
    expect(csv.out).toBe(
      '_time,text\n2025-10-09T08:53:23Z,e2\n2025-10-09T08:53:22Z,e1\n2025-10-09T08:53:21Z,e0\n',
    )
    expect(csv.err).toContain('The file lacks `extra`')
  })

  const habits = fc.record({
    instants: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 24 }),
    texts: fc.constantFrom('own', 'same'),
    pageSize: fc.integer({ min: 1, max: 9 }),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    by: fc.constantFrom('time' as const, 'cursor' as const),
    cap: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
    short: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    cursors: fc.constantFrom('none', 'given', 'with their row', 'stuck', 'in a circle'),
    isTold: fc.boolean(),
    isShuffled: fc.boolean(),
    canCount: fc.boolean(),
    precision: fc.constantFrom(1n, 1_000n, 1_000_000n),
    step: fc.constantFrom(1n, 300n, 1_000_000n, SECOND),
  })

  const SHORT_AND_INCLUSIVE = {
    instants: [0, 6, 6, 6, 4, 6, 5, 5],
    ...{ cap: undefined, isTold: true, isShuffled: false, canCount: true },
    ...({ texts: 'same', direction: 'desc', by: 'time', cursors: 'with their row' } as const),
    ...({ precision: 1n, step: 1n } as const),
  }

  it('never loses or duplicates rows without a warning', async () => {
    await fc.assert(
      fc.asyncProperty(
        habits,
        async ({ instants, texts, step, pageSize, direction, by, ...how }) => {
          const events = instants.map((instant, i) => ({
            time: T0 + BigInt(instant) * step,
            text: texts === 'own' ? `e${i}` : 'same',
          }))
          // Cursors of an order that changes with each request mean nothing.
          const isShuffled = how.isShuffled && how.cursors === 'none'
          // A service that reports no number of rows must return full pages.
          const { short: shortest, ...rest } = how
          const short = how.isTold || how.canCount ? { short: shortest } : {}
          service.become({ ...(rest as Foreign), ...(short as Foreign), events, isShuffled })
          const args = ['--page-size', String(pageSize), '--direction', direction, '--by', by]
          const { exitCode, out, err } = await page(args)
          const rows = out
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line) as object)
          const expected = expectedRows(events, direction)
          if (exitCode === 0) {
            expect(times(rows)).toEqual(times(expected))
            expect(rows.map(line).toSorted()).toEqual(expected.map(line).toSorted())
          } else {
            expect([1, 3]).toContain(exitCode)
            expect(err).toMatch(/\w/)
          }
          const isFair = how.short === undefined || (how.isTold && how.precision === 1n)
          const isGood =
            how.canCount &&
            isFair &&
            how.cap === undefined &&
            how.cursors !== 'stuck' &&
            how.cursors !== 'in a circle'
          if (isGood && by === 'time' && how.precision <= step) expect(exitCode).toBe(0)
        },
      ),
      {
        // Short pages, and cursors whose own row is included: some pages contain only that row.
        examples: [
          [{ ...SHORT_AND_INCLUSIVE, short: 2, pageSize: 1 }],
          [{ ...SHORT_AND_INCLUSIVE, short: 1, pageSize: 1 }],
          [{ ...SHORT_AND_INCLUSIVE, short: 1, pageSize: 3 }],
        ],
        endOnFailure: true,
        numRuns: 5 * RUNS,
      },
    )
  })
})

function expectedRows(
  events: readonly ForeignEvent[],
  direction: 'asc' | 'desc',
): readonly object[] {
  const sign = direction === 'asc' ? 1 : -1
  return events
    .toSorted((a, b) => (a.time === b.time ? 0 : (a.time < b.time ? -1 : 1) * sign))
    .map(({ time, text }) => ({ _time: rfc(time), text }))
}

function rfc(time: bigint): string {
  const nanoseconds = String(time % SECOND)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const whole = new Date(Number(time / 1_000_000n)).toISOString().slice(0, 19)
  return `${whole}${nanoseconds === '' ? '' : `.${nanoseconds}`}Z`
}

function times(rows: readonly object[]): readonly unknown[] {
  return rows.map((row) => '_time' in row && row._time)
}

function line(row: object): string {
  return JSON.stringify(row)
}
