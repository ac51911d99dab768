// How long storing a million events takes, against one INSERT … SELECT of the engine into the same
// table under the same guard. EVQ_BENCH_EVENTS and EVQ_BENCH_IN_FLIGHT make it other numbers.
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../dist/engine/embedded.js'
import { openStore } from '../../dist/engine/store.js'

const EVENTS = Number(process.env.EVQ_BENCH_EVENTS ?? 1_000_000)
const IN_FLIGHT = Number(process.env.EVQ_BENCH_IN_FLIGHT ?? 6)
const FILE_BYTES = 3_000_000

const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
const now = () => BigInt(Date.now()) * 1_000_000n
const batch = (file) => ({ dataset: 'logs', file, arrivedAt: now(), timestampField: '_time' })

export async function run(report) {
  try {
    const { files, whole } = await writeEvents()
    const engine = await openEmbedded({ directory: join(directory, 'engine') })
    let insert = ''
    const watched = {
      run: (statement) => {
        if (statement.text.includes('INSERT INTO datasets.')) insert = statement.text
        return engine.run(statement)
      },
      ask: (query) => engine.ask(query),
      read: (query, limits) => engine.read(query, limits),
      close: () => engine.close(),
    }
    const store = await openStore({ directory, now, engine: watched })
    // The first batch makes the dataset, the second is stored by the statement that all others are stored by.
    await store.ingest(batch(files[0]))
    await store.ingest(batch(files[0]))
    const oneInsert = { text: insert.replaceAll(files[0], whole), kind: 'sql' }

    const runs = []
    for (let run = 0; run < 3; run++) {
      await engine.run({ text: 'TRUNCATE TABLE datasets.logs', kind: 'sql' })
      const alone = await measured(() => engine.run(oneInsert))
      await engine.run({ text: 'TRUNCATE TABLE datasets.logs', kind: 'sql' })
      runs.push({ alone, stored: await measured(() => storeAll(store, files)) })
    }
    const median = (name) => runs.map((run) => run[name]).sort((x, y) => x - y)[1]
    report({ name: 'events stored', ms: median('stored'), handMs: median('alone'), target: 1.5 })
    await store.close()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function storeAll(store, files) {
  let next = 0
  const worker = async () => {
    while (next < files.length) await store.ingest(batch(files[next++]))
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}

async function measured(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function writeEvents() {
  const whole = join(directory, 'events.ndjson')
  const all = await open(whole, 'w')
  const files = []
  let lines = []
  let bytes = 0
  for (let i = 0; i < EVENTS; i++) {
    const line = `${JSON.stringify(event(i))}\n`
    lines.push(line)
    bytes += line.length
    if (bytes < FILE_BYTES && i < EVENTS - 1) continue
    const text = lines.join('')
    const path = join(directory, `batch-${files.length}.ndjson`)
    const file = await open(path, 'w')
    await file.writeFile(text)
    await file.close()
    await all.appendFile(text)
    files.push(path)
    lines = []
    bytes = 0
  }
  await all.close()
  return { files, whole }
}

/** About 300 bytes in 14 fields; the same for the same number. */
function event(i) {
  const random = (below, salt) => ((Math.imul(i + 1, 0x9e3779b1 ^ salt) >>> 7) * 2654435761) % below
  const hex = (salt) => random(0xffffffff, salt).toString(16).padStart(8, '0')
  return {
    _time: new Date(1_767_225_600_000 + i * 10).toISOString(),
    level: ['debug', 'info', 'info', 'info', 'warn', 'error'][random(6, 1)],
    service: ['api', 'web', 'auth', 'billing', 'search'][random(5, 2)],
    host: `host-${random(40, 3)}`,
    method: ['GET', 'POST', 'PUT', 'DELETE'][random(4, 4)],
    path: `/api/v1/items/${random(200, 5)}`,
    status: [200, 200, 200, 201, 404, 500][random(6, 6)],
    duration_ms: random(100_000, 7) / 100,
    bytes: random(100_000, 8),
    trace_id: hex(9) + hex(10) + hex(11) + hex(12),
    user: `user-${random(20_000, 13)}`,
    ok: random(2, 14) === 0,
    client: { ip: `10.${random(256, 15)}.${random(256, 16)}.${random(256, 17)}`, country: 'DE' },
  }
}
