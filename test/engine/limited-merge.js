// Stores events and merges them into a file that is longer than files may be. Uses the output of `npm run build`.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openOwnEngine, openStore } from '../../dist/engine/store.js'
import { sql } from '../../dist/sql/sql.js'

const [, , directory] = process.argv
const now = () => BigInt(Date.now()) * 1_000_000n
const ownEngine = await openOwnEngine(directory)
const store = await openStore({ directory, now, ownEngine, warn: console.log })

async function ingest(events) {
  const path = join(store.spool, 'body.ndjson')
  writeFileSync(path, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  const lines = { kind: 'file', path }
  await store.ingest({ dataset: 'logs', lines, arrivedAt: now(), timestampField: '_time' })
}

for (let i = 0; i < 10; i++) {
  await ingest(Array.from({ length: 1000 }, () => ({ id: randomBytes(75).toString('base64') })))
}
// Merges wait while events are loaded.
await ownEngine.run(sql`SYSTEM START MERGES datasets.logs`)
await ownEngine.run(sql`OPTIMIZE TABLE datasets.logs FINAL`)
await ingest([{ id: 'last' }])
await store.close()
