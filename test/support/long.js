// Runs for hours what `npm test` runs a small share of. Arguments narrow it to some files: `npm run test:long kill`.
import { spawnSync } from 'node:child_process'

/** How much of each there is. */
const AMOUNTS = {
  // Generated and mutated queries, and rounds of every property that reads the variable.
  EVQ_FUZZ: 200_000,
  // Hostile requests over HTTP and over raw sockets, of each kind.
  EVQ_FUZZ_HTTP: 5_000,
  // Runs of ingest against a service that fails in every way.
  EVQ_CHAOS: 2_000,
  // Runs of ingest with the client, the service or both killed, and kills of a service under load.
  EVQ_KILLS: 200,
  // Datasets paged through by cursor.
  EVQ_CURSOR_RUNS: 200,
  // Seconds of eight clients that ingest and eight that query.
  EVQ_LOAD: 600,
  // Lines of 60 and 70 MB, a stream of 10 GB.
  EVQ_LONG: 1,
}

const FILES = [
  'fuzz',
  'kill',
  'chaos',
  'cursor',
  'long-',
  'stream-memory',
  'page',
  'load',
  'remote',
]

const env = Object.fromEntries(Object.entries(AMOUNTS).map(([name, amount]) => [name, `${amount}`]))
const files = process.argv.length > 2 ? process.argv.slice(2) : FILES
const options = ['run', '--config', 'test/vitest.config.ts', '--testTimeout', '10800000', ...files]
const { status } = spawnSync('npx', ['vitest', ...options], {
  stdio: 'inherit',
  env: { ...env, ...process.env },
})
process.exitCode = status ?? 1
