import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Batch, BatchOutcome } from '../../src/engine/batch.js'
import type { Engine } from '../../src/engine/engine.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { identifier, list, raw, type Sql, sql, text } from '../../src/sql/sql.js'
import { withText } from '../../src/sql/stage/event-source.js'
import type { World } from '../support/ask.js'
import { forgetData, openEngineIn, TEST_ENGINE } from '../support/engine.js'
import { afterEveryFile, afterEveryTest } from '../support/every-file.js'
import { removeDirectory } from '../support/remove-directory.js'

/** 2026-01-01T00:00:00Z, the default time of arrival. */
export const ARRIVED = 1_767_225_600_000_000_000n

export const limits = { timeoutMs: 120_000, memoryBytes: 2_000_000_000 }

/** A store in a temporary directory, with helpers for tests. */
export class TemporaryStore {
  directory: string
  readonly root: string
  store: Store
  private opened: OpenedStore
  private files = 0

  private constructor(directory: string, opened: OpenedStore) {
    this.root = directory
    this.directory = directory
    this.opened = opened
    this.store = opened.store
  }

  /** Opens a new store and closes the previous one, since a process can have only one directory open. */
  static async open(wrap: Wrap = same): Promise<TemporaryStore> {
    await closeAll()
    const { root, engine } = await emptyEngine()
    const temporary = new TemporaryStore(root, await openOn(engine, root, wrap))
    opened.push(temporary)
    return temporary
  }

  /** Closes the store and its engine, and opens both again. */
  async reopen(wrap: Wrap = same): Promise<void> {
    await this.store.close()
    this.opened = await openOn(await openKeptEngine(this.directory), this.directory, wrap)
    this.store = this.opened.store
  }

  /** Closes the store; the next one uses its engine unless the test has closed that or opened another directory. */
  async end(): Promise<void> {
    const { kept } = this.opened
    kept.isKept = TEST_ENGINE === 'embedded' && this.directory === this.root
    await this.store.close()
    if (kept.isKept && kept.isOpen) idle = { root: this.root, engine: kept }
    else await removeDirectory(this.root)
  }

  private get engine(): Engine {
    return this.opened.engine
  }

  /** The dataset `logs` as it is now, for `ask`. */
  get world(): World {
    const layout = this.store.layout('logs')!
    const fields = layout.fields.map(({ name, type }) => ({ name, type }))
    return {
      engine: this.engine,
      datasets: new Map([['logs', { layout, fields }]]),
      now: ARRIVED,
    }
  }

  async spoolFile(text: string | Buffer): Promise<string> {
    const file = join(this.store.spool, `body-${this.files++}.ndjson`)
    await writeFile(file, text)
    return file
  }

  async ingest(text: string | Buffer, options: Partial<Batch> = {}): Promise<BatchOutcome> {
    const path = await this.spoolFile(text)
    return await this.store.ingest({
      dataset: 'logs',
      lines: { kind: 'file', path },
      arrivedAt: ARRIVED,
      timestampField: '_time',
      ...options,
    })
  }

  /** Runs a statement on the engine directly. */
  async change(statement: string): Promise<void> {
    await this.engine.run(raw(statement))
  }

  /** Deletes the events of `logs` on the engine directly. */
  async truncate(): Promise<void> {
    const statement = (table: Sql): Sql => sql`TRUNCATE TABLE ${table}`
    await this.engine.change({ kind: 'events', dataset: 'logs', statement })
  }

  /** Returns the values of each column of a query, as JSON strings that preserve large numbers. */
  async query(statement: string): Promise<Record<string, readonly string[]>> {
    const { columns } = await this.store.read(raw(statement), limits)
    return Object.fromEntries([...columns].map(([name, json]) => [name, cells(json)]))
  }

  /** Returns a table expression for the events of a dataset, with the text of each as `line`: as stored, or from its columns. */
  events(dataset = 'logs'): string {
    const leaves = (this.store.layout(dataset)?.fields ?? []).flatMap(
      ({ column, type, paths, inColumns = [] }) =>
        column === undefined ? inColumns : paths.map((path) => ({ column, type, path })),
    )
    return withText(identifier(dataset), leaves).text
  }

  /** Returns the values of an expression over all events of `logs` in the order of arrival. */
  async values(expression: string, dataset = 'logs'): Promise<readonly string[]> {
    const { v = [] } = await this.query(
      `SELECT ${expression} AS v FROM ${this.events(dataset)} ORDER BY _seq`,
    )
    return v
  }

  async count(dataset = 'logs'): Promise<number> {
    return Number((await this.query(`SELECT count() AS n FROM \`${dataset}\``)).n?.[0])
  }

  /** Returns the fields whose column differs from the remainder of the events that have both; there should be none. */
  async contradictions(dataset = 'logs'): Promise<readonly string[]> {
    const wrong: string[] = []
    for (const { name, type, column, paths } of this.store.layout(dataset)?.fields ?? []) {
      const [path] = paths
      if (column === undefined || path === undefined) continue
      const value = identifier(column)
      const inColumn =
        type === 'dynamic' ? sql`JSONExtractRaw(${value})` : sql`toJSONString(${value})`
      const inText = sql`JSONExtractRaw(line, ${list(path.map(text))})`
      const { n = [] } = await this.query(
        sql`SELECT countIf(${inText} != '' AND ifNull(${inColumn}, 'null') != ${inText}) AS n FROM ${identifier(dataset)} WHERE notEmpty(line)`
          .text,
      )
      if (n[0] !== '0') wrong.push(`${name}: ${n[0]}`)
    }
    return wrong
  }

  /** Returns the type of a field, its type in results, and its column. */
  field(name: string, dataset = 'logs'): string | undefined {
    const field = this.store.layout(dataset)?.fields.find((one) => one.name === name)
    return field && [field.type, field.wireType || '?', field.column ?? 'no column'].join(' · ')
  }
}

/** Wraps the engine of the store. */
export type Wrap = (engine: Engine) => Engine

const same: Wrap = (engine) => engine

/** An engine whose `close` does nothing while it is kept for the next test. */
interface KeptEngine {
  readonly engine: Engine
  readonly close: () => Promise<boolean>
  isKept: boolean
  isOpen: boolean
}

interface OpenedStore {
  readonly kept: KeptEngine
  readonly engine: Engine
  readonly store: Store
}

async function openKeptEngine(directory: string): Promise<KeptEngine> {
  const engine = await openEngineIn(join(directory, 'engine'))
  const close = engine.close.bind(engine)
  const kept: KeptEngine = { engine, close, isKept: false, isOpen: true }
  engine.close = async () => {
    if (kept.isKept) return true
    kept.isOpen = false
    return await close()
  }
  return kept
}

async function openOn(kept: KeptEngine, directory: string, wrap: Wrap): Promise<OpenedStore> {
  kept.isKept = false
  const engine = wrap(kept.engine)
  // With the same name, a store that is opened again releases the leases that the previous one could not release.
  const options = { directory, engine, name: directory, now: () => ARRIVED }
  return { kept, engine, store: await openStore(options) }
}

interface IdleEngine {
  readonly root: string
  readonly engine: KeptEngine
}

/** The engine of the previous test: opening one takes more time than many a test. */
let idle: IdleEngine | undefined

/** Returns an engine without data, and the directory of its store. */
async function emptyEngine(): Promise<IdleEngine> {
  if (idle === undefined) {
    await forgetData()
    const root = await mkdtemp(join(tmpdir(), 'evq-engine-'))
    return { root, engine: await openKeptEngine(root) }
  }
  const { root, engine } = idle
  idle = undefined
  for (const database of ['evq', 'datasets'])
    await engine.engine.run(raw(`DROP DATABASE IF EXISTS ${database} SYNC`))
  await engine.engine.run(raw('CREATE DATABASE datasets ENGINE = Atomic'))
  for (const name of await readdir(root))
    if (name !== 'engine') await removeDirectory(join(root, name))
  return { root, engine }
}

/** Returns the JSON texts of the values of a flat array. */
function cells(json: string): readonly string[] {
  return json.match(/"(?:[^"\\]|\\.)*"|[^\s,[\]]+/g) ?? []
}

const opened: TemporaryStore[] = []

afterEveryTest(closeAll)
afterEveryFile(closeIdleEngine)

/** Closes the engine of the previous tests, for a test that opens an engine itself. */
export async function closeIdleEngine(): Promise<void> {
  if (idle === undefined) return
  const { root, engine } = idle
  idle = undefined
  await engine.close()
  await removeDirectory(root)
}

async function closeAll(): Promise<void> {
  for (const temporary of opened.splice(0)) await temporary.end()
}

/** Returns one JSON object per line. */
export function ndjson(events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('')
}
