import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.js'
import { ask } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

// The statistics of `spotlight`, compared with textbook definitions computed in JavaScript.

let engine: Engine

beforeAll(async () => {
  engine = await openTestEngine()
})

afterAll(() => engine.close())

interface Event {
  readonly selected: boolean
  readonly kind: string
  readonly ms: number
}

const KINDS = ['a', 'b', 'c', 'd']

/** Four kinds of events; the selected ones are slower and more often of the first kind. */
const EVENTS: readonly Event[] = Array.from({ length: 300 }, (_, i) => {
  const selected = i % 3 === 0
  return {
    selected,
    kind: KINDS[(i * 7 + (selected && i % 2 === 0 ? 0 : (i * i) % 5)) % 4]!,
    ms: ((i * 37) % 101) + (selected ? 25 : 0) + 0.5,
  }
})

async function found(apl: string): Promise<Record<string, unknown>> {
  const events = EVENTS.map((event) => JSON.stringify({ _time: '2026-01-01T00:00:00Z', ...event }))
  const dataset = await layOut(engine, { table: `t${tables++}`, events, hot: true })
  const { rows } = await ask({ engine, datasets: new Map([['t', dataset]]), now: 0n }, apl)
  return JSON.parse(rows[0]![0]!)[0]
}
let tables = 0

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length
}

it('spotlight tests the values of a field with chi-square', async () => {
  const result = await found('t | summarize spotlight(selected, kind)')
  const count = (kind: string, selected: boolean) =>
    EVENTS.filter((event) => event.kind === kind && event.selected === selected).length
  const [inside, outside] = [100, 200]
  let [square, delta] = [0, 0]
  for (const kind of KINDS) {
    const [x, y] = [count(kind, true), count(kind, false)]
    delta += Math.abs(x / inside - y / outside) / 2
    for (const [seen, total] of [
      [x, inside],
      [y, outside],
    ] as const) {
      const expected = ((x + y) * total) / 300
      square += (seen - expected) ** 2 / expected
    }
  }
  expect(result.delta_score).toBeCloseTo(delta, 12)
  expect(result.effect_size).toBeCloseTo(Math.sqrt(square / 300), 12)
  expect(result.p_value).toBeCloseTo(tailOfChiSquare(square, 3), 6)
  expect(result).toMatchObject({ dimension: 'kind', comparison_count: 100, baseline_count: 200 })
})

/** The integral of the density from there on, by Simpson's rule. */
function tailOfChiSquare(from: number, freedom: 3): number {
  const density = (x: number) =>
    (x ** (freedom / 2 - 1) * Math.exp(-x / 2)) / (2 ** 1.5 * (Math.sqrt(Math.PI) / 2))
  const [steps, end] = [20_000, from + 200]
  const width = (end - from) / steps
  let sum = density(from) + density(end)
  for (let i = 1; i < steps; i++) sum += density(from + i * width) * (i % 2 === 1 ? 4 : 2)
  return (sum * width) / 3
}

it('spotlight computes the textbook p-value for one degree of freedom', async () => {
  const apl =
    't | summarize spotlight(selected, iff(selected, kind == "a" or kind == "b", kind == "a"))'
  const { p_value, effect_size } = await found(apl)
  const square = Number(effect_size) ** 2 * 300
  // The tail of the square of a normal variable: both of its tails beyond the root.
  expect(p_value).toBeCloseTo(tailOfNormal(Math.sqrt(square)) * 2, 6)
})

function tailOfNormal(from: number): number {
  const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  const [steps, end] = [20_000, from + 40]
  const width = (end - from) / steps
  let sum = density(from) + density(end)
  for (let i = 1; i < steps; i++) sum += density(from + i * width) * (i % 2 === 1 ? 4 : 2)
  return (sum * width) / 3
}

it('spotlight compares numeric distributions', async () => {
  const result = await found('t | summarize spotlight(selected, ms)')
  const side = (selected: boolean) =>
    EVENTS.filter((event) => event.selected === selected)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b)
  const [xs, ys] = [side(true), side(false)]
  const share = (values: readonly number[], at: number) =>
    values.filter((value) => value <= at).length / values.length
  const distance = Math.max(...[...xs, ...ys].map((at) => Math.abs(share(xs, at) - share(ys, at))))
  const square = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0)
  const pooled = Math.sqrt((square(xs) + square(ys)) / 298)
  expect(result.delta_score).toBeCloseTo(distance, 12)
  expect(result.effect_size).toBeCloseTo((mean(xs) - mean(ys)) / pooled, 9)
  expect(result.p_value).toBeLessThan(0.001)
  const change = Number(result.median_relative_change)
  expect(change).toBeGreaterThan(0.2)
  expect(change).toBeLessThan(0.5)
  expect(result.comparison).toMatchObject({ 0: xs[0], 4: xs.at(-1) })
  expect(result.baseline).toMatchObject({ 0: ys[0], 4: ys.at(-1) })
})
