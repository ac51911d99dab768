import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FIRST_TIME, LAST_TIME } from '../../../src/wire/event/event-time.js'
import { formatTimestamp } from '../../../src/wire/time/timestamp.js'
import { ask, type World } from '../../support/ask.js'
import { layOut } from '../../support/dataset.js'
import { openTestEngine } from '../../support/engine.js'

// Dates computed by JavaScript, which supports all these years.

const DAY = 86_400_000_000_000n
const EDGES = ['1904-02-29', '1969-12-31', '1970-01-04', '2000-02-29', '2100-02-28', '2149-06-07']

interface Moment {
  readonly n: bigint
  readonly k: number
  readonly m: bigint
}

// The difference between any `n` and any `m` is less than 2^63 nanoseconds.
const moment = fc.record({
  n: fc.bigInt(FIRST_TIME + 4n * 365n * DAY, LAST_TIME - 4n * 365n * DAY),
  k: fc.integer({ min: -15, max: 15 }),
  m: fc.bigInt(0n, 220n * 365n * DAY),
})
const edges = EDGES.flatMap((text) => {
  const n = BigInt(Date.parse(text)) * 1_000_000n
  return [-1n, 0n, 1n, DAY - 1n].map((plus, i) => ({ n: n + plus, k: i - 1, m: DAY }))
})
const moments: readonly Moment[] = [...edges, ...fc.sample(moment, { numRuns: 200, seed: 1970 })]

let world: World

beforeAll(async () => {
  const engine = await openTestEngine()
  const events = moments.map(
    ({ n, k, m }, i) => `{"_time":"2026-01-01T00:00:00Z","i":${i},"n":${n},"k":${k},"m":${m}}`,
  )
  const dataset = await layOut(engine, { table: 'moments', events, hot: true })
  world = { engine, datasets: new Map([['moments', dataset]]), now: 0n }
})

afterAll(() => world.engine.close())

function floor(n: bigint, size: bigint): bigint {
  return n - (((n % size) + size) % size)
}

function date(n: bigint): Date {
  return new Date(Number(floor(n, 1_000_000n) / 1_000_000n))
}

/** The start of the day with these numbers, which can be outside of their month or year. */
function day(year: number, month: number, dayOfMonth: number): bigint {
  return BigInt(Date.UTC(year, month, dayOfMonth)) * 1_000_000n
}

const starts = {
  day: (n: bigint, k: number) => floor(n, DAY) + BigInt(k) * DAY,
  week: (n: bigint, k: number) => {
    const d = date(n)
    return day(d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate() - d.getUTCDay() + 7 * k)
  },
  month: (n: bigint, k: number) => day(date(n).getUTCFullYear(), date(n).getUTCMonth() + k, 1),
  year: (n: bigint, k: number) => day(date(n).getUTCFullYear() + k, 0, 1),
}

function plusMonths(n: bigint, months: number): bigint {
  const [year, month] = [date(n).getUTCFullYear(), date(n).getUTCMonth() + months]
  const last = date(day(year, month + 1, 0)).getUTCDate()
  return day(year, month, Math.min(date(n).getUTCDate(), last)) + n - floor(n, DAY)
}

async function column(expression: string): Promise<readonly string[]> {
  const query = `moments | extend t = unixtime_nanoseconds_todatetime(n), u = unixtime_nanoseconds_todatetime(m) | sort by i asc | project ${expression}`
  const { rows } = await ask(world, query)
  return rows.map(([cell]) => cell!)
}

function instants(of: (moment: Moment) => bigint): readonly string[] {
  return moments.map((each) => `"${formatTimestamp(of(each))}"`)
}

describe.each(['day', 'week', 'month', 'year'] as const)('a %s', (unit) => {
  // A year after the last supported time, there is nothing to compare with.
  const few = unit === 'year' ? 'k / 5' : 'k'
  const k = (each: Moment) => (unit === 'year' ? Math.trunc(each.k / 5) : each.k)

  it('starts at the same time as in JavaScript', async () => {
    const found = await column(`startof${unit}(t, ${few})`)
    expect(found).toEqual(instants((each) => starts[unit](each.n, k(each))))
  })

  it('ends a nanosecond before the next', async () => {
    const found = await column(`endof${unit}(t, ${few})`)
    expect(found).toEqual(instants((each) => starts[unit](each.n, k(each) + 1) - 1n))
  })
})

it.each([
  ['', 0],
  [', 0', 0],
  [', -1', -1],
  [', 2', 2],
])(
  'days, weeks, months and years have starts and ends with the literal offset `%s`',
  async (written, k) => {
    for (const [unit, start] of Object.entries(starts)) {
      const found = await column(`startof${unit}(t${written})`)
      expect(found).toEqual(instants(({ n }) => start(n, k)))
      const ends = await column(`endof${unit}(t${written})`)
      expect(ends).toEqual(instants(({ n }) => start(n, k + 1) - 1n))
    }
  },
)

it.each([-14, 1, 25])('adds %i months, a literal', async (months) => {
  const found = await column(`datetime_add("month", ${months}, t)`)
  expect(found).toEqual(instants(({ n }) => plusMonths(n, months)))
})

it.each([
  ['year', 12],
  ['quarter', 3],
  ['month', 1],
] as const)('adds each %s to the same day, or the last of the month', async (unit, months) => {
  const found = await column(`datetime_add("${unit}", k / 5, t)`)
  expect(found).toEqual(instants((each) => plusMonths(each.n, Math.trunc(each.k / 5) * months)))
})

const LENGTHS = {
  week: 7n * DAY,
  day: DAY,
  hour: DAY / 24n,
  minute: DAY / 1440n,
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1_000n,
  nanosecond: 1n,
}

it.each(Object.entries(LENGTHS))('adds and counts each %s', async (unit, length) => {
  const added = await column(`datetime_add("${unit}", k, t)`)
  expect(added).toEqual(instants((each) => each.n + BigInt(each.k) * length))
  const counted = await column(`datetime_diff("${unit}", t, u)`)
  const since = unit === 'week' ? 3n * DAY : 0n
  const count = (n: bigint) => floor(n - since, length) / length
  const exact = moments.map(({ n, m }) => count(n) - count(m))
  expect(counted).toEqual(exact.map(String))
})

it('datetime_diff counts starts of months, quarters and years', async () => {
  const counted = await column(
    'strcat(datetime_diff("month", t, u), " ", datetime_diff("quarter", t, u), " ", datetime_diff("year", t, u))',
  )
  const month = (n: bigint) => date(n).getUTCFullYear() * 12 + date(n).getUTCMonth()
  expect(counted).toEqual(
    moments.map(({ n, m }) => {
      const between = [1, 3, 12].map(
        (size) => Math.floor(month(n) / size) - Math.floor(month(m) / size),
      )
      return `"${between.join(' ')}"`
    }),
  )
})

it('datetime_part returns the parts of a datetime', async () => {
  const parts = ['year', 'month', 'day', 'hour', 'minute', 'second', 'nanosecond']
  const found = await column(
    `strcat(dayofweek(t), " ", dayofyear(t), ${parts.map((part) => `" ", datetime_part("${part}", t)`).join(', ')})`,
  )
  expect(found).toEqual(
    moments.map(({ n }) => {
      const d = date(n)
      const dayOfYear = (floor(n, DAY) - day(d.getUTCFullYear(), 0, 0)) / DAY
      const dayParts = [d.getUTCFullYear(), d.getUTCMonth() + 1, d.getUTCDate()]
      const timeParts = [d.getUTCHours(), d.getUTCMinutes(), d.getUTCSeconds()]
      const fraction = n - floor(n, 1_000_000_000n)
      return `"${[d.getUTCDay(), dayOfYear, ...dayParts, ...timeParts, fraction].join(' ')}"`
    }),
  )
})

it('week numbers follow ISO 8601', async () => {
  const found = await column('week_of_year(t)')
  expect(found).toEqual(
    moments.map(({ n }) => {
      const d = date(n)
      // The number of the week is that of its Thursday.
      const thursday = date(
        day(d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate() - ((d.getUTCDay() + 6) % 7) + 3),
      )
      const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
      return String(Math.floor((thursday.getTime() - first) / 604_800_000) + 1)
    }),
  )
})
