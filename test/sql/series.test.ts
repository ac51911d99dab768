import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dropTable } from '../../src/engine/catalog/deletion.js'
import type { Engine } from '../../src/engine/engine.js'
import { queryFailure } from '../../src/sql/failure.js'
import { ask, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'
import { RUNS } from '../support/runs.js'

// Functions on series, compared with textbook definitions computed in JavaScript.

let engine: Engine
let tables = 0

beforeAll(async () => {
  engine = await openTestEngine()
})

afterAll(() => engine.close())

type Item = number | null
interface Pair {
  readonly a: readonly Item[]
  readonly b: readonly Item[]
}

const real = fc.integer({ min: -400, max: 400 }).map((n) => n / 8)
const item = fc.option(real, { freq: 6 })
const mixed = fc.record({
  a: fc.array(item, { maxLength: 7 }),
  b: fc.array(item, { maxLength: 7 }),
})
const whole = fc.record({
  a: fc.array(real, { minLength: 1, maxLength: 9 }),
  b: fc.array(real, { minLength: 1, maxLength: 4 }),
})

/** The value of an expression over the fields `a` and `b` for each of the pairs. */
async function values(pairs: readonly Pair[], expression: string): Promise<readonly unknown[]> {
  const table = `s${tables++}`
  const lines = pairs.map((pair, i) =>
    JSON.stringify({ _time: new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString(), ...pair }),
  )
  const dataset = await layOut(engine, { table, events: lines, hot: true })
  const world: World = { engine, datasets: new Map([['t', dataset]]), now: 0n }
  const { rows } = await ask(world, `t | sort by _time asc | project ${expression}`)
  await dropTable(engine, table)
  return rows.map(([cell]) => JSON.parse(cell!))
}

function holds(
  expression: string,
  pairs: fc.Arbitrary<Pair>,
  expected: (pair: Pair) => unknown,
): void {
  it(expression, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pairs, { minLength: 1, maxLength: 20 }), async (all) => {
        const found = await values(all, expression)
        for (const [i, pair] of all.entries()) expectClose(found[i], expected(pair), pair)
      }),
      { numRuns: RUNS / 5 },
    )
  })
}

function expectClose(found: unknown, expected: unknown, pair: Pair): void {
  if (Array.isArray(expected)) {
    expect(found, JSON.stringify(pair)).toHaveLength(expected.length)
    for (const [i, each] of expected.entries()) expectClose((found as unknown[])[i], each, pair)
  } else if (typeof expected === 'number' && Number.isFinite(expected)) {
    const error = Math.abs(Number(found) - expected) / Math.max(1, Math.abs(expected))
    expect(error, `${found} for ${expected} of ${JSON.stringify(pair)}`).toBeLessThan(1e-9)
  } else {
    const shown = typeof expected === 'number' ? null : expected
    expect(found, JSON.stringify(pair)).toEqual(shown)
  }
}

function each(body: (x: number) => number | null) {
  return ({ a }: Pair) => a.map((x) => (x === null ? null : body(x)))
}

function zip<T>(end: (...lengths: number[]) => number, body: (x: number, y: number) => T) {
  return ({ a, b }: Pair) =>
    Array.from({ length: end(a.length, b.length) }, (_, i) => {
      const [x, y] = [a[i] ?? null, b[i] ?? null]
      return x === null || y === null ? null : body(x, y)
    })
}

function sameLength<T>(body: (x: number, y: number) => T) {
  return (pair: Pair) => (pair.a.length === pair.b.length ? zip(Math.max, body)(pair) : null)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}

holds('series_abs(a)', mixed, each(Math.abs))
holds('series_atan(a)', mixed, each(Math.atan))
holds('series_sin(a)', mixed, each(Math.sin))
holds('series_exp(a)', mixed, each(Math.exp))
holds('series_floor(a)', mixed, each(Math.floor))
holds(
  'series_ceiling(a)',
  mixed,
  each((x) => Math.ceil(x) + 0),
)
holds(
  'series_log(a)',
  mixed,
  each((x) => (x > 0 ? Math.log(x) : null)),
)
holds(
  'series_acos(a)',
  mixed,
  each((x) => (Math.abs(x) <= 1 ? Math.acos(x) : null)),
)
holds(
  'series_add(a, b)',
  mixed,
  zip(Math.min, (x, y) => x + y),
)
holds(
  'series_divide(a, b)',
  mixed,
  zip(Math.min, (x, y) => x / y),
)
holds(
  'series_multiply(a, b)',
  mixed,
  zip(Math.max, (x, y) => x * y),
)
holds(
  'series_subtract(a, b)',
  mixed,
  zip(Math.max, (x, y) => x - y),
)
holds('series_max(a, b)', mixed, zip(Math.max, Math.max))
holds(
  'series_less_equals(a, b)',
  mixed,
  sameLength((x, y) => x <= y),
)
holds(
  'series_not_equals(a, b)',
  mixed,
  sameLength((x, y) => x !== y),
)

holds('series_fill_forward(a)', mixed, ({ a }) => {
  const first = a.find((x) => x !== null) ?? null
  let last = first
  return a.map((x) => {
    last = x ?? last
    return last
  })
})

holds('series_fill_linear(a)', mixed, ({ a }) =>
  a.map((x, i) => {
    const before = a.slice(0, i + 1).findLastIndex((y) => y !== null)
    const after = a.findIndex((y, j) => j >= i && y !== null)
    if (before === -1 || after === -1 || before === after) return x ?? a[before] ?? a[after] ?? null
    return a[before]! + ((a[after]! - a[before]!) * (i - before)) / (after - before)
  }),
)

holds('series_sum(a)', mixed, ({ a }) => sum(a.filter((x) => x !== null)))
holds('series_dot_product(a, b)', mixed, (pair) =>
  sum(zip(Math.min, (x, y) => x * y)(pair).map((x) => x ?? 0)),
)

holds('series_stats(a)', mixed, ({ a }) => {
  const numbers = a.filter((x) => x !== null)
  const n = numbers.length
  if (n === 0) return null
  const [low, high, mean] = [Math.min(...numbers), Math.max(...numbers), sum(numbers) / n]
  const variance = n > 1 ? sum(numbers.map((x) => (x - mean) ** 2)) / (n - 1) : null
  const root = variance === null ? null : Math.sqrt(variance)
  return [low, a.indexOf(low), high, a.indexOf(high), mean, variance, root]
})

holds('series_fir(a, b)', whole, ({ a, b }) => {
  const total = sum(b.map((x) => x ?? 0))
  const scale = b.some((x) => (x ?? 0) < 0) || total === 0 ? 1 : total
  return a.map((_, i) => sum(b.map((w, j) => (w ?? 0) * (a[i - j] ?? 0))) / scale)
})

holds('series_iir(a, b, dynamic([2, -1, 0.25]))', whole, ({ a, b }) => {
  const out: number[] = []
  for (const [i] of a.entries()) {
    const given = sum(b.map((w, j) => (w ?? 0) * (a[i - j] ?? 0)))
    out.push((given + (out[i - 1] ?? 0) - 0.25 * (out[i - 2] ?? 0)) / 2)
  }
  return out
})

holds('series_fft(a)', whole, ({ a }) => {
  const part = (wave: (angle: number) => number) =>
    a.map((_, k) => sum(a.map((x, n) => (x ?? 0) * wave((2 * Math.PI * k * n) / a.length))))
  return [part(Math.cos), part((angle) => -Math.sin(angle))]
})

holds('series_ifft(series_fft(a)[0], series_fft(a)[1])', whole, ({ a }) => [a, a.map(() => 0)])

it('refuses to transform a series that would take minutes', async () => {
  const long = [{ a: Array.from({ length: 5_000 }, () => 1), b: [] }]
  await expect(values(long, 'series_fft(a)')).rejects.toMatchObject({ code: 395 })
  expect(queryFailure({ code: 395, message: '' })?.code).toBe('series-too-long')
})
