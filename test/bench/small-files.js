// A thousand small files in one command, as a bucket or a folder of old logs has them: documents with an array of events in gzip,
// NDJSON, and logs of text. Compared with DuckDB, which reads no logs. Whole processes, their start included. Interleaved; medians.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { evq, interleavedUsage, node } from './commands.js'
import { duckdbScript } from './duckdb-script.js'
import { shapeChunks } from './event-shapes.js'

const FILES = 1000
const EVENTS = 40
const RUNS = 3
/** More than an event of the shape has. */
const EVENT_BYTES = 1500

/** The content of a file with some events, as lines of JSON, and a query of DuckDB for the events of all files. */
const KINDS = {
  documents: {
    file: (lines) => gzipSync(`{"Records":[${lines.join(',')}]}`),
    name: (n) => `trail-${n}.json.gz`,
    rows: `SELECT unnest(Records, max_depth := 2) FROM read_json('\${FILE}/*.gz')`,
  },
  NDJSON: {
    file: (lines) => `${lines.join('\n')}\n`,
    name: (n) => `app-${n}.ndjson`,
    rows: `SELECT * FROM read_ndjson('\${FILE}/*.ndjson')`,
  },
  logs: {
    file: (lines) => lines.map(logLine).join(''),
    name: (n) => `app-${n}.log`,
  },
}

function logLine(line) {
  const { eventTime, eventName, awsRegion } = JSON.parse(line)
  return `${eventTime.slice(0, 19).replace('T', ' ')},123 INFO [worker-${line.length % 7}] com.example.${eventName} - handled in ${awsRegion}\n`
}

export async function run(report) {
  for (const [name, kind] of Object.entries(KINDS)) {
    const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
    try {
      const FILE = join(directory, 'files')
      writeFiles(FILE, kind)
      const env = { PATH: process.env.PATH, HOME: directory, FILE, TMPDIR: directory }
      const clean = `rm -rf "${directory}/.local" "${directory}/.cache"`
      const scripts = {
        ingest: `${evq} ingest logs -q "$FILE"/*`,
        query: `${evq} query -q -i "$FILE/*" count > /dev/null`,
        ...(kind.rows && {
          duckdbIngest: duckdb(directory, `CREATE TABLE logs AS ${kind.rows}`),
          duckdbQuery: duckdb(directory, `SELECT count(*) FROM (${kind.rows})`),
        }),
      }
      const found = interleavedUsage(scripts, { env, runs: RUNS, clean })
      for (const work of ['ingest', 'query']) {
        const other = found[work === 'ingest' ? 'duckdbIngest' : 'duckdbQuery']
        const goal = { beside: 'DuckDB', target: other && 1.5 }
        const { ms, cpuMs } = found[work]
        report({ name: `${work} of ${name}`, ms, handMs: other?.ms, ...goal })
        report({ name: `${work} of ${name}, CPU`, ms: cpuMs, handMs: other?.cpuMs, ...goal })
      }
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
}

const duckdb = (directory, sql) => `${node} "${duckdbScript(directory, sql)}"`

function writeFiles(directory, { file, name }) {
  mkdirSync(directory)
  let lines = []
  let files = 0
  for (const chunk of shapeChunks('CloudTrail', FILES * EVENTS * EVENT_BYTES)) {
    for (const line of chunk.trimEnd().split('\n')) {
      lines.push(line)
      if (lines.length < EVENTS) continue
      if (files < FILES) writeFileSync(join(directory, name(files++)), file(lines))
      lines = []
    }
  }
}
