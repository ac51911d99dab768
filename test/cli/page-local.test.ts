import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DataDirectory, openDataDirectory } from '../../src/local/open-directory.js'
import { main } from '../../src/main.js'
import { DEFAULT_LIMITS } from '../../src/service/limits.js'
import { fakeIo } from '../support/fake-io.js'
import { RUNS } from '../support/runs.js'
import { temporaryDirectory } from '../support/temporary.js'

const directory = temporaryDirectory()
const env = { EVQ_DATA_DIR: directory, XDG_STATE_HOME: directory, XDG_CONFIG_HOME: directory }
const NOW = BigInt(Date.UTC(2026, 0, 31, 12)) * 1_000_000n

/** Few times for many events, two of which are equal. */
const EVENTS = [...Array(90).keys()].map((n) => ({
  _time: `2026-01-01T00:00:0${(n * 7) % 5}.00000000${(n * 3) % 2}Z`,
  n: n === 89 ? 84 : n,
  text: `a "${n % 4}",\nb`,
}))

let owned: DataDirectory | undefined

beforeAll(async () => {
  const report = () => {}
  owned = await openDataDirectory({ directory, now: () => NOW, limits: DEFAULT_LIMITS, report })
  const halves = { 'half-1': EVENTS.slice(0, 50), 'half-2': EVENTS.slice(50) }
  for (const [half, part] of Object.entries(halves)) {
    const stdin = part.map((event) => `${JSON.stringify(event)}\n`).join('')
    for (const dataset of ['logs', half])
      expect(await main(['ingest', dataset], fakeIo({ env, stdin }))).toBe(0)
  }
})

afterAll(() => owned?.close())

it('pages of the local service contain exactly its rows, in order', async () => {
  const ways = fc.record({
    pageSize: fc.integer({ min: 1, max: 60 }),
    by: fc.constantFrom('time', 'cursor'),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    source: fc.constantFrom("['logs']", "['half-1'] | union ['half-2']", 'union half*'),
  })
  await fc.assert(
    fc.asyncProperty(ways, async ({ pageSize, by, direction, source }) => {
      const io = fakeIo({ env })
      const args = ['--page-size', String(pageSize), '--by', by, '--direction', direction]
      const apl = `${source} | where n >= 0 | project _time, n, text`
      const exitCode = await main(['page', apl, ...args], io)
      expect({ exitCode, err: io.err() }).toMatchObject({
        exitCode: 0,
        err: expect.stringMatching(/^90 rows \(all matching\)/),
      })
      const rows = io
        .out()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as (typeof EVENTS)[number])
      const texts = (events: readonly object[]) =>
        events.map((row) => JSON.stringify(row)).toSorted()
      const exact = ({ _time, ...rest }: (typeof EVENTS)[number]) => ({
        _time: _time.replace(/\.0+Z$/, 'Z'),
        ...rest,
      })
      expect(texts(rows.map(exact))).toEqual(texts(EVENTS.map(exact)))
      const times = rows.map(({ _time }) => _time.replace(/:(\d\d)Z$/, ':$1.000000000Z'))
      const sorted = times.toSorted()
      expect(times).toEqual(direction === 'asc' ? sorted : sorted.toReversed())
    }),
    { numRuns: RUNS / 5, endOnFailure: true },
  )
})

it('exports by scan contain the same bytes as those with a statement per page, in every format for programs', async () => {
  const value = fc.oneof(
    fc.constantFrom(
      null,
      '',
      'null',
      'NaN',
      '"',
      ',',
      '\t',
      '\r\n',
      '2026-01-01T00:00:00.000Z',
      '007',
    ),
    fc.constantFrom(0, -1, 0.1, 1e21, 1e-7, 2 ** 53, true, false),
    fc.constantFrom([], {}, [1, '\n'], { deep: { er: '"' } }, [{ a: null }]),
    fc.string({ unit: 'binary', maxLength: 9 }),
  )
  const field = fc.constantFrom('a', 'b', 'c d', 'e.f', '"g"', 'x')
  const events = fc
    .array(fc.dictionary(field, value, { maxKeys: 4 }), { minLength: 40, maxLength: 60 })
    // A query names `x`, which the others may lack.
    .map((some) => [...some, { x: 1 }])
  let runs = 0
  await fc.assert(
    fc.asyncProperty(events, fc.constantFrom('asc', 'desc'), async (some, direction) => {
      const dataset = `scanned-${++runs}`
      const big = `"big":${2n ** 63n - BigInt(runs)}`
      // Three blocks of the engine with few times, and numbers that only text can hold.
      const stdin = Array.from({ length: 17_000 }, (_, i) => {
        const time = `2026-01-01T00:00:0${i % 10}.${String(i % 3).padStart(9, '0')}Z`
        const fields = JSON.stringify(some[i % some.length]).slice(1)
        return `{"_time":"${time}","i":${i},${big}${fields === '}' ? '' : ','}${fields}\n`
      }).join('')
      expect(await main(['ingest', dataset, '-q'], fakeIo({ env, stdin }))).toBe(0)
      const computed = `['${dataset}'] | where i % 7 > 0 | extend third = todouble(i) / 3, none = toreal('NaN'),
        at = _time - (i * 1d), span = i * 1m, even = i % 2 == 0, part = substring(tostring(x), 1), more = -big`
      const exports = [
        // Formats for reading align the columns of each page.
        ...['csv', 'tsv', 'ndjson', 'json'].map((format) => [`['${dataset}']`, '-o', format]),
        ...['csv', 'ndjson'].map((format) => [computed, '-o', format]),
        [`['${dataset}']`, '-o', 'csv', '--columns', 'i,big,_time', '-z', 'Asia/Kolkata'],
      ]
      const file = join(directory, `${dataset}.csv`)
      for (const way of exports) {
        const page = ['page', ...way, '--direction', direction]
        const [scan, paged] = [fakeIo({ env }), fakeIo({ env })]
        expect(await main(page, scan), scan.err()).toBe(0)
        expect(await main([...page, '--by', 'time', '--page-size', '6000'], paged)).toBe(0)
        expect(scan.err()).toMatch(/^(17,000|14,571) rows \(all matching\)/)
        expect(scan.out() === paged.out(), way.join(' ')).toBe(true)
        // `page-checkpoint.test.ts` writes files of all formats.
        if (way.includes('-z') || way.includes('tsv') || way.includes('ndjson')) continue
        expect(await main([...page, '-O', file], fakeIo({ env }))).toBe(0)
        expect(readFileSync(file, 'utf8') === scan.out(), way.join(' ')).toBe(true)
      }
    }),
    { numRuns: RUNS / 10, endOnFailure: true },
  )
})

it.each([
  [['--assert', 'n >= 0'], 0, ''],
  [['--assert', 'n >= 0', '--fail-on-empty', '--max-rows', '3'], 0, ''],
  [['--assert', 'n < 30', '--max-rows', '3'], 6, 'meet `n < 30`.'],
  [['--assert', 'm < 30'], 2, 'There is no field `m`'],
  [['--until', '2001-01-01', '--fail-on-empty'], 6, 'The result has no rows'],
  [['--until', '2001-01-01'], 0, ''],
])('an export with %j exits with %i', async (args, exitCode, words) => {
  const io = fakeIo({ env })
  const apl = "['logs'] | where n >= 0 | project _time, n"
  expect(await main(['page', apl, ...args], io)).toBe(exitCode)
  expect(io.err()).toContain(words)
  // The reason of a failed assertion is the last message, after the summary.
  const last = io
    .err()
    .trimEnd()
    .split('\n')
    .at(exitCode === 6 ? -2 : -1)
  if (exitCode !== 2) expect(last).toMatch(/ rows?\b.* page/)
  else expect(io.out()).toBe('')
})

it('reports problems in the query as written', async () => {
  const misspelt = await page("['logs'] | where txt == 'a'")
  expect(misspelt.err).toContain(
    "1 | ['logs'] | where txt == 'a'\n  |                  ^^^ close to `text`\n",
  )
  expect(misspelt.exitCode).toBe(2)
  const unknown = await page("['lgs']")
  expect(unknown.err).toContain("1 | ['lgs']\n")
})

it('reports an incomplete query, although only the appended operators fail', async () => {
  const { err, exitCode } = await page("['logs'] | where n >")
  expect(err).toContain(
    "Expected a value, found the end of the query.\n  |\n1 | ['logs'] | where n >\n  |                     ^ end of the query\n",
  )
  expect(exitCode).toBe(2)
})

it('rejects a query that drops the times of its rows', async () => {
  const { err, exitCode } = await page("['logs'] | project-away _time")
  expect(err).toBe(
    'evq: Paging needs the `_time` of rows, so the query must keep it. Select columns with `--columns`.\n',
  )
  expect(exitCode).toBe(2)
})

async function page(apl: string) {
  const io = fakeIo({ env })
  const exitCode = await main(['page', apl], io)
  return { exitCode, err: io.err() }
}

it.each(['time', 'cursor'])(
  'adaptive pages contain every row once and in order, by %s',
  async (by) => {
    const events = [...Array(2_600).keys()].map((n) => ({
      // More of one time than the first page has.
      _time: `2026-01-01T00:00:0${Math.floor(n / 1_300)}Z`,
      n,
    }))
    const stdin = events.map((event) => `${JSON.stringify(event)}\n`).join('')
    expect(await main(['ingest', `many-${by}`], fakeIo({ env, stdin }))).toBe(0)
    const io = fakeIo({ env })
    const manifest = join(directory, `${by}.json`)
    const args = ['--by', by, '--direction', 'asc', '--manifest', manifest]
    expect(await main(['page', `['many-${by}'] | project _time, n`, ...args], io)).toBe(0)
    const rows = io.out().trimEnd().split('\n')
    expect(rows.map((row) => JSON.parse(row))).toEqual(events)
    expect(JSON.parse(readFileSync(manifest, 'utf8'))).toMatchObject({ rowsWritten: 2_600 })
  },
)

it.each([
  ['--by', 'any'],
  ['--by', 'time'],
  ['--parallel', '2'],
])('an export has events after the present, in both directions: %s %s', async (...way) => {
  const dataset = `future-${way[1]}`
  const stdin = [-2, -1, 1, 2, 3]
    .map((hours) => new Date(Number(NOW / 1_000_000n) + hours * 3_600_000).toISOString())
    .map((_time, n) => `${JSON.stringify({ _time, n })}\n`)
    .join('')
  expect(await main(['ingest', dataset], fakeIo({ env, stdin }))).toBe(0)
  const flags = way[1] === 'any' ? [] : way
  for (const [direction, numbers] of [
    ['asc', [0, 1, 2, 3, 4]],
    ['desc', [4, 3, 2, 1, 0]],
  ] as const) {
    const io = fakeIo({ env })
    const args = ['--direction', direction, '--assert', 'n > 2', ...flags]
    await main(['page', `['${dataset}'] | where n != 9`, ...args], io)
    const rows = io.out().trimEnd().split('\n')
    expect(rows.map((row) => (JSON.parse(row) as { n: number }).n)).toEqual(numbers)
    // The assertion is about the same rows.
    expect(io.err()).toContain('3 of 5')
  }
})

it('columns that pages depend on must not change', async () => {
  const failure = async (...args: string[]) => {
    const io = fakeIo({ env })
    return { status: await main(['page', ...args], io), stderr: io.err() }
  }
  const refused = await failure("['logs'] | extend _time = _time - 1d")
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('`_time`') })
  const aging = "['logs'] | extend age = now() - _time | project-rename old = age"
  const changing = await failure(aging, '--by', 'time', '--page-size', '1')
  expect(changing).toMatchObject({ status: 2, stderr: expect.stringContaining('`age`') })
  // One scan finds all rows, and a condition is in no row.
  expect(await failure(aging)).toMatchObject({ status: 0 })
  const recent = "['logs'] | where _time < now() and _time > ago(999d)"
  expect(await failure(recent, '--by', 'time', '--page-size', '7')).toMatchObject({ status: 0 })
})
