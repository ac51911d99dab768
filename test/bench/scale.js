// Queries of many events over HTTP after their merges, without the cache, beside SQL written by hand for the same table in the
// same process, interleaved. `EVQ_BENCH_EVENTS` is their number, 5 million by default. Times of generated events are shifted, so
// that their text is generated once: ids occur again in each shift. With `EVQ_BENCH_VICTORIALOGS`, the path of its program,
// searches run there as well.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbedded } from '../../dist/engine/clickhouse/embedded.js'
import { openStore } from '../../dist/engine/store.js'
import { createApp } from '../../dist/service/app.js'
import { DEFAULT_LIMITS } from '../../dist/service/limits.js'
import { listen } from '../../dist/service/listener/listen.js'
import { randomFrom, traceIdFrom } from '../support/events.js'
import { median, writeChunks } from './commands.js'
import { timed } from './queries.js'

const EVENTS = Number(process.env.EVQ_BENCH_EVENTS ?? 5_000_000)
const BLOCK = 250_000
const ROUNDS = 5
const ALLOWED_MS = 5
const TARGET = 1.2
const START_MS = Date.UTC(2026, 0, 1)
const NOW = BigInt(Date.UTC(2027, 0, 1)) * 1_000_000n
const RANGE = { startTime: '2025-12-31T00:00:00Z', endTime: '2026-12-31T00:00:00Z' }

const STRINGS = 'level service path trace_id message error.kind error.stack region'.split(' ')
const inAny = (word) =>
  [...STRINGS.map((name) => `ifNull(\`${name}:string\`, '')`), 'line']
    .map((text) => `positionCaseInsensitive(${text}, '${word}')`)
    .join(' + ')

const QUERIES = [
  { apl: 'logs | count', hand: 'count() FROM logs' },
  {
    apl: 'logs | summarize count() by service',
    hand: '`service:string` AS s, count() FROM logs GROUP BY s',
    logs: '* | stats by (service) count()',
  },
  {
    apl: 'logs | summarize count(), percentile(took, 95) by path',
    hand: '`path:string` AS p, count() AS n, quantileExact(0.95)(`took:real`) FROM logs GROUP BY p ORDER BY n DESC, p LIMIT 1001',
    logs: '* | stats by (path) count() n, quantile(0.95, took) | sort by (n desc) limit 1001',
  },
  {
    apl: 'logs | summarize dcount(trace_id)',
    hand: 'uniqExact(sipHash64(`trace_id:string`)) FROM logs',
    logs: '* | stats count_uniq(trace_id)',
  },
  {
    apl: "logs | where ['error.kind'] == 'Timeout' | count",
    hand: "count() FROM logs WHERE `error.kind:string` = 'Timeout'",
    logs: 'error.kind:="Timeout" | count()',
  },
  {
    apl: "logs | where message has 'worker-30' | count",
    hand: "count() FROM logs WHERE positionCaseInsensitive(`message:string`, 'worker-30') > 0",
    logs: 'message:i("worker-30") | count()',
  },
  {
    apl: "logs | where message contains 'handled by worker-3' | count",
    hand: "count() FROM logs WHERE positionCaseInsensitive(`message:string`, 'handled by worker-3') > 0",
  },
  {
    apl: "search in (logs) 'worker-30' | count",
    hand: `count() FROM logs WHERE ${inAny('worker-30')} > 0`,
  },
  {
    apl: "search in (logs) 'nowhere' | count",
    hand: `count() FROM logs WHERE ${inAny('nowhere')} > 0`,
  },
  { apl: 'logs | top 100 by _time', hand: '* FROM logs ORDER BY _time DESC LIMIT 100' },
]

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const engine = await openEmbedded({ directory: join(directory, 'engine') })
  const store = await openStore({ directory, now: () => NOW, ownEngine: engine })
  const peer = process.env.EVQ_BENCH_VICTORIALOGS
  const victoria = peer && (await startVictoriaLogs(peer, join(directory, 'victoria')))
  try {
    await fill(store, { victoria, report })
    await engine.run({ kind: 'sql', text: 'OPTIMIZE TABLE datasets.logs FINAL' })
    await measure({ engine, store, victoria, report })
  } finally {
    victoria?.stop()
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Stores the same events again and again, each time at a later time. */
async function fill(store, { victoria, report }) {
  const path = join(store.spool, 'block.ndjson')
  const lines = Array.from({ length: BLOCK }, (_, i) => eventRest(i))
  const start = performance.now()
  for (let first = 0; first < EVENTS; first += BLOCK) {
    const some = lines.slice(0, EVENTS - first)
    const timedLines = some.map((rest, i) => `{"_time":"${timeOf(first + i)}",${rest}`)
    writeChunks(path, [`${timedLines.join('\n')}\n`])
    const file = { kind: 'file', path }
    await store.ingest({ dataset: 'logs', lines: file, arrivedAt: NOW, timestampField: '_time' })
    if (victoria) await victoria.insert(path)
    rmSync(path, { force: true })
  }
  report({ name: `${EVENTS} events stored`, ms: (performance.now() - start) / 1000, unit: 's' })
}

function timeOf(index) {
  return new Date(START_MS + index * 100).toISOString()
}

/** An event after its time: 2 % have an array, 3 % an error, 0.5 % a field of two types. */
function eventRest(index) {
  const random = randomFrom(index)
  const id = traceIdFrom(random)
  const event = {
    level: ['info', 'info', 'info', 'warn', 'error'][random(5)],
    service: ['api', 'auth', 'billing', 'cart', 'search', 'web'][random(6)],
    path: `/v1/items/${random(100_000)}`,
    status: [200, 200, 200, 404, 500][random(5)],
    took: random(200_000) / 100 + 0.005,
    trace_id: id,
    message: `request ${index} handled by worker-${random(64)} in ${random(900)} ms`,
    ...(random(50) === 0 && { tags: ['a', `b${random(5)}`] }),
    ...(random(33) === 0 && {
      error: { kind: ['Timeout', 'Refused'][random(2)], stack: 'at f\n' },
    }),
    ...(random(200) === 0 && { code: random(2) === 0 ? random(100) : 'E7' }),
    ...(index > BLOCK / 2 && { region: `r${random(8)}` }),
  }
  return JSON.stringify(event).slice(1)
}

async function measure({ engine, store, victoria, report }) {
  const access = { find: async () => undefined }
  const app = createApp({ store, access, limits: DEFAULT_LIMITS, now: () => NOW })
  const listener = await listen({ app, address: { host: '127.0.0.1', port: 0 }, trusted: true })
  try {
    for (const { apl, hand, logs } of QUERIES) {
      const body = JSON.stringify({ apl, ...RANGE, queryOptions: { disableCache: true } })
      const ask = () => posted(listener.address.port, '/v1/datasets/_apl?format=tabular', body)
      const sql = { kind: 'sql', text: `SELECT ${hand}` }
      await timed(engine, ask)
      await timed(engine, sql)
      const times = { http: [], sql: [], peer: [] }
      for (let round = 0; round < ROUNDS; round++) {
        times.http.push(await timed(engine, ask))
        times.sql.push(await timed(engine, sql))
        if (victoria && logs) times.peer.push(await timed(engine, () => victoria.query(logs)))
      }
      const ms = Math.max(0, median(times.http) - ALLOWED_MS)
      const beside = { handMs: median(times.sql), beside: 'the SQL', target: TARGET }
      report({ name: `${apl}, less ${ALLOWED_MS} ms`, ms, ...beside })
      if (times.peer.length > 0) report({ name: '  VictoriaLogs', ms: median(times.peer) })
    }
  } finally {
    await listener.close()
  }
}

function posted(port, path, body, headers = { 'content-type': 'application/json' }) {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) =>
      buffer(response).then((text) => {
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${response.statusCode} ${text}`))
      }, reject),
    )
    asked.on('error', reject)
    Readable.from(typeof body === 'string' ? [body] : body).pipe(asked)
  })
}

/** Starts VictoriaLogs on a free port, with its data in a folder. */
async function startVictoriaLogs(program, folder) {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  const flags = [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`]
  const child = spawn(program, [...flags, '-retentionPeriod=10y'], { stdio: 'ignore' })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const query = (text) =>
    posted(port, '/select/logsql/query', new URLSearchParams({ query: text }).toString(), form)
  while (child.exitCode === null) {
    const isUp = await query('* | count()').then(
      () => true,
      () => false,
    )
    if (isUp) break
    await sleep(100)
  }
  const path = '/insert/jsonline?_time_field=_time&_msg_field=message&_stream_fields=service'
  return {
    query,
    insert: (file) => posted(port, path, createReadStream(file)),
    stop: () => child.kill(),
  }
}
