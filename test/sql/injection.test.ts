import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { analyze } from '../../src/apl/analyze.js'
import { dropTable } from '../../src/engine/catalog/deletion.js'
import type { Engine } from '../../src/engine/engine.js'
import { rowsOf, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'
import { RUNS } from '../support/runs.js'

let engine: Engine

beforeAll(async () => {
  engine = await openTestEngine()
})

afterAll(() => engine.close())

const PIECES = [
  "'",
  '"',
  '`',
  '\\',
  '\0',
  '\n',
  ')',
  '--',
  ' OR 1=1 ',
  ';',
  'é',
  '🦆',
  '{x:Int8}',
  '.',
  ':',
  '%',
]
const HOSTILE = fc.string({
  unit: fc.constantFrom(...PIECES, 'a', 'b'),
  minLength: 1,
  maxLength: 12,
})

/** A string as an APL literal. */
function quoted(value: string): string {
  const escaped = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
  return `"${escaped.replaceAll('\0', '\\u0000')}"`
}

it('names and values cannot inject SQL', async () => {
  let tables = 0
  await fc.assert(
    fc.asyncProperty(HOSTILE, HOSTILE, fc.boolean(), async (name, value, hot) => {
      const table = `t${tables++}`
      const events = [value, `${value}x`].map((found, i) =>
        JSON.stringify({ _time: `2026-01-01T00:00:0${i}Z`, [name]: found }),
      )
      const dataset = await layOut(engine, { table, events, hot })
      const world: World = { engine, datasets: new Map([[table, dataset]]), now: 0n }
      const field = `[${quoted(name)}]`
      fc.pre('query' in analyze(`${table} | project ${field}`, environmentOf(world)))
      const expected = [JSON.stringify(value)]
      const pick = async (filter: string) =>
        (await rowsOf(world, `${table} | where ${filter} | project ${field}`)).map((cell) =>
          JSON.stringify(JSON.parse(cell)),
        )
      expect(await pick(`${field} == ${quoted(value)}`)).toEqual(expected)
      expect(await pick(`${field} in (${quoted(value)})`)).toEqual(expected)
      expect(await pick(`${field} !endswith_cs "x"`)).toEqual(expected)
      expect(await rowsOf(world, `${table} | summarize count() by ${field} | count`)).toEqual(['2'])
      await dropTable(engine, table)
    }),
    { numRuns: 2 * RUNS },
  )
})

function environmentOf(world: World) {
  const schema = {
    datasets: [...world.datasets.keys()],
    fields: (name: string) => world.datasets.get(name)?.fields,
  }
  return { schema, now: 0n }
}
