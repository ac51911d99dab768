import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

// Array functions, compared with JavaScript.

type Json = null | boolean | number | string | readonly Json[]

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom(null, true, false, '', 'a', 'b', 'ab', '1', 'é"\\/', 0, 1, 2, -1, 1.5, 10),
  fc.integer(),
  fc.string({ maxLength: 3, unit: 'grapheme' }),
)
const json: fc.Arbitrary<Json> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) },
)
const row = fc.record({
  a: fc.array(json, { maxLength: 7 }),
  b: fc.array(json, { maxLength: 7 }),
  n: fc.integer({ min: -9, max: 9 }),
  m: fc.integer({ min: -9, max: 9 }),
})
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never
const rows: readonly Row[] = fc.sample(row, { numRuns: 300, seed: 4 })

let world: World

beforeAll(async () => {
  const engine = await openTestEngine()
  const events = rows.map((each, i) =>
    JSON.stringify({ _time: '2026-01-01T00:00:00Z', i, ...each }),
  )
  const dataset = await layOut(engine, { table: 'arrays', events, hot: true })
  world = { engine, datasets: new Map([['arrays', dataset]]), now: 0n }
})

afterAll(() => world.engine.close())

function turned<T>(items: readonly T[], by: number): readonly T[] {
  if (items.length === 0) return items
  const at = ((by % items.length) + items.length) % items.length
  return [...items.slice(at), ...items.slice(0, at)]
}

function shifted(items: readonly Json[], by: number): readonly Json[] {
  return items.map((_, i) => items[i + by] ?? null)
}

function once(items: readonly Json[]): readonly Json[] {
  return items.filter((item, i) => items.findIndex((other) => same(item, other)) === i)
}

function same(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function has(items: readonly Json[], item: Json): boolean {
  return items.some((other) => same(item, other))
}

function rank(item: Json): number {
  if (item === null) return 3
  if (typeof item === 'number') return 0
  return typeof item === 'string' ? 1 : 2
}

function compare(a: Json, b: Json): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [x, y] = [a, b].map((item) =>
    Buffer.from(typeof item === 'string' ? item : JSON.stringify(item)),
  )
  return Buffer.compare(x!, y!)
}

function sorted(items: readonly Json[], sign: number): readonly Json[] {
  const present = items.filter((item) => item !== null)
  return [...present.sort((a, b) => sign * compare(a, b)), ...items.filter((item) => item === null)]
}

function pieces(items: readonly Json[], at: number): readonly (readonly Json[])[] {
  return [items.slice(0, at), items.slice(at < -items.length ? 0 : at)]
}

/** Elements of an array are compared with a string as `tostring` returns them. */
function asText(item: Json): string {
  return typeof item === 'string' ? item : JSON.stringify(item)
}

/** The parts of a string, which the engine holds as an array of strings. */
const SPLIT = 'split(strcat_array(a, ","), ",")'

function split(items: readonly Json[]): readonly string[] {
  return items
    .map((item) => (item === null ? '' : asText(item)))
    .join(',')
    .split(',')
}

const FUNCTIONS: Readonly<Record<string, (row: Row) => Json>> = {
  'array_concat(a, b)': ({ a, b }) => [...a, ...b],
  'array_reverse(a)': ({ a }) => a.toReversed(),
  'array_rotate_left(a, n)': ({ a, n }) => turned(a, n),
  'array_rotate_right(a, n)': ({ a, n }) => turned(a, -n),
  'array_shift_left(a, n)': ({ a, n }) => shifted(a, n),
  'array_shift_right(a, n)': ({ a, n }) => shifted(a, -n),
  // `slice` interprets its ends like `array_slice`.
  'array_slice(a, n, m)': ({ a, n, m }) => a.slice(n, m),
  'array_split(a, n)': ({ a, n }) => pieces(a, n === 0 ? 0 : n),
  'array_split(a, a[99])': () => null,
  'array_sort_asc(a)': ({ a }) => sorted(a, 1),
  'array_sort_desc(a)': ({ a }) => sorted(a, -1),
  'array_length(a)': ({ a }) => a.length,
  'set_union(a, b)': ({ a, b }) => once([...a, ...b]),
  'set_intersect(a, b)': ({ a, b }) => once(a).filter((item) => has(b, item)),
  'set_difference(a, b)': ({ a, b }) => once(a).filter((item) => !has(b, item)),
  'array_index_of(a, b[0])': ({ a, b }) => a.findIndex((item) => same(item, b[0] ?? null)),
  'set_has_element(a, b[0])': ({ a, b }) => has(a, b[0] ?? null),
  'array_index_of(a, "1")': ({ a }) => a.findIndex((item) => item !== null && asText(item) === '1'),
  'set_has_element(a, "ab")': ({ a }) => a.some((item) => item !== null && asText(item) === 'ab'),
  'strcat_array(a, "-")': ({ a }) => a.map((item) => (item === null ? '' : asText(item))).join('-'),
  'strcat_array(a[99], "-")': () => null,
  [`array_reverse(${SPLIT})`]: ({ a }) => split(a).toReversed(),
  [`array_rotate_left(${SPLIT}, n)`]: ({ a, n }) => turned(split(a), n),
  [`array_slice(${SPLIT}, n, m)`]: ({ a, n, m }) => split(a).slice(n, m),
  [`array_slice(${SPLIT}, toint(a[99]), m)`]: () => null,
  [`strcat_array(array_slice(${SPLIT}, n, m), "-")`]: ({ a, n, m }) =>
    split(a).slice(n, m).join('-'),
  [`array_length(array_slice(${SPLIT}, n, m))`]: ({ a, n, m }) => split(a).slice(n, m).length,
  'pack_array(a, n, b)': ({ a, n, b }) => [a, n, b],
  'range(n, m)': ({ n, m }) => Array.from({ length: Math.max(m - n + 1, 0) }, (_, i) => n + i),
  'range(n, m, -2)': ({ n, m }) =>
    Array.from({ length: Math.max(Math.floor((n - m) / 2) + 1, 0) }, (_, i) => n - 2 * i),
  'range(n, m, 0.5)': ({ n, m }) =>
    Array.from({ length: Math.max((m - n) * 2 + 1, 0) }, (_, i) => n + i / 2),
}

it.each(Object.entries(FUNCTIONS))('%s', async (call, expected) => {
  const query = `arrays | sort by i asc | project ${call}`
  const { rows: found } = await ask(world, query)
  const values = found.map(([cell]) => JSON.parse(cell!))
  expect(values).toEqual(rows.map(expected))
})
