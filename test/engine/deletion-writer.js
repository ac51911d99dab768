// Stores and deletes events in random order until it is killed. Uses the output of `npm run build`.
import { writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../dist/engine/store.js'

const [, , directory, round] = process.argv
const now = () => BigInt(Date.now()) * 1_000_000n
const store = await openStore({ directory, now })
if (store.damage.length > 0) {
  writeSync(1, `damage ${JSON.stringify(store.damage)}\n`)
  process.exit(3)
}

let seed = Number(round) + 1
function random(below) {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % below
}

const names = ['a', 'b', 'c']
let next = 0

async function ingest(dataset) {
  const batchId = `${round}-${next++}`
  const file = join(store.spool, `body-${batchId}.ndjson`)
  const events = Array.from({ length: 20 }, (_, i) => `{"_time":${1_767_225_600 + i},"i":${i}}\n`)
  writeFileSync(file, events.join(''))
  await store.ingest({
    dataset,
    lines: { kind: 'file', path: file },
    arrivedAt: now(),
    timestampField: '_time',
    batchId,
  })
}

const CHANGES = [
  ingest,
  ingest,
  ingest,
  (dataset) => store.trim(dataset, 1_767_225_610_000_000_000n),
  (dataset) => store.trim(dataset, now()),
  (dataset) => store.removeBatches(dataset, [`${round}-${next - 1}`]),
  (dataset) => store.clear(dataset),
  (dataset) => store.remove(dataset),
  (dataset) =>
    store.rename(
      dataset,
      names.find((name) => name !== dataset),
    ),
]

for (;;) {
  await CHANGES[random(CHANGES.length)](names[random(names.length)])
  writeSync(1, '.\n')
}
