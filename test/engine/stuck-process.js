// Exits in various ways while an endless query is running. Uses the output of `npm run build`.
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbedded } from '../../dist/engine/clickhouse/embedded.js'
import { raw } from '../../dist/sql/sql.js'

const [, , directory, way] = process.argv
const engine = await openEmbedded({ directory })
const limits = { timeoutMs: 600_000, memoryBytes: 8_000_000_000 }
// Evaluated during planning, which can't be aborted.
const endless = raw(
  'SELECT arrayFold((acc, x) -> cityHash64(acc, x), range(4000000), toUInt64(0)) AS a',
)
engine.read(endless, limits).catch(() => {})
const running = raw(
  `SELECT count() AS n FROM system.processes WHERE query LIKE '%arrayFold%' AND query NOT LIKE '%system.processes%' AND elapsed > 0.5`,
)
// A kill before planning starts would end it.
for (let tries = 0; (await engine.ask(running)).columns.get('n') !== '[1]'; tries++) {
  if (tries === 2_000) throw new Error('the query does not run')
  await sleep(10)
}
console.log('running')
if (way === 'close') {
  const isReleased = await engine.close()
  console.log(`released: ${isReleased}`)
  process.exit(7)
}
if (way === 'throw') throw new Error('nobody catches this')
process.exit(9)
