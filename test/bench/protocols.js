// A million events by each protocol of shippers, compared with NDJSON of the same events: requests of the size that the
// OpenTelemetry Collector sends, four in flight, to `evq serve` in another process. Each round stores into new datasets; the
// ratio is the median of those of the rounds. `EVQ_BENCH_EVENTS` sets another number of events.
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OtlpDecoder } from '../../dist/wire/otlp/decode.js'
import { serve } from '../support/serve.js'
import { median } from './commands.js'

const EVENTS = Number(process.env.EVQ_BENCH_EVENTS ?? 1_000_000)
const RUNS = 5
const IN_FLIGHT = 4
/** The Collector's default. */
const REQUEST_EVENTS = 8_192
/** Different requests; they are sent repeatedly. */
const REQUESTS = 12
const TARGET = 1.5

const requests = Array.from({ length: REQUESTS }, (_, i) => otlpRequest(i * REQUEST_EVENTS))
const lines = requests.map((body) =>
  Buffer.concat([...new OtlpDecoder('logs').decode(body)].filter(Boolean)),
)

/** The protocols, by the name of the row; the first one is what the others are compared with. */
const PROTOCOLS = {
  NDJSON: {
    path: (dataset) => `/v1/ingest/${dataset}`,
    type: 'application/x-ndjson',
    bodies: lines,
  },
  OTLP: {
    path: (dataset) => `/v1/logs?dataset=${dataset}`,
    type: 'application/x-protobuf',
    bodies: requests,
  },
  _bulk: {
    path: (dataset) => `/${dataset}/_bulk`,
    type: 'application/x-ndjson',
    // As Beats and Logstash send them, with the same events.
    bodies: lines.map((events) =>
      Buffer.from(events.toString().replaceAll(/^\{"_time":/gm, '{"create":{}}\n{"@timestamp":')),
    ),
  },
}

export async function run(report) {
  decoding(report)
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const service = await serve({ PATH: process.env.PATH, EVQ_DATA_DIR: directory })
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
  try {
    const [[, hand], ...others] = Object.entries(PROTOCOLS)
    const all = [hand, ...others.map(([, protocol]) => protocol)]
    const rounds = []
    for (let round = 0; round <= RUNS; round++) {
      const times = []
      for (const [i, protocol] of all.entries()) {
        times.push(await sendAll(protocol, { service, agent, dataset: `p${i}-${round}` }))
      }
      // The first round warms up.
      if (round > 0) rounds.push(times)
    }
    const handMs = median(rounds.map(([{ ms }]) => ms))
    const cpu = (i) => median(rounds.map((times) => times[i].cpuSeconds)).toFixed(1)
    for (const [i, [name]] of others.entries()) {
      const ratio = median(rounds.map((times) => times[i + 1].ms / times[0].ms))
      const what = `${EVENTS.toLocaleString('en')} events by ${name} (CPU: ${cpu(i + 1)} s, ${cpu(0)} s)`
      report({ name: what, ms: ratio * handMs, handMs, beside: 'as NDJSON', target: TARGET })
    }
  } finally {
    agent.destroy()
    await service.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The CPU time of the decoder alone: at least 100 MB of protobuf a second. */
function decoding(report) {
  const times = []
  const bytes = requests.reduce((sum, { length }) => sum + length, 0)
  for (let round = 0; round <= RUNS; round++) {
    const before = process.cpuUsage()
    for (const body of requests) for (const _ of new OtlpDecoder('logs').decode(body));
    const { user, system } = process.cpuUsage(before)
    if (round > 0) times.push(((user + system) / 1000) * (100e6 / bytes))
  }
  report({ name: 'decode 100 MB of OTLP protobuf', ms: median(times), target: 1_000 })
}

async function sendAll({ path, type, bodies }, { service, agent, dataset }) {
  const count = Math.ceil(EVENTS / REQUEST_EVENTS)
  let next = 0
  const worker = async () => {
    for (let i = next++; i < count; i = next++) {
      await send(bodies[i % bodies.length], {
        url: service.url + path(dataset),
        type,
        agent,
        service,
      })
    }
  }
  const before = await cpuSeconds(service)
  const start = performance.now()
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  const ms = performance.now() - start
  const used = (await cpuSeconds(service)) - before
  // Merges of this dataset would slow down the next one.
  await send('', { url: `${service.url}/v1/datasets/${dataset}`, method: 'DELETE', agent, service })
  return { ms, cpuSeconds: used }
}

/** The CPU time of the service so far. */
async function cpuSeconds({ url }) {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
}

function send(body, { url, type, agent, service, method = 'POST' }) {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${service.token}`,
      ...(type && { 'content-type': type }),
    }
    const outgoing = request(url, { method, agent, headers }, (response) => {
      response.resume().on('end', () => {
        const { statusCode } = response
        if (statusCode === 200 || statusCode === 204) resolve()
        else reject(new Error(`${url}: ${statusCode}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** An export request of log records as the Collector sends it, encoded by the official SDK. */
function otlpRequest(first) {
  const { ProtobufLogsSerializer } = createRequire(import.meta.url)(
    '@opentelemetry/otlp-transformer',
  )
  const attributes = {
    'service.name': 'checkout',
    'service.version': '1.4.2',
    'service.instance.id': '627cc493-f310-47de-96bd-71410b7dec09',
    'host.name': 'ip-10-0-3-17.ec2.internal',
    'k8s.namespace.name': 'shop',
    'k8s.pod.name': 'checkout-7c9f6d5b8-x2x7q',
    'k8s.node.name': 'node-3',
    'cloud.region': 'eu-west-1',
    'telemetry.sdk.language': 'java',
    team: 'payments',
  }
  const resource = { attributes, getRawAttributes: () => Object.entries(attributes) }
  const instrumentationScope = { name: 'com.shop.CartController', version: '1.0' }
  const hex = (value, length) => value.toString(16).padStart(length, '7')
  const record = (i) => ({
    hrTime: [1_767_268_800 + Math.floor(i / 1000), (i % 1000) * 1e6 + 123],
    hrTimeObserved: [1_767_268_800 + Math.floor(i / 1000), (i % 1000) * 1e6 + 99_123],
    severityNumber: i % 50 === 0 ? 17 : 9,
    severityText: i % 50 === 0 ? 'ERROR' : 'INFO',
    body: `Handled GET /api/carts/${i} for user-${i % 977} in ${i % 350} ms`,
    attributes: {
      'http.request.method': 'GET',
      'url.path': `/api/carts/${i % 5000}`,
      'http.response.status_code': i % 50 === 0 ? 500 : 200,
      'thread.name': `worker-${i % 8}`,
      'code.function.name': 'com.shop.Cart.get',
      duration_ms: (i % 350) + 0.25,
      user_id: `user-${i % 977}`,
    },
    spanContext: { traceId: hex(i, 32), spanId: hex(i, 16), traceFlags: 1 },
    droppedAttributesCount: 0,
    resource,
    instrumentationScope,
  })
  const records = Array.from({ length: REQUEST_EVENTS }, (_, i) => record(first + i))
  return Buffer.from(ProtobufLogsSerializer.serializeRequest(records))
}
