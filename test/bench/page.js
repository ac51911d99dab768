// A million rows of twelve columns from a service with prepared pages to a file: by `evq page`, its
// start included. For comparison `jq -c .` and `mlr --csv cat` over the same rows, where they are installed, and
// DuckDB, where `DUCKDB` names a folder that has `@duckdb/node-api`. Interleaved; medians.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  firstByteMs,
  interleaved,
  median,
  mostMemory,
  shellMs,
  watched,
  writeChunks,
} from './commands.js'

const PAGES = 100
const ROWS = 10_000
const RUNS = 5
const MEGABYTE = 1e6
/** Pages are repeated, so that no file of all rows is needed. */
const KINDS = 10

const here = import.meta.dirname
const evq = join(here, '../../bin/evq.js')

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'serve') serve()

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const service = await startService()
  try {
    const { DUCKDB } = process.env
    const files = { CSV: join(directory, 'rows.csv'), NDJSON: join(directory, 'rows.ndjson') }
    const env = { PATH: process.env.PATH, HOME: directory, EVQ_DATA_DIR: directory, ...files }
    Object.assign(env, { EVQ_URL: service.url, OUT: join(directory, 'out') })
    const page = `"${process.execPath}" "${evq}" page "['logs']" -q --by cursor --direction asc --page-size ${ROWS}`
    for (const format of ['csv', 'ndjson'])
      shellMs(`${page} -o ${format} -O "$${format.toUpperCase()}"`, env)
    const ways = {
      csv: `${page} -o csv -O "$OUT"`,
      ndjson: `${page} -o ndjson -O "$OUT"`,
      ...(has('mlr') && { mlr: 'mlr --csv cat "$CSV" > "$OUT"' }),
      ...(DUCKDB && { duckdb: `"${process.execPath}" "${duckdbScript(directory, DUCKDB)}"` }),
    }
    const times = interleaved(ways, { env, runs: RUNS })
    const against = (handMs, target) => (handMs === undefined ? {} : { handMs, target })
    if (times.duckdb === undefined && times.mlr === undefined)
      report({ name: 'CSV', ms: times.csv })
    if (times.duckdb)
      report({ name: 'CSV against DuckDB', ms: times.csv, ...against(times.duckdb, 1 / 1.2) })
    if (times.mlr) report({ name: 'CSV against mlr', ms: times.csv, ...against(times.mlr, 1 / 2) })
    const jq = has('jq') ? shellMs('jq -c . "$NDJSON" > "$OUT"', env) : undefined
    report({ name: 'NDJSON, against jq if there', ms: times.ndjson, ...against(jq, 1 / 8) })
    const first = []
    for (let run = 0; run < RUNS; run++) first.push(await firstByteMs(`${page} -o ndjson`, env))
    report({ name: 'until the first row', ms: median(first), target: 300 })
    report({
      name: 'memory',
      ms: mostMemory(watched(ways.csv), env) / MEGABYTE,
      unit: 'MB',
      target: 130,
    })
  } finally {
    service.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

function has(program) {
  return spawnSync(program, ['--version']).status === 0
}

function duckdbScript(directory, folder) {
  const script = join(directory, 'duckdb.cjs')
  writeChunks(script, [
    `const { DuckDBInstance } = require(${JSON.stringify(join(folder, 'node_modules/@duckdb/node-api'))})
    ;(async () => {
      const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
      const { NDJSON, OUT } = process.env
      await connection.run(\`copy (from read_json('\${NDJSON}', format = 'newline_delimited')) to '\${OUT}' (format csv)\`)
    })()`,
  ])
  return script
}

function startService() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.stdout.once('data', (port) =>
      resolve({ url: `http://127.0.0.1:${Number(port)}`, stop: () => child.kill() }),
    )
  })
}

function serve() {
  const kinds = Array.from({ length: KINDS }, (_, kind) => tables(kind))
  const none = Buffer.from('"tables":[]}')
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { cursor } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const number = cursor === undefined ? 0 : Number(cursor) + 1
      const status = {
        rowsMatched: PAGES * ROWS,
        minCursor: String(number),
        maxCursor: String(number),
      }
      const head = Buffer.from(`{"format":"tabular","status":${JSON.stringify(status)},`)
      const body = number < PAGES ? kinds[number % KINDS] : none
      response.writeHead(200, { 'content-length': head.length + body.length })
      response.write(head)
      response.end(body)
    })
  })
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
}

function tables(kind) {
  const rows = Array.from({ length: ROWS }, (_, row) => kind * ROWS + row)
  const columns = {
    _time: rows.map((row) => new Date(1.7e12 + row * 1000).toISOString()),
    uri: rows.map((row) => `/api/${['cart', 'checkout', 'index'][row % 3]}?id=${row}`),
    status: rows.map((row) => [200, 404, 500][row % 3]),
    method: rows.map((row) => ['GET', 'POST'][row % 2]),
    agent: rows.map(() => 'Mozilla/5.0 (X11; Linux x86_64)'),
    bytes: rows.map((row) => row * 17),
    took: rows.map((row) => (row % 1000) / 8),
    client: rows.map((row) => (row % 5 === 0 ? null : `10.0.0.${row % 255}`)),
    message: rows.map((row) => (row % 50 === 0 ? 'said "no"\nand more' : 'served, and done')),
    ok: rows.map((row) => row % 2 === 0),
    region: rows.map(() => 'eu-central-1'),
    trace: rows.map((row) => (row * 7919).toString(16)),
  }
  const fields = Object.keys(columns).map((name) => ({ name, type: '' }))
  const table = { name: '0', fields, columns: Object.values(columns) }
  return Buffer.from(`"tables":[${JSON.stringify(table)}]}`)
}
