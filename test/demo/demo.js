// The README's first command: ingests a week of real earthquakes and runs three queries.
// The events are from the USGS catalog of 31 January to 7 February 2018, in the public domain.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const evq = join(import.meta.dirname, '../../bin/evq.js')
const events = join(import.meta.dirname, 'earthquakes.ndjson.gz')
const directory = mkdtempSync(join(tmpdir(), 'evq-demo-'))

const queries = [
  "['earthquakes'] | where mag >= 5 | project _time, mag, place | top 5 by mag",
  "['earthquakes'] | summarize count(), strongest = max(mag), felt = countif(felt > 0) by bin(_time, 1d)",
  "['earthquakes'] | where type == 'earthquake' | summarize quakes = count(), median = percentile(mag, 50) by net | top 5 by quakes",
]

try {
  run(['ingest', 'earthquakes', events, '--timestamp-field', 'time'])
  for (const query of queries) run(['query', query, '-o', 'table'])
} finally {
  rmSync(directory, { recursive: true, force: true })
}

function run(args) {
  process.stdout.write(`\n$ evq ${args.map(quoted).join(' ')}\n`)
  const { status } = spawnSync(process.execPath, [evq, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, EVQ_DATA_DIR: directory, XDG_STATE_HOME: directory },
  })
  if (status !== 0) {
    process.exitCode = 1
    throw new Error(`evq ${args[0]} ended with ${status}`)
  }
}

function quoted(word) {
  if (word === events) return 'earthquakes.ndjson.gz'
  return /^[\w./:-]+$/.test(word) ? word : `"${word}"`
}
