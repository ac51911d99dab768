import pLimit from 'p-limit'
import { expect, it } from 'vitest'
import { FULL_BYTES } from '../../../src/engine/ingest/group-commit.js'
import type { Job } from '../../../src/engine/ingest/insert-job.js'
import { WriteQueue } from '../../../src/engine/ingest/write-queue.js'

const job = (name: string, bytes = 1): Job => ({
  batch: {
    dataset: name,
    lines: { kind: 'bytes', bytes: Buffer.alloc(0) },
    arrivedAt: 0n,
    timestampField: '_time',
  },
  lines: { kind: 'bytes', bytes: Buffer.alloc(0) },
  terms: { timestampField: '_time' },
  counts: { lines: 1, events: 1, bytes },
  columns: undefined,
  scan: undefined,
  batchHash: 0n,
  lease: undefined,
  resolve: () => {},
  reject: () => {},
})

/** Starts with the only slot in use; `free` frees it, and resolves once everything that was added is stored. */
function busyQueue() {
  const slots = pLimit(1)
  const groups: string[][] = []
  let release = () => {}
  void slots(
    () =>
      new Promise<void>((resolve) => {
        release = resolve
      }),
  )
  const store = async (group: readonly Job[]) => {
    groups.push(group.map(({ batch }) => batch.dataset))
  }
  const queue = new WriteQueue({ slots, storesNamedAlone: false, store })
  const free = async () => {
    await new Promise(setImmediate)
    release()
    while (slots.activeCount + slots.pendingCount > 0) await new Promise(setImmediate)
  }
  return { queue, groups, free }
}

it('stores batches together that arrive while other datasets use all slots', async () => {
  const { queue, groups, free } = busyQueue()
  for (const name of ['a', 'b', 'c']) queue.add(job(name))
  await free()
  expect(groups).toEqual([['a', 'b', 'c']])
})

it('does not store more at once than a full group', async () => {
  const { queue, groups, free } = busyQueue()
  for (const name of ['a', 'b', 'c']) queue.add(job(name, FULL_BYTES))
  await free()
  expect(groups).toEqual([['a'], ['b'], ['c']])
})
