import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/engine/engine.js'
import { wrapped } from '../../support/engine.js'
import { ndjson, TemporaryStore } from '../temporary-store.js'

const EVENTS = [{ n: 1, user: { name: 'ada' } }, { n: 2 }, { n: 3, rare: [true] }]

/** A store with three events in `logs`, in a batch named `first`. */
async function filled(): Promise<TemporaryStore> {
  const evq = await TemporaryStore.open()
  await evq.ingest(ndjson(EVENTS), { batchId: 'first' })
  return evq
}

const fieldsOf = (evq: TemporaryStore, dataset: string) =>
  evq.store.layout(dataset)?.fields.map(({ name }) => name)

const FIELDS = ['_sysTime', '_time', 'n', 'rare', 'user.name']

async function expectRenamed(evq: TemporaryStore): Promise<void> {
  expect(evq.store.schema.datasets).toEqual(['web'])
  expect(fieldsOf(evq, 'web')).toEqual(FIELDS)
  expect(await evq.values("JSONExtractInt(line, 'n')", 'web')).toEqual(['1', '2', '3'])
  expect(await evq.values("JSONExtractString(line, 'user', 'name')", 'web')).toEqual([
    '"ada"',
    '""',
    '""',
  ])
}

describe('a renamed dataset', () => {
  it('has its events and fields under the new name, also when the store is reopened', async () => {
    const evq = await filled()
    expect(await evq.store.rename('logs', 'web')).toBe('renamed')
    await expectRenamed(evq)
    await evq.reopen()
    await expectRenamed(evq)
  })

  it('takes new events, whose fields are added', async () => {
    const evq = await filled()
    await evq.store.rename('logs', 'web')
    await evq.ingest('{"n":4,"late":"x"}\n', { dataset: 'web' })
    expect(await evq.count('web')).toBe(4)
    expect(fieldsOf(evq, 'web')).toEqual([...FIELDS.slice(0, 2), 'late', ...FIELDS.slice(2)])
  })

  it('has the batches that were stored and removed before', async () => {
    const evq = await filled()
    await evq.ingest('{"n":9}\n', { batchId: 'second' })
    await evq.store.removeBatches('logs', ['second'])
    await evq.store.rename('logs', 'web')
    const again = await evq.ingest(ndjson(EVENTS), { dataset: 'web', batchId: 'first' })
    expect(again.ingested).toBe(3)
    await expect(
      evq.ingest('{"n":9}\n', { dataset: 'web', batchId: 'second' }),
    ).rejects.toMatchObject({ reason: 'removed' })
    expect(await evq.count('web')).toBe(3)
  })

  it('leaves its old name free for another dataset', async () => {
    const evq = await filled()
    await evq.store.rename('logs', 'web')
    await evq.ingest('{"other":true}\n', { batchId: 'first' })
    expect(await evq.count()).toBe(1)
    expect(fieldsOf(evq, 'logs')).toEqual(['_sysTime', '_time', 'other'])
    expect(await evq.count('web')).toBe(3)
  })

  it('does not replace another dataset', async () => {
    const evq = await filled()
    await evq.ingest('{"w":1}\n', { dataset: 'web' })
    expect(await evq.store.rename('logs', 'web')).toBe('exists')
    expect(await evq.store.rename('none', 'free')).toBe('unknown')
    expect(await evq.count()).toBe(3)
    expect(await evq.count('web')).toBe(1)
  })

  it('gets one of two names that are given at once', async () => {
    const evq = await filled()
    const outcomes = await Promise.all([
      evq.store.rename('logs', 'one'),
      evq.store.rename('logs', 'two'),
    ])
    expect(outcomes.sort()).toEqual(['renamed', 'unknown'])
    expect(evq.store.schema.datasets).toHaveLength(1)
  })

  it('loses no event that is being stored at the time', async () => {
    const evq = await filled()
    const batches = Array.from({ length: 20 }, (_, i) => evq.ingest(`{"n":${100 + i}}\n`))
    const renamed = evq.store.rename('logs', 'web')
    const late = Array.from({ length: 20 }, (_, i) => evq.ingest(`{"n":${200 + i}}\n`))
    await Promise.all([...batches, ...late])
    expect(await renamed).toBe('renamed')
    const counts = await Promise.all(evq.store.schema.datasets.map((dataset) => evq.count(dataset)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(43)
    // Batches that are still waiting go to a new dataset of the old name.
    expect(await evq.count('web')).toBeGreaterThanOrEqual(3)
  })
})

/** An engine that fails at a statement, as if the process had ended there. */
function failingAt(isLast: (statement: string) => boolean): (engine: Engine) => Engine {
  let hasFailed = false
  const check = (statement: string): void => {
    hasFailed ||= isLast(statement)
    if (hasFailed) throw new Error('ended')
  }
  return (engine) =>
    wrapped(engine, {
      async run(statement) {
        check(statement.text)
        await engine.run(statement)
      },
      async change(change) {
        check(change.kind)
        await engine.change(change)
      },
    })
}

/** An engine that fails at the first statement after the table was renamed. */
function failingAfterRename(): (engine: Engine) => Engine {
  let isRenamed = false
  return failingAt((statement) => {
    if (statement === 'rename') isRenamed = true
    return isRenamed && statement !== 'rename'
  })
}

describe('a rename that is interrupted', () => {
  it('before the table is renamed, has no effect and can be repeated', async () => {
    const evq = await filled()
    await evq.reopen(failingAt((statement) => statement === 'rename'))
    await expect(evq.store.rename('logs', 'web')).rejects.toThrow('ended')
    await evq.reopen()
    expect(evq.store.schema.datasets).toEqual(['logs'])
    expect(fieldsOf(evq, 'logs')).toEqual(FIELDS)
    expect(await evq.count()).toBe(3)
    expect(await evq.store.rename('logs', 'web')).toBe('renamed')
    await expectRenamed(evq)
  })

  it('before the table is renamed, leaves nothing to a new dataset of the new name', async () => {
    const evq = await filled()
    await evq.reopen(failingAt((statement) => statement === 'rename'))
    await expect(evq.store.rename('logs', 'web')).rejects.toThrow('ended')
    await evq.reopen()
    await evq.ingest('{"other":true}\n', { dataset: 'web', batchId: 'first' })
    expect(await evq.count('web')).toBe(1)
    expect(fieldsOf(evq, 'web')).toEqual(['_sysTime', '_time', 'other'])
    expect(await evq.count()).toBe(3)
  })

  it('after the table was renamed, leaves nothing to a new dataset of the old name', async () => {
    for (const isEmpty of [true, false]) {
      const evq = await filled()
      await evq.reopen(failingAfterRename())
      await expect(evq.store.rename('logs', 'web')).rejects.toThrow('ended')
      await evq.reopen()
      if (isEmpty) await evq.store.create('logs')
      else await evq.ingest('{"other":true}\n', { batchId: 'first' })
      expect(await evq.count()).toBe(isEmpty ? 0 : 1)
      await evq.reopen()
      const others = isEmpty ? [] : ['other']
      expect(fieldsOf(evq, 'logs')).toEqual(['_sysTime', '_time', ...others])
    }
  })

  it.each([
    ['before', failingAt((statement) => statement === 'rename'), 'web'],
    ['after', failingAfterRename(), 'logs'],
  ] as const)(
    '%s the table of a dataset without fields is renamed, leaves no outcomes to a new dataset',
    async (_, failing, dataset) => {
      const evq = await TemporaryStore.open()
      await evq.store.create('logs')
      const rejected = await evq.ingest('1\n', { batchId: 'first' })
      expect(rejected.ingested).toBe(0)
      await evq.reopen(failing)
      await expect(evq.store.rename('logs', 'web')).rejects.toThrow('ended')
      await evq.reopen()
      const { ingested } = await evq.ingest('{"n":1}\n', { dataset, batchId: 'first' })
      expect(ingested).toBe(1)
      expect(fieldsOf(evq, dataset)).toEqual(['_sysTime', '_time', 'n'])
      await evq.reopen()
      expect(fieldsOf(evq, dataset)).toEqual(['_sysTime', '_time', 'n'])
    },
  )

  it('after the table was renamed, is complete', async () => {
    const evq = await filled()
    await evq.reopen(failingAfterRename())
    await expect(evq.store.rename('logs', 'web')).rejects.toThrow('ended')
    await evq.reopen()
    await expectRenamed(evq)
  })
})
