// Requests of a single event, 500 per second, over the data directory's socket: the time until each is
// durable, the maximum number of parts of the table, and the cost. Then one request after the other,
// which must not wait for others.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openEmbedded } from '../../dist/engine/clickhouse/embedded.js'
import { openStore } from '../../dist/engine/store.js'
import { createService } from '../../dist/service/app.js'
import { DEFAULT_LIMITS } from '../../dist/service/limits.js'
import { listen } from '../../dist/service/listener/listen.js'

const RATE = 500
const SECONDS = 30
const ALONE = 100

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
  } finally {
    await listener.close()
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function requests(socketPath, count, rate) {
  const { stdout } = await promisify(execFile)(process.execPath, [client, socketPath, count, rate])
  const result = JSON.parse(stdout)
  if (result.failed > 0)
    throw new Error(`${result.failed} requests failed, the first with ${result.first}`)
  return result
}

/** The median duration of consecutive requests. */
async function oneByOne(socketPath) {
  return (await requests(socketPath, ALONE, 0)).p50
}
