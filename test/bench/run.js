// Runs every benchmark of this folder in a separate process and prints one table.
// A benchmark exports `async function run(report)` and reports rows: `{ name, ms, handMs?, target }`. With
// `handMs`, the time of the same work by hand, the target is a ratio; otherwise it is in milliseconds, or in
// `unit`. `beside` names another reference than work by hand.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'

const HELPERS = [
  ...['run.js', 'commands.js', 'duckdb-script.js', 'event-shapes.js', 'merged-bytes.js'],
  'null-sink.js',
]
const here = import.meta.dirname
/** Servers are started by the TypeScript of `test/support`. */
const typescript = pathToFileURL(join(here, '../support/typescript.js')).href
const [only] = process.argv.slice(2)

if (process.env.EVQ_BENCH_FILE === undefined) await runAll()
else {
  const { run } = await import(pathToFileURL(process.env.EVQ_BENCH_FILE).href)
  await run?.((row) => process.stdout.write(`${JSON.stringify(row)}\n`))
}

async function runAll() {
  const files = readdirSync(here).filter((file) => file.endsWith('.js') && !HELPERS.includes(file))
  let misses = 0
  for (const file of files.filter((name) => only === undefined || name.startsWith(only))) {
    await rowsOf(file, (row) => {
      const { name, ms, unit = 'ms', handMs, beside = 'by hand', target } = row
      const value = handMs === undefined ? ms : ms / handMs
      const isMet = target === undefined || value <= target
      if (!isMet) misses++
      print([
        `${file.replace('.js', '')}: ${name}`.padEnd(66),
        `${ms.toFixed(1)} ${unit}`.padStart(11),
        (handMs === undefined ? '' : `${handMs.toFixed(1)} ${unit} ${beside}`).padStart(18),
        (handMs === undefined ? '' : `× ${value.toFixed(2)}`).padStart(7),
        isMet ? '' : `  above ${Number(target.toFixed(2))}`,
      ])
    })
  }
  print([misses === 0 ? 'all within their targets' : `${misses} above their targets`])
}

/** Runs a benchmark and passes on its rows as they come, since it may run for an hour. */
function rowsOf(file, report) {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--import', typescript, fileURLToPath(import.meta.url)],
      {
        env: { ...process.env, EVQ_BENCH_FILE: join(here, file) },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{')) report(JSON.parse(line))
    })
    child.on('error', reject)
    child.on('close', (status) => {
      if (status === 0) resolve()
      else reject(new Error(`${file} ended with ${status}`))
    })
  })
}

function print(parts) {
  process.stdout.write(`${parts.join(' ').trimEnd()}\n`)
}
