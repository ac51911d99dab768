// Stores batches until it is killed, and prints the acknowledged ones. Uses the output of `npm run build`.
import { writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../dist/engine/store.js'
import { BATCH_EVENTS, batchText } from './crash-batches.js'

const [, , directory, round] = process.argv
const now = () => BigInt(Date.now()) * 1_000_000n
const store = await openStore({ directory, now })
writeSync(1, 'open\n')

let next = 0
async function work() {
  for (;;) {
    const name = `${round}-${next++}`
    const file = join(store.spool, `body-${name}.ndjson`)
    writeFileSync(file, batchText(name))
    const { ingested } = await store.ingest({
      dataset: 'crash',
      lines: { kind: 'file', path: file },
      arrivedAt: now(),
      timestampField: '_time',
      batchId: name,
    })
    if (ingested !== BATCH_EVENTS) process.exit(3)
    writeSync(1, `${name}\n`)
  }
}
await Promise.all([work(), work(), work(), work()])
