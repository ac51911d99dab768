import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EngineError } from '../../../src/engine/engine.js'
import { rowsOf, type World } from '../../support/ask.js'
import { layOut } from '../../support/dataset.js'
import { openTestEngine } from '../../support/engine.js'
import { RUNS } from '../../support/runs.js'

const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n
const NUMBERS = [
  MIN,
  MIN + 1n,
  -4_000_000_000n,
  -7n,
  -1n,
  0n,
  1n,
  2n,
  3n,
  7n,
  4_000_000_000n,
  MAX - 1n,
  MAX,
]

let world: World

beforeAll(async () => {
  const engine = await openTestEngine()
  const pairs = NUMBERS.flatMap((a) => NUMBERS.map((b) => [a, b] as const))
  const events = pairs.map(([a, b]) => `{"_time":"2026-01-01T00:00:00Z","a":${a},"b":${b}}`)
  const dataset = await layOut(engine, { table: 'pairs', events, hot: true })
  world = { engine, datasets: new Map([['pairs', dataset]]), now: 0n }
})

afterAll(() => world.engine.close())

const OPERATIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint | undefined>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0n ? undefined : a / b),
  '%': (a, b) => (b === 0n ? undefined : a % b),
}

it.each(Object.entries(OPERATIONS))('`%s` is exact or fails', async (sign, operation) => {
  const resultsOf = async (a: bigint, others: readonly bigint[]) => {
    const isOne = others.map((b) => `b == ${literal(b)}`).join(' or ')
    const query = `pairs | where a == ${literal(a)} and (${isOne})
      | sort by b asc | project x = a ${sign} b`
    return await rowsOf(world, query).catch((error: unknown) => codeOf(error))
  }
  for (const a of NUMBERS) {
    const fits = (b: bigint) => {
      const exact = operation(a, b)
      return exact === undefined || (exact >= MIN && exact <= MAX)
    }
    const inside = NUMBERS.filter(fits)
    const expected = inside.map((b) => String(operation(a, b) ?? null))
    expect(await resultsOf(a, inside), `${a} ${sign} ${inside}`).toEqual(expected)
    for (const b of NUMBERS.filter((b) => !fits(b)))
      expect(await resultsOf(a, [b]), `${a} ${sign} ${b}`).toEqual(70)
  }
})

it('bin rounds down to a multiple', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...NUMBERS), fc.bigInt(1n, 10n ** 12n), async (a, size) => {
      const exact = a - (((a % size) + size) % size)
      const query = `pairs | where a == ${literal(a)} | limit 1 | project x = bin(a, ${size})`
      const found = await rowsOf(world, query).catch((error: unknown) => codeOf(error))
      expect(found).toEqual(exact < MIN ? 70 : [String(exact)])
    }),
    { numRuns: 3 * RUNS },
  )
})

it('comparisons with literals are exact', async () => {
  for (const b of NUMBERS) {
    const expected = NUMBERS.filter((a) => a < b).length
    const query = `pairs | where a < ${literal(b)} | distinct a | count`
    expect(await rowsOf(world, query)).toEqual([String(expected)])
  }
})

function codeOf(error: unknown): number {
  if (error instanceof EngineError) return error.code
  throw error
}

/** The smallest integer is not a literal: 2^63 is out of range, with or without a minus sign. */
function literal(value: bigint): string {
  return value === MIN ? `(${MIN + 1n} - 1)` : `(${value})`
}
