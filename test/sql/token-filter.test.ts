import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeTokens } from '../../src/sql/stage/token-filter.js'
import { ask, compiled, matchedBy, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'
import { tokensTested, withTokenIndexes } from '../support/tokens.js'
import { writtenAsJson } from '../support/written.js'

const WORDS = 'needle kiosk ſoſ bad1e5 1e5 n u2028 U000a 4242 true sky straße'.split(' ')
const SEPARATORS = [...' -/\\"\n\téſ\u212a—\u0001\u2028😀.', '', '; ']
const PIECE = fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...SEPARATORS))
const STRING = fc
  .array(PIECE, { maxLength: 6 })
  .chain((pieces) => fc.constantFrom(pieces.join(''), pieces.join('').toUpperCase()))
const WRITTEN = STRING.chain(writtenAsJson)
const NUMBER = fc.constantFrom('4242', '1e5', '100000', '1.5e300', '-0.0')
const ARRAY = fc
  .array(fc.oneof(WRITTEN, NUMBER), { maxLength: 3 })
  .chain((items) => fc.constantFrom(`[${items.join(', ')}]`, `[${items.join(',')}]`))
const EVENT = fc
  .tuple(WRITTEN, WRITTEN, fc.oneof(WRITTEN, NUMBER, ARRAY), ARRAY)
  .map(
    ([text, other, mixed, list]) =>
      `"text":${text},"other":${other},"mixed":${mixed},"list":${list}`,
  )

const events = fc
  .sample(EVENT, { numRuns: 500, seed: 5 })
  .map((members, i) => `{"_time":"2026-01-05T10:${10 + (i % 50)}:00Z","i":${i},${members}}`)

const OPERATORS =
  'has has_cs hasprefix hassuffix contains contains_cs startswith endswith_cs == set_has_element'
const DYNAMIC = ['mixed', 'list']
/** A word, and what may be around it in a string. */
const TERM = fc
  .tuple(
    fc.constantFrom('', ...SEPARATORS),
    fc.constantFrom(...WORDS),
    fc.constantFrom('', ...SEPARATORS),
  )
  .map((parts) => parts.join(''))
const CASES = fc.record({
  field: fc.constantFrom('*', '*', 'text', 'mixed', 'list', 'tostring(text)', 'tostring(mixed)'),
  operator: fc.constantFrom(...OPERATORS.split(' ')),
  term: fc.oneof(fc.constantFrom(...WORDS), TERM),
})

/** Conditions that are computed by one query. */
const TOGETHER = 10

let world: World
const counter = { tested: 0 }

beforeAll(async () => {
  const engine = await openTestEngine()
  const datasets = new Map(
    await Promise.all(
      [true, false].map(async (hot) => {
        const table = hot ? 'columns' : 'texts'
        return [table, withTokenIndexes(await layOut(engine, { table, events, hot }))] as const
      }),
    ),
  )
  world = { engine: tokensTested(engine, counter), datasets, now: 0n }
})

afterAll(() => world.engine.close())

it('keeps all events that the operators keep', async () => {
  let hits = 0
  const all = fc
    .sample(CASES, { numRuns: 270, seed: 2 })
    .filter(({ field, operator, term }) => term !== '' && !(field === '*' && operator.length === 2))
    .filter(({ field, operator }) => operator !== 'set_has_element' || DYNAMIC.includes(field))
    .map(({ field, operator, term }) => {
      const written = JSON.stringify(term).replaceAll('\u2028', '\\u2028')
      return operator === 'set_has_element'
        ? `${operator}(${field}, ${written})`
        : `${field} ${operator} ${written}`
    })
  for (const table of ['columns', 'texts']) {
    for (let start = 0; start < all.length; start += TOGETHER) {
      const tests = all.slice(start, start + TOGETHER)
      // After a step that computes them, nothing is filtered before.
      const values = tests.map((test, i) => `f${i} = ${test}`).join()
      const totals = tests.map((_, i) => `countif(f${i}), sumif(i, f${i})`).join()
      const exact = await ask(world, `${table} | extend ${values} | summarize ${totals}`)
      for (const [i, test] of tests.entries()) {
        const expected = exact.rows[0]!.slice(2 * i, 2 * i + 2)
        const counted = await matchedBy(world, `${table} | where ${test}`, {
          dividesSearches: true,
        })
        expect({ test, table, counted }).toEqual({ test, table, counted: `[${expected[0]}]` })
        for (const dividesSearches of test.startsWith('*') ? [false, true] : [false]) {
          const apl = `${table} | where ${test} | summarize count(), sum(i)`
          const { rows } = await ask(world, apl, { dividesSearches })
          expect({ apl, dividesSearches, rows }).toEqual({ apl, dividesSearches, rows: [expected] })
        }
        hits += Number(expected[0])
      }
    }
  }
  expect(hits).toBeGreaterThan(500)
  expect(counter.tested).toBeGreaterThan(50)
})

/** Tests of several terms, each with the test of one term and the operator that joins them. */
const LISTS: Readonly<Record<string, readonly [one: string, sign: 'and' | 'or']>> = {
  has_any: ['has', 'or'],
  has_any_cs: ['has_cs', 'or'],
  in: ['==', 'or'],
  'chain of has': ['has', 'or'],
  'chain of has_cs': ['has_cs', 'or'],
  'chain of !has': ['!has', 'and'],
  'chain of !has_cs': ['!has_cs', 'and'],
}

it('keeps all events that have one of several terms, or none of them', async () => {
  const LISTED = fc.record({
    form: fc.constantFrom(...Object.keys(LISTS)),
    field: fc.constantFrom('text', 'mixed', 'list', 'tostring(text)'),
    terms: fc.array(fc.oneof(fc.constantFrom(...WORDS), TERM), { minLength: 2, maxLength: 4 }),
  })
  let hits = 0
  const all = fc.sample(LISTED, { numRuns: 60, seed: 3 })
  for (const { form, field, terms } of all) {
    const [one, sign] = LISTS[form]!
    const written = terms.map((term) => JSON.stringify(term).replaceAll('\u2028', '\\u2028'))
    const tests = written.map((term) => `${field} ${one} ${term}`)
    const test = form.startsWith('chain')
      ? [...tests, `other == "kiosk"`].join(` ${sign} `)
      : `${field} ${form} (${written.join()})`
    // Each term is looked for by itself.
    const parts = form.startsWith('chain') ? [...tests, `other == "kiosk"`] : tests
    const values = parts.map((part, i) => `f${i} = ${part}`).join()
    const joined = parts.map((_, i) => `f${i}`).join(` ${sign} `)
    for (const table of ['columns', 'texts']) {
      const steps = `extend ${values} | where ${joined} | summarize count(), sum(i)`
      const { rows: expected } = await ask(world, `${table} | ${steps}`)
      const { rows } = await ask(world, `${table} | where ${test} | summarize count(), sum(i)`)
      expect({ test, table, rows }).toEqual({ test, table, rows: expected })
      const late = `take 1000 | where ${test} | summarize count(), sum(i)`
      expect((await ask(world, `${table} | ${late}`)).rows).toEqual(expected)
      hits += Number(expected[0]![0])
    }
  }
  expect(hits).toBeGreaterThan(300)
})

describe('the tokens of a term', () => {
  const none = { start: false, end: false }
  const both = { start: true, end: true }

  it.each([
    ['needle', both, ['needle']],
    ['needle', none, []],
    ['GET /v1/Items', none, ['v1']],
    ['GET /v1/Items', both, ['get', 'v1', 'items']],
    ['a-b-a', both, ['a', 'b']],
    ['für-alle zeit', both, ['alle', 'zeit']],
    ['x\u212ay-z', both, ['z']],
    ['-needle', { start: true, end: false }, []],
    ['-needle', { start: false, end: true }, ['needle']],
  ])('%j with %j are %j', (term, ends, tokens) => {
    expect(completeTokens(term, ends)).toEqual(tokens)
  })
})

it.each([
  // A part of a token.
  'columns | where text contains "needle"',
  // The number 4242 is in no index.
  'texts | where mixed has "4242"',
  'texts | where mixed has "1e5"',
  // Too frequent.
  'columns | where text has "ab"',
  'columns | where text has "needle" or i > 5',
  'columns | where not(text has "needle")',
  'columns | extend text = tolower(text) | where text has "needle"',
  'columns | take 5 | where text has "needle"',
  'texts | where mixed == "needle"',
  'columns | where text has_any ("needle", "ab")',
  `columns | where text in (${Array.from({ length: 65 }, (_, i) => `"needle${i}"`)})`,
  'columns | where text !has "needle" and text !has "kiosk"',
])('uses no index: %s', (apl) => {
  expect(statementOf(apl)).not.toContain('indexHint')
})

it.each([
  ['columns | where text has "needle"', "'needle')"],
  ['columns | where text == "4242"', "'4242')"],
  ['columns | where * has "needle-4242"', "['needle', '4242'])"],
  ['texts | where mixed has "needle-4242"', "'needle') OR has("],
  ['search in (columns) "needle" | count', "'needle')"],
  ['columns | where text in ("4242", "needle")', "['4242', 'needle'])"],
  ['columns | where text has_any ("needle", "a-kiosk-x")', "['needle', 'kiosk'])"],
  ['columns | where text has "needle" or text has "kiosk"', "['needle', 'kiosk'])"],
  ['columns | where text has "needle" or text has_cs "kiosk"', "'kiosk')"],
])('uses an index: %s', (apl, tokens) => {
  expect(statementOf(apl)).toContain('indexHint(false) OR')
  expect(statementOf(apl)).toContain(tokens)
})

// The engine would compute an expression that several hints have in common for each event.
it.each([
  'columns | where text has "needle" and text has "kiosk"',
  'columns | where text has "needle" | where text has "kiosk" | count',
])('has one hint: %s', (apl) => {
  expect(statementOf(apl).split('indexHint')).toHaveLength(2)
})

function statementOf(apl: string): string {
  const result = compiled(world, apl)
  if ('problems' in result) throw new Error(apl)
  return result.query.statement.text
}
