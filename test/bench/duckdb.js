// A million events (312 MB) into storage and out again as CSV and Parquet, compared with DuckDB: whole processes,
// their start included, and the storage compared with the file compressed by zstd. Interleaved; medians.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../dist/engine/clickhouse/embedded.js'
import { eventChunks } from '../support/events.js'
import { evq, interleavedUsage, mostMemory, node, watched, writeChunks } from './commands.js'
import { duckdbScript } from './duckdb-script.js'
import { mergedBytes } from './merged-bytes.js'

const EVENTS = 1_000_000
const RUNS = 3
const MEGABYTE = 1e6

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  try {
    const env = environment(directory)
    writeChunks(env.FILE, eventChunks(EVENTS))
    const clean = 'rm -rf "$EVQ_DATA_DIR" "$DUCKDB"'
    const program = `${evq} ingest logs -q`
    const ingest = `cat "$FILE" | ${program}`
    const load = `${node} "${duckdbScript(directory, LOAD)}"`
    const stored = interleavedUsage({ ingest, load }, { env, runs: RUNS, clean })
    const besideDuckdb = { beside: 'DuckDB' }
    report({
      name: 'ingest, against a typed load',
      ms: stored.ingest.ms,
      handMs: stored.load.ms,
      ...besideDuckdb,
      target: 1.6,
    })
    report({ name: 'ingest, CPU', ms: stored.ingest.cpuMs / 1000, unit: 's', target: 5 })
    const memory = mostMemory(`rm -rf "$EVQ_DATA_DIR"; cat "$FILE" | ${watched(program)}`, env)
    report({ name: 'ingest, peak memory', ms: memory / MEGABYTE, unit: 'MB', target: 350 })
    report({
      name: 'on disk after merges, against zstd -3',
      ms: (await mergedBytes(env)) / MEGABYTE,
      handMs: (await zstdBytes(env)) / MEGABYTE,
      unit: 'MB',
      beside: 'zstd -3',
      target: 1,
    })
    for (const [format, options] of Object.entries(COPIES)) {
      const exported = interleavedUsage(
        {
          page: `${evq} page "['logs']" -q -o ${format} -O "$OUT"`,
          copy: `${node} "${duckdbScript(directory, copyTo(options))}"`,
        },
        { env, runs: RUNS, clean: 'rm -f "$OUT"' },
      )
      report({
        name: `export as ${format}, against COPY`,
        ms: exported.page.ms,
        handMs: exported.copy.ms,
        ...besideDuckdb,
        target: 1.3,
      })
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function environment(directory) {
  return {
    PATH: process.env.PATH,
    HOME: directory,
    EVQ_DATA_DIR: join(directory, 'data'),
    DUCKDB: join(directory, 'events.duckdb'),
    FILE: join(directory, 'events.ndjson'),
    OUT: join(directory, 'out'),
  }
}

const LOAD = `CREATE TABLE logs AS SELECT * FROM read_ndjson('\${FILE}', columns = {
  _time: 'TIMESTAMP', level: 'VARCHAR', service: 'VARCHAR', method: 'VARCHAR', path: 'VARCHAR', status: 'BIGINT',
  duration_ms: 'DOUBLE', bytes: 'BIGINT', cached: 'BOOLEAN', trace_id: 'VARCHAR', user_id: 'BIGINT',
  client: 'STRUCT(ip VARCHAR, country VARCHAR)', message: 'VARCHAR'})`
const COPIES = { csv: 'FORMAT csv', parquet: 'FORMAT parquet, COMPRESSION zstd' }
const copyTo = (options) =>
  `COPY (SELECT * EXCLUDE client, client.ip, client.country FROM logs) TO '\${OUT}' (${options})`

/** Compresses the file with the engine's zstd at level 3; returns the size. */
async function zstdBytes({ FILE, HOME }) {
  const engine = await openEmbedded({ directory: join(HOME, 'zstd-engine') })
  const folder = join(HOME, 'zstd')
  await engine.run({
    kind: 'sql',
    text: `INSERT INTO FUNCTION file('${folder}/events.zst', LineAsString, 'line String', 'zstd')
      SELECT line FROM file('${FILE}', LineAsString, 'line String', 'none')
      SETTINGS output_format_compression_level = 3, max_threads = 1`,
  })
  await engine.close()
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
