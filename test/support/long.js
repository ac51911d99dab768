// Runs for hours what `npm test` runs a small share of. Arguments narrow it to some files: `npm run test:long kill`.
import { spawnSync } from 'node:child_process'

/** The amount of each kind of work. */
const AMOUNTS = {
  // The measure of how often properties are tried: see `runs.ts`.
  EVQ_RUNS: 2_000,
  // Their values, other ones each time.
  EVQ_SEED: Date.now() % 2 ** 31,
  // Runs of ingest with the client, the service or both killed, kills of a service under load, and commands that a
  // signal stops at random moments.
  EVQ_KILLS: 200,
  // Disks that are full under a rejects file.
  EVQ_FULL_DISKS: 50,
  // Seconds of eight clients that ingest and eight that query.
  EVQ_LOAD: 600,
  // Rounds of twenty commands at once on one data directory.
  EVQ_HAND_OVERS: 50,
  // Damaged files of each kind: with seven kinds of damage instead of two.
  EVQ_DAMAGES: 1,
  // Hostile inputs at their full size, with the times of `/healthz` and the memory measured.
  EVQ_HOSTILE: 1,
  // Lines of 60 and 70 MB, a stream of 10 GB.
  EVQ_LONG: 1,
}

const FILES = [
  'fuzz',
  'crash',
  'engine/lean-rows',
  'engine/clickhouse/stream',
  'engine/ingest/scan',
  'engine/input',
  'hostile/',
  'input/batches',
  'input/log/time',
  'safety/',
  'kill',
  'full-disk',
  'service/damage',
  'hand-over',
  'secrets',
  'wide-events',
  'chaos',
  'cursor',
  'long-',
  'stream-memory',
  'page',
  'load',
  'remote',
]

/** The tests whose results must not depend on where the events are stored. */
const EVERYWHERE = ['cases.test.ts', 'acceptance/', 'engine/', 'service/', 'specification/', 'sql/']

const env = Object.fromEntries(Object.entries(AMOUNTS).map(([name, amount]) => [name, `${amount}`]))

/** Runs test files; returns true when all passed. */
function passes(files, more) {
  const options = [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--testTimeout',
    '10800000',
    ...files,
  ]
  const { status } = spawnSync('npx', ['vitest', ...options], {
    stdio: 'inherit',
    env: { ...env, ...more, ...process.env },
  })
  return status === 0
}

const chosen = process.argv.slice(2)
const results = [passes(chosen.length > 0 ? chosen : FILES, {})]
if (chosen.length === 0) {
  for (const engine of ['server', 'replicas']) {
    results.push(passes(EVERYWHERE, { EVQ_TEST_ENGINE: engine }))
  }
}
process.exitCode = results.every(Boolean) ? 0 : 1
