// Lines of logs of about 200 bytes from a pipe, to a service that ignores them, by `evq ingest` with its start: the
// time for 160 MB of each kind, against as many bytes of NDJSON, which is passed through. Interleaved; medians.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventChunks } from '../support/events.js'
import { interleaved, mostMemory, startSink, watched, writeChunks } from './commands.js'

const BYTES = 160_000_000
const BATCH = 10_000
const RUNS = 5
const MEGABYTE = 1e6
const START = Date.parse('2026-11-20T10:00:00Z')
const LEVELS = ['INFO ', 'INFO ', 'INFO ', 'DEBUG', 'WARN ', 'ERROR']
/** The rate is at least 0.3 of that of NDJSON. */
const TARGET = 1 / 0.3

const evq = join(import.meta.dirname, '../../bin/evq.js')

const timeOf = (i) => new Date(START + i * 3).toISOString()
const message = (i) =>
  `Request ${i * 7919} of customer ${i % 9973} served in ${i % 250} ms with status ${200 + (i % 5)} for path /api/v1/orders/${i % 100}/items?limit=${i % 50} from cache node-${i % 16} after ${i % 3} retries`

/** A stack trace after every 200th line. */
const trace = (i) =>
  i % 200 === 199
    ? `java.lang.IllegalStateException: order ${i} is closed\n${'\tat com.example.orders.OrderService.close(OrderService.java:101)\n'.repeat(12)}`
    : ''

/** The lines of each kind. */
const KINDS = {
  log4j: (i) =>
    `${timeOf(i).slice(0, -1).replace('T', ' ').replace('.', ',')} ${LEVELS[i % 6]} [http-nio-8080-exec-${i % 20}] com.example.orders.OrderService${i % 7} - ${message(i)}\n${trace(i)}`,
  syslog: (i) =>
    `Nov 20 ${timeOf(i).slice(11, 19)} web-${i % 8} orders[${1000 + (i % 40)}]: ${message(i)}\n`,
  'lines with a time': (i) => `${timeOf(i)} ${LEVELS[i % 6].trim()} ${message(i)}\n`,
  'lines with a time, no level': (i) => `${timeOf(i)} ${message(i)}\n`,
  'lines with a time, and signs': (i) =>
    `${timeOf(i)} cpu${i % 8}:{"path":"/usr/lib/x86_64/${i}/a.so","map":{"a":[${i},1,2],"b":"c,d;e"}} (x=${i};y=1) /opt/app/releases/${i % 50}/bin/run?limit=${i % 9}&offset=${i}\n`,
  'lines with a time, and a level late': (i) =>
    `${timeOf(i)} ${message(i)}, error: [warn] closed\n`,
  'lines with a time, and an object': (i) =>
    `${timeOf(i)} INFO ${JSON.stringify({ request: i, path: `/api/v1/orders/${i % 100}`, text: message(i) })}\n`,
  'docker compose logs': (i) =>
    `web-${i % 3}  | ${timeOf(i)} ${LEVELS[i % 6].trim()} ${message(i)}\n`,
}

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const sink = await startSink()
  try {
    const env = {
      PATH: process.env.PATH,
      HOME: directory,
      EVQ_DATA_DIR: directory,
      EVQ_URL: sink.url,
    }
    const ingest = `"${process.execPath}" "${evq}" ingest logs -q --batch-size ${BATCH} --flush-every 1m`
    const ways = { ndjson: write('ndjson', eventChunks(1_000_000)) }
    for (const [kind, line] of Object.entries(KINDS)) ways[kind] = write(kind, chunks(line))
    const times = interleaved(ways, { env, runs: RUNS })
    for (const kind of Object.keys(KINDS)) {
      const reference = { handMs: times.ndjson, beside: 'NDJSON', target: TARGET }
      report({ name: kind, ms: times[kind], ...reference })
      const memory = mostMemory(ways[kind].replace(ingest, watched(ingest)), env)
      report({ name: `memory, ${kind}`, ms: memory / MEGABYTE, unit: 'MB', target: 250 })
    }

    function write(name, pieces) {
      const file = join(directory, name.replaceAll(' ', '-'))
      writeChunks(file, upTo(BYTES, pieces))
      return `cat "${file}" | ${ingest} 2>&1`
    }
  } finally {
    sink.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

function* chunks(line) {
  for (let i = 0; ; i += BATCH) {
    yield Array.from({ length: BATCH }, (_, at) => line(i + at)).join('')
  }
}

function* upTo(bytes, pieces) {
  let written = 0
  for (const piece of pieces) {
    yield piece
    written += piece.length
    if (written >= bytes) return
  }
}
