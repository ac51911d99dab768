// Stores a few batches with ids, prints their outcomes, and waits to be killed. Uses the output of `npm run build`.
import { writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../dist/engine/store.js'

const [, , directory] = process.argv
const now = () => BigInt(Date.now()) * 1_000_000n
const store = await openStore({ directory, now })
const batches = { sound: '{"a":1}\n{"a":2}\n', half: '{"a":1}\nbad\n', bad: 'bad\n' }
for (const [name, text] of Object.entries(batches)) {
  const file = join(store.spool, `body-${name}.ndjson`)
  writeFileSync(file, text)
  const batch = {
    dataset: 'logs',
    lines: { kind: 'file', path: file },
    arrivedAt: now(),
    timestampField: '_time',
    batchId: name,
  }
  const { arrivedAt, ...outcome } = await store.ingest(batch)
  writeSync(1, `${JSON.stringify({ name, outcome, arrivedAt: String(arrivedAt) })}\n`)
}
setInterval(() => {}, 1000)
