import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { JOIN_KINDS, type JoinKind } from '../../src/apl/syntax/ast.js'
import { rowsOf, type World } from '../support/ask.js'
import { openTestEngine } from '../support/engine.js'
import { RUNS } from '../support/runs.js'

// Each kind of join, compared with two nested loops.

type Key = number | null
type Row = readonly [key: Key, value: number]

let world: World

beforeAll(async () => {
  world = { engine: await openTestEngine(), datasets: new Map(), now: 0n }
})

afterAll(() => world.engine.close())

it.each(JOIN_KINDS)('%s returns the rows that two nested loops return', async (kind) => {
  await fc.assert(
    fc.asyncProperty(side, side, async (left, right) => {
      const apl = `${table('a', left)} | join kind=${kind} (${table('b', right)}) on k`
      expect(await rowsOf(world, apl)).toEqual(looped(kind, left, right))
    }),
    { numRuns: RUNS },
  )
})

const key = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null })
const side = fc.array(key, { maxLength: 6 }).map((keys) => keys.map((each, i): Row => [each, i]))

function table(value: string, rows: readonly Row[]): string {
  const cells = rows.map(([k, v]) => `${k ?? 'int(null)'}, ${v}`)
  return `datatable(k:int, ${value}:int)[${cells.join(', ')}]`
}

function looped(kind: JoinKind, left: readonly Row[], right: readonly Row[]): readonly string[] {
  const pairs = left.flatMap(([k, a]) =>
    right.filter(([other]) => other === k).map(([, b]) => ({ k, a, b })),
  )
  const has = (rows: readonly Row[], k: Key) => rows.some(([other]) => other === k)
  const onlyLeft = left.filter(([k]) => !has(right, k))
  const onlyRight = right.filter(([k]) => !has(left, k))
  const alone = onlyRight.map(([k, b]) => text(k, null, b))
  const paired = pairs.map(({ k, a, b }) => text(k, a, b))
  const outer = left.flatMap(([k, a]) =>
    has(right, k)
      ? pairs.filter((pair) => pair.a === a).map(({ b }) => text(k, a, b))
      : [text(k, a, null)],
  )
  switch (kind) {
    case 'inner':
      return paired
    case 'innerunique':
      return pairs
        .filter(({ a }, i) => pairs.findIndex((pair) => pair.a === a) === i)
        .map(({ k, a, b }) => text(k, a, b))
    case 'leftouter':
      return outer
    case 'rightouter':
      return [...paired, ...alone]
    case 'fullouter':
      return [...outer, ...alone]
    case 'leftsemi':
      return left.filter(([k]) => has(right, k)).map(([k, a]) => text(k, a))
    case 'rightsemi':
      return right.filter(([k]) => has(left, k)).map(([k, b]) => text(k, b))
    case 'leftanti':
      return onlyLeft.map(([k, a]) => text(k, a))
    case 'rightanti':
      return onlyRight.map(([k, b]) => text(k, b))
    default:
      return kind satisfies never
  }
}

function text(...cells: readonly Key[]): string {
  return cells.map((cell) => cell ?? 'null').join(' ')
}
