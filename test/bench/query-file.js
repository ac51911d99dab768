// A query over a file of a million events (about 300 MB) without storing them, compared with DuckDB and jq: whole
// processes, their start included. Interleaved; medians.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventChunks } from '../support/events.js'
import { evq, interleavedUsage, mostMemory, node, watched, writeChunks } from './commands.js'
import { duckdbScript } from './duckdb-script.js'

const EVENTS = 1_000_000
const RUNS = 3
const MEGABYTE = 1e6

const QUERY = 'summarize count() by service'
const SQL = `SELECT service, count(*) FROM read_ndjson('\${FILE}') GROUP BY service`

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  try {
    const FILE = join(directory, 'events.ndjson')
    const env = { PATH: process.env.PATH, HOME: directory, FILE, TMPDIR: directory }
    writeChunks(FILE, eventChunks(EVENTS))
    const program = `${evq} query -q -i "$FILE" "${QUERY}"`
    const hasJq = spawnSync('jq', ['--version']).status === 0
    const found = interleavedUsage(
      {
        program: `${program} > /dev/null`,
        duckdb: `${node} "${duckdbScript(directory, SQL)}"`,
        ...(hasJq && {
          jq: `jq -n 'reduce (inputs | .service) as $s ({}; .[$s] += 1)' "$FILE" > /dev/null`,
        }),
      },
      { env, runs: RUNS, clean: 'true' },
    )
    const { duckdb, jq } = found
    const name = 'count by a field'
    report({ name, ms: found.program.ms, handMs: duckdb.ms, beside: 'DuckDB', target: 1 })
    report({
      name: `${name}, CPU`,
      ms: found.program.cpuMs,
      handMs: duckdb.cpuMs,
      beside: 'DuckDB',
    })
    if (jq) report({ name, ms: found.program.ms, handMs: jq.ms, beside: 'jq', target: 0.1 })
    const memory = mostMemory(`${watched(program)} > /dev/null`, env)
    report({ name: `${name}, peak memory`, ms: memory / MEGABYTE, unit: 'MB', target: 700 })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
