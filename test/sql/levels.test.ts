import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SqlTooDeepError } from '../../src/sql/planning.js'
import { compiled, rowsOf, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

// Long chains of operators, each of which uses the columns of the one before.

let world: World

beforeAll(async () => {
  const engine = await openTestEngine()
  const events = [
    '{"_time":"2026-01-01T00:00:00Z","n":1,"s":"é","d":1}',
    '{"_time":"2026-01-01T00:00:01Z","d":"x"}',
  ]
  const dataset = await layOut(engine, { table: 'logs', events, hot: true })
  world = { engine, datasets: new Map([['logs', dataset]]), now: 0n }
})

afterAll(() => world.engine.close())

/** `count` steps, each with its number and the number of the one before. */
function chain(count: number, step: (i: number, before: number) => string): string {
  return Array.from({ length: count }, (_, i) => ` | ${step(i + 1, i)}`).join('')
}

function statementOf(apl: string): string {
  const result = compiled(world, apl)
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.query.statement.text
}

describe('queries that take the engine minutes to plan', () => {
  it.each([
    ['dependent columns', chain(480, (i, before) => `extend x${i} = x${before} + 1`)],
    ['sorted rows', chain(50, (i) => `extend x${i} = n + ${i} | sort by x${i} asc | take 10`)],
    ['filtered rows', chain(240, (i) => `extend x0 = x0 + 1 | where x0 > ${i}`)],
    ['expanded rows', chain(50, () => 'extend y = d | mv-expand y | take 10')],
  ])('are refused: %s', (_, steps) => {
    expect(() => statementOf(`logs | extend x0 = n${steps}`)).toThrow(SqlTooDeepError)
  })
})

describe('dependent columns', () => {
  it.each([
    ['sums', 'n', 'x@ + 1', 400, ['401', 'null']],
    // Each doubles the SQL of the one before if it is repeated.
    ['doubled numbers', 'n', 'x@ + x@ - n', 200, ['1', 'null']],
    ['texts', 's', 'toupper(tolower(x@))', 100, ['"É"', 'null']],
    // A comparison with null is false.
    ['conditions', 'n == 1', 'not(x@)', 101, ['false', 'true']],
    ['tests for null', 'n', 'iff(isnull(x@), 0, x@ + 1)', 40, ['41', '39']],
    ['values of several types', 'd', 'iff(x@ == "x", x@, tostring(d))', 40, ['"1"', '"x"']],
  ])('that are %s have the values of single steps', async (_, first, step, count, expected) => {
    const steps = chain(count, (i, before) => `extend x${i} = ${step.replaceAll('@', `${before}`)}`)
    const all = `logs | sort by _time asc | extend x0 = ${first}${steps} | project x${count}`
    expect(await rowsOf(world, all)).toEqual(expected)
  })

  it('are in fewer subqueries than steps', () => {
    const steps = chain(400, (i, before) => `extend x${i} = x${before} + 1`)
    const text = statementOf(`logs | extend x0 = n${steps} | project x400`)
    expect(text.split('(SELECT ').length).toBeLessThan(100)
  })

  it('that are random have one value', async () => {
    const steps = chain(20, (i, before) => `extend x${i} = x${before} + 1`)
    const uses = 'extend r = rand(), x = n | extend a = r, b = iff(n == 1, r, 0.0)'
    const all = `logs | extend x0 = n${steps} | ${uses} | extend isSame = a == b`
    expect(await rowsOf(world, `${all} | where n == 1 | project isSame`)).toEqual(['true'])
  })
})

describe('parse with many captures', () => {
  const pattern = (count: number): string =>
    Array.from({ length: count }, (_, i) => `c${i} ";"`).join(' ')

  it('makes a statement that hardly grows faster than the pattern', () => {
    const lengthOf = (count: number): number =>
      statementOf(`logs | parse s with ${pattern(count)} | project c0, c9`).length
    expect(lengthOf(100) / lengthOf(50)).toBeLessThan(3)
    expect(statementOf(`logs | parse s with ${pattern(100)}`).length).toBeLessThan(100_000)
  })

  it.each([3, 40])('reads parts as short as possible: %i captures', async (count) => {
    const text = Array.from({ length: count }, (_, i) => `v${i};`).join('')
    const last = count - 1
    const parsed = (value: string): string =>
      `logs | take 1 | extend t = '${value}' | parse t with ${pattern(count)} | project c1, c${last}`
    expect(await rowsOf(world, parsed(text))).toEqual([`"v1" "v${last}"`])
    // The text at the end of the pattern is at the end of the string.
    expect(await rowsOf(world, parsed(`${text}more;`))).toEqual([`"v1" "v${last};more"`])
    expect(await rowsOf(world, parsed(text.slice(0, -1)))).toEqual(['null null'])
  })
})
