import { join } from 'node:path'
import pLimit from 'p-limit'
import { DATASETS } from '../catalog/database.js'
import type { Engine } from '../engine.js'
import {
  type DamagedTable,
  damageByDataset,
  isReadable,
  repairOrRemove,
  type StoredDamage,
} from './damage.js'
import { type DamagedPart, type LedgerTable, openPartLedger } from './part-ledger.js'
import {
  type BrokenPart,
  brokenParts,
  hasAllInserts,
  type LoadedParts,
  loadedParts,
  missingRows,
  type Table,
  type TablePart,
} from './table-parts.js'

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
      if (datasetOf(table) !== dataset || (await isReadable(engine, table, name))) continue
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

  await writeLedger(loaded)
  return {
    get list() {
      const found = damagedTables.map(({ table, parts }) => ({
        dataset: datasetOf(table),
        table: table.name,
        parts,
      }))
      const suspected = [...checks.keys()].map((dataset) => ({
        dataset,
        table: dataset,
        parts: [],
      }))
      return damageByDataset([...found, ...suspected])
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
        const outcome = await repairOrRemove(damagedTables.filter(isOwn), { engine, directory })
        damagedTables = damagedTables.filter((one) => !isOwn(one))
        await writeLedger(await loadedParts(engine))
        return outcome
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

function datasetOf({ database, name }: Table): string | undefined {
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
