import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { analyze } from '../../src/apl/analyze.js'
import { FUNCTIONS } from '../../src/apl/function/functions.js'
import type { Parameter } from '../../src/apl/function/signature.js'
import type { Type } from '../../src/apl/type.js'
import { compile } from '../../src/sql/compile.js'
import type { FieldLayout, Layout } from '../../src/sql/layout.js'
import { ask, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

// Functions and operators whose SQL repeats an argument, nested in each other.

const DEPTH = 12

/** Far above what a level adds, and far below what twice the length at each level comes to. */
const MAX_LENGTH = DEPTH * 100_000

const CONVERSIONS: Readonly<Record<Type, string>> = {
  bool: 'tobool',
  int: 'toint',
  real: 'todouble',
  string: 'tostring',
  datetime: 'todatetime',
  timespan: 'totimespan',
  dynamic: 'todynamic',
}
const TYPES = Object.keys(CONVERSIONS) as Type[]

/** A dataset with a field of each type, named like the type. */
const fields = TYPES.map(
  (type): FieldLayout => ({
    name: `a_${type}`,
    type,
    wireType: type,
    column: `a_${type}`,
    paths: [[`a_${type}`]],
  }),
)
const layout: Layout = { table: 'logs', fields }
const schema = { datasets: ['logs'], fields: () => fields }

/** Returns the length of the statement; undefined for a query that is not valid. */
function lengthOf(operator: string): number | undefined {
  const analyzed = analyze(`logs | ${operator}`, { schema, now: 0n })
  if ('problems' in analyzed) return undefined
  const options = { layout: () => layout, range: {}, limit: 1_001n, cursors: {} }
  return compile(analyzed.query, options).statement.text.length
}

function nested(value: string, step: (value: string) => string): string {
  return Array.from({ length: DEPTH }).reduce<string>(step, value)
}

/** Each function, nested in each of its parameters, with a conversion of its result to the type of the parameter. */
const CALLS = Object.entries(FUNCTIONS).flatMap(([name, signature]) => {
  const parameters: readonly Parameter[] = signature.parameters
  return parameters.flatMap(({ accepts }, at) => {
    const others = parameters
      .filter(({ optional }, i) => i <= at || !optional)
      .map((one) => `a_${one.accepts[0] ?? 'string'}`)
    return accepts.map((type) =>
      nested(`a_${type}`, (value) => {
        return `${CONVERSIONS[type]}(${name}(${others.with(at, value).join(', ')}))`
      }),
    )
  })
})

const INFIX = ['+', '==', '<', '=~', 'has', 'contains', 'startswith', 'hasprefix', 'and']

/** Each operator with the nested value on either side, and a field of its type or of several types on the other. */
const OPERATIONS = TYPES.flatMap((type) =>
  [type, 'dynamic'].flatMap((other) =>
    [
      ...INFIX.flatMap((word) => [
        (value: string) => `${value} ${word} a_${other}`,
        (value: string) => `a_${other} ${word} ${value}`,
      ]),
      (value: string) => `${value} in (a_${other}, a_dynamic)`,
      (value: string) => `${value} between (a_${other} .. a_${other})`,
      (value: string) => `a_dynamic[${value}]`,
    ].map((step) => nested(`a_${type}`, (value) => `${CONVERSIONS[type]}(${step(value)})`)),
  ),
)

describe.each([
  ['functions', CALLS],
  ['operators', OPERATIONS],
])('nested %s', (_, values) => {
  it('make a statement whose length does not double with each level', () => {
    const lengths = values.flatMap((value) => {
      const length = lengthOf(`extend x = ${value}`)
      return length === undefined ? [] : [{ value, length }]
    })
    expect(lengths.length).toBeGreaterThan(100)
    expect(lengths.filter(({ length }) => length > MAX_LENGTH)).toEqual([])
  })
})

it('a long list of values is compiled like a short one', () => {
  const within = (count: number): number => {
    const terms = Array.from({ length: count }, (_, n) => `"term-${10_000 + n}"`)
    return lengthOf(`where a_string has_any (${terms.join(', ')})`)!
  }
  expect((within(3_000) - within(2_000)) / 1_000).toBe((within(30) - within(20)) / 10)
})

describe('the value of nested calls', () => {
  let world: World

  beforeAll(async () => {
    const engine = await openTestEngine()
    const events = [
      '{"_time":"2026-01-01T00:00:00Z","s":"été","d":[1,2,3],"e":[true,1],"n":1}',
      '{"_time":"2026-01-01T00:00:01Z"}',
    ]
    const dataset = await layOut(engine, { table: 'logs', events, hot: true })
    world = { engine, datasets: new Map([['logs', dataset]]), now: 0n }
  })

  afterAll(() => world.engine.close())

  it.each([
    ['totitle', nested('s', (value) => `totitle(${value})`), ['Été', null]],
    ['a regular expression', nested('s', (value) => `extract('(.+)', 1, ${value})`), ['été', null]],
    ['rotation', nested('d', (value) => `array_rotate_left(${value}, 1)`), [[1, 2, 3], null]],
    ['shift', nested('d', (value) => `array_shift_left(${value}, 0)`), [[1, 2, 3], null]],
    ['membership', nested('n', (value) => `tobool(${value} in (e))`), [true, false]],
  ])('of %s is that of single calls', async (_, value, expected) => {
    const { rows } = await ask(world, `logs | sort by _time asc | project x = ${value}`)
    expect(rows.map(([cell]) => JSON.parse(cell!))).toEqual(expected)
  })
})
