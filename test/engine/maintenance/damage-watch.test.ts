import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEmbedded } from '../../../src/engine/clickhouse/embedded.js'
import { damageByDataset } from '../../../src/engine/maintenance/damage.js'
import { DamageWatch } from '../../../src/engine/maintenance/damage-watch.js'
import { hasAllInserts, missingRows } from '../../../src/engine/maintenance/table-parts.js'
import { rowsIn } from '../../../src/engine/response.js'
import { openStore } from '../../../src/engine/store.js'
import { raw } from '../../../src/sql/sql.js'
import { needsEmbedded, wrapped } from '../../support/engine.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { until } from '../../support/until.js'

const KILLS = Number(process.env.EVQ_KILLS ?? 4)
const WRITER = join(import.meta.dirname, '../deletion-writer.js')

const table = { id: '1', database: 'datasets', name: 'logs' }
const parts = (...all: readonly (readonly [string, number])[]) =>
  all.map(([name, rows]) => ({ table, name, rows }))

describe('a part of the ledger', () => {
  it.each<[string, [string, number], (readonly [string, number])[], number]>([
    ['is still there', ['all_3_3_0', 10], [['all_3_3_0', 10]], 0],
    ['was merged', ['all_3_3_0', 10], [['all_1_5_1', 50]], 0],
    ['was merged and rewritten by a mutation', ['all_3_3_0', 10], [['all_1_5_1_9', 40]], 0],
    [
      'is replaced by those it was merged from',
      ['all_1_2_1', 20],
      [
        ['all_1_1_0', 12],
        ['all_2_2_0', 8],
      ],
      0,
    ],
    ['is replaced by some of those', ['all_1_2_1', 20], [['all_2_2_0', 8]], 12],
    [
      'is gone',
      ['all_3_3_0', 10],
      [
        ['all_2_2_0', 10],
        ['all_4_9_1', 70],
      ],
      10,
    ],
  ])('%s', (_, [name, rows], loaded, missing) => {
    expect(missingRows({ name, rows }, parts(...loaded))).toBe(missing)
  })

  it('has all inserts when loaded parts contain each of them', () => {
    expect(hasAllInserts('all_2_4_1', parts(['all_2_3_1', 1], ['all_4_4_0', 1]))).toBe(true)
    expect(hasAllInserts('all_2_4_1', parts(['all_1_9_2', 1]))).toBe(true)
    expect(hasAllInserts('all_2_4_1', parts(['all_2_2_0', 1], ['all_4_4_0', 1]))).toBe(false)
    expect(hasAllInserts('all_2_4_1', [])).toBe(false)
  })
})

it.each([
  { dataset: 'logs', table: 'logs', affectsResults: true },
  { dataset: undefined, table: 'path', affectsResults: true },
  { dataset: undefined, table: 'document', affectsResults: false },
  { dataset: undefined, table: 'batch', affectsResults: false },
])('damage of the table $table makes results partial: $affectsResults', (damaged) => {
  const { table, affectsResults, ...others } = damaged
  expect(damageByDataset([{ ...others, table, parts: [] }])).toMatchObject([{ affectsResults }])
})

it('the ledger is closed when an update that has begun is complete', needsEmbedded, async () => {
  const directory = temporaryDirectory()
  const engine = await openEmbedded({ directory: join(directory, 'engine') })
  onTestFinished(async () => void (await engine.close()))
  let isOpen = false
  let isAsked = false
  let isAnswered = false
  let answer = (): void => {}
  const answering = new Promise<void>((resolve) => {
    answer = resolve
  })
  const watch = await DamageWatch.open({
    directory,
    engine: wrapped(engine, {
      async ask(query) {
        if (isOpen) {
          isAsked = true
          await answering
          isAnswered = true
        }
        return await engine.ask(query)
      },
    }),
  })
  isOpen = true
  watch.changed()
  await until(() => isAsked, 'an update of the ledger')
  const closed = watch.close().then(() => isAnswered)
  await setImmediate()
  answer()
  expect(await closed).toBe(true)
})

it(
  'the ledger names no parts of the fields that the first batch of a dataset clears',
  needsEmbedded,
  async () => {
    const directory = temporaryDirectory()
    const folder = join(directory, 'engine')
    const now = (): bigint => 1_767_225_600_000_000_000n
    const listed = async (): Promise<readonly string[]> => {
      const { tables } = JSON.parse(await readFile(join(folder, 'parts.json'), 'utf8')) as {
        tables: readonly { name: string }[]
      }
      return tables.map(({ name }) => name)
    }

    const earlier = await openEmbedded({ directory: folder })
    const emptyStore = await openStore({ directory, ownEngine: earlier, now })
    await earlier.run(
      raw("INSERT INTO evq.path (dataset, path, kinds) VALUES ('logs', '[\"a\"]', 1)"),
    )
    await emptyStore.close()

    const engine = await openEmbedded({ directory: folder })
    const whileDeleting: (readonly string[])[] = []
    const store = await openStore({
      directory,
      ownEngine: wrapped(engine, {
        async run(statement) {
          if (/ALTER TABLE evq\.path DELETE/.test(statement.text))
            whileDeleting.push(await listed())
          await engine.run(statement)
        },
      }),
      now,
    })
    onTestFinished(async () => void (await store.close()))
    expect(await listed()).toContain('path')
    const path = join(store.spool, 'body-1.ndjson')
    await writeFile(path, '{"_time":1767225600,"b":1}\n')
    const lines = { kind: 'file', path } as const
    await store.ingest({ dataset: 'logs', lines, arrivedAt: now(), timestampField: '_time' })
    expect(whileDeleting).toEqual([expect.not.arrayContaining(['path'])])
  },
)

it.each(['path', 'document', 'batch'])(
  'a part of the table %s with a changed bit prevents neither opening, other metadata nor named batches',
  needsEmbedded,
  async (table) => {
    const directory = temporaryDirectory()
    const now = (): bigint => 1_767_225_600_000_000_000n
    const query = { id: '1', body: '{}' }
    const first = await openStore({ directory, now })
    const path = join(first.spool, 'body-1.ndjson')
    await writeFile(path, '{"_time":1767225600,"b":1}\n')
    const lines = { kind: 'file', path } as const
    const batch = { dataset: 'logs', arrivedAt: now(), timestampField: '_time', batchId: 'a' }
    await first.ingest({ ...batch, lines })
    await first.starredQueries.put(query)
    await first.close()

    const engine = await openEmbedded({ directory: join(directory, 'engine') })
    const [part] = rowsIn(
      await engine.ask(raw(`SELECT path FROM system.parts WHERE active AND table = '${table}'`)),
      'path',
    )
    await engine.close()
    const file = join(part!.path, 'data.bin')
    const bytes = await readFile(file)
    bytes[bytes.length >> 1]! ^= 1
    await writeFile(file, bytes)

    const second = await openStore({ directory, now })
    await writeFile(path, '{"_time":1767225600,"b":1}\n')
    expect(await second.ingest({ ...batch, lines })).toMatchObject({ ingested: 1 })
    expect(await second.starredQueries.list()).toEqual(table === 'document' ? [] : [query])
    expect(await second.statistics('logs')).toMatchObject([{ events: 1 }])
    expect(second.damage).toMatchObject([
      { dataset: undefined, parts: [{ state: 'lost', rows: expect.any(Number) }] },
    ])
    await second.close()

    const third = await openStore({ directory, now })
    onTestFinished(async () => void (await third.close()))
    expect(third.damage).toHaveLength(1)
    const { folder } = await third.acceptLoss(undefined)
    expect(await readdir(folder!)).toHaveLength(1)
    expect(third.damage).toEqual([])
  },
)

it.each(['path', 'document', 'batch'])(
  'a broken part of the table %s is no damage when the loaded parts have its rows',
  needsEmbedded,
  async (table) => {
    const directory = temporaryDirectory()
    const now = (): bigint => 1_767_225_600_000_000_000n
    const first = await openStore({ directory, now })
    const path = join(first.spool, 'body-1.ndjson')
    await writeFile(path, '{"_time":1767225600,"b":1}\n')
    const lines = { kind: 'file', path } as const
    const batch = { dataset: 'logs', arrivedAt: now(), timestampField: '_time', batchId: 'a' }
    await first.ingest({ ...batch, lines })
    await first.starredQueries.put({ id: '1', body: '{}' })
    await first.close()

    const engine = await openEmbedded({ directory: join(directory, 'engine') })
    const [part] = rowsIn(
      await engine.ask(
        raw(`SELECT name, path FROM system.parts WHERE active AND table = '${table}'`),
      ),
      'name',
      'path',
    )
    await engine.close()
    const broken = join(part!.path, '../detached', `broken-on-start_${part!.name}`)
    await cp(part!.path, broken, { recursive: true })

    const second = await openStore({ directory, now })
    onTestFinished(async () => void (await second.close()))
    expect(second.damage).toEqual([])
  },
)

it('no deletion looks like damage when the process is killed', {
  ...needsEmbedded,
  timeout: 120_000 + KILLS * 10_000,
}, async () => {
  const directory = temporaryDirectory()
  for (let round = 0; round < KILLS; round++) {
    const writer = spawn(process.execPath, [WRITER, directory, String(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(writer, 'exit')
    let changes = 0
    let damage: string | undefined
    createInterface(writer.stdout).on('line', (line) => {
      if (line.startsWith('damage')) damage = line
      changes += 1
      if (changes > (round * 5) % 17) writer.kill('SIGKILL')
    })
    const [, signal] = await exited
    expect([round, damage, signal]).toEqual([round, undefined, 'SIGKILL'])
  }
})
