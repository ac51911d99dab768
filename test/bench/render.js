// Pages of a result rendered to files, compared with a minimal program; and a table of many rows.
// Interleaved; medians of CPU time, because other programs share the processor.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { factsOf, renderPieces } from '../../dist/render/format.js'
import { rowBytes } from '../../dist/render/transpose/rows.js'
import { scanResponse } from '../../dist/render/transpose/scan-response.js'
import { writeText } from '../../dist/render/write.js'
import { ChunkedBuffer } from '../../dist/wire/bytes/chunked-buffer.js'
import { decodeTabularResult } from '../../dist/wire/http/tabular-result.js'
import { median } from './commands.js'

const ROUNDS = 5
const PAGES = 20
const ROWS = 10_000
const OPTIONS = { header: true, color: 'none' }

export async function run(report) {
  const pages = Array.from({ length: PAGES }, (_, number) => page(number))
  const times = {}
  for (let round = 0; round < ROUNDS; round++) {
    for (const format of ['ndjson', 'csv', 'tsv']) {
      await measure(times, format, () => transposed(pages, format))
    }
    await measure(times, 'ndjson by hand', () => pages.map(ndjsonByHand))
    await measure(times, 'csv by hand', () => pages.map(csvByHand))
    await measure(times, 'table', () => tableOf(pages[0]))
  }
  const rows = `${(PAGES * ROWS).toLocaleString('en-US')} rows`
  const pair = (name, hand, target) =>
    report({
      name: `${rows} as ${name}`,
      ms: median(times[name]),
      handMs: median(times[hand]),
      target,
    })
  pair('ndjson', 'ndjson by hand', 0.6)
  pair('csv', 'csv by hand', 0.6)
  pair('tsv', 'csv by hand', 0.6)
  report({
    name: `a table of ${ROWS.toLocaleString('en-US')} rows`,
    ms: median(times.table),
    target: 200,
  })
  const jq = jqTime(pages)
  if (jq !== undefined) {
    report({ name: 'ndjson against jq -c .', ms: median(times.ndjson), handMs: jq, target: 1 / 8 })
  }
}

async function transposed(pages, format) {
  const lines = await factsOf(format).lines()
  let bytes = 0
  for (const body of pages) {
    for (const piece of rowBytes(lines, scanResponse(ChunkedBuffer.of(body)), { table: 0 }))
      bytes += piece.length
  }
  return bytes
}

async function tableOf(body) {
  const { tables } = decodeTabularResult(body.toString('utf8'))
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  await writeText(nowhere, await renderPieces(tables, { ...OPTIONS, format: 'table', width: 400 }))
}

/** The naive implementation, which ignores numbers beyond 2^53. */
function ndjsonByHand(body) {
  const { fields, columns } = JSON.parse(body.toString('utf8')).tables[0]
  const lines = []
  for (let row = 0; row < columns[0].length; row++) {
    const object = {}
    for (let column = 0; column < fields.length; column++)
      object[fields[column].name] = columns[column][row]
    lines.push(JSON.stringify(object))
  }
  return Buffer.from(`${lines.join('\n')}\n`)
}

function csvByHand(body) {
  const { columns } = JSON.parse(body.toString('utf8')).tables[0]
  const lines = []
  for (let row = 0; row < columns[0].length; row++) {
    lines.push(
      columns
        .map((cells) => {
          const text = cells[row] === null ? '' : String(cells[row])
          return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
        })
        .join(','),
    )
  }
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** The time of `jq` to read and write the same rows; undefined when it is not installed. */
function jqTime(pages) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  try {
    const file = join(directory, 'rows.ndjson')
    writeFileSync(file, Buffer.concat(pages.map(ndjsonByHand)))
    const start = performance.now()
    const { status } = spawnSync('jq', ['-c', '.', file], { stdio: ['ignore', 'ignore', 'ignore'] })
    return status === 0 ? performance.now() - start : undefined
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function page(number) {
  const rows = Array.from({ length: ROWS }, (_, row) => number * ROWS + row)
  const columns = {
    _time: rows.map((row) => new Date(1.7e12 + row * 1000).toISOString()),
    uri: rows.map((row) => `/api/${['cart', 'checkout', 'index'][row % 3]}?id=${row}`),
    status: rows.map((row) => [200, 404, 500][row % 3]),
    method: rows.map(() => 'GET'),
    agent: rows.map(() => 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'),
    bytes: rows.map((row) => row * 17),
    took: rows.map((row) => row / 7),
    client: rows.map((row) => (row % 5 === 0 ? null : `10.0.0.${row % 255}`)),
    message: rows.map((row) => (row % 50 === 0 ? 'said "no"\nand more' : 'served, and done')),
    ok: rows.map((row) => row % 2 === 0),
    region: rows.map(() => 'eu-central-1'),
    trace: rows.map((row) => (row * 7919).toString(16)),
  }
  const fields = Object.keys(columns).map((name) => ({ name, type: '' }))
  const tables = [{ name: '0', fields, columns: Object.values(columns) }]
  return Buffer.from(JSON.stringify({ format: 'tabular', status: {}, tables }))
}

async function measure(times, name, work) {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  times[name] ??= []
  times[name].push((user + system) / 1000)
}
