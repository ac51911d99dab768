// Stores batches of one event until it is killed, and prints the names of the acknowledged ones; half of
// the batches have an id, and some have a new field. Uses the output of `npm run build`.
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../../dist/engine/store.js'

const [, , directory, round] = process.argv
const now = () => BigInt(Date.now()) * 1_000_000n
const store = await openStore({ directory, now })

let next = 0
async function work() {
  for (;;) {
    const n = next++
    const name = `${round}-${n}`
    const event = { name, n, ...(n % 50 === 49 && { [`field${n}`]: n }) }
    const { ingested } = await store.ingest({
      dataset: 'logs',
      lines: { kind: 'bytes', bytes: Buffer.from(`${JSON.stringify(event)}\n`) },
      arrivedAt: now(),
      timestampField: '_time',
      batchId: n % 2 === 0 ? name : undefined,
    })
    if (ingested !== 1) process.exit(3)
    writeSync(1, `${name}\n`)
  }
}

/** Queries, in front of which the waiting events are stored. */
async function read() {
  for (;;) {
    await sleep(20)
    await store.statistics()
  }
}
await Promise.all([work(), work(), work(), read()])
