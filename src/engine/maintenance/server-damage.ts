import { list, sql, text } from '../../sql/sql.js'
import { addTo } from '../../text/lists.js'
import { METADATA } from '../catalog/database.js'
import type { Documents } from '../catalog/documents.js'
import type { Engine, EngineResult } from '../engine.js'
import { numberIn, rowsIn } from '../response.js'
import { type AcceptedLoss, type Damage, damageByDataset, type StoredDamage } from './damage.js'
import type { DamagedPart } from './part-ledger.js'
import { hasAllInserts, LASTING_TABLES, partIn, tableIdIn } from './table-parts.js'

/** The time between two checks: a server finds damaged parts when it starts, which may be at any time. */
const CHECK_MS = 30_000

/** A part that a server has detached, or that all replicas have lost. */
interface MissingPart {
  /** Identifies the part among the parts of all servers. */
  readonly id: string
  readonly database: string
  readonly table: string
  readonly name: string
}

/**
 * The damage of stored data on ClickHouse servers. On a single server: parts that it could not load when it started, and whose
 * inserts are in no other part. The files stay where the server has moved them. In a cluster: parts that none of them has, in whose
 * place they have put empty ones. An accepted loss is a document, which all services on the servers read.
 */
export class ServerDamage implements StoredDamage {
  private readonly engine: Engine
  private readonly acceptedLosses: Documents
  private readonly timer: NodeJS.Timeout
  private checking: Promise<void> | undefined
  private found: readonly MissingPart[] = []
  /** The parts that all replicas have lost, when the servers had noticed this number of losses. */
  private counted: { readonly noticed: number; readonly parts: readonly MissingPart[] } | undefined
  /** The datasets that changed since the last check began: what it reads of them may be from before the change. */
  private readonly changedDatasets = new Set<string | undefined>()

  private constructor(engine: Engine, acceptedLosses: Documents) {
    this.engine = engine
    this.acceptedLosses = acceptedLosses
    this.timer = setInterval(() => this.suspect(), CHECK_MS).unref()
  }

  static async open(engine: Engine, acceptedLosses: Documents): Promise<ServerDamage> {
    const damage = new ServerDamage(engine, acceptedLosses)
    // A server that is away at the start is checked later.
    await damage.check().catch(() => {})
    return damage
  }

  get list(): readonly Damage[] {
    const tables = this.found.map((part) => ({
      dataset: datasetOf(part),
      table: part.table,
      parts: [damagedPart(part)],
    }))
    return damageByDataset(tables)
  }

  suspect(): void {
    // The next check repeats one that fails.
    this.check().catch(() => {})
  }

  /** Forgets the damage of a deleted dataset: the next dataset with this name may have the same path in Keeper. */
  deleted(dataset: string): void {
    const isOwn = (part: MissingPart): boolean => datasetOf(part) === dataset
    this.changedDatasets.add(dataset)
    this.found = this.found.filter((part) => !isOwn(part))
    const lost = this.counted?.parts.filter(isOwn) ?? []
    this.counted = undefined
    for (const { id } of lost) void this.acceptedLosses.remove(id).catch(() => {})
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
    await this.acceptedLosses.put(
      ...parts.map(({ id, name }) => ({ id, body: JSON.stringify(name) })),
    )
    this.changedDatasets.add(dataset)
    const accepted = new Set(parts.map(({ id }) => id))
    this.found = this.found.filter(({ id }) => !accepted.has(id))
    return { parts: parts.map(damagedPart), repaired: [], folder: undefined }
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.checking?.catch(() => {})
  }

  private check(): Promise<void> {
    this.checking ??= this.find().finally(() => {
      this.checking = undefined
    })
    return this.checking
  }

  private async find(): Promise<void> {
    this.changedDatasets.clear()
    const missing = await this.missing()
    const hasChanged = (part: MissingPart) => this.changedDatasets.has(datasetOf(part))
    this.found = [...missing.filter((part) => !hasChanged(part)), ...this.found.filter(hasChanged)]
  }

  /** Returns the parts that are missing and whose loss is not accepted. */
  private async missing(): Promise<readonly MissingPart[]> {
    const { engine, acceptedLosses } = this
    const [broken, lost] = await Promise.all([brokenParts(engine), this.lost()])
    // As a rule, no part is missing.
    if (broken.length + lost.length === 0) return []
    const [accepted, loaded] = await Promise.all([
      acceptedLosses.list(),
      loadedParts(engine, broken),
    ])
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
    const parts = partsLost(await this.engine.ask(lostParts.counted))
    if (this.changedDatasets.size === 0) this.counted = { noticed, parts }
    return parts
  }
}

/** Returns the parts that replicas have lost, of which Keeper has the number for each table, but not the names. */
function partsLost(counted: EngineResult): readonly MissingPart[] {
  const rows = rowsIn(counted, 'shard', 'database', 'table', 'path', 'losses')
  return rows.flatMap(({ path, losses, shard, ...place }): readonly MissingPart[] => {
    const { database, table } = place
    if (database === METADATA && !LASTING_TABLES.includes(table)) return []
    return Array.from({ length: Number(losses) }, (_, loss) => {
      const name = `${loss + 1} that shard ${shard} lost`
      return { id: `${path}/lost/${loss + 1}`, name, ...place }
    })
  })
}

/** Returns the parts that a server could not load. */
async function brokenParts(engine: Engine): Promise<readonly MissingPart[]> {
  const { detachedParts } = engine
  if (detachedParts === undefined) return []
  const lasting = sql`(database != ${text(METADATA)} OR table IN (${list(LASTING_TABLES.map(text))}))`
  const result = await engine.ask(sql`
    SELECT database, table, name, path FROM ${detachedParts}
    WHERE startsWith(reason, 'broken') AND ${lasting} ORDER BY database, table, name`)
  const parts = rowsIn(result, 'database', 'table', 'name', 'path')
  return parts.map(({ name: folder, path, ...place }) => ({
    id: `${tableIdIn(path) ?? path}/${folder}`,
    name: partIn(folder),
    ...place,
  }))
}

/** Returns the loaded parts of the tables that have broken parts, by `tableKey`. */
async function loadedParts(
  engine: Engine,
  broken: readonly MissingPart[],
): Promise<ReadonlyMap<string, readonly { readonly name: string }[]>> {
  if (broken.length === 0) return new Map()
  const tables = [...new Set(broken.map(({ table }) => table))].map(text)
  const result = await engine.ask(sql`
    SELECT database, table, name FROM ${engine.storedParts}
    WHERE active AND table IN (${list(tables)})`)
  const loaded = new Map<string, { readonly name: string }[]>()
  for (const part of rowsIn(result, 'database', 'table', 'name')) {
    addTo(loaded, tableKey(part), part)
  }
  return loaded
}

function tableKey({ database, table }: Pick<MissingPart, 'database' | 'table'>): string {
  return `${database}/${table}`
}

function datasetOf({ database, table }: MissingPart): string | undefined {
  return database === METADATA ? undefined : table
}

function damagedPart({ name }: MissingPart): DamagedPart {
  return { name, state: 'lost' }
}
