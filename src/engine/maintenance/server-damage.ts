import { list, sql, text } from '../../sql/sql.js'
import { addTo } from '../../text/lists.js'
import { METADATA } from '../catalog/database.js'
import type { Documents } from '../catalog/documents.js'
import type { Engine } from '../engine.js'
import { numberIn, rowsIn } from '../response.js'
import { damageByDataset, type StoredDamage } from './damage.js'
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
export async function serverDamage(
  engine: Engine,
  acceptedLosses: Documents,
): Promise<StoredDamage> {
  let checking: Promise<void> | undefined
  let found: readonly MissingPart[] = []
  /** The parts that all replicas have lost, when the servers had noticed this number of losses. */
  let counted: { readonly noticed: number; readonly parts: readonly MissingPart[] } | undefined
  /** The datasets that changed since the last check began: what it reads of them may be from before the change. */
  const changedDatasets = new Set<string | undefined>()

  async function check(): Promise<void> {
    checking ??= find().finally(() => {
      checking = undefined
    })
    await checking
  }

  async function find(): Promise<void> {
    changedDatasets.clear()
    const missing = await findMissing()
    const hasChanged = (part: MissingPart) => changedDatasets.has(datasetOf(part))
    found = [...missing.filter((part) => !hasChanged(part)), ...found.filter(hasChanged)]
  }

  /** Returns the parts that are missing and whose loss is not accepted. */
  async function findMissing(): Promise<readonly MissingPart[]> {
    const [broken, lost] = await Promise.all([findBroken(), findLost()])
    // As a rule, no part is missing.
    if (broken.length + lost.length === 0) return []
    const [accepted, loaded] = await Promise.all([acceptedLosses.list(), findLoaded(broken)])
    const isAccepted = new Set(accepted.map(({ id }) => id))
    const missing = broken.filter(
      (part) => !hasAllInserts(part.name, loaded.get(tableKey(part)) ?? []),
    )
    return [...missing, ...lost].filter(({ id }) => !isAccepted.has(id))
  }

  async function findLost(): Promise<readonly MissingPart[]> {
    const { lostParts } = engine
    if (lostParts === undefined) return []
    const noticed = numberIn(await engine.ask(lostParts.noticed), 'losses')
    if (counted?.noticed === noticed) return counted.parts
    const result = await engine.ask(lostParts.counted)
    const rows = rowsIn(result, 'shard', 'database', 'table', 'path', 'losses')
    const parts = rows.flatMap(({ path, losses, shard, ...place }): readonly MissingPart[] => {
      const { database, table } = place
      if (database === METADATA && !LASTING_TABLES.includes(table)) return []
      // Keeper has their number, but not their names.
      return Array.from({ length: Number(losses) }, (_, loss) => {
        const name = `${loss + 1} that shard ${shard} lost`
        return { id: `${path}/lost/${loss + 1}`, name, ...place }
      })
    })
    if (changedDatasets.size === 0) counted = { noticed, parts }
    return parts
  }

  async function findBroken(): Promise<readonly MissingPart[]> {
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

  async function findLoaded(
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

  const suspect = (): void => {
    // The next check repeats one that fails.
    check().catch(() => {})
  }
  const timer = setInterval(suspect, CHECK_MS).unref()
  // A server that is away at the start is checked later.
  await check().catch(() => {})
  return {
    get list() {
      const tables = found.map((part) => ({
        dataset: datasetOf(part),
        table: part.table,
        parts: [damagedPart(part)],
      }))
      return damageByDataset(tables)
    },
    suspect,
    // The next dataset with this name may have the same path in Keeper.
    deleted(dataset) {
      changedDatasets.add(dataset)
      found = found.filter((part) => datasetOf(part) !== dataset)
      const lost = counted?.parts.filter((part) => datasetOf(part) === dataset) ?? []
      counted = undefined
      for (const { id } of lost) void acceptedLosses.remove(id).catch(() => {})
    },
    renamed(dataset, to) {
      changedDatasets.add(dataset).add(to)
      counted = undefined
      found = found.map((part) => (datasetOf(part) === dataset ? { ...part, table: to } : part))
    },
    async accept(dataset) {
      await check()
      const parts = found.filter((part) => datasetOf(part) === dataset)
      await acceptedLosses.put(...parts.map(({ id, name }) => ({ id, body: JSON.stringify(name) })))
      changedDatasets.add(dataset)
      const accepted = new Set(parts.map(({ id }) => id))
      found = found.filter(({ id }) => !accepted.has(id))
      return { parts: parts.map(damagedPart), repaired: [], folder: undefined }
    },
    async close() {
      clearInterval(timer)
      await checking?.catch(() => {})
    },
  }
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
