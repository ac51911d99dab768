// A query over a file of a million events (about 300 MB) without storing them, compared with DuckDB and jq: whole
// processes, their start included. Interleaved; medians.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventChunks } from '../support/events.js'
import { interleavedUsage, mostMemory, watched, writeChunks } from './commands.js'

const EVENTS = 1_000_000
const RUNS = 3
const MEGABYTE = 1e6

const root = join(import.meta.dirname, '../..')
const node = `"${process.execPath}"`
const evq = `${node} "${join(root, 'bin/evq.js')}"`
const QUERY = 'summarize count() by service'

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
        duckdb: `${node} "${duckdbScript(directory)}"`,
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

/** Writes a program that runs the same query in DuckDB with two threads. */
function duckdbScript(directory) {
  const script = join(directory, 'query.mjs')
  const api = join(root, 'node_modules/@duckdb/node-api/lib/index.js')
  writeChunks(script, [
    `import duckdb from ${JSON.stringify(api)}
    const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '2' })
    const connection = await instance.connect()
    const sql = \`SELECT service, count(*) FROM read_ndjson('\${process.env.FILE}') GROUP BY service\`
    await connection.runAndReadAll(sql)
    connection.closeSync()
    instance.closeSync()`,
  ])
  return script
}
