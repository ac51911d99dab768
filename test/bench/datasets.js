// Small requests to 1,000 datasets of one service, three rounds of them: its file descriptors and memory afterward, and the
// memory of the third round against that of the first.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '../support/serve.js'

const DATASETS = 1_000
const ROUNDS = 3
const IN_FLIGHT = 16
const EVENTS = 20

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const service = await serve({ PATH: process.env.PATH, EVQ_DATA_DIR: directory })
  try {
    const memory = []
    for (let round = 0; round < ROUNDS; round++) {
      let next = 0
      const worker = async () => {
        while (next < DATASETS) await post(service, `set-${next++}`, round)
      }
      await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
      memory.push(memoryOf(service.pid))
    }
    const open = readdirSync(`/proc/${service.pid}/fd`).length
    // The usual limit of a shell.
    report({ name: `${DATASETS} datasets, open files`, ms: open, unit: '', target: 1024 })
    const flat = { handMs: memory[0], beside: 'round 1', target: 1.25 }
    report({ name: `${DATASETS} datasets, memory`, ms: memory.at(-1), unit: 'MB', ...flat })
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function post({ url, token }, dataset, round) {
  const events = Array.from({ length: EVENTS }, (_, i) => ({
    _time: new Date(Date.UTC(2026, 0, 1, round, 0, i)).toISOString(),
    level: 'info',
    status: 200 + i,
    message: `event ${i} of round ${round}`,
    client: { ip: `10.0.0.${i}` },
  }))
  const response = await fetch(`${url}/v1/ingest/${dataset}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  })
  const { ingested } = await response.json()
  if (ingested !== EVENTS) throw new Error(`${dataset}: ${response.status}, ${ingested} events`)
}

/** The megabytes of memory of a process. */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) / 1000
}
