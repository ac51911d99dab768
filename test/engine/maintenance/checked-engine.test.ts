import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { BatchOutcome } from '../../../src/engine/batch.js'
import { openEmbedded } from '../../../src/engine/clickhouse/embedded.js'
import type { Engine } from '../../../src/engine/engine.js'
import type { FileStatement } from '../../../src/engine/file-statement.js'
import { checkedEngine } from '../../../src/engine/maintenance/checked-engine.js'
import { DamageWatch } from '../../../src/engine/maintenance/damage-watch.js'
import { type WrittenPart, WrittenParts } from '../../../src/engine/maintenance/written-parts.js'
import { rowsIn } from '../../../src/engine/response.js'
import { openStore, type Store } from '../../../src/engine/store.js'
import { raw, sql, text } from '../../../src/sql/sql.js'
import { needsEmbedded, wrapped } from '../../support/engine.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { ARRIVED, closeIdleEngine, limits } from '../temporary-store.js'

// When the engine can't write, it leaves a file that is too short: a wrapped engine shortens files of the parts of inserts.

interface Breakable {
  readonly store: Store
  readonly engine: Engine
  /** The tables whose next inserts are shortened. */
  readonly broken: Set<string>
}

async function open(directory: string): Promise<Breakable> {
  await closeIdleEngine()
  const engine = await openEmbedded({ directory: join(directory, 'engine') })
  const broken = new Set<string>()
  const insertInto = async (table: string, insert: () => Promise<void>): Promise<void> => {
    if (broken.has(table)) await shortened(engine, table, insert)
    else await insert()
  }
  const ownEngine = wrapped(engine, {
    load: (insert) => insertInto(insert.stores.dataset, () => engine.load(insert)),
    run: (statement) => insertInto('document', () => engine.run(statement)),
  })
  const store = await openStore({ directory, now: () => ARRIVED, ownEngine })
  onTestFinished(async () => void (await store.close()))
  return { store, engine, broken }
}

/** Inserts rows, and shortens their files. */
async function shortened(
  engine: Engine,
  table: string,
  insert: () => Promise<void>,
): Promise<void> {
  const before = (await partsOf(engine, table)).map(({ path }) => path)
  await insert()
  for (const { path } of await partsOf(engine, table)) {
    if (!before.includes(path)) await truncate(join(path, 'data.bin'), 10)
  }
}

async function partsOf(engine: Engine, table: string) {
  const result = await engine.ask(
    sql`SELECT name, path FROM system.parts WHERE table = ${text(table)} AND active`,
  )
  return rowsIn(result, 'name', 'path')
}

/** Stores a batch that has a file of its own, and is not in the journal. */
async function ingest(store: Store, from: number, batchId?: string): Promise<BatchOutcome> {
  const path = join(store.spool, `body-${from}.ndjson`)
  await writeFile(path, `{"n":${from}}\n{"n":${from + 1}}\n`)
  const lines = { kind: 'file', path } as const
  return await store.ingest({ ...BATCH, lines, batchId })
}

const BATCH = { dataset: 'logs', arrivedAt: ARRIVED, timestampField: '_time' }

async function numbers(store: Store): Promise<unknown> {
  const { columns } = await store.read(raw('SELECT `n:int` AS n FROM `logs` ORDER BY n'), limits)
  return JSON.parse(columns.get('n')!).map(Number)
}

const UNWRITTEN = {
  reason: 'failed',
  message:
    'Not all files could be written to the disk: nothing was stored. Check the disk, and the quota of the user who runs the service, and try again.',
}

describe('an insert that the engine could not write', needsEmbedded, () => {
  it('is rejected and leaves nothing; the same batch can be stored afterwards', async () => {
    const directory = temporaryDirectory()
    const { store, broken } = await open(directory)
    await ingest(store, 0)
    broken.add('logs')
    await expect(ingest(store, 10, 'a')).rejects.toMatchObject(UNWRITTEN)
    await expect(ingest(store, 10, 'a')).rejects.toMatchObject(UNWRITTEN)
    expect(await numbers(store)).toEqual([0, 1])
    broken.clear()
    expect(await ingest(store, 10, 'a')).toMatchObject({ ingested: 2 })
    expect(await numbers(store)).toEqual([0, 1, 10, 11])
    await store.close()
    const { store: reopened } = await open(directory)
    expect(reopened.damage).toEqual([])
    expect(await numbers(reopened)).toEqual([0, 1, 10, 11])
  })

  it('is rejected also when it is stored from the journal, which keeps its events', async () => {
    const { store, broken } = await open(temporaryDirectory())
    await ingest(store, 0)
    broken.add('logs')
    const lines = { kind: 'bytes', bytes: Buffer.from('{"n":10}\n') } as const
    expect(await store.ingest({ ...BATCH, lines })).toMatchObject({ ingested: 1 })
    // A query stores the events of the journal first.
    await expect(numbers(store)).rejects.toMatchObject(UNWRITTEN)
    broken.clear()
    expect(await numbers(store)).toEqual([0, 1, 10])
  })

  it('is rejected also when it has documents, and earlier documents stay', async () => {
    const { store, broken } = await open(temporaryDirectory())
    await store.tokens.put({ id: 'a', body: '1' })
    broken.add('document')
    await expect(store.tokens.put({ id: 'b', body: '2' })).rejects.toMatchObject(UNWRITTEN)
    await expect(store.tokens.remove('a')).rejects.toMatchObject(UNWRITTEN)
    broken.clear()
    expect(await store.tokens.list()).toEqual([{ id: 'a', body: '1' }])
  })

  it.each(['first', 'second'])(
    'does not change the outcome of another one that runs at the same time: the %s fails',
    async (failing) => {
      const engine = await openTable()
      let second: Promise<unknown> = Promise.resolve()
      const checked: Engine = checkedEngine(
        {
          directory: temporaryDirectory(),
          engine: {
            ...engine,
            async load(insert) {
              const name = insert.files[0]?.path
              const load = () => engine.load(insert)
              await (name === failing ? shortened(engine, 't', load) : load())
              // The first insert ends after the second.
              if (name === 'first') {
                second = checked.load(insertOf('second', 100)).catch((error: unknown) => error)
                await second
              }
            },
          },
        },
        { whileRemoving: (_, work) => work() },
      )
      const first = await checked.load(insertOf('first', 0)).catch((error: unknown) => error)
      const [failed, stored] = failing === 'first' ? [first, await second] : [await second, first]
      expect(failed).toMatchObject(UNWRITTEN)
      expect(stored).toBeUndefined()
      const rows = await engine.ask(sql`SELECT min(_seq) AS first, count() AS n FROM datasets.t`)
      expect(rowsIn(rows, 'first', 'n')).toEqual([
        { first: failing === 'first' ? 100 : 0, n: ROWS },
      ])
    },
  )
})

describe('a file of a part that is too short', needsEmbedded, () => {
  const kinds = ['inserted', 'merged', 'changed'].flatMap((kind) => [
    { kind, form: 'compact', wideBytes: 1_000_000 },
    { kind, form: 'wide', wideBytes: 0 },
  ])
  it.each(kinds)(
    'is found in a $form part that was $kind, whichever file it is',
    async ({ kind, wideBytes }) => {
      const engine = await openTable(wideBytes)
      const insert = insertOf('', 0)
      for (let i = 0; i < 3; i++) await engine.load(insert)
      if (kind === 'merged') await engine.run(sql`OPTIMIZE TABLE datasets.t FINAL`)
      if (kind === 'changed') {
        await engine.run(
          sql`ALTER TABLE datasets.t DELETE WHERE _seq = 7 SETTINGS mutations_sync = 2`,
        )
      }
      const find = async (): Promise<string[]> => {
        const found: string[] = []
        const handle = async ({ name }: WrittenPart) => void found.push(name)
        const parts = new WrittenParts(engine)
        await parts.inserted({ database: 'datasets', tables: ['t'] }, 0, handle)
        await parts.rewritten(0, handle)
        return found
      }
      expect(await find()).toEqual([])
      const parts = await partsOf(engine, 't')
      expect(parts).toHaveLength(kind === 'merged' ? 1 : 3)
      const [{ path, name } = { path: '', name: '' }] = parts
      for (const file of await readdir(path)) {
        const before = await readFile(join(path, file))
        await truncate(join(path, file), 0)
        expect([file, await find()]).toEqual([file, before.length === 0 ? [] : [name]])
        await writeFile(join(path, file), before)
      }
      expect(await find()).toEqual([])
    },
  )
})

/** Opens an engine with a table whose parts have one file for all columns, or a file for each. */
async function openTable(wideBytes = 1_000_000): Promise<Engine> {
  await closeIdleEngine()
  const engine = await openEmbedded({ directory: join(temporaryDirectory(), 'engine') })
  onTestFinished(async () => void (await engine.close()))
  await engine.run(sql`
    CREATE TABLE datasets.t (
      _seq UInt64, s LowCardinality(Nullable(String)), n Nullable(Int64), INDEX i (n) TYPE minmax
    ) ENGINE = MergeTree ORDER BY _seq SETTINGS min_bytes_for_wide_part = ${wideBytes}`)
  return engine
}

const ROWS = 50

function insertOf(name: string, first: number): FileStatement {
  const numbers = [{ first: BigInt(first), last: BigInt(first + ROWS - 1) }]
  return {
    files: [{ path: name, rows: ROWS }],
    columns: [],
    stores: { dataset: 't', batchHash: undefined, numbers },
    write: () => sql`
      INSERT INTO datasets.t SELECT number + ${first}, toString(number % 3), number FROM numbers(${ROWS})`,
  }
}

describe('a part that a merge or a change could not write', needsEmbedded, () => {
  it.each([
    ['OPTIMIZE TABLE datasets.t FINAL', [150]],
    // The engine begins the deletion again, unless it is paused before.
    ['ALTER TABLE datasets.t DELETE WHERE n = 7 SETTINGS mutations_sync = 2', [147, 150]],
  ])('is replaced by the parts from which it was made: %s', async (statement, rows) => {
    const engine = await openTable()
    const directory = temporaryDirectory()
    await mkdir(join(directory, 'engine'))
    const warnings: string[] = []
    const warn = (message: string) => void warnings.push(message)
    const watch = await DamageWatch.open({ engine, directory, warn })
    for (const first of [0, 50, 100]) await engine.load(insertOf('', first))
    await shortened(engine, 't', () => engine.run(raw(statement)))
    watch.changed()
    await watch.close()
    expect(warnings[0]).toBe(
      'A part of `t` with merged events could not be written completely: the parts before the merge are used, and merged again in a minute. Check the disk, and the quota of the user who runs the service.',
    )
    expect(watch.list).toEqual([])
    const read = await engine.ask(sql`SELECT count() AS rows FROM datasets.t WHERE n >= 0`)
    expect(rows).toContain(rowsIn(read, 'rows')[0]?.rows)
    const detached = await engine.ask(sql`SELECT name FROM system.detached_parts`)
    expect(rowsIn(detached, 'name')).toEqual([])
  })

  it('is replaced in a process whose files may not be as long', async () => {
    await closeIdleEngine()
    const directory = temporaryDirectory()
    const script = join(import.meta.dirname, '../limited-merge.js')
    // Blocks of 512 or 1,024 bytes: enough for a batch, too little for ten.
    const command = `trap '' XFSZ; ulimit -f 600; exec "$@"`
    const words = ['-c', command, 'sh', process.execPath, script, directory]
    const { stdout } = await promisify(execFile)('/bin/sh', words)
    expect(stdout).toContain('A part of `logs` with merged events could not be written completely')
    const store = await openStore({ directory, now: () => ARRIVED })
    onTestFinished(async () => void (await store.close()))
    expect(store.damage).toEqual([])
    const read = await store.read(raw('SELECT uniqExact(`id:string`) AS n FROM `logs`'), limits)
    expect(read.columns.get('n')).toBe('[10001]')
  })
})
