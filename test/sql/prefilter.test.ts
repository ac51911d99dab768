import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, compiled, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'
import { writtenAsJson } from '../support/written.js'

// Before a term is searched for exactly, the bytes of the columns and of the text are. Here, the result is compared with that of
// the exact test alone: one in `extend` is not preceded by the other.

const CHARACTERS = 'aBksKSſ\u212aeéÉж01928u-._@:,/\\"[]{} \n\t\u0001\u001f\u2028\u2029🦆'
const STRING = fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 9 })
const NUMBERS = '0 -0 7 28 404 -15 1000 2028 12345678901234567890 9007199254740993'.split(' ')
const REALS = '1e3 1.50 0.1000 1E-7 0.00001 0.0000001 123456789.123456789123 5.0 2e21 -0.0'.split(
  ' ',
)

/** A JSON string, in which each character is written in one of the ways that JSON allows. */
const WRITTEN = STRING.chain(writtenAsJson)

const INTEGER = fc.constantFrom(...NUMBERS.slice(0, 8))
const REAL = fc.constantFrom(...REALS)
const SCALAR = fc.oneof(
  WRITTEN,
  WRITTEN,
  fc.constantFrom(...NUMBERS),
  REAL,
  fc.constantFrom('true', 'false', 'null'),
)
const ARRAY = fc
  .array(
    fc.oneof(
      SCALAR,
      fc.tuple(WRITTEN, SCALAR).map(([key, value]) => `{${key}: ${value}}`),
    ),
    { maxLength: 3 },
  )
  .chain((items) => fc.constantFrom(`[${items.join(', ')}]`, `[${items.join(',')}]`))

const EVENT = fc
  .tuple(
    WRITTEN,
    INTEGER,
    REAL,
    fc.boolean(),
    fc.oneof(SCALAR, ARRAY),
    WRITTEN,
    fc.oneof(ARRAY, WRITTEN),
  )
  .map(
    ([text, int, real, bool, mixed, inner, list]) =>
      `"text":${text},"int":${int},"real":${real},"bool":${bool},"mixed":${mixed},"geo":{"city":${inner}},"list":${list}`,
  )

// The engine writes this one as an escape.
const SEPARATED = '"text":"","int":1,"list":["\u2028z"]'

const events = [SEPARATED, ...fc.sample(EVENT, { numRuns: 400, seed: 3 })].map(
  (members, i) => `{"_time":"2026-01-05T10:${10 + (i % 50)}:00Z","i":${1_000_000 + i},${members}}`,
)

const OPERATORS = [
  'has',
  'has_cs',
  'hasprefix',
  'hasprefix_cs',
  'hassuffix',
  'contains',
  'contains_cs',
]
const TEXTS = 'text mixed list real int bool _time ["geo.city"]'.split(' ')
const FIELDS = [
  ...['*', '*', '*', 'text', 'mixed', 'list', '["geo.city"]', 'text', 'mixed'],
  ...TEXTS.map((field) => `tostring(${field})`),
]

let world: World

beforeAll(async () => {
  const engine = await openTestEngine()
  const datasets = new Map(
    await Promise.all(
      [true, false].map(async (hot) => {
        const table = hot ? 'columns' : 'texts'
        return [table, await layOut(engine, { table, events, hot })] as const
      }),
    ),
  )
  world = { engine, datasets, now: 0n }
})

afterAll(() => world.engine.close())

/** Terms that occur in the events: parts of the strings that are searched. */
async function terms(count: number): Promise<readonly string[]> {
  const shown = 'coalesce(tostring(text), "")'
  const { rows } = await ask(
    world,
    `texts | project s = strcat_delim(" ", ${shown}, tostring(mixed), tostring(list), tostring(real), tostring(["geo.city"]))`,
  )
  const all = rows.map(([cell]) => JSON.parse(cell!) as string).filter((one) => one.length > 2)
  const place = fc.tuple(fc.constantFrom(...all), fc.nat(), fc.integer({ min: 1, max: 5 }))
  return fc.sample(place, { numRuns: count, seed: 11 }).map(([text, at, length]) => {
    const characters = [...text]
    const start = at % characters.length
    return characters.slice(start, start + length).join('')
  })
}

function quoted(term: string): string {
  return JSON.stringify(term).replace(
    /[\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16)}`,
  )
}

/** The numbers in other forms than in the events, and characters that can be written in several ways. */
const WRITTEN_TERMS = '1000 1e-7 7 u2028 2028 028z k ſ S \u212a é " / 2026 10 true 05t10 k-1'.split(
  ' ',
)

const ELEMENTS = [...NUMBERS, ...REALS, ...WRITTEN_TERMS, '1.5', '1000', 'true', 'null', '"', '']

it('finds the same events as the exact test alone', async () => {
  const tests = [
    ...WRITTEN_TERMS.flatMap((term) => [`* contains ${quoted(term)}`, `* has ${quoted(term)}`]),
    ...ELEMENTS.map((element) => `set_has_element(list, ${quoted(element)})`),
    ...(await terms(220)).map((term, i) => {
      const varied = i % 3 === 0 ? term.toUpperCase() : term
      return `${FIELDS[i % FIELDS.length]} ${OPERATORS[i % OPERATORS.length]} ${quoted(varied)}`
    }),
  ]
  let hits = 0
  for (const test of tests) {
    for (const table of ['columns', 'texts']) {
      const [fast, exact] = await Promise.all([
        ask(world, `${table} | where ${test} | sort by i asc | project i`),
        ask(world, `${table} | extend found = ${test} | where found | sort by i asc | project i`),
      ])
      expect({ test, table, rows: fast.rows }).toEqual({ test, table, rows: exact.rows })
      hits += exact.rows.length
    }
  }
  expect(hits).toBeGreaterThan(1_000)
})

it.each([
  ['texts | where * has "ab-c"', "'ab-c'"],
  ['texts | where text contains "ab" and int > 5', "'ab'"],
  ['texts | where tostring(mixed) contains "ab"', "positionCaseInsensitive(line, 'ab')"],
  ['texts | where set_has_element(list, "ab")', "position(line, 'ab')"],
  ['columns | where * hasprefix "ab" or text hassuffix "cd"', "'cd'"],
  ['union columns, texts | search "ab"', "positionCaseInsensitive(line, 'ab')"],
  ['search in (columns, texts) i > 5 and "ab"', "positionCaseInsensitive(line, 'ab')"],
])('reads the bytes first: %s', (apl, bytes) => {
  const result = compiled(world, apl)
  if ('problems' in result) throw new Error(apl)
  const { text } = result.query.statement
  expect(text).toContain(bytes)
})

it.each([
  'search in (columns, texts) "ab" or "k*"',
  'union columns, texts | where * contains "b" and not(* has "1")',
  'search in (columns, texts) i >= 1000100 and "b" and not("1") and bool == true',
  'union (columns | sort by i asc | take 50), texts | search "*k*"',
  'union columns, texts | sort by i asc, _time asc | take 50 | search "*k*"',
])('finds the same events of a union: %s', async (apl) => {
  // After a step that computes something, the parts are not filtered.
  const [from, ...filter] = apl
    .replace('search in (columns, texts)', 'union columns, texts | search')
    .split(/ \| (?=where|search)/)
  const rest = 'summarize count(), sum(i), min(i), max(i)'
  const before = `${from} | extend i = i + 0 | project _time, i, text, mixed, list, real, int, bool, ["geo.city"]`
  const filtered = await ask(world, `${apl} | ${rest}`)
  const alone = await ask(world, `${before} | ${filter.join(' | ')} | ${rest}`)
  expect(filtered.rows).toEqual(alone.rows)
  expect(filtered.rows[0]![0]).not.toBe('0')
})
