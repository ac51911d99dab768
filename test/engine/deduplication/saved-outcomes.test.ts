import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BatchOutcome } from '../../../src/engine/batch.js'
import { type Engine, EngineError } from '../../../src/engine/engine.js'
import { needsEmbedded, TEST_ENGINE, wrapped } from '../../support/engine.js'
import { needs } from '../../support/needs.js'
import { until } from '../../support/until.js'
import { ARRIVED, TemporaryStore } from '../temporary-store.js'

const WRITER = join(import.meta.dirname, '../outcome-writer.js')

const SOUND = '{"a":1}\n{"a":2}\n'
const HALF = '{"a":1}\nbad\n'
const BAD = 'bad\n\n[1]\n'

/** An engine that can't save responses, like one on a full disk. */
const forgetful = (engine: Engine): Engine =>
  wrapped(engine, {
    run: (statement) =>
      statement.text.includes('INSERT INTO evq.batch')
        ? Promise.reject(new EngineError(243, 'not enough space'))
        : engine.run(statement),
  })

describe('a repeated batch', () => {
  it.each([
    ['was stored', SOUND, 2, 0],
    ['was stored in part', HALF, 1, 1],
    ['was not stored at all', BAD, 0, 2],
    ['was empty', '', 0, 0],
  ])(
    'returns the first outcome of a batch that %s, whatever its content is now',
    async (_, text, rows, bad) => {
      const evq = await TemporaryStore.open()
      const first = await evq.ingest(text, { batchId: 'b' })
      expect([first.ingested, first.rejected.length]).toEqual([rows, bad])
      expect(await evq.ingest(text, { batchId: 'b' })).toEqual(first)
      await evq.reopen()
      expect(await evq.ingest(text, { batchId: 'b' })).toEqual(first)
      expect(await evq.ingest('{"other":1}\n', { batchId: 'b' })).toEqual(first)
      if (rows > 0) expect(await evq.count()).toBe(rows)
      expect(evq.store.schema.fields('logs')?.map(({ name }) => name) ?? []).not.toContain('other')
    },
  )

  it('lists the first 20,000 rejected events of a batch and counts all', async () => {
    const evq = await TemporaryStore.open()
    const text = 'bad\n'.repeat(20_001)
    const first = await evq.ingest(text, { batchId: 'b' })
    expect([first.failed, first.rejected.length]).toEqual([20_001, 20_000])
    expect(first.rejected.at(-1)).toMatchObject({ index: 19_999, line: 20_000 })
    await evq.reopen()
    expect(await evq.ingest('', { batchId: 'b' })).toEqual(first)
  })

  it('returns the first outcome of a batch whose events were deleted', async () => {
    const evq = await TemporaryStore.open()
    const first = await evq.ingest(SOUND, { batchId: 'b' })
    await evq.reopen()
    await evq.truncate()
    expect(await evq.ingest(SOUND, { batchId: 'b' })).toEqual(first)
    expect(await evq.count()).toBe(0)
  })

  it('derives the outcome from the rows when it was not saved before a crash', async () => {
    const evq = await TemporaryStore.open(forgetful)
    const first = await evq.ingest(SOUND, { batchId: 'b' })
    const half = await evq.ingest(HALF, { batchId: 'half' })
    expect(half).toMatchObject({ ingested: 1, rejected: [{ index: 1, line: 2 }] })
    await evq.reopen()
    expect(await evq.ingest(SOUND, { batchId: 'b' })).toEqual(first)
    expect(await evq.ingest(HALF, { batchId: 'half' })).toEqual(half)
    expect(await evq.count()).toBe(3)
  })

  it('calls onStored once for a repeated batch', async () => {
    const evq = await TemporaryStore.open(forgetful)
    const counted: BatchOutcome[] = []
    const options = { batchId: 'b', onStored: (stored: BatchOutcome) => counted.push(stored) }
    const stored = await evq.ingest(HALF, options)
    await evq.reopen()
    expect(await evq.ingest(HALF, options)).toEqual(stored)
    expect(counted).toEqual([stored])
  })

  it('looks up waiting batches together', async () => {
    const evq = await TemporaryStore.open()
    const names = Array.from({ length: 8 }, (_, i) => `b${i}`)
    const store = (text: string) =>
      Promise.all(names.map((batchId) => evq.ingest(text, { batchId })))
    const first = await store(HALF)
    await evq.reopen()
    expect(await store('{"other":1}\n')).toEqual(first)
    expect(await evq.count()).toBe(8)
  })
})

describe('a batch id', () => {
  // The first 32 hex digits of the SHA-256 of `b`.
  const HASH = '3e23e8160039594a33894f6564e1b134'
  const stored = (hash: string) => `
    INSERT INTO datasets.logs (_time, _sysTime, _seq, _batch, line)
    SELECT now64(9), now64(9), 1, unhex('${hash}'), '{"a":1}' FROM numbers(2)`
  const save = (hash: string, outcome: string) =>
    `INSERT INTO evq.batch (dataset, hash, outcome) SELECT 'logs', unhex('${hash}'), '${outcome}'`

  // The rows are inserted into the table of the dataset, which has several shards.
  const needsTable = needs(TEST_ENGINE !== 'replicas', 'a single server')

  it('compares all 128 bits of the hash with stored rows', needsTable, async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"a":0}\n')
    await evq.change(stored('3e23e8160039594a33894f6564e1b135'))
    expect(await evq.ingest(SOUND, { batchId: 'b' })).toMatchObject({ ingested: 2 })
    expect(await evq.count()).toBe(5)
    const counted = `SELECT count() AS n FROM logs WHERE _batch = unhex('${HASH}')`
    expect(await evq.query(counted)).toEqual({ n: ['2'] })
  })

  it('compares all 128 bits of the hash with saved outcomes', async () => {
    const evq = await TemporaryStore.open()
    await evq.change(save('3e23e8160039594a33894f6564e1b135', 'of another'))
    expect(await evq.ingest(SOUND, { batchId: 'b' })).toMatchObject({ ingested: 2 })
  })

  it('stores nothing when the saved outcome of a batch is corrupted', async () => {
    const evq = await TemporaryStore.open()
    await evq.change(save(HASH, '{"ingested":'))
    await expect(evq.ingest(SOUND, { batchId: 'b' })).rejects.toThrow(
      'It could not be determined whether these events are stored already.',
    )
    expect(evq.store.schema.datasets).toEqual([])
  })
})

describe('batches whose outcomes cannot be saved', () => {
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => String(error),
    )

  it('returns the outcome of each batch when none can be saved', async () => {
    const evq = await TemporaryStore.open(forgetful)
    const store = (text: string, batchId?: string) =>
      evq.store.ingest({
        dataset: 'logs',
        lines: { kind: 'bytes', bytes: Buffer.from(text) },
        arrivedAt: ARRIVED,
        timestampField: '_time',
        ...(batchId !== undefined && { batchId }),
      })
    await store(SOUND)
    // The first keeps the queue busy, so that the others are stored together.
    const first = store(SOUND)
    const [half, sound, odd, bad] = [
      store(HALF, 'half'),
      store(SOUND),
      store('{"new":true}\n'),
      store(BAD, 'bad'),
    ]
    expect(await first).toMatchObject({ ingested: 2 })
    expect(await half).toMatchObject({ ingested: 1, rejected: [{ line: 2 }] })
    expect(await sound).toMatchObject({ ingested: 2, rejected: [] })
    expect(await odd).toMatchObject({ ingested: 1, rejected: [] })
    expect(await failure(bad!)).toContain('The disk is full')
    expect(await evq.count()).toBe(8)
  })

  it('rejects batches whose outcome cannot be determined', async () => {
    const evq = await TemporaryStore.open()
    const rejectedEvents = () => {
      throw new RangeError('Invalid array length')
    }
    expect(await failure(evq.ingest(SOUND, { rejectedEvents }))).toBe(
      'StoreError: These events are stored, but the response could not be produced. Sending them again stores them twice, except under the same batch id.',
    )
    expect(await evq.count()).toBe(2)
  })

  it('does not report a batch as lost when the lookup of earlier batches fails', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(SOUND, { batchId: 'b' })
    await evq.reopen((engine) =>
      wrapped(engine, {
        ask: (query) =>
          query.text.includes('FROM evq.batch')
            ? Promise.reject(new EngineError(241, 'memory limit'))
            : engine.ask(query),
      }),
    )
    const [again, unnamed] = [evq.ingest(SOUND, { batchId: 'b' }), evq.ingest(SOUND)]
    expect(await failure(again)).toBe(
      'StoreError: It could not be determined whether these events are stored already. Send the same events again under the same batch id.',
    )
    expect(await unnamed).toMatchObject({ ingested: 2 })
    expect(await evq.count()).toBe(4)
  })

  it('saves outcomes later', async () => {
    let isFull = true
    const evq = await TemporaryStore.open((engine) =>
      wrapped(engine, {
        run: (statement) => (isFull ? forgetful(engine) : engine).run(statement),
      }),
    )
    await evq.ingest(HALF, { batchId: 'half' })
    isFull = false
    await until(
      async () => (await evq.query('SELECT count() AS n FROM evq.batch')).n?.[0] === '1',
      'the response is saved',
    )
  })
})

// The process that is killed opens the data of a directory.
it('returns the same outcomes after the process was killed', needsEmbedded, async () => {
  const evq = await TemporaryStore.open()
  await evq.store.close()
  const writer = spawn(process.execPath, [WRITER, evq.directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  writer.stdout.setEncoding('utf8').on('data', (piece) => {
    output += piece
    if (output.split('\n').length > 3) writer.kill('SIGKILL')
  })
  const [, signal] = await once(writer, 'close')
  expect(signal).toBe('SIGKILL')

  await evq.reopen()
  for (const line of output.trim().split('\n')) {
    const { name, outcome, arrivedAt } = JSON.parse(line)
    const first = { ...outcome, arrivedAt: BigInt(arrivedAt) }
    expect(await evq.ingest('{"other":1}\n', { batchId: name })).toEqual(first)
  }
  expect(await evq.count()).toBe(3)
})
