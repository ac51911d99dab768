import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.js'
import { ask } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'
import { RUNS } from '../support/runs.js'

// Functions compared with JavaScript, over many strings at once.

let engine: Engine

beforeAll(async () => {
  engine = await openTestEngine()
})

afterAll(() => engine.close())

let tables = 0

/** The JSON value of an expression over `a`, `b` and `c` for each event. */
async function over(events: readonly object[], expression: string): Promise<readonly string[]> {
  const lines = events.map((event, row) =>
    JSON.stringify({ _time: '2026-01-01T00:00:00Z', row, ...event }),
  )
  const dataset = await layOut(engine, { table: `t${++tables}`, events: lines, hot: true })
  const world = { engine, datasets: new Map([['t', dataset]]), now: 0n }
  const { rows } = await ask(world, `t | sort by row asc | project ${expression}`)
  return rows.map((row) => row.join(' '))
}

const TEXT = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', '🦆', '/', '.', '*', '\\', ' ', '"', '#', '-'),
  maxLength: 8,
})
const PART = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', '.', '-'),
  minLength: 1,
  maxLength: 2,
})

async function holds<T extends object>(
  event: fc.Arbitrary<T>,
  expression: string,
  expected: (event: T) => unknown,
): Promise<void> {
  const events = fc.array(event, { minLength: 1, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(events, async (all) => {
      const found = await over(all, expression)
      expect(found.map((json) => JSON.parse(json))).toEqual(all.map(expected))
    }),
    { numRuns: RUNS / 2 },
  )
}

it('indexof counts characters', async () => {
  const event = fc.record({ a: TEXT, b: PART, c: fc.integer({ min: -9, max: 9 }) })
  await holds(event, 'indexof(a, b, c)', ({ a, b, c }) => {
    const characters = [...a]
    const from = c < 0 ? Math.max(characters.length + c, 0) : c
    const rest = characters.slice(from).join('')
    const at = rest.indexOf(b)
    return at === -1 ? -1 : from + [...rest.slice(0, at)].length
  })
})

it('countof counts non-overlapping occurrences', async () => {
  const event = fc.record({ a: TEXT, b: PART })
  await holds(event, 'countof(b, a)', ({ a, b }) => a.split(b).length - 1)
})

it('translate maps character by character', async () => {
  const event = fc.record({ a: TEXT, b: TEXT, c: TEXT })
  await holds(event, 'translate(b, c, a)', ({ a, b, c }) => {
    const [from, to] = [[...b], [...c]]
    const other = (at: number) => to[Math.min(at, to.length - 1)] ?? ''
    return [...a].map((one) => (from.includes(one) ? other(from.indexOf(one)) : one)).join('')
  })
})

it('trim removes the characters of a set', async () => {
  const event = fc.record({ a: TEXT, b: TEXT })
  await holds(event, 'trim(b, a)', ({ a, b }) => {
    const inside = [...a]
    while (inside.length > 0 && [...b].includes(inside[0]!)) inside.shift()
    while (inside.length > 0 && [...b].includes(inside.at(-1)!)) inside.pop()
    return inside.join('')
  })
})

it('a computed regex has the same matches as a literal one', async () => {
  const event = fc.record({ a: TEXT })
  const same = [
    'extract(r, 1, a) == extract("(a|é.)+(b?)", 1, a)',
    'countof_regex(r, a) == countof_regex("(a|é.)+(b?)", a)',
    'indexof_regex(a, r) == indexof_regex(a, "(a|é.)+(b?)")',
    'extract_all(r, dynamic([1, 2]), a) == extract_all("(a|é.)+(b?)", dynamic([1, 2]), a)',
  ].join(' and ')
  const withRegex = event.map(({ a }) => ({ a, r: '(a|é.)+(b?)' }))
  await holds(withRegex, same, () => true)
})

it('dynamic_to_json sorts keys at every depth', async () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '#', '"', ',', '{'), maxLength: 3 })
  const { tree } = fc.letrec((tie) => ({
    leaf: fc.oneof(TEXT, fc.integer(), fc.boolean(), fc.constant(null)),
    tree: fc.oneof(
      { depthSize: 'small' },
      tie('leaf'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
    ),
  }))
  const event = tree.map((value) => ({ a: JSON.stringify({ value }) }))
  await holds(event, 'dynamic_to_json(parse_json(a))', ({ a }) =>
    JSON.stringify(sorted(JSON.parse(a))),
  )
})

/** The value with object keys sorted by code point. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  )
  return Object.fromEntries(members.map(([key, inner]) => [key, sorted(inner)]))
}

it('encodings round-trip', async () => {
  const event = fc.record({ a: TEXT })
  const back = [
    'base64_decode_tostring(base64_encode_tostring(a)) == a',
    'base64_encode_fromarray(base64_decode_toarray(base64_encode_tostring(a))) == base64_encode_tostring(a)',
    'url_decode(url_encode(a)) == a',
    'unicode_codepoints_to_string(unicode_codepoints_from_string(a)) == a',
    'parse_json(quote(a)) == a',
    'reverse(reverse(a)) == a',
    'a matches regex strcat("^", regex_quote(a), "$")',
  ].join(' and ')
  await holds(event, back, () => true)
})

it('the Luhn check digits match the standard', async () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 15, maxLength: 15 })
  await holds(fc.record({ a: digits }), 'isimei(a)', ({ a }) => {
    const sum = [...a].reverse().reduce((total, digit, i) => {
      const value = Number(digit) * (i % 2 === 1 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
    return sum % 10 === 0
  })
})
