import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, text } from '../../sql/sql.js'
import { type Engine, hasCode } from '../engine.js'
import { numberIn } from '../response.js'
import type { DamagedPart } from './part-ledger.js'
import { repairPart } from './part-repair.js'
import {
  detachedFolder,
  folderOf,
  loadedParts,
  METADATA_TABLES,
  overlaps,
  sqlName,
  type Table,
} from './table-parts.js'

/** The damaged parts of a dataset, or of the metadata. */
export interface Damage {
  /** The dataset; undefined for metadata. */
  readonly dataset: string | undefined
  /** Empty while it is not known which parts are damaged. */
  readonly parts: readonly DamagedPart[]
  /** False for metadata that queries do not use, such as saved queries and ids of batches. */
  readonly affectsResults: boolean
}

export interface AcceptedLoss {
  /** The parts whose rows are lost. */
  readonly parts: readonly DamagedPart[]
  /** The parts all of whose rows can be read again. */
  readonly repaired: readonly DamagedPart[]
  /** The folder with the files of the damaged parts; undefined when nothing is left of them. */
  readonly folder: string | undefined
}

/** The damage of stored data. It is known until its loss is accepted, also after a restart. */
export interface StoredDamage {
  /** The current damage, by dataset; the damage of the metadata is first. */
  readonly list: readonly Damage[]
  /** Checks a dataset of which stored events could not be read. */
  suspect(dataset: string): void
  /** Runs a deletion of events of a dataset, which may remove its parts. */
  whileRemoving?<Result>(dataset: string, work: () => Promise<Result>): Promise<Result>
  /** Called when events were stored. */
  changed?(): void
  /** Called when a dataset was deleted, and its damaged parts with it. */
  deleted(dataset: string): void
  renamed(dataset: string, to: string): void
  /**
   * Accepts the loss of the damaged parts of a dataset, or of the metadata. The caller ensures that nothing is stored in the dataset
   * meanwhile.
   */
  accept(dataset: string | undefined): Promise<AcceptedLoss>
  close(): Promise<void>
}

/** A table of the embedded engine, and its damaged parts. */
export interface DamagedTable {
  readonly table: Table
  readonly parts: readonly DamagedPart[]
}

interface TableDamage extends Pick<Damage, 'dataset' | 'parts'> {
  readonly table: string
}

/** Returns the damage of tables by dataset; the damage of the metadata is first. */
export function damageByDataset(tables: readonly TableDamage[]): readonly Damage[] {
  const datasets = new Set(tables.map(({ dataset }) => dataset))
  return [...datasets]
    .sort((a = '', b = '') => (a < b ? -1 : 1))
    .map((dataset) => {
      const own = tables.filter((one) => one.dataset === dataset)
      const affectsResults = own.some(({ table }) => dataset !== undefined || table === 'path')
      return { dataset, parts: own.flatMap(({ parts }) => parts), affectsResults }
    })
}

/** True when the rows of a part of the embedded engine can be read. */
export async function isReadable(engine: Engine, table: Table, part: string): Promise<boolean> {
  const check = sql`
    CHECK TABLE ${sqlName(table)} PART ${text(part)} SETTINGS check_query_single_value_result = 0`
  try {
    return numberIn(await engine.ask(check), 'is_passed') === 1
  } catch (error) {
    // The part was merged into another one in the meantime.
    if (hasCode(error, 'NO_SUCH_DATA_PART')) return true
    throw error
  }
}

/** The embedded engine, and its data directory. */
export interface EngineData {
  readonly engine: Engine
  readonly directory: string
  /** Receives messages for the operator of the service. */
  warn?(message: string): void
}

/**
 * Repairs the damaged parts whose rows can all be read; removes the others from their tables and moves their files out of the
 * engine's folder.
 */
export async function repairOrRemove(
  tables: readonly DamagedTable[],
  data: EngineData,
): Promise<AcceptedLoss> {
  const lost: DamagedPart[] = []
  const repaired: DamagedPart[] = []
  let folder: string | undefined
  for (const { table, parts } of tables) {
    for (const part of parts) {
      if (part.state === 'unreadable') await detach(data.engine, table, part.name)
      const isRepaired = await repair(data, table, part)
      const outcome = isRepaired ? repaired : lost
      outcome.push(part)
    }
    folder = (await moveAway(data, table)) ?? folder
  }
  return { parts: lost, repaired, folder }
}

export async function detach(engine: Engine, table: Table, part: string): Promise<void> {
  const { parts } = await loadedParts(engine, METADATA_TABLES)
  if (!parts.some(({ name, table: { id } }) => id === table.id && name === part)) return
  await engine.run(sql`ALTER TABLE ${sqlName(table)} DETACH PART ${text(part)}`)
}

/** Attaches a detached part again when its rows can be read. */
async function repair(
  { engine, directory }: EngineData,
  table: Table,
  { name, rows }: DamagedPart,
): Promise<boolean> {
  if (rows === undefined) return false
  const { parts } = await loadedParts(engine)
  const loaded = parts.filter((one) => one.table.id === table.id)
  // Some of its rows would be stored twice.
  if (loaded.some((one) => overlaps(one.name, name))) return false
  const engineFolder = join(directory, 'engine')
  const detached = detachedFolder(engineFolder, table)
  const folder = folderOf(name, await readdir(detached).catch(() => []))
  return (
    folder !== undefined &&
    (await repairPart(engine, { table, directory: engineFolder, folder, rows }))
  )
}

/** Moves the remaining files of damaged parts out of the engine's folder; returns their new folder, undefined without files. */
async function moveAway({ directory }: EngineData, table: Table): Promise<string | undefined> {
  const from = detachedFolder(join(directory, 'engine'), table)
  const names = await readdir(from).catch(() => [])
  if (names.length === 0) return undefined
  const folder = join(directory, 'damaged', `${table.database}.${table.name}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const taken = new Set(await readdir(folder))
  for (const name of names) {
    let target = name
    for (let i = 2; taken.has(target); i++) target = `${name}-${i}`
    await rename(join(from, name), join(folder, target))
  }
  return folder
}
