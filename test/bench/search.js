// A word in any field: `search`, compared with the bytes of the same columns searched by hand, and with `grep` over the files.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../dist/engine/clickhouse/embedded.js'
import { openStore } from '../../dist/engine/store.js'
import { median } from './commands.js'
import { compiled, fill, NOW, timed } from './queries.js'

const ROUNDS = 21
const WORD = 'worker-30'
const STRINGS = 'client.country client.ip level message method path service trace_id'.split(' ')
const BYTES = STRINGS.map((name) => `positionCaseInsensitive(\`${name}:string\`, '${WORD}') > 0`)

/** The position of the event with the needle. */
const EVENTS_BEFORE = 1_000

const DATASETS = 58
const EVENTS = 2_100
const WORDS =
  'session opened closed failed password from port user kernel usb device started'.split(' ')

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const engine = await openEmbedded({ directory: join(directory, 'engine') })
  const store = await openStore({ directory, now: () => NOW, engine })
  try {
    await fill(store)
    const hand = { kind: 'sql', text: `SELECT count() FROM logs WHERE ${BYTES.join(' OR ')}` }
    const one = await interleaved(
      () => timed(engine, compiled(`search in (logs) '${WORD}' | count`, store)),
      () => timed(engine, hand),
    )
    report({ name: `search in (logs) '${WORD}' | count`, ...one, target: 1.6 })
    await merge(engine)
    const needle = await needleIn(engine)
    const statement = compiled(`search in (logs) '${needle}' | count`, store)
    const scan = { kind: 'sql', text: `${statement.text} SETTINGS use_skip_indexes = 0` }
    const indexed = await interleaved(
      () => timed(engine, statement),
      () => timedScan(engine, scan),
    )
    const scanned = { beside: 'no index', target: 0.2 }
    report({ name: 'search in (logs) for a needle | count', ...indexed, ...scanned })
    await store.ingest({
      dataset: 'wide',
      lines: { kind: 'bytes', bytes: wideEvents() },
      arrivedAt: NOW,
      timestampField: '_time',
    })
    const inLines = {
      kind: 'sql',
      text: "SELECT count() FROM wide WHERE positionCaseInsensitive(line, 'root') > 0",
    }
    const common = await interleaved(
      () => timed(engine, compiled("search in (wide) 'root' | count", store)),
      () => timed(engine, inLines),
    )
    const arrays = { name: "search in (wide) 'root' | count, 40 arrays an event", target: 15 }
    report({ ...arrays, ...common })
    const files = join(directory, 'files')
    await fillMany(store, files)
    const many = await interleaved(
      () => timed(engine, compiled("search in (d*) 'root' | count", store)),
      () => grep(files),
    )
    const name = `search in (d*) 'root' | count, ${DATASETS} datasets`
    report({ name, ...many, beside: 'grep -r', target: 3.3 })
  } finally {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Merges all parts, which builds the token indexes. */
async function merge(engine) {
  await engine.run({ kind: 'sql', text: 'OPTIMIZE TABLE datasets.logs FINAL' })
}

/** Returns the trace id of one event. */
async function needleIn(engine) {
  const text = `SELECT \`trace_id:string\` AS id FROM logs ORDER BY _seq LIMIT 1 OFFSET ${EVENTS_BEFORE}`
  return JSON.parse((await engine.ask({ kind: 'sql', text })).columns.get('id'))[0]
}

/** Runs a statement with settings, which a read-only query must not have. */
async function timedScan(engine, statement) {
  return timed(engine, () => engine.ask(statement))
}

async function interleaved(ours, theirs) {
  const times = { ours: [], theirs: [] }
  await ours()
  await theirs()
  for (let round = 0; round < ROUNDS; round++) {
    times.ours.push(await ours())
    times.theirs.push(await theirs())
  }
  return { ms: median(times.ours), handMs: median(times.theirs) }
}

function grep(folder) {
  const start = performance.now()
  execFileSync('grep', ['-rciw', 'root', folder])
  return performance.now() - start
}

/** Stores datasets of which each has 8 to 37 fields, most of them its own; the same events are in files. */
async function fillMany(store, folder) {
  mkdirSync(folder)
  for (let number = 0; number < DATASETS; number++) {
    const lines = Array.from({ length: EVENTS }, (_, i) => JSON.stringify(event(number, i)))
    const text = `${lines.join('\n')}\n`
    writeFileSync(join(folder, `d${number}`), text)
    const path = join(store.spool, 'file.ndjson')
    writeFileSync(path, text)
    await store.ingest({
      dataset: `d${number}`,
      lines: { kind: 'file', path },
      arrivedAt: NOW,
      timestampField: '_time',
    })
    rmSync(path, { force: true })
  }
}

/** Events whose fields have no columns; the word is in most of them, as a word or as a part of one. */
function wideEvents() {
  const lines = Array.from({ length: EVENTS }, (_, i) => {
    const fields = Array.from({ length: 40 }, (_, field) => [
      `f${field}`,
      [WORDS[(i * 7 + field) % WORDS.length], `root${(i + field) % 90}`],
    ])
    const last = i % 2 === 0 ? ['opened'] : ['root']
    return JSON.stringify({ _time: '2026-01-01T00:00:00Z', ...Object.fromEntries(fields), last })
  })
  return Buffer.from(`${lines.join('\n')}\n`)
}

function event(dataset, index) {
  const word = (i) => WORDS[(index * 7 + i * 5 + dataset) % WORDS.length]
  const root = (index + dataset) % 30 === 0 ? ' by root' : ''
  const time = new Date(Date.UTC(2026, 0, 1) + index * 40_000 + dataset).toISOString()
  const message = `${word(0)} ${word(1)} ${word(2)} ${index * 37}${root}`
  const own = Array.from({ length: 8 + ((dataset * 7) % 30) }, (_, field) => {
    const name = field < 4 ? `common${field}` : `d${dataset}_${field}`
    const values = [index % 1_000, `${word(field)}${index % 100}`, index / 100, index % 2 === 1]
    return [name, values[field % 4]]
  })
  return { _time: time, host: `h${index % 5}`, message, ...Object.fromEntries(own) }
}
