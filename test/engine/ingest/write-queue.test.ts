import pLimit from 'p-limit'
import { expect, it } from 'vitest'
import { FULL_BYTES } from '../../../src/engine/ingest/group-commit.js'
import type { Job } from '../../../src/engine/ingest/insert-job.js'
import { WriteQueue } from '../../../src/engine/ingest/write-queue.js'

const job = (name: string, bytes = 1, batchHash = 0n): Job => ({
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
  batchHash,
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

it('stores batches that are stored alone at the same time, at most eight of a dataset', async () => {
  const started: string[] = []
  const end: (() => void)[] = []
  const store = ([first]: readonly Job[]) => {
    started.push(first!.batch.dataset)
    return new Promise<void>((resolve) => end.push(resolve))
  }
  const queue = new WriteQueue({ slots: pLimit(100), storesNamedAlone: true, store })
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
  for (const [i, name] of names.entries()) queue.add(job(name, 1, BigInt(i + 1)))
  await new Promise(setImmediate)
  expect(started).toEqual(names.slice(0, 8))
  end[3]!()
  await new Promise(setImmediate)
  expect(started).toEqual(names.slice(0, 9))
})
