import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, rowsOf, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

// mv-expand and make-series, compared with JavaScript.

const scalar = fc.oneof(fc.constantFrom(null, true, 'é"\\', ''), fc.integer())
const list = fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { maxLength: 5 })
const row = fc.record({
  a: fc.oneof({ weight: 5, arbitrary: list }, scalar),
  b: list,
  group: fc.constantFrom('x', 'y', null),
  at: fc.integer({ min: 0, max: 3_599_999 }),
  n: fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant(null)),
})
const rows = fc.sample(row, { numRuns: 400, seed: 11 })
const START = Date.UTC(2026, 0, 1)

let world: World

beforeAll(async () => {
  const engine = await openTestEngine()
  const events = rows.map(({ at, ...rest }, i) =>
    JSON.stringify({ _time: new Date(START + at).toISOString(), i, ...rest }),
  )
  const dataset = await layOut(engine, { table: 'rows', events, hot: true })
  world = { engine, datasets: new Map([['rows', dataset]]), now: 0n }
})

afterAll(() => world.engine.close())

function items(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [value]
  return value.length === 0 ? [null] : value
}

async function expanded(steps: string): Promise<readonly unknown[]> {
  const { rows: found } = await ask(world, `rows | sort by i asc | ${steps}`, { limit: 100_000n })
  return found.map((cells) => cells.map((cell) => JSON.parse(cell)))
}

it('mv-expand returns a row for each element, in order', async () => {
  const expected = rows.flatMap(({ a }, i) => items(a).map((item, k) => [i, k, item]))
  expect(await expanded('mv-expand with_itemindex=k a | project i, k, a')).toEqual(expected)
})

it('mv-expand expands several arrays in parallel', async () => {
  const expected = rows.flatMap(({ a, b }, i) => {
    const [one, other] = [items(a), b.length === 0 ? [] : b]
    const length = Math.max(Array.isArray(a) ? a.length : 1, other.length, 1)
    return Array.from({ length }, (_, k) => [i, one[k] ?? null, other[k] ?? null])
  })
  expect(await expanded('mv-expand a, b | project i, a, b')).toEqual(expected)
})

it('mv-expand applies its limit to each row', async () => {
  const expected = rows.flatMap(({ b }, i) =>
    items(b)
      .slice(0, 2)
      .map((item) => [i, item]),
  )
  expect(await expanded('mv-expand b limit 2 | project i, b')).toEqual(expected)
})

const MINUTES = 7
const STEPS = Math.ceil(60 / MINUTES)

it('make-series neither omits nor repeats events', async () => {
  const range = 'from datetime(2026-01-01) to datetime(2026-01-01T01:00:00Z)'
  const series = 'c = count(), s = sum(n), m = max(n), l = count() default=-1'
  const apl = `rows | make-series ${series} on _time ${range} step ${MINUTES}m by group`
  const { rows: found } = await ask(world, `${apl} | project group, c, s, m, l`)
  const expected = [null, 'x', 'y'].map((group) => {
    const own = rows.filter((one) => one.group === group)
    const steps = Array.from({ length: STEPS }, (_, k) =>
      own.filter(({ at }) => Math.floor(at / 60_000 / MINUTES) === k),
    )
    const numbers = steps.map((step) => step.flatMap(({ n }) => (n === null ? [] : [n])))
    return [
      group,
      steps.map((step) => step.length),
      numbers.map((step) => step.reduce((sum, n) => sum + n, 0)),
      numbers.map((step) => (step.length === 0 ? null : Math.max(...step))),
      steps.map((step) => step.length || -1),
    ]
  })
  expect(found.map((cells) => cells.map((cell) => JSON.parse(cell)))).toEqual(expected)
})

it('mv-expand reverses make-series', async () => {
  const range = 'from datetime(2026-01-01) to datetime(2026-01-01T01:00:00Z)'
  const steps = `make-series c = count() on _time ${range} step 1s`
  const back = 'mv-expand c to typeof(long), _time to typeof(datetime) | summarize sum(c), count()'
  expect(await rowsOf(world, `rows | ${steps} | ${back}`)).toEqual([`${rows.length} 3600`])
})
