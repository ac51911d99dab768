import { list, type Sql, sql, text } from '../../sql/sql.js'
import { METADATA } from '../catalog/database.js'
import type { Documents } from '../catalog/documents.js'
import type { Engine } from '../engine.js'
import { stringsIn } from '../response.js'
import type { AcceptedLoss, Damage, DamagedPart, StoredDamage } from './damage.js'
import { hasAllInserts, LASTING_TABLES, partIn, tableIdIn } from './table-parts.js'

/** The time between two checks: a server finds damaged parts when it starts, which may be at any time. */
const CHECK_MS = 30_000

/** A part that a server has detached. */
interface DetachedPart {
  /** Identifies the part among those of all servers. */
  readonly id: string
  readonly shard: string
  readonly database: string
  readonly table: string
  readonly name: string
}

/**
 * The damage of stored data on ClickHouse servers whose tables have no replicas: parts that a server could not load when it started,
 * and whose inserts are in no other part. The files stay where the server has moved them. An accepted loss is a document, which all
 * services on the servers read.
 */
export class ServerDamage implements StoredDamage {
  private readonly engine: Engine
  private readonly detachedParts: Sql
  private readonly accepted: Documents
  private readonly timer: NodeJS.Timeout
  private checking: Promise<void> | undefined
  private found: readonly DetachedPart[] = []

  private constructor(engine: Engine, detachedParts: Sql, accepted: Documents) {
    this.engine = engine
    this.detachedParts = detachedParts
    this.accepted = accepted
    this.timer = setInterval(() => this.suspect(), CHECK_MS).unref()
  }

  /** Finds the damage. `detachedParts` is that of the engine. */
  static async open(
    engine: Engine,
    detachedParts: Sql,
    accepted: Documents,
  ): Promise<ServerDamage> {
    const damage = new ServerDamage(engine, detachedParts, accepted)
    // A server that is away at the start is checked later.
    await damage.check().catch(() => {})
    return damage
  }

  get list(): readonly Damage[] {
    const datasets = new Set(this.found.map(datasetOf))
    return [...datasets]
      .sort((a = '', b = '') => (a < b ? -1 : 1))
      .map((dataset) => {
        const own = this.found.filter((part) => datasetOf(part) === dataset)
        const affectsResults = own.some(({ table }) => dataset !== undefined || table === 'path')
        return { dataset, parts: own.map(damagedPart), affectsResults }
      })
  }

  suspect(): void {
    // The next check repeats one that fails.
    this.check().catch(() => {})
  }

  async whileRemoving<Result>(_: string, work: () => Promise<Result>): Promise<Result> {
    return await work()
  }

  changed(): void {}

  deleted(dataset: string): void {
    this.found = this.found.filter((part) => datasetOf(part) !== dataset)
  }

  renamed(dataset: string, to: string): void {
    this.found = this.found.map((part) =>
      datasetOf(part) === dataset ? { ...part, table: to } : part,
    )
  }

  async accept(dataset: string | undefined): Promise<AcceptedLoss> {
    await this.check()
    const isOwn = (part: DetachedPart): boolean => datasetOf(part) === dataset
    const parts = this.found.filter(isOwn)
    await this.accepted.put(...parts.map(({ id, name }) => ({ id, body: JSON.stringify(name) })))
    this.found = this.found.filter((part) => !isOwn(part))
    return { parts: parts.map(damagedPart), repaired: [], folder: undefined }
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.checking?.catch(() => {})
  }

  private async check(): Promise<void> {
    this.checking ??= this.find().finally(() => {
      this.checking = undefined
    })
    await this.checking
  }

  private async find(): Promise<void> {
    const broken = await this.broken()
    // As a rule, no part is broken.
    if (broken.length === 0) {
      this.found = []
      return
    }
    const [accepted, loaded] = await Promise.all([this.accepted.list(), this.loaded(broken)])
    const isAccepted = new Set(accepted.map(({ id }) => id))
    this.found = broken.filter((part) => {
      const others = loaded.get(tableKey(part)) ?? []
      return !isAccepted.has(part.id) && !hasAllInserts(part.name, others)
    })
  }

  private async broken(): Promise<readonly DetachedPart[]> {
    const lasting = sql`(database != ${text(METADATA)} OR table IN (${list(LASTING_TABLES.map(text))}))`
    const result = await this.engine.ask(sql`
      SELECT toString(shard) AS shard, database, table, name, path FROM ${this.detachedParts}
      WHERE startsWith(reason, 'broken') AND ${lasting} ORDER BY shard, database, table, name`)
    const [shards, databases, tables, names, paths] = (
      ['shard', 'database', 'table', 'name', 'path'] as const
    ).map((column) => stringsIn(result, column))
    return (names ?? []).map((folder, i) => {
      const [shard = '', path = ''] = [shards?.[i], paths?.[i]]
      const id = [shard, tableIdIn(path) ?? path, folder].join('/')
      const [database = '', table = ''] = [databases?.[i], tables?.[i]]
      return { id, shard, database, table, name: partIn(folder) }
    })
  }

  /** Returns the parts that servers have loaded, by table. */
  private async loaded(
    broken: readonly DetachedPart[],
  ): Promise<ReadonlyMap<string, readonly { readonly name: string }[]>> {
    const tables = [...new Set(broken.map(({ table }) => table))].map(text)
    const result = await this.engine.ask(sql`
      SELECT toString(shard) AS shard, database, table, name FROM ${this.engine.storedParts}
      WHERE active AND table IN (${list(tables)})`)
    const [shards, databases, names] = (['shard', 'database', 'name'] as const).map((column) =>
      stringsIn(result, column),
    )
    const loaded = new Map<string, { readonly name: string }[]>()
    for (const [i, table] of stringsIn(result, 'table').entries()) {
      const [shard = '', database = '', name = ''] = [shards?.[i], databases?.[i], names?.[i]]
      const key = tableKey({ shard, database, table })
      loaded.set(key, [...(loaded.get(key) ?? []), { name }])
    }
    return loaded
  }
}

function tableKey({
  shard,
  database,
  table,
}: Pick<DetachedPart, 'shard' | 'database' | 'table'>): string {
  return [shard, database, table].join('/')
}

function datasetOf({ database, table }: DetachedPart): string | undefined {
  return database === METADATA ? undefined : table
}

function damagedPart({ name }: DetachedPart): DamagedPart {
  return { name, state: 'lost', rows: undefined }
}
