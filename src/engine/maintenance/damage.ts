import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { sql, text } from '../../sql/sql.js'
import { DATASETS } from '../catalog/database.js'
import { type Engine, hasCode } from '../engine.js'
import { numberIn } from '../response.js'
import { type DamagedPart, type LedgerTable, openPartLedger } from './part-ledger.js'
import { repairPart } from './part-repair.js'
import {
  type BrokenPart,
  brokenParts,
  detachedFolder,
  folderOf,
  hasAllInserts,
  type LoadedParts,
  loadedParts,
  missingRows,
  overlaps,
  sqlName,
  type Table,
  type TablePart,
} from './table-parts.js'

/** The damaged parts of a dataset, or of the metadata. */
export interface Damage {
  /** The dataset; undefined for metadata. */
  readonly dataset: string | undefined
  /** Empty while it is not known which parts are damaged. */
  readonly parts: readonly DamagedPart[]
  /** False for metadata that queries do not use, such as saved queries. */
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

/** The time after a change until the ledger is written: a new part that is lost before then, in a crash, goes unnoticed. */
const RECORD_DELAY_MS = 2_000
/** Writing the ledger of thousands of parts takes longer; it may take a hundredth of the time. */
const DELAY_PER_WRITE = 100
const MAX_RECORD_DELAY_MS = 60_000

/**
 * Finds the damage of the data in a data directory, before anything in it is changed: parts that the embedded engine could not load,
 * and parts of the ledger that are gone. Later damage is found from the errors of queries.
 */
export async function damageWatch(
  directory: string,
  engine: Engine,
): Promise<Required<StoredDamage>> {
  const engineFolder = join(directory, 'engine')
  const [ledger, loaded, broken] = await Promise.all([
    openPartLedger(engineFolder),
    loadedParts(engine),
    brokenParts(engineFolder, engine),
  ])
  const alone = pLimit(1)
  const checking = pLimit(1)
  const checks = new Map<string, Promise<void>>()
  const removing = new Map<string, number>()
  let damagedTables = foundDamage(ledger.tables, loaded, broken)
  let timer: NodeJS.Timeout | undefined
  let recordDelayMs = RECORD_DELAY_MS
  let isClosed = false

  /** Schedules an update of the ledger after a change. */
  function changed(): void {
    if (isClosed) return
    timer ??= setTimeout(() => void record(), recordDelayMs).unref()
  }

  async function record(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    let began = 0
    const write = async (): Promise<void> => {
      began = performance.now()
      await writeLedger(await loadedParts(engine))
    }
    // If the ledger can't be written, the loss of newer parts goes unnoticed.
    await alone(write).catch(() => {})
    const delayMs = DELAY_PER_WRITE * (performance.now() - began)
    recordDelayMs = Math.min(Math.max(delayMs, RECORD_DELAY_MS), MAX_RECORD_DELAY_MS)
  }

  async function writeLedger({ parts, changing }: LoadedParts): Promise<void> {
    const tables = new Map<string, LedgerTable>()
    for (const { table, parts } of damagedTables) {
      tables.set(table.id, { ...table, parts: {}, damaged: parts })
    }
    for (const { table, name, rows } of parts) {
      const { damaged = [], parts: others = {} } = tables.get(table.id) ?? {}
      const known = changing.has(table.id) ? others : { ...others, [name]: rows }
      tables.set(table.id, { ...table, parts: known, damaged })
    }
    await ledger.write(withoutRemoved([...tables.values()]))
  }

  /** Returns the tables without the parts that a deletion may remove: parts of the dataset, and of metadata with its fields. */
  function withoutRemoved(tables: readonly LedgerTable[]): readonly LedgerTable[] {
    if (removing.size === 0) return tables
    return tables.map((table) => {
      const dataset = datasetOf(table)
      const isKept = dataset !== undefined && !removing.has(dataset)
      return isKept ? table : { ...table, parts: {} }
    })
  }

  /** Reads all parts of a dataset and records which of them are unreadable. */
  async function check(dataset: string): Promise<void> {
    const { parts } = await loadedParts(engine)
    const found: DamagedTable[] = []
    for (const { table, name, rows } of parts) {
      if (isClosed) return
      if (datasetOf(table) !== dataset || (await isReadable(table, name))) continue
      const known = damagedTables.find((one) => one.table.id === table.id)?.parts
      const before = known?.find((part) => part.name === name)
      // The number of rows in the ledger is right, also when the part's own file with that number is damaged.
      found.push({ table, parts: [before ?? { name, state: 'unreadable', rows }] })
    }
    const others = damagedTables.map(({ table, parts }) => {
      const isOwn = datasetOf(table) === dataset
      return { table, parts: isOwn ? parts.filter(({ state }) => state === 'lost') : parts }
    })
    damagedTables = merged([...others, ...found])
  }

  async function isReadable(table: Table, part: string): Promise<boolean> {
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

  async function detach(table: Table, part: string): Promise<void> {
    const { parts } = await loadedParts(engine)
    if (!parts.some(({ name, table: { id } }) => id === table.id && name === part)) return
    await engine.run(sql`ALTER TABLE ${sqlName(table)} DETACH PART ${text(part)}`)
  }

  /** Attaches a detached part again when its rows can be read. */
  async function repair(table: Table, { name, rows }: DamagedPart): Promise<boolean> {
    if (rows === undefined) return false
    const { parts } = await loadedParts(engine)
    const loaded = parts.filter((one) => one.table.id === table.id)
    // Some of its rows would be stored twice.
    if (loaded.some((one) => overlaps(one.name, name))) return false
    const detached = detachedFolder(engineFolder, table)
    const folder = folderOf(name, await readdir(detached).catch(() => []))
    return (
      folder !== undefined &&
      (await repairPart(engine, { table, directory: engineFolder, folder, rows }))
    )
  }

  /** Moves the remaining files of damaged parts out of the engine's folder; returns their new folder, undefined without files. */
  async function moveAway(table: Table): Promise<string | undefined> {
    const from = detachedFolder(engineFolder, table)
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

  await writeLedger(loaded)
  return {
    get list() {
      const suspected = [...checks.keys()].map((name) => ({ name, database: DATASETS }))
      const datasets = new Set(
        [...damagedTables.map(({ table }) => table), ...suspected].map(datasetOf),
      )
      return [...datasets]
        .sort((a = '', b = '') => (a < b ? -1 : 1))
        .map((dataset) => {
          const own = damagedTables.filter(({ table }) => datasetOf(table) === dataset)
          const affectsResults = own.some(({ table }) => table.name !== 'document')
          const parts = own.flatMap((one) => one.parts)
          return { dataset, parts, affectsResults: dataset !== undefined || affectsResults }
        })
    },
    // The dataset counts as damaged until the check proves it intact.
    suspect(dataset) {
      if (checks.has(dataset) || isClosed) return
      const checked = checking(() => check(dataset))
        .then(() => record())
        // The check itself may fail; the next failing query repeats it.
        .catch(() => {})
        .finally(() => checks.delete(dataset))
      checks.set(dataset, checked)
    },
    async whileRemoving(dataset, work) {
      removing.set(dataset, (removing.get(dataset) ?? 0) + 1)
      await alone(() => ledger.write(withoutRemoved(ledger.tables)))
      try {
        return await work()
      } finally {
        const left = (removing.get(dataset) ?? 1) - 1
        if (left === 0) removing.delete(dataset)
        else removing.set(dataset, left)
        changed()
      }
    },
    changed,
    deleted(dataset) {
      damagedTables = damagedTables.filter(({ table }) => datasetOf(table) !== dataset)
    },
    renamed(dataset, to) {
      damagedTables = damagedTables.map((one) =>
        datasetOf(one.table) === dataset ? { ...one, table: { ...one.table, name: to } } : one,
      )
    },
    // Repairs the damaged parts whose rows can all be read; removes the others from their tables and moves their files out of the
    // engine's folder.
    async accept(dataset) {
      const isOwn = ({ table }: DamagedTable): boolean => datasetOf(table) === dataset
      return await alone(async () => {
        // A part that can be read again must not be removed, and others may have become unreadable.
        const all = damagedTables.flatMap(({ parts }) => parts)
        const hasUnreadable = all.some(({ state }) => state === 'unreadable')
        if (dataset !== undefined && hasUnreadable) await check(dataset)
        const own = damagedTables.filter(isOwn)
        const lost: DamagedPart[] = []
        const repaired: DamagedPart[] = []
        let folder: string | undefined
        for (const { table, parts } of own) {
          for (const part of parts) {
            if (part.state === 'unreadable') await detach(table, part.name)
            const isRepaired = await repair(table, part)
            const parts = isRepaired ? repaired : lost
            parts.push(part)
          }
          folder = (await moveAway(table)) ?? folder
        }
        damagedTables = damagedTables.filter((one) => !isOwn(one))
        await writeLedger(await loadedParts(engine))
        return { parts: lost, repaired, folder }
      })
    },
    // Writes the ledger a last time: later, it would replace the ledger of another process.
    async close() {
      const isChanged = timer !== undefined
      isClosed = true
      await Promise.all(checks.values())
      if (isChanged) await record()
      // An update may have begun before.
      await alone(() => {})
    },
  }
}

interface DamagedTable {
  readonly table: Table
  readonly parts: readonly DamagedPart[]
}

function datasetOf({ database, name }: Pick<Table, 'database' | 'name'>): string | undefined {
  return database === DATASETS ? name : undefined
}

/** Returns the damage of tables, as known before and as found now. */
function foundDamage(
  tables: readonly LedgerTable[],
  loaded: LoadedParts,
  broken: readonly BrokenPart[],
): readonly DamagedTable[] {
  const loadedOf = ({ id }: Table): readonly TablePart[] =>
    loaded.parts.filter(({ table }) => table.id === id)
  const known = tables.map((ledger): DamagedTable => {
    const { parts, damaged, ...table } = ledger
    const now = loadedOf(ledger)
    // The rows of an unreadable part may have been deleted in the meantime.
    const still = damaged.filter(
      ({ name, state }) => state === 'lost' || now.some((part) => part.name === name),
    )
    return { table: now[0]?.table ?? table, parts: [...still, ...damagedIn(parts, now)] }
  })
  const unloaded = broken.flatMap(({ table, name }): readonly DamagedTable[] => {
    const rows = tables.find(({ id }) => id === table.id)?.parts[name]
    const now = loadedOf(table)
    const isComplete =
      rows === undefined ? hasAllInserts(name, now) : missingRows({ name, rows }, now) === 0
    return isComplete ? [] : [{ table, parts: [{ name, state: 'lost' }] }]
  })
  return merged([...known, ...unloaded])
}

/** Returns the parts of a ledger that are missing, or have another number of rows. */
function damagedIn(
  parts: LedgerTable['parts'],
  loaded: readonly TablePart[],
): readonly DamagedPart[] {
  return Object.entries(parts).flatMap(([name, rows]): readonly DamagedPart[] => {
    const same = loaded.find((part) => part.name === name)
    if (same !== undefined) return same.rows === rows ? [] : [{ name, state: 'unreadable', rows }]
    const missing = missingRows({ name, rows }, loaded)
    return missing === 0 ? [] : [{ name, state: 'lost', rows: missing }]
  })
}

/** Returns one entry for each table with damage. Of several entries for a part it has the first, which knows the number of rows. */
function merged(all: readonly DamagedTable[]): readonly DamagedTable[] {
  const tables = new Map<string, DamagedTable>()
  for (const { table, parts } of all) {
    const before = tables.get(table.id)?.parts ?? []
    const others = parts.filter(({ name }) => before.every((part) => part.name !== name))
    if (before.length + others.length > 0) {
      tables.set(table.id, { table, parts: [...before, ...others] })
    }
  }
  return [...tables.values()]
}
