// Clients that keep a service busy: some store events, some run the same small query, each at a steady
// rate independent of the others, and each waiting for its response.
import { setTimeout as sleep } from 'node:timers/promises'
import { eventLine } from './events.js'

const BATCH = 500
/** The rates of a busy collector and of a dashboard. */
const INGEST_EVERY_MS = 500
const QUERY_EVERY_MS = 200
const WATCH_EVERY_MS = 1000
/** The queried events of the first minutes, stored in advance. */
const SEED = 20_000
const SMALL = {
  apl: 'logs | where status >= 500 | summarize count() by service',
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2026-01-01T00:03:20Z',
  // Measures execution, not caching.
  queryOptions: { disableCache: true },
}

/** Stores the events of the queries; returns how long the queries take without load. */
export async function prepare(service) {
  for (let from = 0; from < SEED; from += BATCH) await ingest(service, from)
  const expected = await small(service)
  const idleMs = []
  for (let i = 0; i < 60; i++) idleMs.push((await timed(() => small(service))).ms)
  return { expected: expected.answer, idleMs: idleMs.slice(10).sort(ascending) }
}

/** Runs 8 clients that ingest and 8 that query for some seconds; returns the errors and measurements. */
export async function load(service, { seconds, expected, clients = 8 }) {
  const end = performance.now() + seconds * 1000
  const found = { stored: SEED, errors: [], queryMs: [], ingestMs: [], memory: [] }
  let next = SEED
  const ingesting = paced({ end, everyMs: INGEST_EVERY_MS }, async () => {
    const from = next
    next += BATCH
    const { ms } = await timed(() => ingest(service, from))
    found.ingestMs.push(ms)
    found.stored += BATCH
  })
  const querying = paced({ end, everyMs: QUERY_EVERY_MS }, async () => {
    const { ms, value } = await timed(() => small(service))
    found.queryMs.push(ms)
    if (value.answer !== expected) throw new Error(`another answer: ${value.answer}`)
  })
  const watching = paced({ end, everyMs: WATCH_EVERY_MS }, async () => {
    found.memory.push(await metric(service, 'process_resident_memory_bytes'))
  })
  const failed = (error) => found.errors.push(String(error))
  const times = Array.from({ length: clients })
  await Promise.all([
    ...times.flatMap(() => [ingesting(failed), querying(failed)]),
    watching(failed),
  ])
  found.queryMs.sort(ascending)
  found.ingestMs.sort(ascending)
  return found
}

/** Returns the number of events in the service. */
export async function count(service) {
  const text = await post(service, '/v1/datasets/_apl?format=tabular', '{"apl":"logs | count"}')
  return JSON.parse(text).tables[0].columns[0][0]
}

export function at(sorted, share) {
  return sorted[Math.floor((sorted.length - 1) * share)]
}

const ascending = (a, b) => a - b

function paced({ end, everyMs }, work) {
  return async (failed) => {
    // Not all at the same moment.
    let due = performance.now() + Math.random() * everyMs
    while (due < end) {
      await sleep(Math.max(0, due - performance.now()))
      await work().catch(failed)
      due = Math.max(due + everyMs, performance.now())
    }
  }
}

async function timed(work) {
  const start = performance.now()
  const value = await work()
  return { ms: performance.now() - start, value }
}

async function ingest(service, from) {
  const lines = Array.from({ length: BATCH }, (_, i) => `${eventLine(from + i)}\n`)
  const text = await post(service, '/v1/ingest/logs', lines.join(''), 'application/x-ndjson')
  if (JSON.parse(text).ingested !== BATCH) throw new Error(text)
}

async function small(service) {
  const path = '/v1/datasets/_apl?format=tabular'
  const { tables } = JSON.parse(await post(service, path, JSON.stringify(SMALL)))
  const [services, counts] = tables[0].columns
  const rows = services.map((name, i) => `${name} ${counts[i]}`)
  return { answer: rows.sort().join(', ') }
}

async function post({ url, token }, path, body, type = 'application/json') {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type }
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 200)}`)
  return text
}

/** The processor time used by the service. */
export async function cpuSeconds(service) {
  return await metric(service, 'process_cpu_seconds_total')
}

async function metric({ url, token }, name) {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await answer.text())?.[1])
}
