// Stores events whose fields become frequent one after another, until it is killed. Uses the output of `npm run build`.
import { writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../dist/engine/store.js'

const [, , directory, round] = process.argv
const now = () => BigInt(Date.now()) * 1_000_000n
const store = await openStore({ directory, now })

async function ingest(events) {
  const file = join(store.spool, 'body-1.ndjson')
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  await store.ingest({
    dataset: `logs${round}`,
    lines: { kind: 'file', path: file },
    arrivedAt: now(),
    timestampField: '_time',
  })
}

await ingest([{ good: null, bad: null }])
await ingest([{ bad: 'not a number' }])
writeSync(1, 'open\n')
for (;;) {
  await ingest(Array.from({ length: 2000 }, (_, n) => ({ good: n, bad: n })))
}
