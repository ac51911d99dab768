// Random queries on this build and on another one, which must return the same rows. Run by hand after a change of the SQL of queries:
//   node --import ./test/support/typescript.js test/fuzz/compare-builds.js <dist of the other build> [queries] [first seed]
// Both builds read the store of this build, after its merges. Exits with 1 when results differ.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { query } from './query.ts'
import { randomOf } from './random.ts'

const DIST = join(import.meta.dirname, '../../dist')
const CASES = join(import.meta.dirname, '../cases/events')
const NOW = BigInt(Date.UTC(2026, 0, 2)) * 1_000_000n
const START_MS = Date.UTC(2026, 0, 1)
const EVENTS = 20_000
const MOST_SHOWN = 20

async function compare({ other, from, count }) {
  const { openEmbedded } = await load(DIST, 'engine/clickhouse/embedded.js')
  const { openStore } = await load(DIST, 'engine/store.js')
  const directory = mkdtempSync(join(tmpdir(), 'evq-compare-'))
  const ownEngine = await openEmbedded({ directory: join(directory, 'engine') })
  const store = await openStore({ directory, now: () => NOW, ownEngine })
  try {
    for (const [dataset, lines] of Object.entries(datasets())) {
      await ingest(store, dataset, lines)
      const text = `OPTIMIZE TABLE datasets.\`${dataset}\` FINAL`
      await ownEngine.run({ kind: 'sql', text })
    }
    const [ours, theirs] = [await sender(DIST, store), await sender(other, store)]
    const found = { rows: 0, differences: 0 }
    for (let seed = from; seed < from + count; seed++) {
      const request = requestOf(randomOf(seed))
      const [a, b] = [await ours(request), await theirs(request)]
      if (a.startsWith('{"tables"')) found.rows++
      const isRandom = /\b(?:sample|rand)\b/.test(request.apl)
      if (a === b || isRandom || b !== (await theirs(request))) continue
      if (++found.differences > MOST_SHOWN) continue
      const [mine, their] = [a, b].map((text) => text.slice(0, 400))
      console.log(`${seed}: ${JSON.stringify(request)}\n  this:  ${mine}\n  other: ${their}`)
    }
    console.log(`${count} queries, ${found.rows} with rows, ${found.differences} differ`)
    return found.differences === 0 ? 0 : 1
  } finally {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

function load(dist, file) {
  return import(pathToFileURL(join(dist, file)).href)
}

/** Returns a function that returns the tables of a query on a build, or its error. */
async function sender(dist, store) {
  const { createService } = await load(dist, 'service/app.js')
  const { DEFAULT_LIMITS } = await load(dist, 'service/limits.js')
  const { ChunkedBuffer } = await load(dist, 'wire/bytes/chunked-buffer.js')
  const access = { grantOf: async () => undefined, renameDataset: async () => 0 }
  const app = createService({ store, access, limits: DEFAULT_LIMITS, now: () => NOW }).app
  return async (request) => {
    const { status, body } = await app({
      method: 'POST',
      path: '/v1/datasets/_apl',
      query: new URLSearchParams('format=tabular'),
      headers: { 'content-type': 'application/json' },
      body: pieces(JSON.stringify({ ...request, queryOptions: { disableCache: true } })),
      signal: new AbortController().signal,
      trusted: true,
    })
    const text = Buffer.concat(ChunkedBuffer.of(body).chunks).toString()
    return status === 200 ? JSON.stringify({ tables: JSON.parse(text).tables }) : text
  }
}

async function* pieces(text) {
  yield Buffer.from(text)
}

async function ingest(store, dataset, lines) {
  const path = join(store.spool, 'compare.ndjson')
  // In two batches: the second adds fields to the first.
  const half = Math.ceil(lines.length / 2)
  for (const some of [lines.slice(0, half), lines.slice(half)]) {
    writeFileSync(path, `${some.join('\n')}\n`)
    const file = { kind: 'file', path }
    await store.ingest({ dataset, lines: file, arrivedAt: NOW, timestampField: '_time' })
    rmSync(path, { force: true })
  }
}

function datasets() {
  const read = (name) =>
    readFileSync(join(CASES, `${name}.ndjson`), 'utf8')
      .trim()
      .split('\n')
  const logs = Array.from({ length: EVENTS }, (_, i) => JSON.stringify(event(i)))
  return { logs, http: read('http'), numbers: read('numbers'), 'odd-names': read('odd names') }
}

const WORDS = 'Timeout kiosk ſoſ Worker-30 worker-3 straße 4242 true done request'.split(' ')

/** Strings of several kinds, arrays, two types in a field, members of objects, and fields that begin late. */
function event(i) {
  const random = randomOf(i)
  const words = () =>
    random.times(1, 5, () => random.pick(WORDS)).join(random.pick([' ', '-', '"']))
  return {
    _time: new Date(START_MS + i * 1000).toISOString(),
    service: random.pick(['api', 'web', 'auth']),
    status: random.pick([200, 404, 500]),
    took: random.below(1_000) / 8,
    trace: `${random.below(2 ** 30).toString(16)}${i}`,
    message: `request ${i} ${words()}`,
    ...(random.percent(5) && { tags: random.times(0, 3, words) }),
    ...(random.percent(5) && { error: { kind: random.pick(WORDS), stack: `at ${words()}\n` } }),
    ...(random.percent(5) && { code: random.pick([random.below(100), random.pick(WORDS)]) }),
    ...(random.percent(2) && { context: { user: random.pick(WORDS), ids: [i] } }),
    ...(i > EVENTS / 2 && { region: random.pick(['eu', 'us']) }),
  }
}

function requestOf(random) {
  const apl = random.percent(40) ? query(random) : search(random)
  const time = () => new Date(START_MS + random.pick([-1, 0, 5_000, 19_999, 30_000]) * 1000)
  return {
    apl,
    ...(random.percent(40) && { startTime: time().toISOString() }),
    ...(random.percent(40) && { endTime: time().toISOString() }),
  }
}

const FIELDS =
  "* service message trace tags code ['error.kind'] ['error.stack'] region context".split(' ')
const OPERATORS =
  'has has_cs hasprefix hassuffix contains contains_cs startswith endswith == != !has'.split(' ')
const ENDS = [
  'count',
  'summarize count() by service, status',
  'summarize dcount(trace), percentile(took, 95), max(took) by bin(_time, 1h)',
  'top 5 by took',
  'sort by _time asc | limit 3',
  'project _time, message, code | limit 20',
  'distinct region',
  'summarize rate(took) by region',
]

/** A query with terms. */
function search(random) {
  const end = random.pick(ENDS)
  if (random.percent(20)) return `search in (logs) '${random.pick(WORDS)}' | ${end}`
  const test = () => {
    const operator = random.pick(OPERATORS)
    const field = random.pick(/^[!=]/.test(operator) ? FIELDS.slice(1) : FIELDS)
    return `${field} ${operator} ${JSON.stringify(random.pick(WORDS))}`
  }
  const others = ['status >= 404', 'isnotnull(region)', 'took < 20', "service == 'api'"]
  const all = random.times(1, 3, () => (random.percent(70) ? test() : random.pick(others)))
  return `logs | where ${all.join(random.pick([' and ', ' or ']))} | ${end}`
}

const [other = '', count = '2000', first = '0'] = process.argv.slice(2)
if (other === '') throw new Error('Give the folder `dist` of the other build.')
process.exitCode = await compare({
  other: resolve(other),
  from: Number(first),
  count: Number(count),
})
