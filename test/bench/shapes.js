// Events of many shapes from standard input into storage, compared with DuckDB's `CREATE TABLE AS SELECT * FROM read_ndjson`, and out
// again as files, compared with its `COPY`: whole processes, their start included; wall and CPU time, the disk after merges, and the
// peak memory. `EVQ_BENCH_MB` is the size of each input, `EVQ_BENCH_SHAPE` selects shapes whose name contains it.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evq, interleavedUsage, mostMemory, node, watched, writeChunks } from './commands.js'
import { duckdbScript } from './duckdb-script.js'
import { SHAPES, shapeChunks, TIMES } from './event-shapes.js'
import { mergedBytes } from './merged-bytes.js'

const MEGABYTE = 1e6
const BYTES = Number(process.env.EVQ_BENCH_MB ?? 60) * MEGABYTE
const RUNS = Number(process.env.EVQ_BENCH_RUNS ?? 3)
const ONLY = process.env.EVQ_BENCH_SHAPE ?? ''

// By default, DuckDB reads events with more than 200 fields as one column with a map.
const OPTIONS = 'maximum_object_size = 16777216, sample_size = -1, map_inference_threshold = -1'
const LOAD = `CREATE TABLE logs AS SELECT * FROM read_ndjson('\${FILE}', ${OPTIONS})`

export async function run(report) {
  for (const shape of Object.keys(SHAPES).filter((name) => name.includes(ONLY))) {
    const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
    try {
      await measure(shape, directory, report)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
}

async function measure(shape, directory, report) {
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    EVQ_DATA_DIR: join(directory, 'data'),
    DUCKDB: join(directory, 'events.duckdb'),
    FILE: join(directory, 'events.ndjson'),
    OUT: join(directory, 'rows'),
  }
  writeChunks(env.FILE, shapeChunks(shape, BYTES))
  const program = `${evq} ingest logs -q --timestamp-field "${TIMES[shape] ?? '_time'}"`
  const { own, duckdb } = interleavedUsage(
    {
      own: `cat "$FILE" | ${program}`,
      duckdb: `${node} "${duckdbScript(directory, LOAD, 'CHECKPOINT')}"`,
    },
    { env, runs: RUNS, clean: 'rm -rf "$EVQ_DATA_DIR" "$DUCKDB"' },
  )
  const beside = 'DuckDB'
  report({ name: shape, ms: own.ms, handMs: duckdb.ms, beside, target: 1.5 })
  report({ name: `${shape}, CPU`, ms: own.cpuMs, handMs: duckdb.cpuMs, beside, target: 1.5 })
  const memory = mostMemory(`rm -rf "$EVQ_DATA_DIR"; cat "$FILE" | ${watched(program)}`, env)
  report({ name: `${shape}, peak memory`, ms: memory / MEGABYTE, unit: 'MB', target: 350 })
  report({
    name: `${shape}, disk`,
    ms: (await mergedBytes(env)) / MEGABYTE,
    handMs: statSync(env.DUCKDB).size / MEGABYTE,
    unit: 'MB',
    beside,
    target: 1,
  })
  for (const format of Object.keys(COPIES)) measureExport(shape, { format, env }, report)
}

const COPIES = { csv: 'csv', ndjson: 'json', parquet: 'parquet, COMPRESSION zstd' }

function measureExport(shape, { format, env }, report) {
  const program = `${evq} page logs -q -o ${format} -O "$OUT"`
  const copy = `COPY logs TO '\${OUT}' (FORMAT ${COPIES[format]})`
  const { own, duckdb } = interleavedUsage(
    { own: program, duckdb: `${node} "${duckdbScript(env.HOME, copy)}"` },
    { env, runs: RUNS, clean: 'rm -f "$OUT"' },
  )
  const against = { beside: 'DuckDB', target: 1.3 }
  const name = `${shape}, export as ${format}`
  report({ name, ms: own.ms, handMs: duckdb.ms, ...against })
  report({ name: `${name}, CPU`, ms: own.cpuMs, handMs: duckdb.cpuMs, ...against })
  const memory = mostMemory(watched(program), env)
  report({ name: `${name}, peak memory`, ms: memory / MEGABYTE, unit: 'MB', target: 350 })
}
