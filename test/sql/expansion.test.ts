import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, rowsOf, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

// mv-expand and make-series, compared with JavaScript.

const scalar = fc.oneof(fc.constantFrom(null, true, 'é"\\', ''), fc.integer())
const list = fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { maxLength: 5 })
const row = fc.record({
  a: fc.oneof({ weight: 5, arbitrary: list }, scalar),
  b: list,
  group: fc.constantFrom('x', 'y', null),
  at: fc.integer({ min: 0, max: 3_599_999 }),
  n: fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant(null)),
})
const rows = fc.sample(row, { numRuns: 400, seed: 11 })
const START = Date.UTC(2026, 0, 1)

let world: World

beforeAll(async () => {
  const engine = await openTestEngine()
  const events = rows.map(({ at, ...rest }, i) =>
    JSON.stringify({ _time: new Date(START + at).toISOString(), i, ...rest }),
  )
  const dataset = await layOut(engine, { table: 'rows', events, hot: true })
  world = { engine, datasets: new Map([['rows', dataset]]), now: 0n }
})

afterAll(() => world.engine.close())

function items(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [value]
  return value.length === 0 ? [null] : value
}

async function expanded(steps: string): Promise<readonly unknown[]> {
  const { rows: found } = await ask(world, `rows | sort by i asc | ${steps}`, { limit: 100_000n })
  return found.map((cells) => cells.map((cell) => JSON.parse(cell)))
}

it('mv-expand returns a row for each element, in order', async () => {
  const expected = rows.flatMap(({ a }, i) => items(a).map((item, k) => [i, k, item]))
  expect(await expanded('mv-expand with_itemindex=k a | project i, k, a')).toEqual(expected)
})

it('mv-expand expands several arrays in parallel', async () => {
  const expected = rows.flatMap(({ a, b }, i) => {
    const [one, other] = [items(a), b.length === 0 ? [] : b]
    const length = Math.max(Array.isArray(a) ? a.length : 1, other.length, 1)
    return Array.from({ length }, (_, k) => [i, one[k] ?? null, other[k] ?? null])
  })
  expect(await expanded('mv-expand a, b | project i, a, b')).toEqual(expected)
})

const TIME = '2026-01-02T03:04:05Z'
const word = fc.constantFrom(
  TIME,
  'user',
  'tool',
  'true',
  '5',
  '-1.5',
  '[1]',
  '{"n":1}',
  '',
  'null',
  'é"\\\n/',
  '"n": "5"',
  ',[',
)
const value = fc.oneof(
  word,
  fc.constantFrom(null, true, false, 5, -1.5, 2 ** 53),
  fc.constant([1, 'x']),
  fc.constant({ n: 7 }),
)
const member = fc.record(
  { role: fc.oneof(word, value), n: value, other: value },
  { requiredKeys: [] },
)
const elements = fc.array(fc.oneof({ weight: 4, arbitrary: member }, value), { maxLength: 4 })
const documents = fc.sample(fc.oneof({ weight: 6, arbitrary: elements }, word), {
  numRuns: 600,
  seed: 7,
})

describe('members of the elements', () => {
  const SPECIAL = [
    // Numbers beyond 64 bits, a repeated key, a key with an escape, a zero with a sign, and spaces.
    '[{"role":"user","n":1e20}]',
    '[{"role":"first","role":"second","n":1,"n":2}]',
    String.raw`[{"\u0072ole":"5","n":"5"},{"role":5}]`,
    '[ { "role" : "x" , "n" : "1" } , [ "by position" ] ]',
    '[{"other":1},{}]',
    '[{"role":"5"},{"role":5}]',
    // Within a member: a number beyond 64 bits, and strings that look like objects.
    String.raw`[{"role":{"n":5,"x":1e20}},{"role":"{\"n\":6}"},{"role":[7],"role":{"n":8}},{"role":{},"role":{"n":9}}]`,
  ]
  const all = [...documents.map((one) => JSON.stringify(one)), ...SPECIAL]
  const found = (index: number) => all.length - SPECIAL.length + index
  let own: World

  beforeAll(async () => {
    const events = all.map((one, i) => `{"_time":"2026-01-01T00:00:00Z","i":${i},"a":${one}}`)
    const dataset = await layOut(world.engine, { table: 'members', events, hot: true })
    own = { ...world, datasets: new Map([['members', dataset]]) }
  })

  async function read(steps: string): Promise<readonly (readonly unknown[])[]> {
    const apl = `members | sort by i asc | mv-expand with_itemindex=k a | ${steps}`
    const { rows: cells } = await ask(own, apl, { limit: 100_000n })
    return cells.map((row) => row.map((cell) => JSON.parse(cell)))
  }

  const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one)
  const roleOf = (one: unknown, key = 'role') =>
    isObject(one) ? ((one as Record<string, unknown>)[key] ?? null) : null
  const shown = (one: unknown) =>
    one === null ? '' : typeof one === 'string' ? one : JSON.stringify(one)
  const expected = documents.flatMap((one, i) =>
    items(one).map((item, k) => ({ i, k, role: roleOf(item), n: roleOf(item, 'n') })),
  )
  const ofDocuments = (rows: readonly (readonly unknown[])[]) =>
    rows.filter(([i]) => Number(i) < documents.length)

  it('are values of the same kinds as in the element', async () => {
    const rows = await read('project i, k, role = a.role, n = a.n')
    expect(ofDocuments(rows)).toEqual(expected.map(({ i, k, role, n }) => [i, k, role, n]))
    expect(rows.filter(([i]) => i === found(2))).toEqual([
      [found(2), 0, '5', '5'],
      [found(2), 1, 5, null],
    ])
    expect(rows.filter(([i]) => i === found(5))).toEqual([
      [found(5), 0, '5', null],
      [found(5), 1, 5, null],
    ])
  })

  it('are read as strings where only their strings are used', async () => {
    const rows = await read('project i, k, role = tostring(a.role), l = strlen(a.n)')
    expect(ofDocuments(rows)).toEqual(
      expected.map(({ i, k, role, n }) => [
        i,
        k,
        shown(role),
        n === null ? null : [...shown(n)].length,
      ]),
    )
  })

  it('are read as values of the types that they are converted to', async () => {
    const ofText = { '5': 5, true: null, '-1.5': -1.5 } as Record<string, number | null>
    const toDouble = (one: unknown) => {
      if (typeof one === 'string') return ofText[one] ?? null
      return typeof one === 'number' || typeof one === 'boolean' ? Number(one) : null
    }
    const toInt = (one: unknown) => {
      const number = toDouble(one)
      return typeof one === 'string' && number !== 5 ? null : number && Math.trunc(number)
    }
    const toBool = (one: unknown) => {
      if (typeof one === 'number') return one !== 0
      return one === true || one === 'true' ? true : one === false ? false : null
    }
    const conversions =
      'd = todouble(a.n), n = toint(a.role), b = tobool(a.other), sum = a.role + 0.5'
    const otherOf = (i: number, k: number) => roleOf(items(documents[i])[k], 'other')
    expect(ofDocuments(await read(`project i, k, ${conversions}`))).toEqual(
      expected.map(({ i, k, role, n }) => {
        const number = typeof role === 'boolean' ? null : toDouble(role)
        const sum = number === null ? null : number + 0.5
        return [i, k, toDouble(n), toInt(role), toBool(otherOf(i, k)), sum]
      }),
    )
  })

  it('are times where a string is one or a number counts nanoseconds', async () => {
    const instants = new Map<unknown, string>([
      [TIME, TIME],
      [5, '1970-01-01T00:00:00.000000005Z'],
      [7, '1970-01-01T00:00:00.000000007Z'],
      [-1.5, '1969-12-31T23:59:59.999999999Z'],
      [2 ** 53, '1970-04-15T05:59:59.254740992Z'],
    ])
    const rows = await read('project i, k, at = todatetime(a.role), other = todatetime(a.n)')
    const instant = (one: unknown) => instants.get(one) ?? null
    expect(ofDocuments(rows)).toEqual(
      expected.map(({ i, k, role, n }) => [i, k, instant(role), instant(n)]),
    )
  })

  it('are compared with literals', async () => {
    const rows = await read("where a.role in ('tool', '5') or a.n == 5 | project i, k")
    const isFound = ({ role, n }: (typeof expected)[number]) =>
      role === 'tool' || role === '5' || role === 5 || n === 5 || n === '5'
    expect(ofDocuments(rows)).toEqual(expected.filter(isFound).map(({ i, k }) => [i, k]))
  })

  it('are found beside numbers beyond 64 bits, and in the first of repeated keys', async () => {
    const rows = await read(`where i >= ${found(0)} | project i, k, role = a.role`)
    expect(rows.map(([, k, role]) => [k, role])).toEqual([
      ...[
        [0, 'user'],
        [0, 'first'],
        [0, '5'],
        [1, 5],
        [0, 'x'],
        [1, null],
        [0, null],
        [1, null],
        [0, '5'],
        [1, 5],
        [0, { n: 5, x: 1e20 }],
        [1, '{"n":6}'],
        [2, [7]],
        [3, {}],
      ],
    ])
  })

  it('may themselves have members', async () => {
    const rows = await read('project i, k, inner = a.role.n, text = tostring(a.n.n)')
    expect(ofDocuments(rows)).toEqual(
      expected.map(({ i, k, role, n }) => [i, k, roleOf(role, 'n'), shown(roleOf(n, 'n'))]),
    )
    const special = await read(`where i >= ${found(6)} | project a.role.n`)
    expect(special).toEqual([[5], [null], [null], [null]])
  })

  it('may not be used at all', async () => {
    const rows = await read('summarize count() by i | sort by i asc')
    expect(rows).toEqual(all.map((one, i) => [i, items(JSON.parse(one)).length]))
  })
})

it('mv-expand reads numbers as the type that they are converted to', async () => {
  const number = fc.oneof(fc.integer(), fc.constantFrom(2.75, -1.5, 1e300, 2 ** 62, 5e-324))
  const item = fc.oneof(
    { weight: 20, arbitrary: number },
    fc.constantFrom(null, true, false, '7', '2.5', 'x', [1], {}),
  )
  const arrays = fc.sample(fc.oneof(fc.array(item, { maxLength: 6 }), item), {
    numRuns: 400,
    seed: 3,
  })
  const events = arrays.map((a, i) => JSON.stringify({ _time: '2026-01-01T00:00:00Z', i, a }))
  const dataset = await layOut(world.engine, { table: 'numbers', events, hot: true })
  const own = { ...world, datasets: new Map([['numbers', dataset]]) }
  const real = (one: unknown) => {
    if (typeof one === 'string') return one === 'x' ? null : Number(one)
    return typeof one === 'number' ? one : null
  }
  const toDouble = (one: unknown) => (typeof one === 'boolean' ? Number(one) : real(one))
  const toInt = (one: unknown) => {
    const found = one === '2.5' ? null : toDouble(one)
    return found === null || found >= 2 ** 63 || found < -(2 ** 63) ? null : Math.trunc(found) + 0
  }
  const text = (one: unknown) => (typeof one === 'string' ? one : JSON.stringify(one))
  for (const [mapped, convert] of [
    ['mv-expand a | project i, v = toint(a)', toInt],
    ['mv-expand a to typeof(long) | project i, v = a', toInt],
    ['mv-expand a | project i, v = todouble(a)', toDouble],
    ['mv-expand a to typeof(real) | project i, v = a', real],
    [
      'mv-expand a | project i, v = a + 0.5',
      (one) => (real(one) === null ? null : real(one)! + 0.5),
    ],
  ] as const satisfies readonly (readonly [string, (one: unknown) => unknown])[]) {
    const { rows: found } = await ask(own, `numbers | sort by i asc | ${mapped}`, {
      limit: 10_000n,
    })
    const values = found.map((cells) => cells.map((cell) => JSON.parse(cell)))
    expect(values, mapped).toEqual(
      arrays.flatMap((a, i) => items(a).map((one) => [i, convert(one)])),
    )
  }
  const short = 'mv-expand a | where strlen(a) < 4 | project v = strcat(a)'
  const texts = arrays.flatMap((a) =>
    items(a)
      .filter((one) => one !== null)
      .map(text),
  )
  expect(await rowsOf(own, `numbers | sort by i asc | ${short}`, { limit: 10_000n })).toEqual(
    texts.filter((one) => one.length < 4).map((one) => JSON.stringify(one)),
  )
})

it('mv-expand applies its limit to each row', async () => {
  const expected = rows.flatMap(({ b }, i) =>
    items(b)
      .slice(0, 2)
      .map((item) => [i, item]),
  )
  expect(await expanded('mv-expand b limit 2 | project i, b')).toEqual(expected)
})

const MINUTES = 7
const STEPS = Math.ceil(60 / MINUTES)

it('make-series neither omits nor repeats events', async () => {
  const range = 'from datetime(2026-01-01) to datetime(2026-01-01T01:00:00Z)'
  const series = 'c = count(), s = sum(n), m = max(n), l = count() default=-1'
  const apl = `rows | make-series ${series} on _time ${range} step ${MINUTES}m by group`
  const { rows: found } = await ask(world, `${apl} | project group, c, s, m, l`)
  const expected = [null, 'x', 'y'].map((group) => {
    const own = rows.filter((one) => one.group === group)
    const steps = Array.from({ length: STEPS }, (_, k) =>
      own.filter(({ at }) => Math.floor(at / 60_000 / MINUTES) === k),
    )
    const numbers = steps.map((step) => step.flatMap(({ n }) => (n === null ? [] : [n])))
    return [
      group,
      steps.map((step) => step.length),
      numbers.map((step) => step.reduce((sum, n) => sum + n, 0)),
      numbers.map((step) => (step.length === 0 ? null : Math.max(...step))),
      steps.map((step) => step.length || -1),
    ]
  })
  expect(found.map((cells) => cells.map((cell) => JSON.parse(cell)))).toEqual(expected)
})

it('mv-expand reverses make-series', async () => {
  const range = 'from datetime(2026-01-01) to datetime(2026-01-01T01:00:00Z)'
  const steps = `make-series c = count() on _time ${range} step 1s`
  const back = 'mv-expand c to typeof(long), _time to typeof(datetime) | summarize sum(c), count()'
  expect(await rowsOf(world, `rows | ${steps} | ${back}`)).toEqual([`${rows.length} 3600`])
})
