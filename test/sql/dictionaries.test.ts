import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.js'
import { rowsOf, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

let engine: Engine
let world: World

beforeAll(async () => {
  engine = await openTestEngine()
  const time = '"_time":"2026-01-01T00:00:00Z"'
  const words = [`{${time},"f":"b"}`, `{${time},"f":"a\\"c"}`]
  const strings = { table: 'strings', events: words, hot: true, hasDictionaries: true }
  const flags = { table: 'flags', events: [`{${time},"f":true}`], hot: true }
  const datasets = new Map([
    ['strings', await layOut(engine, strings)],
    ['flags', await layOut(engine, flags)],
  ])
  world = { engine, datasets, now: 0n }
})

afterAll(() => engine.close())

it.each(['sort by f asc', 'sort by tostring(f) asc', 'extend f = tostring(f) | sort by f asc'])(
  'strings with a dictionary are sorted with values of other types: %s',
  async (operators) => {
    const rows = await rowsOf(
      world,
      `union strings, flags | ${operators} | project t = tostring(f)`,
    )
    expect(rows).toEqual(['"a\\"c"', '"b"', '"true"'])
  },
)
