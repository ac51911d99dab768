// Storing events with times in common formats, compared with RFC 3339: a quarter of a million events
// of about 300 bytes, the store alone. Interleaved; medians.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../dist/engine/store.js'
import { parseTimeFormat } from '../../dist/wire/time/time-format.js'
import { median } from './commands.js'

const EVENTS = 250_000
const RUNS = 5
const START = Date.parse('2026-01-01T00:00:00Z')

const now = () => BigInt(Date.now()) * 1_000_000n
const two = (value) => String(value).padStart(2, '0')
const clock = (time) =>
  `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())}`
const month = (time) =>
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')[time.getUTCMonth()]
const webLog = (time) =>
  `${two(time.getUTCDate())}/${month(time)}/${time.getUTCFullYear()}:${clock(time)} +0000`

/** The formats of times, with the flags of the sender. */
const WAYS = {
  'RFC 3339': { write: (time) => time.toISOString() },
  'seconds with a fraction': { write: (time) => time.getTime() / 1000 + 0.0005 },
  'seconds with a fraction, as text': { write: (time) => (time.getTime() / 1000).toFixed(3) },
  'microseconds as text': { write: (time) => `${time.getTime()}000` },
  'comma before milliseconds': {
    write: (time) => time.toISOString().slice(0, -1).replace('T', ' ').replace('.', ','),
  },
  'web log': { write: webLog },
  mail: {
    write: (time) =>
      `${two(time.getUTCDate())} ${month(time)} ${time.getUTCFullYear()} ${clock(time)} GMT`,
  },
  'a format': {
    write: (time) => `${two(time.getUTCDate())}.${two(time.getUTCMonth() + 1)}.2026 ${clock(time)}`,
    terms: { timeFormat: parseTimeFormat('02.01.2006 15:04:05') },
  },
  'RFC 3339 and labels': {
    write: (time) => time.toISOString(),
    terms: { labels: '"env":"prod","region":"eu-1"' },
  },
}

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const store = await openStore({ directory, now })
  try {
    const ways = Object.entries(WAYS).map(([name, way], i) => ({
      name,
      dataset: `way-${i}`,
      file: writeEvents(join(store.spool, `body-${i}.ndjson`), way.write),
      terms: way.terms ?? {},
      times: [],
    }))
    // The first batch creates the dataset and teaches the time format.
    for (const way of ways) await storeOnce(store, way)
    for (let round = 0; round < RUNS; round++) {
      for (const way of ways) {
        const start = performance.now()
        await storeOnce(store, way)
        way.times.push(performance.now() - start)
      }
    }
    const handMs = median(ways[0].times)
    for (const { name, times } of ways.slice(1)) {
      report({ name: `times: ${name}`, ms: median(times), handMs, target: 2 })
    }
  } finally {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function storeOnce(store, { dataset, file, terms }) {
  await store.ingest({
    dataset,
    lines: { kind: 'file', path: file },
    arrivedAt: now(),
    timestampField: '_time',
    ...terms,
  })
}

function writeEvents(path, write) {
  const filler = 'x'.repeat(120)
  const lines = Array.from({ length: EVENTS }, (_, i) => {
    const _time = write(new Date(START + i * 1000))
    return `${JSON.stringify({ _time, level: 'info', service: `s${i % 7}`, status: 200 + (i % 5), path: `/p/${i % 100}`, client: { ip: `10.0.${i % 256}.1` }, trace: `t${i}`, message: filler })}\n`
  })
  writeFileSync(path, lines.join(''))
  return path
}
