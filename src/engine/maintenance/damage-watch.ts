import { join } from 'node:path'
import pLimit from 'p-limit'
import { DATASETS } from '../catalog/database.js'
import {
  type AcceptedLoss,
  type Damage,
  type DamagedTable,
  damageByDataset,
  detach,
  type EngineData,
  isReadable,
  repairOrRemove,
  type StoredDamage,
} from './damage.js'
import {
  type DamagedPart,
  type LedgerTable,
  openPartLedger,
  type PartLedger,
} from './part-ledger.js'
import { undoRewrite } from './rewrite-undo.js'
import {
  type BrokenPart,
  brokenParts,
  hasAllInserts,
  LASTING_TABLES,
  type LoadedParts,
  loadedParts,
  METADATA_TABLES,
  missingRows,
  type Table,
  type TablePart,
} from './table-parts.js'
import { WrittenParts } from './written-parts.js'

/** The time after a change until the ledger is written: a new part that is lost before then, in a crash, goes unnoticed. */
const RECORD_DELAY_MS = 2_000
/** Writing the ledger of thousands of parts takes longer; it may take a hundredth of the time. */
const DELAY_PER_WRITE = 100
const MAX_RECORD_DELAY_MS = 60_000
/** The time between checks of merged parts; the parts that were merged are on the disk for twice as long (`DURABLE_MERGES`). */
const MERGES_MS = 60_000

/** The damage of the data in a data directory. Damage that arises later is found from the errors of queries. */
export class DamageWatch implements Required<StoredDamage> {
  private readonly data: EngineData
  private readonly ledger: PartLedger
  private damagedTables: readonly DamagedTable[]
  private readonly alone = pLimit(1)
  private readonly checking = pLimit(1)
  private readonly checks = new Map<string, Promise<void>>()
  /** The number of deletions in flight, by dataset. */
  private readonly removing = new Map<string, number>()
  private readonly written: WrittenParts
  private readonly openedAt = performance.now()
  private readonly merges = setInterval(() => this.changed(), MERGES_MS).unref()
  private timer: NodeJS.Timeout | undefined
  private recordDelayMs = RECORD_DELAY_MS
  private isClosed = false

  private constructor(
    data: EngineData,
    ledger: PartLedger,
    damagedTables: readonly DamagedTable[],
  ) {
    this.data = data
    this.written = new WrittenParts(data.engine)
    this.ledger = ledger
    this.damagedTables = damagedTables
  }

  /**
   * Finds the damage before anything in the directory is changed: parts that the embedded engine could not load, and parts of the
   * ledger that are gone.
   */
  static async open(data: EngineData): Promise<DamageWatch> {
    const { directory, engine } = data
    const [ledger, loaded, broken] = await Promise.all([
      openPartLedger(join(directory, 'engine')),
      loadedParts(engine, METADATA_TABLES),
      brokenParts(engine),
    ])
    const watch = new DamageWatch(data, ledger, foundDamage(ledger.tables, loaded, broken))
    const lasting = loaded.parts.filter(
      ({ table }) => datasetOf(table) !== undefined || LASTING_TABLES.includes(table.name),
    )
    await watch.writeLedger({ ...loaded, parts: lasting })
    return watch
  }

  get list(): readonly Damage[] {
    const found = this.damagedTables.map(({ table, parts }) => ({
      dataset: datasetOf(table),
      table: table.name,
      parts,
    }))
    const suspected = [...this.checks.keys()].map((dataset) => ({
      dataset,
      table: dataset,
      parts: [],
    }))
    return damageByDataset([...found, ...suspected])
  }

  /**
   * Detaches the unreadable parts of metadata, as the engine detaches parts that it can't load: their loss is shown until it is
   * accepted. Resolves with false if all parts can be read.
   */
  async detachUnreadable(): Promise<boolean> {
    const { engine } = this.data
    return await this.alone(async () => {
      const found: DamagedTable[] = []
      for (const { table, name, rows } of (await loadedParts(engine, METADATA_TABLES)).parts) {
        if (datasetOf(table) !== undefined || (await isReadable(engine, table, name))) continue
        await detach(engine, table, name)
        found.push({ table, parts: [{ name, state: 'lost', rows }] })
      }
      this.damagedTables = merged([...this.damagedTables, ...found])
      await this.writeLedger(await loadedParts(engine))
      return found.length > 0
    })
  }

  /** Checks a dataset, which counts as damaged until the check proves it intact. */
  suspect(dataset: string): void {
    if (this.checks.has(dataset) || this.isClosed) return
    const checked = this.checking(async () => {
      await this.alone(() => this.undoRewrites())
      await this.check(dataset)
    })
      .then(() => this.record())
      // The check itself may fail; the next failing query repeats it.
      .catch(() => {})
      .finally(() => this.checks.delete(dataset))
    this.checks.set(dataset, checked)
  }

  async whileRemoving<Result>(dataset: string, work: () => Promise<Result>): Promise<Result> {
    const { removing, ledger } = this
    removing.set(dataset, (removing.get(dataset) ?? 0) + 1)
    await this.alone(() => ledger.write(this.withoutRemoved(ledger.tables)))
    try {
      return await work()
    } finally {
      const left = (removing.get(dataset) ?? 1) - 1
      if (left === 0) removing.delete(dataset)
      else removing.set(dataset, left)
      this.changed()
    }
  }

  /** Schedules an update of the ledger after a change. */
  changed(): void {
    if (this.isClosed) return
    this.timer ??= setTimeout(() => void this.record(), this.recordDelayMs).unref()
  }

  deleted(dataset: string): void {
    this.damagedTables = this.damagedTables.filter(({ table }) => datasetOf(table) !== dataset)
  }

  renamed(dataset: string, to: string): void {
    this.damagedTables = this.damagedTables.map((one) =>
      datasetOf(one.table) === dataset ? { ...one, table: { ...one.table, name: to } } : one,
    )
  }

  /**
   * Repairs the damaged parts whose rows can all be read; removes the others from their tables and moves their files out of the
   * engine's folder.
   */
  async accept(dataset: string | undefined): Promise<AcceptedLoss> {
    const isOwn = ({ table }: DamagedTable): boolean => datasetOf(table) === dataset
    return await this.alone(async () => {
      // A part that can be read again must not be removed, and others may have become unreadable.
      const all = this.damagedTables.flatMap(({ parts }) => parts)
      const hasUnreadable = all.some(({ state }) => state === 'unreadable')
      if (dataset !== undefined && hasUnreadable) await this.check(dataset)
      const outcome = await repairOrRemove(this.damagedTables.filter(isOwn), this.data)
      this.damagedTables = this.damagedTables.filter((one) => !isOwn(one))
      await this.writeLedger(await loadedParts(this.data.engine))
      return outcome
    })
  }

  /** Writes the ledger a last time: later, it would replace the ledger of another process. */
  async close(): Promise<void> {
    const isChanged = this.timer !== undefined
    clearInterval(this.merges)
    this.isClosed = true
    await Promise.all(this.checks.values())
    if (isChanged) await this.record()
    // An update may have begun before.
    await this.alone(() => {})
  }

  private async record(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    let began = 0
    const write = async (): Promise<void> => {
      began = performance.now()
      await this.undoRewrites()
      const loaded = await loadedParts(this.data.engine)
      await this.writeLedger(loaded)
      if (loaded.isMerging) this.changed()
    }
    // If the ledger can't be written, the loss of newer parts goes unnoticed.
    await this.alone(write).catch(() => {})
    const delayMs = DELAY_PER_WRITE * (performance.now() - began)
    this.recordDelayMs = Math.min(Math.max(delayMs, RECORD_DELAY_MS), MAX_RECORD_DELAY_MS)
  }

  /** Brings back the events of parts that merges and changes could not write. */
  private async undoRewrites(): Promise<void> {
    const { engine, warn } = this.data
    await this.written.rewritten(this.openedAt, async (part) => {
      const dataset = datasetOf(part.table)
      if (await undoRewrite(engine, part)) warn?.(undoneText(dataset))
      else if (dataset !== undefined) this.suspect(dataset)
    })
  }

  private async writeLedger({ parts, changing }: LoadedParts): Promise<void> {
    const tables = new Map<string, LedgerTable>()
    for (const { table, parts } of this.damagedTables) {
      tables.set(table.id, { ...table, parts: {}, damaged: parts })
    }
    for (const { table, name, rows } of parts) {
      const { damaged = [], parts: others = {} } = tables.get(table.id) ?? {}
      const known = changing.has(table.id) ? others : { ...others, [name]: rows }
      tables.set(table.id, { ...table, parts: known, damaged })
    }
    await this.ledger.write(this.withoutRemoved([...tables.values()]))
  }

  /** Returns the tables without the parts that a deletion may remove: parts of the dataset, and of metadata with its fields. */
  private withoutRemoved(tables: readonly LedgerTable[]): readonly LedgerTable[] {
    if (this.removing.size === 0) return tables
    return tables.map((table) => {
      const dataset = datasetOf(table)
      const isKept = dataset !== undefined && !this.removing.has(dataset)
      return isKept ? table : { ...table, parts: {} }
    })
  }

  /** Reads all parts of a dataset and records which of them are unreadable. */
  private async check(dataset: string): Promise<void> {
    const { engine } = this.data
    const { parts } = await loadedParts(engine)
    const found: DamagedTable[] = []
    for (const { table, name, rows } of parts) {
      if (this.isClosed) return
      if (datasetOf(table) !== dataset || (await isReadable(engine, table, name))) continue
      const known = this.damagedTables.find((one) => one.table.id === table.id)?.parts
      const before = known?.find((part) => part.name === name)
      // The number of rows in the ledger is right, also when the part's own file with that number is damaged.
      found.push({ table, parts: [before ?? { name, state: 'unreadable', rows }] })
    }
    const others = this.damagedTables.map(({ table, parts }) => {
      const isOwn = datasetOf(table) === dataset
      return { table, parts: isOwn ? parts.filter(({ state }) => state === 'lost') : parts }
    })
    this.damagedTables = merged([...others, ...found])
  }
}

function undoneText(dataset: string | undefined): string {
  const name = dataset === undefined ? 'the metadata' : `\`${dataset}\``
  return `A part of ${name} with merged events could not be written completely: the parts before the merge are used, and merged again in a minute. Check the disk, and the quota of the user who runs the service.`
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
