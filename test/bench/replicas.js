// Ingest through `evq serve` into two shards with two replicas each, compared with one ClickHouse server: the same events
// from a pipe, interleaved on one machine; medians. The CPU time ends with the last response: later merges do not count.
// Then forty batches, one after the other, of which each has nine fields that no event had before.
// `EVQ_BENCH_EVENTS` sets the number of events; `EVQ_BENCH_PROFILE` a directory for CPU profiles of the services.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveFlags, startServers } from '../support/clickhouse-server.js'
import { eventChunks } from '../support/events.js'
import { isKnownBuild, startReplicas } from '../support/replicas/replicas.js'
import { serve } from '../support/serve.js'
import { until } from '../support/until.js'
import { median, writeChunks } from './commands.js'

const EVENTS = Number(process.env.EVQ_BENCH_EVENTS ?? 1_000_000)
const RUNS = Number(process.env.EVQ_BENCH_RUNS ?? 3)
/** Events that create the dataset. */
const FIRST = 20_000
const NEW_FIELD_BATCHES = 40
const NEW_FIELDS = 9
/** The unit of CPU times in `/proc`. */
const TICK_MS = 10

const evq = join(import.meta.dirname, '../../bin/evq.js')

export async function run(report) {
  if (!isKnownBuild) {
    process.stderr.write('replicas: skipped, because this build of chdb cannot start replicas\n')
    return
  }
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const beds = []
  const places = []
  try {
    const files = { first: join(directory, 'first.ndjson'), all: join(directory, 'events.ndjson') }
    writeChunks(files.first, eventChunks(FIRST))
    writeChunks(files.all, eventChunks(EVENTS, FIRST))
    beds.push(await startServers(1), await startReplicas({ shards: 2, replicas: 2 }))
    for (const [i, { servers }] of beds.entries()) {
      const place = await served(servers, join(directory, `${i}`))
      places.push(place)
      await ingest(place, files.first)
    }
    for (let round = 0; round < RUNS; round++) {
      for (const place of places) place.runs.push(await measured(place, files.all))
    }
    for (const place of places) await verify(place)
    for (const place of places) place.newFields = await ingestNewFields(place)
    tell(report, places)
  } finally {
    for (const { service } of places) await service.stop()
    for (const bed of beds) await bed.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Starts a service in front of servers. */
async function served(servers, directory) {
  mkdirSync(directory)
  const env = { PATH: process.env.PATH, HOME: directory, EVQ_DATA_DIR: join(directory, 'data') }
  const flags = serveFlags(
    servers.map(({ url }) => url),
    directory,
  )
  const profile = process.env.EVQ_BENCH_PROFILE
  const node = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const service = await serve(env, { flags, node })
  return { env, service, servers, runs: [] }
}

/** Not synchronous: the replicas' ZooKeeper is in this process. */
async function ingest({ env, service: { url, token } }, file) {
  const script = `cat "${file}" | "${process.execPath}" "${evq}" ingest logs -q`
  const child = spawn('sh', ['-c', script], {
    env: { ...env, EVQ_URL: url, EVQ_TOKEN: token },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`evq ingest ended with ${status}`)
}

async function measured(place, file) {
  const used = () => ({
    wall: performance.now(),
    service: cpuMs(place.service.pid),
    servers: place.servers.reduce((sum, server) => sum + cpuMs(server.pid()), 0),
  })
  const before = used()
  await ingest(place, file)
  const after = used()
  return Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - before[name]]))
}

/** The milliseconds that the batches with new fields take. */
async function ingestNewFields({ service: { url, token } }) {
  const began = performance.now()
  for (let batch = 0; batch < NEW_FIELD_BATCHES; batch++) {
    const names = Array.from({ length: NEW_FIELDS }, (_, i) => `new_${batch}_${i}`)
    const event = JSON.stringify(Object.fromEntries(names.map((name, i) => [name, i])))
    const response = await fetch(`${url}/v1/datasets/new-fields/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: `${event}\n`.repeat(100),
    })
    if (!response.ok) throw new Error(await response.text())
  }
  return performance.now() - began
}

/** The CPU time of all threads of a process. */
function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * TICK_MS
}

async function verify({ service: { url, token } }) {
  const count = async () => {
    const response = await fetch(`${url}/v1/datasets/_apl?format=tabular`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ apl: "['logs'] | count" }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return JSON.parse(text)
  }
  // Replicas that had no processor time may have lost their connections to ZooKeeper.
  const { tables } = await until(count, 'the events are counted')
  const [[stored]] = tables[0].columns
  const sent = FIRST + RUNS * EVENTS
  if (stored !== sent) throw new Error(`${stored} events of ${sent} are stored`)
}

function tell(report, places) {
  const names = { wall: 'time', service: 'CPU of the service', servers: 'CPU of the servers' }
  for (const [measure, name] of Object.entries(names)) {
    const [handMs, ms] = places.map(({ runs }) => median(runs.map((run) => run[measure])))
    report({ name: `ingest into 2 × 2, ${name}`, ms, handMs, beside: 'one' })
  }
  const [handMs, ms] = places.map(({ newFields }) => newFields)
  report({ name: 'forty batches with new fields into 2 × 2', ms, handMs, beside: 'one' })
}
