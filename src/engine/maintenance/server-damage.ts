import { list, sql, text } from '../../sql/sql.js'
import { METADATA } from '../catalog/database.js'
import type { Documents } from '../catalog/documents.js'
import type { Engine } from '../engine.js'
import { numberIn, rowsIn } from '../response.js'
import type { AcceptedLoss, Damage, StoredDamage } from './damage.js'
import type { DamagedPart } from './part-ledger.js'
import { hasAllInserts, LASTING_TABLES, partIn, tableIdIn } from './table-parts.js'

/** The time between two checks: a server finds damaged parts when it starts, which may be at any time. */
const CHECK_MS = 30_000

/** A part that a server has detached, or that all replicas have lost. */
interface MissingPart {
  /** Identifies the part among those of all servers. */
  readonly id: string
  readonly shard: string
  readonly database: string
  readonly table: string
  readonly name: string
}

/**
 * The damage of stored data on ClickHouse servers. Without replicas: parts that a server could not load when it started, and whose
 * inserts are in no other part. The files stay where the server has moved them. With replicas: parts that none of them has, in whose
 * place they have put empty ones. An accepted loss is a document, which all services on the servers read.
 */
export class ServerDamage implements StoredDamage {
  private readonly engine: Engine
  private readonly accepted: Documents
  private readonly timer: NodeJS.Timeout
  private checking: Promise<void> | undefined
  private found: readonly MissingPart[] = []
  /** The parts that all replicas have lost, when the servers had noticed this number of losses. */
  private counted: { readonly noticed: number; readonly parts: readonly MissingPart[] } | undefined
  /** The datasets that changed since the last check began: what it reads of them may be from before the change. */
  private readonly changedDatasets = new Set<string | undefined>()

  private constructor(engine: Engine, accepted: Documents) {
    this.engine = engine
    this.accepted = accepted
    this.timer = setInterval(() => this.suspect(), CHECK_MS).unref()
  }

  static async open(engine: Engine, accepted: Documents): Promise<ServerDamage> {
    const damage = new ServerDamage(engine, accepted)
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

  /** The next dataset with this name may have the same path in Keeper. */
  deleted(dataset: string): void {
    this.changedDatasets.add(dataset)
    this.found = this.found.filter((part) => datasetOf(part) !== dataset)
    const lost = this.counted?.parts.filter((part) => datasetOf(part) === dataset) ?? []
    this.counted = undefined
    for (const { id } of lost) void this.accepted.remove(id).catch(() => {})
  }

  renamed(dataset: string, to: string): void {
    this.changedDatasets.add(dataset).add(to)
    this.counted = undefined
    this.found = this.found.map((part) =>
      datasetOf(part) === dataset ? { ...part, table: to } : part,
    )
  }

  async accept(dataset: string | undefined): Promise<AcceptedLoss> {
    await this.check()
    const parts = this.found.filter((part) => datasetOf(part) === dataset)
    await this.accepted.put(...parts.map(({ id, name }) => ({ id, body: JSON.stringify(name) })))
    this.changedDatasets.add(dataset)
    const accepted = new Set(parts.map(({ id }) => id))
    this.found = this.found.filter(({ id }) => !accepted.has(id))
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
    this.changedDatasets.clear()
    const missing = await this.missing()
    const hasChanged = (part: MissingPart) => this.changedDatasets.has(datasetOf(part))
    this.found = [...missing.filter((part) => !hasChanged(part)), ...this.found.filter(hasChanged)]
  }

  /** Returns the parts that are missing and whose loss is not accepted. */
  private async missing(): Promise<readonly MissingPart[]> {
    const [broken, lost] = await Promise.all([this.broken(), this.lost()])
    // As a rule, no part is missing.
    if (broken.length + lost.length === 0) return []
    const [accepted, loaded] = await Promise.all([this.accepted.list(), this.loaded(broken)])
    const isAccepted = new Set(accepted.map(({ id }) => id))
    const missing = broken.filter(
      (part) => !hasAllInserts(part.name, loaded.get(tableKey(part)) ?? []),
    )
    return [...missing, ...lost].filter(({ id }) => !isAccepted.has(id))
  }

  private async lost(): Promise<readonly MissingPart[]> {
    const { lostParts } = this.engine
    if (lostParts === undefined) return []
    const noticed = numberIn(await this.engine.ask(lostParts.noticed), 'losses')
    if (this.counted?.noticed === noticed) return this.counted.parts
    const result = await this.engine.ask(lostParts.counted)
    const rows = rowsIn(result, 'shard', 'database', 'table', 'path', 'losses')
    const parts = rows.flatMap(({ path, losses, ...place }): readonly MissingPart[] => {
      const { shard, database, table } = place
      if (database === METADATA && !LASTING_TABLES.includes(table)) return []
      // Keeper has their number, but not their names.
      return Array.from({ length: Number(losses) }, (_, loss) => {
        const name = `${loss + 1} that shard ${shard} lost`
        return { id: `${path}/lost/${loss + 1}`, name, ...place }
      })
    })
    if (this.changedDatasets.size === 0) this.counted = { noticed, parts }
    return parts
  }

  private async broken(): Promise<readonly MissingPart[]> {
    const { detachedParts } = this.engine
    if (detachedParts === undefined) return []
    const lasting = sql`(database != ${text(METADATA)} OR table IN (${list(LASTING_TABLES.map(text))}))`
    const result = await this.engine.ask(sql`
      SELECT toString(shard) AS shard, database, table, name, path FROM ${detachedParts}
      WHERE startsWith(reason, 'broken') AND ${lasting} ORDER BY shard, database, table, name`)
    const parts = rowsIn(result, 'shard', 'database', 'table', 'name', 'path')
    return parts.map(({ name: folder, path, ...place }) => {
      const id = [place.shard, tableIdIn(path) ?? path, folder].join('/')
      return { id, name: partIn(folder), ...place }
    })
  }

  private async loaded(
    broken: readonly MissingPart[],
  ): Promise<ReadonlyMap<string, readonly { readonly name: string }[]>> {
    if (broken.length === 0) return new Map()
    const tables = [...new Set(broken.map(({ table }) => table))].map(text)
    const result = await this.engine.ask(sql`
      SELECT toString(shard) AS shard, database, table, name FROM ${this.engine.storedParts}
      WHERE active AND table IN (${list(tables)})`)
    const loaded = new Map<string, { readonly name: string }[]>()
    for (const part of rowsIn(result, 'shard', 'database', 'table', 'name')) {
      const key = tableKey(part)
      loaded.set(key, [...(loaded.get(key) ?? []), part])
    }
    return loaded
  }
}

function tableKey({
  shard,
  database,
  table,
}: Pick<MissingPart, 'shard' | 'database' | 'table'>): string {
  return [shard, database, table].join('/')
}

function datasetOf({ database, table }: MissingPart): string | undefined {
  return database === METADATA ? undefined : table
}

function damagedPart({ name }: MissingPart): DamagedPart {
  return { name, state: 'lost' }
}
