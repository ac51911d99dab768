// A million events of about 300 bytes, from a file to stored: by `evq ingest` with its start, through HTTP,
// and by the store alone, each against one INSERT … SELECT of the engine itself, from the same file
// into the same table under the same guard. Then the same events with a bad line among them, and as
// CSV, each against `evq ingest` of the sound lines. Interleaved; medians.
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../dist/engine/clickhouse/embedded.js'
import { localSource } from '../../dist/engine/file-statement.js'
import { openStore } from '../../dist/engine/store.js'
import { eventChunks } from '../support/events.js'
import { median } from './commands.js'

const EVENTS = 1_000_000
const RUNS = 5
const IN_FLIGHT = 4
/** The position of the invalid line, and the exit code of `evq ingest` for rejected events. */
const BAD_LINE = 700_000
const REJECTED = 3

const evq = join(import.meta.dirname, '../../bin/evq.js')
const now = () => BigInt(Date.now()) * 1_000_000n
const batch = (file) => ({
  dataset: 'logs',
  lines: { kind: 'file', path: file },
  arrivedAt: now(),
  timestampField: '_time',
})

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  try {
    const { files, whole, bad, csv } = writeEvents(directory)
    const { engine, insert } = await watchedEngine(directory)
    const store = await openStore({ directory, now, engine })
    // The first batch creates the dataset; the second is stored by the same statement as all others.
    await store.ingest(batch(files[0]))
    await store.ingest(batch(files[0]))
    const alone = { text: insert().replaceAll(files[0], whole), kind: 'sql' }
    const empty = { text: 'TRUNCATE TABLE datasets.logs', kind: 'sql' }

    await engine.run(empty)
    const times = { hand: [], store: [], program: [], bad: [], csv: [] }
    for (let round = 0; round < RUNS; round++) {
      times.hand.push(await timed(() => engine.run(alone)))
      await engine.run(empty)
      times.store.push(await timed(() => storeAll(store, files)))
      // Unfinished merges would slow down the next run.
      await engine.run(empty)
      times.program.push(await timed(() => program(directory, whole)))
      times.bad.push(await timed(() => program(directory, bad, REJECTED)))
      times.csv.push(await timed(() => program(directory, csv)))
    }
    await store.close()
    const handMs = median(times.hand)
    report({ name: 'store, 4 MB a batch', ms: median(times.store), handMs, target: 1.67 })
    const programMs = median(times.program)
    report({ name: 'cat … | evq ingest', ms: programMs, handMs, target: 1.67 })
    report({ name: 'one bad line', ms: median(times.bad), handMs: programMs, target: 1.05 })
    report({ name: 'CSV', ms: median(times.csv), handMs: programMs, target: 1.43 })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The engine, and the last statement that stored events. */
async function watchedEngine(directory) {
  const engine = await openEmbedded({ directory: join(directory, 'engine') })
  let insert = ''
  const watched = {
    storedParts: engine.storedParts,
    load(statement) {
      const { text } = statement.write(localSource(statement))
      if (text.includes('INSERT INTO datasets.')) insert = text
      return engine.load(statement)
    },
    run: (statement) => engine.run(statement),
    change: (change) => engine.change(change),
    ask: (query) => engine.ask(query),
    read: (query, limits) => engine.read(query, limits),
    close: () => engine.close(),
  }
  return { engine: watched, insert: () => insert }
}

async function storeAll(store, files) {
  let next = 0
  const worker = async () => {
    while (next < files.length) await store.ingest(batch(files[next++]))
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}

function program(directory, whole, expected = 0) {
  const data = join(directory, 'data')
  rmSync(data, { recursive: true, force: true })
  const command = `cat '${whole}' | '${process.execPath}' '${evq}' ingest logs -q`
  const { status } = spawnSync('sh', ['-c', command], {
    env: { PATH: process.env.PATH, EVQ_DATA_DIR: data },
    stdio: ['ignore', 'inherit', expected === 0 ? 'inherit' : 'ignore'],
  })
  if (status !== expected) throw new Error(`evq ingest ended with ${status}`)
}

function writeEvents(directory) {
  const whole = join(directory, 'events.ndjson')
  const all = openSync(whole, 'w')
  const bad = join(directory, 'bad.ndjson')
  const csv = join(directory, 'events.csv')
  const others = [openSync(bad, 'w'), openSync(csv, 'w')]
  const files = []
  let count = 0
  for (const chunk of eventChunks(EVENTS)) {
    const file = join(directory, `batch-${files.length}.ndjson`)
    writeFileSync(file, chunk)
    writeSync(all, chunk)
    files.push(file)
    const lines = chunk.trimEnd().split('\n')
    writeSync(others[1], csvRows(lines, count === 0))
    if (BAD_LINE >= count && BAD_LINE < count + lines.length) lines[BAD_LINE - count] = '{"cut":'
    writeSync(others[0], `${lines.join('\n')}\n`)
    count += lines.length
  }
  for (const file of [all, ...others]) closeSync(file)
  return { files, whole, bad, csv }
}

function csvRows(lines, withHeader) {
  const rows = lines.map((line) => {
    const { client, ...event } = JSON.parse(line)
    return { ...event, 'client.ip': client.ip, 'client.country': client.country }
  })
  const texts = rows.map((row) => Object.values(row).join(','))
  if (withHeader) texts.unshift(Object.keys(rows[0]).join(','))
  return `${texts.join('\n')}\n`
}

async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}
