import { afterAll, beforeAll, expect, it } from 'vitest'
import { compiled, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

// One event with a large value: calls whose memory is in proportion to it.

const LIMITS = { timeoutMs: 120_000, memoryBytes: 100_000_000 }
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const SIZE = 30_000

let world: World

beforeAll(async () => {
  const engine = await openTestEngine()
  const event = {
    _time: '2026-01-01T00:00:00Z',
    letters: LETTERS,
    text: LETTERS.repeat(SIZE),
    series: Array.from({ length: 4_000 }, (_, i) => i % 2),
  }
  const events = [JSON.stringify(event)]
  const dataset = await layOut(engine, { table: 'large', events, hot: true })
  world = { engine, datasets: new Map([['large', dataset]]), now: 0n }
})

afterAll(() => world.engine.close())

it.each([
  ['strlen(translate(letters, "-", text))', LETTERS.length * SIZE],
  ['countof("-", translate(text, "-", letters))', LETTERS.length],
  ['round(toreal(series_fft(series)[0][2000]))', -2_000],
  ['toreal(series_fir(series, series)[2])', 1 / 2_000],
])('%s', async (call, expected) => {
  const result = compiled(world, `large | project ${call}`)
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  const { columns } = await world.engine.read(result.query.statement, LIMITS)
  expect([...columns.values()].map((column) => JSON.parse(column))).toEqual([[expected]])
})
