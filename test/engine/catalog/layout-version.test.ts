import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../../src/engine/store.js'
import { KIND } from '../../../src/wire/json/kinds.js'
import { needsEmbedded, openEngineIn, wrapped } from '../../support/engine.js'
import { createLayout1 } from '../../support/layout-1.js'
import { removeDirectory } from '../../support/remove-directory.js'
import { ARRIVED, closeIdleEngine, TemporaryStore } from '../temporary-store.js'

const EVENTS = [
  '{"status":200,"user":{"name":"ada"},"mixed":1}',
  '{"status":404,"user":{"name":"bob"},"mixed":"two","rare":[1]}',
  '{"status":500,"mixed":3}',
]

/** A store on data that the previous version has written. */
async function previous(): Promise<TemporaryStore> {
  const evq = await TemporaryStore.open()
  await evq.store.close()
  const engine = await openEngineIn(join(evq.directory, 'engine'))
  for (const table of ['evq.path', 'evq.batch', 'evq.document']) {
    await engine.run({ kind: 'sql', text: `DROP TABLE ${table} SYNC` })
  }
  await createLayout1(engine, {
    name: 'logs',
    columns: [
      { name: 'status:int', type: 'Int64', path: ['status'] },
      { name: 'user.name:string', type: 'String', path: ['user', 'name'] },
      { name: 'mixed:int', type: 'Int64', path: ['mixed'], isRetired: true },
    ],
    paths: [
      [['status'], KIND.int],
      [['user', 'name'], KIND.string],
      [['mixed'], KIND.int | KIND.string],
      [['rare'], 0],
    ],
    events: EVENTS,
  })
  await engine.close()
  return evq
}

async function layoutOf(evq: TemporaryStore): Promise<string | undefined> {
  const { comment } = await evq.query(
    "SELECT comment FROM system.tables WHERE database = 'evq' AND name = 'path'",
  )
  return comment?.[0]
}

async function codecs(evq: TemporaryStore): Promise<readonly string[]> {
  const { c = [] } = await evq.query(
    "SELECT concat(name, ' ', compression_codec, ' ', comment) AS c FROM system.columns WHERE database = 'datasets' AND table = 'logs' AND position(name, ':') > 0",
  )
  return c.map((one): string => JSON.parse(one))
}

async function indexes(evq: TemporaryStore): Promise<readonly string[]> {
  const { name = [] } = await evq.query(
    "SELECT name FROM system.data_skipping_indices WHERE table = 'logs' ORDER BY name",
  )
  return name.map((one): string => JSON.parse(one))
}

async function expectEvents(evq: TemporaryStore, later: readonly string[]): Promise<void> {
  expect(await evq.values('`status:int`')).toEqual([
    '200',
    '404',
    '500',
    ...later.map((line) => String(JSON.parse(line).status)),
  ])
  const mixed = [...EVENTS, ...later].map((line) => JSON.stringify(JSON.parse(line).mixed ?? ''))
  const found = await evq.values("JSONExtractRaw(line, 'mixed')")
  expect(found.map((one) => JSON.parse(one) || '""')).toEqual(mixed)
}

it('upgrades data again whose version was not recorded, also that of a cluster', async () => {
  const evq = await TemporaryStore.open()
  await evq.ingest('{"status":200,"user":{"name":"ada"}}\n')
  await evq.change("ALTER TABLE evq.path MODIFY COMMENT ''")
  await evq.reopen()
  expect(await layoutOf(evq)).toBe('"layout 3"')
  expect(await codecs(evq)).toEqual([
    'status:int CODEC(ZSTD(1)) ["status"]',
    'user.name:string CODEC(ZSTD(1)) ["user","name"]',
  ])
  await evq.ingest('{"status":404,"user":{"name":"bob"}}\n')
  expect(await evq.values('`status:int`')).toEqual(['200', '404'])
})

// The directory of the embedded engine is reopened.
describe('data of layout 1', needsEmbedded, () => {
  it('is upgraded at opening and has the same events', async () => {
    const evq = await previous()
    await evq.reopen()
    expect(await layoutOf(evq)).toBe('"layout 3"')
    expect(await codecs(evq)).toEqual([
      'status:int CODEC(ZSTD(1)) ["status"]',
      'user.name:string CODEC(ZSTD(1)) ["user","name"]',
      'mixed:int CODEC(ZSTD(1)) ["mixed"]',
    ])
    expect(await indexes(evq)).toEqual(['batch', 'tokens1', 'tokens2'])
    expect(evq.field('status')).toBe('int · integer · status:int')
    expect(evq.field('mixed')).toBe('dynamic · ? · no column')
    await expectEvents(evq, [])

    const later = ['{"status":201}', '{"status":202,"mixed":true}']
    await evq.ingest(`${later.join('\n')}\n`)
    expect((await evq.query("SELECT countIf(line = '') AS n FROM logs")).n).toEqual(['1'])
    await expectEvents(evq, later)
    await evq.reopen()
    await evq.change('OPTIMIZE TABLE datasets.logs FINAL')
    await expectEvents(evq, later)
  })

  it('is upgraded completely at the next opening when the first one fails', async () => {
    const evq = await previous()
    const failing = evq.reopen((engine) =>
      wrapped(engine, {
        run: async (statement) => {
          if (statement.text.includes('MODIFY COMMENT')) throw new Error('the process ends here')
          await engine.run(statement)
        },
      }),
    )
    await expect(failing).rejects.toThrow('the process ends here')
    await evq.reopen()
    expect(await layoutOf(evq)).toBe('"layout 3"')
    await expectEvents(evq, [])
  })

  it('is refused by a version that does not know its layout', async () => {
    await closeIdleEngine()
    const directory = await mkdtemp(join(tmpdir(), 'evq-layout-'))
    try {
      const options = { directory, now: () => ARRIVED }
      await (await openStore(options)).close()
      const engine = await openEngineIn(join(directory, 'engine'))
      await engine.run({ kind: 'sql', text: "ALTER TABLE evq.path MODIFY COMMENT 'layout 4'" })
      await engine.close()
      await expect(openStore(options)).rejects.toThrow(
        'The data was written by a newer version of evq: its layout is 4, and this version reads layouts up to 3. Update evq to open it.',
      )
    } finally {
      await removeDirectory(directory)
    }
  })
})
