import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.js'
import { TEST_ENGINE, wrapped } from '../support/engine.js'
import { needs } from '../support/needs.js'
import { TemporaryStore } from './temporary-store.js'

const WRITER = join(import.meta.dirname, 'answer-writer.js')

const SOUND = '{"a":1}\n{"a":2}\n'
const HALF = '{"a":1}\nbad\n'
const BAD = 'bad\n\n[1]\n'

/** An engine that can't write answers down, like one that dies before it would. */
const forgetful = (engine: Engine): Engine =>
  wrapped(engine, {
    run: (statement) =>
      statement.text.includes('INSERT INTO evq.batch')
        ? Promise.reject(new Error('no room'))
        : engine.run(statement),
  })

describe('a batch that comes again', () => {
  it.each([
    ['was stored', SOUND, 2, 0],
    ['was stored in part', HALF, 1, 1],
    ['was not stored at all', BAD, 0, 2],
    ['was empty', '', 0, 0],
  ])('is answered as it was when it %s, whatever it holds now', async (_, text, rows, bad) => {
    const evq = await TemporaryStore.open()
    const first = await evq.ingest(text, { batchId: 'b' })
    expect([first.ingested, first.rejected.length]).toEqual([rows, bad])
    expect(await evq.ingest(text, { batchId: 'b' })).toEqual(first)
    await evq.reopen()
    expect(await evq.ingest(text, { batchId: 'b' })).toEqual(first)
    expect(await evq.ingest('{"other":1}\n', { batchId: 'b' })).toEqual(first)
    if (rows > 0) expect(await evq.count()).toBe(rows)
    expect(evq.store.schema.fields('logs')?.map(({ name }) => name) ?? []).not.toContain('other')
  })

  it('is answered as it was when its events are deleted', async () => {
    const evq = await TemporaryStore.open()
    const first = await evq.ingest(SOUND, { batchId: 'b' })
    await evq.reopen()
    await evq.truncate()
    expect(await evq.ingest(SOUND, { batchId: 'b' })).toEqual(first)
    expect(await evq.count()).toBe(0)
  })

  it('is told by its rows when a crash came before its answer was written', async () => {
    const evq = await TemporaryStore.open(forgetful)
    const first = await evq.ingest(SOUND, { batchId: 'b' })
    // Nobody was told what became of this one.
    await expect(evq.ingest(HALF, { batchId: 'half' })).rejects.toThrow()
    await evq.reopen()
    expect(await evq.ingest(SOUND, { batchId: 'b' })).toEqual(first)
    expect(await evq.ingest(HALF, { batchId: 'half' })).toMatchObject({
      ingested: 1,
      rejected: [{ index: 1, line: 2 }],
    })
    expect(await evq.count()).toBe(3)
  })

  it('is looked up together with those that wait beside it', async () => {
    const evq = await TemporaryStore.open()
    const names = Array.from({ length: 20 }, (_, i) => `b${i}`)
    const store = (text: string) =>
      Promise.all(names.map((batchId) => evq.ingest(text, { batchId })))
    const first = await store(HALF)
    await evq.reopen()
    expect(await store('{"other":1}\n')).toEqual(first)
    expect(await evq.count()).toBe(20)
  })
})

// The process that is killed opens the data of a directory.
it(
  'answers as before when the process was killed as soon as it had answered',
  needs(TEST_ENGINE === 'embedded', 'the embedded engine'),
  async () => {
    const evq = await TemporaryStore.open()
    await evq.store.close()
    const writer = spawn(process.execPath, [WRITER, evq.directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    writer.stdout.setEncoding('utf8').on('data', (piece) => {
      said += piece
      if (said.split('\n').length > 3) writer.kill('SIGKILL')
    })
    const [, signal] = await once(writer, 'close')
    expect(signal).toBe('SIGKILL')

    await evq.reopen()
    for (const line of said.trim().split('\n')) {
      const { name, answer } = JSON.parse(line)
      expect(await evq.ingest('{"other":1}\n', { batchId: name })).toEqual(answer)
    }
    expect(await evq.count()).toBe(3)
  },
)
