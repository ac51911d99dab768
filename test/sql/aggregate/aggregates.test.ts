import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dropTable } from '../../../src/engine/catalog/deletion.js'
import type { Engine } from '../../../src/engine/engine.js'
import { rowsOf, type World } from '../../support/ask.js'
import { layOut } from '../../support/dataset.js'
import { openTestEngine } from '../../support/engine.js'
import { RUNS } from '../../support/runs.js'

let engine: Engine
let tables = 0

beforeAll(async () => {
  engine = await openTestEngine()
})

afterAll(() => engine.close())

async function inTable(
  values: readonly (bigint | undefined)[],
  use: (world: World) => Promise<void>,
): Promise<void> {
  const events = values.map(
    (value) =>
      `{"_time":"2026-01-01T00:00:00Z","k":1${value === undefined ? '' : `,"v":${value}`}}`,
  )
  const dataset = await layOut(engine, {
    table: `t${tables}`,
    events: [...events, '{"_time":"2026-01-01T00:00:00Z","v":0,"k":2}'],
    hot: true,
  })
  const name = `t${tables++}`
  await use({ engine, datasets: new Map([['t', dataset]]), now: 0n })
  await dropTable(engine, name)
}

it('percentile returns the value at the nearest rank', async () => {
  const values = fc.array(fc.bigInt(-50n, 50n), { minLength: 1, maxLength: 250 })
  const percents = fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10)
  await fc.assert(
    fc.asyncProperty(values, percents, (all, percent) =>
      inTable(all, async (world) => {
        const sorted = all.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        // Computed with integers, because a rank must not depend on rounding.
        const rank = Math.ceil((Math.round(percent * 10) * sorted.length) / 1000)
        const query = `t | where k == 1 | summarize percentile(v, ${percent})`
        expect(await rowsOf(world, query)).toEqual([String(sorted[Math.max(rank, 1) - 1])])
      }),
    ),
    { numRuns: 3 * RUNS },
  )
})

it('percentile of 1 to 100 returns every integral percentile as itself', async () => {
  await inTable(
    Array.from({ length: 100 }, (_, i) => BigInt(i + 1)),
    async (world) => {
      for (let percent = 1; percent <= 100; percent++) {
        const query = `t | where k == 1 | summarize percentile(v, ${percent})`
        expect(await rowsOf(world, query)).toEqual([String(percent)])
      }
    },
  )
})

it('sums, counts and extremes are exact', async () => {
  const value = fc.option(fc.bigInt(-(2n ** 62n), 2n ** 62n), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 30 }), (all) =>
      inTable(all, async (world) => {
        const present = all.filter((each) => each !== undefined)
        const total = present.reduce((sum, each) => sum + each, 0n)
        const least = present.reduce<bigint | null>((a, b) => (a !== null && a < b ? a : b), null)
        const most = present.reduce<bigint | null>((a, b) => (a !== null && a > b ? a : b), null)
        const query =
          't | where k == 1 | summarize count(), countif(isnotnull(v)), dcount(v), min(v), max(v)'
        const distinct = new Set(present).size
        expect(await rowsOf(world, query)).toEqual([
          [all.length, present.length, distinct, least, most].map(String).join(' '),
        ])
        const isOutside = total < -(2n ** 63n) || total >= 2n ** 63n
        const sum = rowsOf(world, 't | where k == 1 | summarize sum(v)')
        if (isOutside) await expect(sum).rejects.toMatchObject({ code: 70 })
        else expect(await sum).toEqual([String(total)])
      }),
    ),
    { numRuns: 2 * RUNS },
  )
})

it('rate is relative to the requested time range', async () => {
  const start = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n
  await inTable([3n, 4n], async (world) => {
    const query = 't | where k == 1 | summarize r = rate(v)'
    const range = { start, end: start + 2_000_000_000n }
    expect(await rowsOf(world, query, { range })).toEqual(['3.5'])
    // Without an end, up to now.
    const later = { ...world, now: start + 10_000_000_000n }
    expect(await rowsOf(later, query, { range: { start } })).toEqual(['0.7'])
    expect(await rowsOf(world, `${query} by bin(_time, 10s)`, { range })).toEqual([
      '"2026-01-01T00:00:00Z" 0.7',
    ])
  })
})

it('arg_max and arg_min select the oldest of the rows with the largest or smallest value', async () => {
  const reals = fc.constantFrom('-1e308', '-2.5', '-0.5', '-0.0', '0', '0.5', '3', '1e308')
  const row = fc.record({ v: fc.option(reals), hasPlace: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
      const events = rows.map(({ v, hasPlace }, i) => {
        const members = [...(v === null ? [] : [`"v":${v}`]), ...(hasPlace ? [`"i":${i}`] : [])]
        return `{${['"_time":"2026-01-01T00:00:00Z"', '"k":1', ...members].join()}}`
      })
      const other = '{"_time":"2026-01-01T00:00:00Z","k":2,"v":0.25,"i":0}'
      const table = `t${tables++}`
      const dataset = await layOut(engine, { table, events: [...events, other], hot: true })
      const world = { engine, datasets: new Map([['t', dataset]]), now: 0n }
      const present = rows.flatMap(({ v, hasPlace }, i) =>
        v === null ? [] : [{ v: Number(v), i: hasPlace ? String(i) : 'null' }],
      )
      // The first one of equals: a strict comparison, for which -0 equals 0.
      const largest = present.reduce(
        (a, b) => (b.v > a.v ? b : a),
        present[0] ?? { v: 0, i: 'null' },
      )
      const smallest = present.reduce(
        (a, b) => (b.v < a.v ? b : a),
        present[0] ?? { v: 0, i: 'null' },
      )
      const found = async (name: string) =>
        rowsOf(world, `t | where k == 1 | summarize ${name}(v, i) | project i`)
      expect(await found('arg_max')).toEqual([largest.i])
      expect(await found('arg_min')).toEqual([smallest.i])
      await dropTable(engine, table)
    }),
    { numRuns: RUNS },
  )
})
