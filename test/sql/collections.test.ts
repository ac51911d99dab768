import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dropTable } from '../../src/engine/catalog/deletion.js'
import type { Engine } from '../../src/engine/engine.js'
import { ask, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'
import { RUNS } from '../support/runs.js'

// Aggregations that return arrays, rows and spreads, compared with the same computed in JavaScript.

let engine: Engine
let tables = 0

beforeAll(async () => {
  engine = await openTestEngine()
})

afterAll(() => engine.close())

interface Event {
  /** Seconds after the first event. */
  readonly at: number
  readonly group: string
  readonly value: number | null
  readonly word: string | null
  readonly mixed: number | string | boolean | null
}

const event: fc.Arbitrary<Event> = fc.record({
  at: fc.integer({ min: 0, max: 5 }),
  group: fc.constantFrom('a', 'b', 'c'),
  value: fc.option(fc.integer({ min: -20, max: 20 }), { freq: 4 }),
  word: fc.option(fc.constantFrom('x', 'y', 'ü', '"', '\\', ''), { freq: 4 }),
  mixed: fc.option(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('1', 'b', true))),
})
const events = fc.array(event, { minLength: 1, maxLength: 40 })

/** Every field has a fixed type, regardless of the generated events. */
const TYPED = { at: 0, group: 'none', value: 0, word: 'none', mixed: ['none'] }

async function responses(all: readonly Event[], apl: string): Promise<readonly unknown[][]> {
  const table = `t${tables++}`
  const lines = [...all, TYPED].map(({ at, ...rest }) =>
    JSON.stringify({ _time: new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString(), ...rest }),
  )
  const dataset = await layOut(engine, { table, events: lines, hot: true })
  const world: World = { engine, datasets: new Map([['t', dataset]]), now: 0n }
  const { rows } = await ask(world, `t | where group != "none" | ${apl}`)
  await dropTable(engine, table)
  return rows.map((row) => row.map((cell) => JSON.parse(cell)))
}

/** Oldest first, in order of arrival. */
function inTime(all: readonly Event[]): readonly Event[] {
  return all.toSorted((a, b) => a.at - b.at)
}

function present<T>(values: readonly (T | null)[]): readonly T[] {
  return values.filter((value) => value !== null)
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}

function holds(
  name: string,
  apl: string,
  expected: (all: readonly Event[]) => readonly unknown[],
): void {
  it(name, async () => {
    await fc.assert(
      fc.asyncProperty(events, async (all) => {
        expect(await responses(all, apl)).toEqual([expected(all)])
      }),
      { numRuns: RUNS },
    )
  })
}

holds(
  'lists values and sets in the order of the rows',
  'summarize make_list(word), make_list(value, 3), make_set(mixed), make_set_if(word, value > 0, 2)',
  (all) => {
    const newest = inTime(all).toReversed()
    const positive = newest.filter(({ value }) => value !== null && value > 0)
    return [
      present(newest.map(({ word }) => word)),
      present(newest.map(({ value }) => value)).slice(0, 3),
      distinct(present(newest.map(({ mixed }) => mixed))),
      distinct(present(positive.map(({ word }) => word))).slice(0, 2),
    ]
  },
)

holds(
  'keeps the order of a sort in lists',
  'sort by value asc, word desc | summarize make_list(value), make_list(word), make_set(value)',
  (all) => {
    const words = ['x', 'y', 'ü', '"', '\\', ''].sort()
    const rank = (word: string | null) => (word === null ? -1 : words.indexOf(word))
    const least = -1e9
    const sorted = inTime(all)
      .toReversed()
      .toSorted((a, b) => (a.value ?? least) - (b.value ?? least) || rank(b.word) - rank(a.word))
    const values = present(sorted.map(({ value }) => value))
    return [values, present(sorted.map(({ word }) => word)), distinct(values)]
  },
)

holds(
  'lists the set of a single aggregation in the order of the rows',
  'summarize make_set(mixed, 3)',
  (all) => [
    distinct(
      present(
        inTime(all)
          .toReversed()
          .map(({ mixed }) => mixed),
      ),
    ).slice(0, 3),
  ],
)

holds(
  'lists a set beside numbers of rows',
  'take 7 | summarize n = count(), make_set(mixed, 3), countif(value > 0)',
  (all) => {
    const newest = inTime(all).toReversed().slice(0, 7)
    const positive = newest.filter(({ value }) => value !== null && value > 0)
    const set = distinct(present(newest.map(({ mixed }) => mixed))).slice(0, 3)
    return [newest.length, set, positive.length]
  },
)

holds(
  'lists the set of a single aggregation after a sort, with a condition',
  'sort by value asc | where group != "a" | summarize make_set_if(value, word == "x", 2)',
  (all) => {
    const taken = all.filter(({ group, word }) => group !== 'a' && word === 'x')
    const values = present(taken.map(({ value }) => value))
    return [distinct(values.toSorted((a, b) => a - b)).slice(0, 2)]
  },
)

// A negative number times zero is negative zero, which equals zero.
holds('lists zero once', 'where isnotnull(value) | summarize make_set(value * 0.0)', (all) => [
  present(all.map(({ value }) => value)).length > 0 ? [0] : [],
])

holds('counts zeros together', 'summarize topk(value * 0.0, 2)', (all) => {
  const { length } = present(all.map(({ value }) => value))
  return [length > 0 ? [{ key: 0, count: length, error: 0 }] : []]
})

holds(
  'finds the earliest of the rows with the largest and the smallest value',
  'summarize arg_max(value, word, mixed), arg_min(value, group, word)',
  (all) => {
    const valued = inTime(all).filter(({ value }) => value !== null)
    const best = (sign: number) =>
      valued.reduce<Event | undefined>(
        (a, b) => (a && sign * a.value! >= sign * b.value! ? a : b),
        undefined,
      )
    const [most, least] = [best(1), best(-1)]
    return [most?.value, most?.word, most?.mixed, least?.value, least?.group, least?.word].map(
      (value) => value ?? null,
    )
  },
)

function top(values: readonly (string | number)[], count: number) {
  const byCodePoint = (a: string | number, b: string | number) => (a < b ? -1 : 1)
  return distinct(values)
    .map((key) => ({ key, count: values.filter((value) => value === key).length, error: 0 }))
    .toSorted((a, b) => b.count - a.count || byCodePoint(a.key, b.key))
    .slice(0, count)
}

holds(
  'counts the most frequent values exactly',
  'summarize topk(value, 3), topkif(word, 2, group == "a")',
  (all) => {
    const ofA = all.filter(({ group }) => group === 'a')
    return [
      top(present(all.map(({ value }) => value)), 3),
      top(present(ofA.map(({ word }) => word)), 2),
    ]
  },
)

holds(
  'counts the most frequent values of a single aggregation',
  'summarize topk(word, 3)',
  (all) => [top(present(all.map(({ word }) => word)), 3)],
)

/** Returns the most frequent sequences of two to four words, without those that only occur inside a longer one. */
function frequentPhrases(texts: readonly string[], limit: number): readonly string[] {
  const counts = new Map<string, number>()
  for (const text of texts) {
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    for (let at = 0; at < words.length; at++) {
      for (let end = at + 2; end <= Math.min(at + 4, words.length); end++) {
        const phrase = words.slice(at, end).join(' ')
        counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
      }
    }
  }
  const size = (phrase: string) => phrase.split(' ').length
  const most = [...counts]
    .toSorted(([a, n], [b, m]) => m - n || size(b) - size(a) || (a < b ? -1 : 1))
    .slice(0, limit * 6)
  const isPart = (phrase: string, count: number) =>
    most.some(
      ([other, n]) => n === count && other !== phrase && ` ${other} `.includes(` ${phrase} `),
    )
  return most
    .filter(([phrase, count]) => !isPart(phrase, count))
    .map(([phrase]) => phrase)
    .slice(0, limit)
}

const TEXT = 'strcat(word, " ", group, "-", value, " ", iff(value > 0, "up up up", ""))'

function textOf({ word, group, value }: Event): string {
  return `${word ?? ''} ${group}-${value ?? ''} ${value !== null && value > 0 ? 'up up up' : ''}`
}

holds(
  'finds the most frequent phrases',
  `summarize phrases(${TEXT}, 4), phrases(word), count()`,
  (all) => [frequentPhrases(all.map(textOf), 4), [], all.length],
)

holds(
  'finds the most frequent phrases as a single aggregation',
  `summarize phrases(${TEXT}, 4)`,
  (all) => [frequentPhrases(all.map(textOf), 4)],
)

it('keeps the groups whose texts have no phrases', async () => {
  const all = ['a', 'b'].map((group, at) => ({ at, group, value: at, word: 'x', mixed: null }))
  const apl = 'summarize phrases(iff(group == "a", "one two", "one")) by group | sort by group asc'
  expect(await responses(all, apl)).toEqual([
    ['a', ['one two']],
    ['b', []],
  ])
})

holds(
  'cuts a histogram into bins that hold every value once',
  'summarize histogram(value, 5)',
  (all) => {
    const values = present(all.map(({ value }) => value))
    if (values.length === 0) return [null]
    const [low, high] = [Math.min(...values), Math.max(...values)]
    if (low === high) return [[{ from: low, to: high, count: values.length }]]
    const edge = (i: number) => (i === 5 ? high : low + ((high - low) * i) / 5)
    const bins = [0, 1, 2, 3, 4].map((i) => ({
      from: edge(i),
      to: edge(i + 1),
      count: values.filter((v) => v >= edge(i) && (v < edge(i + 1) || i === 4)).length,
    }))
    return [bins]
  },
)

it('computes the mean, variance and standard deviation of a sample', async () => {
  await fc.assert(
    fc.asyncProperty(events, async (all) => {
      const apl =
        'summarize avg(value), variance(value), stdev(value), varianceif(value, group == "a"), avgif(value, group == "a"), sumif(value, group == "a")'
      const [row] = await responses(all, apl)
      const of = (values: readonly number[]) => {
        const n = values.length
        const mean = values.reduce((a, b) => a + b, 0) / n
        const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1)
        return { mean: n > 0 ? mean : null, spread: n > 1 ? spread : null }
      }
      const values = present(all.map(({ value }) => value))
      const ofA = present(all.filter(({ group }) => group === 'a').map(({ value }) => value))
      const [whole, part] = [of(values), of(ofA)]
      const root = whole.spread === null ? null : Math.sqrt(whole.spread)
      const sum = ofA.reduce((a, b) => a + b, 0)
      const expected = [whole.mean, whole.spread, root, part.spread, part.mean, sum]
      for (const [i, value] of expected.entries()) {
        if (value === null) expect(row?.[i]).toBe(null)
        else expect(row?.[i]).toBeCloseTo(value, 9)
      }
    }),
    { numRuns: RUNS },
  )
})
