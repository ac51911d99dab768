// Requests of a single event, 500 per second, over the data directory's socket: the time until each is
// durable, the maximum number of parts of the table, and the cost. Then one request after the other,
// which must not wait for others. Then requests to 200 datasets, with queries of one of them meanwhile.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openEmbedded } from '../../dist/engine/clickhouse/embedded.js'
import { openStore } from '../../dist/engine/store.js'
import { createService } from '../../dist/service/app.js'
import { DEFAULT_LIMITS } from '../../dist/service/limits.js'
import { listen } from '../../dist/service/listener/listen.js'

const RATE = 500
const SECONDS = 30
const ALONE = 100
const DATASETS = 200
const RATE_OF_MANY = 200

const now = () => BigInt(Date.now()) * 1_000_000n
const client = join(import.meta.dirname, '../support/paced-requests.js')
const parts = {
  text: "SELECT count() AS n FROM system.parts WHERE table = 'logs' AND active",
  kind: 'sql',
}

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const engine = await openEmbedded({ directory: join(directory, 'engine') })
  const store = await openStore({ directory, now, ownEngine: engine })
  const app = createService({
    store,
    access: { grantOf: async () => undefined },
    limits: DEFAULT_LIMITS,
    now,
  }).app
  const socketPath = join(directory, 'socket')
  const listener = await listen({ app, address: { socketPath }, trusted: true })
  try {
    await requests(socketPath, ALONE, RATE)
    let most = 0
    const watch = setInterval(async () => {
      most = Math.max(most, Number(JSON.parse((await engine.ask(parts)).columns.get('n'))[0]))
    }, 500)
    const before = process.cpuUsage()
    const steady = await requests(socketPath, RATE * SECONDS, RATE)
    const used = process.cpuUsage(before)
    clearInterval(watch)
    const cpu = Math.round((used.user + used.system) / 10_000 / steady.seconds)
    report({ name: `ack, p50 (${cpu} % of a core)`, ms: steady.p50, target: 5 })
    report({ name: `ack, p99 (${most} parts at most)`, ms: steady.p99, target: 25 })
    report({ name: 'the next only after an answer', ms: await oneByOne(socketPath), target: 2 })
    await requests(socketPath, DATASETS, 0, DATASETS)
    const sending = requests(socketPath, RATE_OF_MANY * SECONDS, RATE_OF_MANY, DATASETS)
    const queries = await queryTimes(socketPath, sending)
    const many = await sending
    report({ name: `ack, p99, ${DATASETS} datasets`, ms: many.p99, target: 100 })
    report({ name: 'a query meanwhile, median', ms: queries[queries.length >> 1], target: 100 })
    report({ name: 'a query meanwhile, most', ms: queries.at(-1), target: 1000 })
  } finally {
    await listener.close()
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function requests(socketPath, count, rate, datasets = 1) {
  const args = [client, socketPath, count, rate, datasets]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const result = JSON.parse(stdout)
  if (result.failed > 0)
    throw new Error(`${result.failed} requests failed, the first with ${result.first}`)
  return result
}

/** The sorted durations of queries, one every half second until other work ends. */
async function queryTimes(socketPath, work) {
  let isDone = false
  const done = () => {
    isDone = true
  }
  work.then(done, done)
  const times = []
  while (!isDone) {
    const began = performance.now()
    await query(socketPath, "['logs7'] | count")
    times.push(performance.now() - began)
    await sleep(500)
  }
  return times.sort((a, b) => a - b)
}

function query(socketPath, apl) {
  const path = '/v1/datasets/_apl?format=tabular'
  const headers = { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    request({ socketPath, path, method: 'POST', headers }, (answer) => {
      answer.resume().on('end', resolve)
      if (answer.statusCode !== 200) reject(new Error(`${answer.statusCode} for ${apl}`))
    })
      .on('error', reject)
      .end(JSON.stringify({ apl }))
  })
}

/** The median duration of consecutive requests. */
async function oneByOne(socketPath) {
  return (await requests(socketPath, ALONE, 0)).p50
}
