import { readdir } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localSource } from '../../../src/engine/file-statement.js'
import { parseEventTime } from '../../../src/wire/event/event-time.js'
import { TEST_ENGINE, wrapped } from '../../support/engine.js'
import { RUNS } from '../../support/runs.js'
import { ARRIVED, TemporaryStore } from '../temporary-store.js'

/** The path of a batch: stored by a statement with the fast or the full schema check, or one for plain events or for their columns. */
type Insert = 'checked' | 'fully checked' | 'plain' | 'columns'

/** The statement for plain events whose values all have a simple form. */
const SIMPLE: Insert = TEST_ENGINE === 'embedded' ? 'columns' : 'plain'

/** Opens a store and records the attempts to store batches. */
async function watchedStore(): Promise<{ evq: TemporaryStore; inserts: Insert[] }> {
  const inserts: Insert[] = []
  const evq = await TemporaryStore.open((engine) =>
    wrapped(engine, {
      load(statement) {
        const { text } = statement.write(localSource(statement))
        const isFull = text.includes('members1')
        const plain = statement.columns === undefined ? 'plain' : 'columns'
        inserts.push(isFull ? 'fully checked' : text.includes('keys0') ? 'checked' : plain)
        return engine.load(statement)
      },
    }),
  )
  return { evq, inserts }
}

/** Stores lines and returns the attempts. */
async function attempts(
  { evq, inserts }: Awaited<ReturnType<typeof watchedStore>>,
  lines: readonly string[],
  options: Parameters<TemporaryStore['ingest']>[1] = {},
): Promise<readonly Insert[]> {
  inserts.length = 0
  await evq.ingest(lines.map((line) => `${line}\n`).join(''), options)
  return [...inserts]
}

const FIELDS = ['s', 'n', 'r', 'b', 'g.x', 'g.y', 'low'] as const
/** Each field has all kinds that its column can hold. */
const FIRST = [
  '{"_time":"2026-01-01T00:00:00Z","s":"x","n":1,"r":1.5,"b":true,"g":{"x":"y","y":2},"low":"a"}',
  '{"_time":"2026-01-01T00:00:00Z","s":"y","n":9007199254740993,"r":1,"b":true,"g":{"x":"z","y":2},"low":"a"}',
]

describe('plain events', () => {
  it('are stored without a schema check once the schema is known', async () => {
    const store = await watchedStore()
    expect(await attempts(store, FIRST)).toEqual(['fully checked'])
    expect(await attempts(store, FIRST)).toEqual([SIMPLE])
    expect(await attempts(store, ['', `${FIRST[0]}\r`, '\r', ` ${FIRST[1]}`])).toEqual([SIMPLE])
    expect(await store.evq.values('`s:string`')).toEqual(
      ['x', 'y', 'x', 'y', 'x', 'y'].map((one) => JSON.stringify(one)),
    )
    expect(await attempts(store, [...FIRST, '{"s":1}'])).toContain('checked')
    expect(await store.evq.values('`n:int`')).toEqual(
      ['1', '9007199254740993']
        .flatMap((n) => [n])
        .concat(
          ['1', '9007199254740993', '1', '9007199254740993', '1', '9007199254740993'],
          ['null'],
        ),
    )
  })

  it('may have labels, unless a label is a field of the event, of another type, or the time', async () => {
    const store = await watchedStore()
    await attempts(store, FIRST)
    const lines = ['{"n":5}', ' {"b":true}']
    expect(await attempts(store, lines, { labels: '"s":"l","r":0.5' })).toEqual([SIMPLE])
    expect(await attempts(store, lines, { labels: '"n":6' })).toEqual(['checked'])
    expect(await attempts(store, lines, { labels: '"_time":"2026-01-02T00:00:00Z"' })).toEqual([
      'checked',
    ])
    expect((await attempts(store, lines, { labels: '"new":"l"' }))[0]).toBe('checked')
    expect(await attempts(store, lines, { labels: '"new":"m"' })).toEqual([SIMPLE])
    expect((await attempts(store, lines, { labels: '"new":7' }))[0]).toBe('checked')
    const added = async (expression: string): Promise<readonly string[]> =>
      (await store.evq.values(expression)).slice(FIRST.length)
    expect(await added('`n:int`')).toEqual([
      '5',
      'null',
      '6',
      '6',
      ...Array(4).fill(['5', 'null']).flat(),
    ])
    expect(await added('`s:string`')).toEqual(['"l"', '"l"', ...Array(10).fill('null')])
    expect(await added('`r:real`')).toEqual(['0.5', '0.5', ...Array(10).fill('null')])
    expect(await added('`b:bool`')).toEqual(Array(6).fill(['null', 'true']).flat())
    expect((await added('toDate(_time)')).slice(4, 6)).toEqual(Array(2).fill('"2026-01-02"'))
  })

  it('are examined again when the schema changed while they waited', async () => {
    const store = await watchedStore()
    const batches = Array.from({ length: 5 }, () => store.evq.ingest(`${FIRST.join('\n')}\n`))
    for (const outcome of await Promise.all(batches)) expect(outcome.ingested).toBe(FIRST.length)
    expect(store.inserts[0]).toBe('fully checked')
    expect(new Set(store.inserts.slice(1))).toEqual(new Set([SIMPLE]))
    // The fast check is still tried.
    expect((await attempts(store, ['{"s":1}']))[0]).toBe('checked')
  })

  it('are stored together', async () => {
    const store = await watchedStore()
    await attempts(store, FIRST)
    store.inserts.length = 0
    const batches = Array.from({ length: 20 }, (_, i) => store.evq.ingest(`{"n":${i}}\n`))
    const outcomes = await Promise.all(batches)
    expect(outcomes.every(({ ingested }) => ingested === 1)).toBe(true)
    expect(new Set(store.inserts)).toEqual(new Set([SIMPLE]))
    expect(store.inserts.length).toBeLessThan(batches.length)
    const stored = await store.evq.values('`n:int`')
    expect(
      stored
        .slice(2)
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual([...batches.keys()])
  })

  it('are rejected when their time is invalid, each by itself', async () => {
    const store = await watchedStore()
    await attempts(store, FIRST)
    const lines = ['{"n":1}', '{"_time":"2026-02-30T00:00:00Z","n":2}', '{"_time":"never","n":3}']
    const outcome = await store.evq.ingest(lines.map((line) => `${line}\n`).join(''))
    expect(outcome).toMatchObject({ ingested: 1, failed: 2 })
    expect(outcome.rejected.map(({ line }) => line)).toEqual([2, 3])
    // The schema check has not become useless.
    expect((await attempts(store, ['{"s":1}']))[0]).toBe('checked')
    expect(await attempts(store, ['{"n":4}'])).toEqual([SIMPLE])
    expect((await store.evq.values('`n:int`')).slice(2)).toEqual(['1', 'null', '4'])
  })

  it('have times in any format that is known by now', async () => {
    const store = await watchedStore()
    await attempts(store, FIRST)
    const times = ['"20/Nov/2026:10:00:00 +0000"', '1767225600', '1767225600123456789', 'null']
    const lines = times.map((time) => `{"_time":${time},"n":1}`)
    const tried: readonly Insert[] = ['plain', 'checked']
    expect(await attempts(store, lines)).toEqual([
      ...tried,
      // Other services may have changed the schema.
      ...(TEST_ENGINE === 'embedded' ? [] : tried),
      'fully checked',
      'fully checked',
    ])
    expect(await attempts(store, lines)).toEqual(['plain'])
    const expected = [
      '1795168800000000000',
      '1767225600000000000',
      '1767225600123456789',
      String(ARRIVED),
    ]
    const stored = await store.evq.values('toUnixTimestamp64Nano(_time)')
    expect(stored.slice(2)).toEqual([...expected, ...expected])
  })

  it('may have their time in a field with a column', async () => {
    const store = await watchedStore()
    const at = (n: string): string =>
      `{"at":"2026-01-01T00:00:0${n}Z","on":{"e":1767225600},"_time":"x"}`
    const lines = [at('1'), at('2')]
    await attempts(store, lines, { timestampField: 'at' })
    expect(await attempts(store, lines, { timestampField: 'at' })).toEqual([SIMPLE])
    expect(await attempts(store, lines, { timestampField: 'on.e' })).toEqual(['plain'])
    const seconds = await store.evq.values('toUnixTimestamp(_time) - 1767225600')
    expect(seconds).toEqual(['1', '2', '1', '2', '0', '0'])
    expect(await store.evq.values('`at:string`')).toEqual(
      [1, 2, 1, 2, 1, 2].map((n) => `"2026-01-01T00:00:0${n}Z"`),
    )
    expect(await store.evq.values('`on.e:int`')).toEqual(Array(6).fill('1767225600'))
    expect(await store.evq.values('`_user__time:string`')).toEqual(Array(6).fill('"x"'))
  })

  it('leave no files behind, whether they are stored or rejected', async () => {
    const store = await watchedStore()
    await attempts(store, FIRST)
    expect(await attempts(store, FIRST)).toEqual([SIMPLE])
    await attempts(store, [...FIRST, '{"n":"x"}', '{"cut":'])
    const names = await readdir(store.evq.store.spool)
    expect(names.filter((name) => !name.endsWith('.ndjson'))).toEqual([])
  })

  it.each([
    ['any form', () => event({ real, time }), 'plain' as const],
    ['a simple form', () => event({ real: simpleReal, time: simpleTime }), SIMPLE],
  ])(
    'of %s have the values that a checked statement stores, and those of JSON',
    async (_, events, insert) => {
      const store = await watchedStore()
      await attempts(store, FIRST)
      await attempts(store, FIRST, { dataset: 'checked' })
      const known = { plain: FIRST.length, checked: FIRST.length }
      for (const batch of fc.sample(
        fc.array(events(), { minLength: 300, maxLength: 300 }),
        Math.ceil(RUNS / 5),
      )) {
        const lines = batch.map(({ line }) => line)
        expect(await attempts(store, lines)).toEqual([insert])
        // No event after a byte-order mark is plain.
        const [first = '', ...others] = lines
        const checked = await attempts(store, [`\ufeff${first}`, ...others], { dataset: 'checked' })
        expect(checked).not.toContain('plain')
        expect(checked).not.toContain('columns')
        const stored = await storedEvents(store.evq, 'logs', known.plain)
        expect(stored).toEqual(await storedEvents(store.evq, 'checked', known.checked))
        expect(stored).toEqual(batch.map(({ fields, time }) => expectedEvent(fields, time)))
        known.plain += lines.length
        known.checked += lines.length
      }
    },
  )
})

type Stored = Readonly<Record<string, string | number | null>>

/** Returns the values in columns, in the order of arrival; numbers as the double or the text that they are. */
async function storedEvents(
  evq: TemporaryStore,
  dataset: string,
  skipped: number,
): Promise<readonly Stored[]> {
  const columns = ['s:string', 'n:int', 'r:real', 'b:bool', 'g.x:string', 'g.y:int', 'low:string']
  const read = columns.map((column, i) => `\`${column}\` AS v${i}`).join(', ')
  const result = await evq.query(
    `SELECT toUnixTimestamp64Nano(_time) AS t, ${read} FROM \`${dataset}\` ORDER BY _seq LIMIT 1000000 OFFSET ${skipped}`,
  )
  return (result.t ?? []).map((time, row) => ({
    time,
    ...Object.fromEntries(
      FIELDS.map((field, i) => [field, decoded(field, result[`v${i}`]?.[row] ?? '')]),
    ),
  }))
}

function expectedEvent(
  fields: Readonly<Record<string, string | undefined>>,
  time: string | undefined,
): Stored {
  const text = time === undefined || time === 'null' ? undefined : String(JSON.parse(time))
  // Only strings and long integers occur, whose text is exact.
  const at =
    text === undefined ? ARRIVED : parseEventTime(time?.startsWith('"') ? text : (time ?? ''))
  return {
    time: String(at),
    ...Object.fromEntries(FIELDS.map((field) => [field, decoded(field, fields[field] ?? 'null')])),
  }
}

function decoded(field: string, json: string): string | number | null {
  if (json === 'null') return null
  if (field === 'r') return Number(json)
  return json.startsWith('"') ? String(JSON.parse(json)) : json
}

const string = fc
  .oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('2026-01-01', '2026-01-01 00:00:00', '5', '-0', 'true', 'null', '', '\0', '{}'),
  )
  .chain((value) =>
    fc.boolean().map((escaped) => (escaped ? escapedJson(value) : JSON.stringify(value))),
  )
const digits = (length: number): fc.Arbitrary<string> =>
  fc.bigInt({ min: 10n ** BigInt(length - 1), max: 10n ** BigInt(length) - 1n }).map(String)
const int = fc
  .oneof(
    fc.integer().map(String),
    fc.integer({ min: 1, max: 18 }).chain(digits),
    fc.bigInt({ min: 10n ** 18n, max: 9n * 10n ** 18n - 1n }).map(String),
  )
  .chain((text) =>
    fc.constantFrom(text, text.startsWith('-') ? text : text === '0' ? '0' : `-${text}`),
  )
const exact = fc
  .maxSafeInteger()
  .filter((n) => Math.abs(n) < 1e15 && !Object.is(n, -0))
  .map(String)
const real = fc.oneof(
  exact,
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e90, max: 1e90 })
    .filter((n) => n === 0 || Math.abs(n) > 1e-90)
    .map((n) => (Object.is(n, -0) ? '-0.0' : String(n).replace('e+', 'E')))
    .filter((text) => /[.eE]/.test(text) || text.length <= 15),
  fc
    .tuple(fc.integer(), digits(9), fc.integer({ min: -99, max: 99 }))
    .map(([whole, fraction, exponent]) => `${whole}.${fraction}e${exponent}`),
  fc.constantFrom('0.1', '1.0', '-0.0', '0e0', '1e3', '0.30000000000000004', '9007199254740993.0'),
)
const time = fc.oneof(
  fc
    .date({
      min: new Date('1901-01-01T00:00:00Z'),
      max: new Date('2262-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    .chain((date) =>
      fc
        .constantFrom('Z', '', '+02:00', '-0330', '.5Z', '.123456789Z', '.1234567891+00:00')
        .map((rest) => `"${date.toISOString().slice(0, 19)}${rest}"`),
    ),
  fc.constantFrom('"2026-01-01 10:00:00"', '1767225600', '1767225600123', 'null'),
  fc.constantFrom('1767225600123456', '1767225600123456789', '"1767225600"'),
)
/** Reals of up to 19 digits and 60 places, and times from 1980 to 2261 with up to nine digits after the second. */
const simpleReal = real.filter(
  (text) =>
    text.replace(/[eE].*/, '').replace(/^[-0.]+|[-.]/g, '').length <= 19 &&
    (Number(text) === 0 || (Math.abs(Number(text)) < 1e38 && Math.abs(Number(text)) > 1e-38)) &&
    !/[eE][-+]?[4-9]\d/.test(text),
)
const simpleTime = time.filter(
  (text) => text === 'null' || (/^"(19[89]|2(?!262))/.test(text) && !/\.\d{10}/.test(text)),
)
const space = fc.constantFrom('', '', '', ' ', '\t', ' \r ')

/** A plain event: its line, the JSON of its fields, and that of its time. */
const event = ({ real, time }: Record<'real' | 'time', fc.Arbitrary<string>>) =>
  fc
    .record(
      {
        s: string,
        n: int,
        r: real,
        b: fc.constantFrom('true', 'false'),
        'g.x': string,
        'g.y': int,
        low: fc.constantFrom('"a"', '"b"', 'null'),
      },
      { requiredKeys: ['low'] },
    )
    .chain((fields) =>
      fc.record({
        fields: fc.constant<Readonly<Record<string, string | undefined>>>(fields),
        time: fc.option(time, { nil: undefined }),
        space,
        isReversed: fc.boolean(),
      }),
    )
    .map(({ fields, time, space, isReversed }) => {
      const member = (name: string, json: string): string =>
        `"${name}"${space}:${space}${json}${space}`
      const members = Object.entries(fields).flatMap(([name, json]) =>
        name.startsWith('g.') || json === undefined ? [] : [member(name, json)],
      )
      const inner = Object.entries(fields).flatMap(([name, json]) =>
        name.startsWith('g.') && json !== undefined ? [member(name.slice(2), json)] : [],
      )
      if (inner.length > 0) members.push(member('g', `{${space}${inner.join(`,${space}`)}}`))
      if (time !== undefined) members.push(member('_time', time))
      if (isReversed) members.reverse()
      return { fields, time, line: `${space}{${space}${members.join(`,${space}`)}}${space}` }
    })

/** Writes each character as an escape. */
function escapedJson(value: string): string {
  const units = Array.from({ length: value.length }, (_, i) => value.charCodeAt(i))
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
}
