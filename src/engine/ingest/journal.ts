import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { sql } from '../../sql/sql.js'
import { counted } from '../../text/integer.js'
import { addTo } from '../../text/lists.js'
import { startedAfterCall } from '../../text/shared-work.js'
import { tableOf } from '../catalog/database.js'
import type { Dataset } from '../catalog/dataset.js'
import { storedRows } from '../deduplication/stored-rows.js'
import { after, type Engine, isDamage } from '../engine.js'
import { numberIn } from '../response.js'
import { insertStatement, sharedLayout } from './insertion.js'
import {
  appendRows,
  type JournalRows,
  newSegment,
  readSegment,
  removeSegment,
  type Segment,
} from './journal-segment.js'
import { ColumnFile, newColumnsPath } from './scan/column-file.js'
import { joinedBlocks } from './scan/joined-blocks.js'

/** The longest time for which events are only in the journal, unless the engine runs a statement about events before. */
const FLUSH_DELAY_MS = 5_000
/** The most bytes of events that are only in the journal; they are also in memory. */
const MOST_BYTES = 8 * 1024 * 1024
/** So many entries are stored without delay. */
const FULL_ENTRIES = 1024
/** So many entries become one block: joining 1,024 at once would keep requests waiting for 30 ms. */
const JOINED_ENTRIES = 128

/** So many datasets are stored at once: most of the time of an insert is spent in waiting for the disk. */
const MAX_LOADS = 4

/** The end of the names of files with rows that can't be stored. */
const KEPT = '.kept'

interface JournalOptions {
  readonly folder: string
  /** The directory for temporary files. */
  readonly spool: string
  readonly engine: Engine
  readonly datasets: ReadonlyMap<string, Dataset>
  /** Called after rows were stored in tables. */
  stored(): void
  /** Receives messages for the operator of the service. */
  warn?(message: string): void
}

/**
 * Makes the rows of small batches durable in a file, and stores the rows of five seconds together. A part of a table takes a dozen
 * files and as many calls of `fsync`, for one row as for a thousand; an entry of the journal takes one call. The rows are stored
 * before the engine runs a statement about events, which so finds all acknowledged events.
 *
 * After a crash, a row is recognized by its sequence number: rows are stored in one part or not at all.
 */
export class Journal {
  readonly engine: Engine
  private readonly options: JournalOptions
  private readonly turn = pLimit(1)
  private readonly loading = pLimit(MAX_LOADS)
  private waiting: JournalRows[] = []
  private current: Segment
  /** Segments that get no more entries and are not stored yet, in order. */
  private readonly closed: Segment[]
  private timer: NodeJS.Timeout | undefined

  private constructor(options: JournalOptions, left: readonly Segment[]) {
    this.engine = options.engine
    this.options = options
    this.closed = [...left]
    this.current = newSegment(options.folder)
  }

  /** Opens the journal of a folder, and stores the rows that an earlier process left in it. */
  static async open(options: JournalOptions): Promise<Journal> {
    const { folder } = options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const left: Segment[] = []
    const found = await readdir(folder, { withFileTypes: true })
    // A disk mounted here has other things, such as the folder `lost+found`.
    const names = found.flatMap((entry) => (entry.isFile() ? entry.name : []))
    const unstored = names.filter((name) => !name.endsWith(KEPT))
    for (const name of unstored.sort()) left.push(await readSegment(join(folder, name)))
    const journal = new Journal(options, left)
    // On a full disk, they are stored later.
    await journal.flush().catch(() => {})
    return journal
  }

  /** Resolves when the rows are durable. */
  async append(rows: JournalRows): Promise<void> {
    if (this.current.bytes >= MOST_BYTES) await this.flush()
    this.waiting.push(rows)
    await this.write()
  }

  /** Resolves when all rows that were durable before the call are stored in their tables. */
  async flush(): Promise<void> {
    if (this.current.entries.length > 0 || this.closed.length > 0) await this.store()
  }

  /**
   * Returns the numbers of rows that a dataset has of batches, by their hashes. Looks in the journal and in the table: batches that
   * arrive are looked up until all earlier ones are known, and storing the rows first would take longer.
   */
  async storedRows(
    dataset: string,
    hashes: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, number>> {
    const entries = [...this.closed, this.current].flatMap((segment) => segment.entries)
    const named = entries.flatMap((entry) => (entry.dataset === dataset ? entry.named : []))
    const waiting = named.filter(({ hash }) => hashes.includes(hash))
    const stored = await storedRows(this.engine, dataset, hashes)
    return new Map([...stored, ...waiting.map(({ hash, rows }) => [hash, rows] as const)])
  }

  private readonly write = startedAfterCall(() => {
    // Taken before the turn: rows that are added while it is waited for belong to the next run, whose result their callers get.
    const rows = this.waiting
    this.waiting = []
    return this.turn(async () => {
      const segment = this.current
      try {
        await appendRows(segment, rows)
      } catch (error) {
        // The next entry must not follow an incomplete one.
        await this.closeSegment()
        throw error
      }
      segment.entries.push(...rows)
      if (segment.entries.length < FULL_ENTRIES) this.flushSoon()
      else void this.flush().catch(() => {})
    })
  })

  private readonly store = startedAfterCall(async () => {
    clearTimeout(this.timer)
    this.timer = undefined
    await this.turn(() => this.closeSegment())
    try {
      for (let segment = this.closed[0]; segment !== undefined; segment = this.closed[0]) {
        const unstored = await this.storeSegment(segment)
        if (unstored.length === 0 && !segment.isDamaged) await removeSegment(segment)
        else await this.keep(segment, unstored)
        this.closed.shift()
        this.options.stored()
      }
    } catch (error) {
      this.flushSoon()
      throw error
    }
  })

  private flushSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      // A failed run schedules the next one itself.
      this.flush().catch(() => {})
    }, FLUSH_DELAY_MS).unref()
  }

  private async closeSegment(): Promise<void> {
    const segment = this.current
    if (segment.file === undefined) return
    this.current = newSegment(this.options.folder)
    this.closed.push(segment)
    await segment.file.close().catch(() => {})
  }

  /** Returns the entries of damaged datasets. The definition of an unknown one is damaged: rows are stored before a deletion. */
  private async storeSegment(segment: Segment): Promise<readonly JournalRows[]> {
    const { datasets } = this.options
    const { isTried } = segment
    segment.isTried = true
    const unstored: JournalRows[] = []
    const store = async (entries: readonly JournalRows[]): Promise<void> => {
      const first = entries[0]!
      const dataset = datasets.get(first.dataset)
      const isDone = dataset && isTried ? await isStored(this.engine, first) : false
      if (dataset === undefined || isDone === undefined) unstored.push(...entries)
      else if (!isDone) await this.load(dataset, entries)
    }
    const each = [...groups(segment.entries)].map((entries) => this.loading(() => store(entries)))
    // The segment must not be stored again while some of its rows are being stored.
    await Promise.allSettled(each)
    await Promise.all(each)
    return unstored
  }

  private async load(dataset: Dataset, entries: readonly JournalRows[]): Promise<void> {
    const file = new ColumnFile(newColumnsPath(this.options.spool))
    try {
      const layout = sharedLayout(dataset)
      for (let at = 0; at < entries.length; at += JOINED_ENTRIES) {
        const joined = entries.slice(at, at + JOINED_ENTRIES).map(({ block }) => block)
        await file.write(joinedBlocks(layout, Buffer.concat(joined)))
      }
      await file.close()
      const [{ first, labels }] = entries as [JournalRows]
      const rows = entries.reduce((sum, entry) => sum + entry.rows, 0)
      const numbers = { first, last: entries.at(-1)!.last }
      const files = [{ path: file.path, rows, batch: undefined, numbers }]
      await this.engine.load(insertStatement({ dataset, labels, step: 1n, files }))
    } finally {
      await file.discard()
    }
  }

  private async keep(
    { path, isDamaged }: Segment,
    unstored: readonly JournalRows[],
  ): Promise<void> {
    const kept = `${path}${KEPT}`
    await rename(path, kept)
    const events = unstored.reduce((sum, { rows }) => sum + rows, 0)
    const names = [...new Set(unstored.map(({ dataset }) => `\`${dataset}\``))].join(', ')
    const { warn } = this.options
    if (events > 0) {
      warn?.(
        `${counted(events, 'event')} of ${names} could not be stored, since the dataset is damaged. They are kept in \`${kept}\`.`,
      )
    }
    if (isDamaged) {
      warn?.(
        `Some of the last events before a crash may be lost, since a file of the journal is damaged. It is kept as \`${kept}\`.`,
      )
    }
  }
}

/** Returns the entries that one statement can store together. */
function groups(all: readonly JournalRows[]): Iterable<readonly JournalRows[]> {
  const found = new Map<string, JournalRows[]>()
  for (const entry of all) addTo(found, JSON.stringify([entry.dataset, entry.labels]), entry)
  return found.values()
}

/** Resolves with undefined when the files of the table are damaged: an error would keep the rows of all other datasets waiting. */
async function isStored(
  engine: Engine,
  { dataset, first, last }: JournalRows,
): Promise<boolean | undefined> {
  try {
    const result = await engine.ask(sql`
      SELECT toFloat64(count()) AS n FROM ${tableOf(dataset)} WHERE _seq BETWEEN ${first} AND ${last}`)
    return numberIn(result, 'n') > 0
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

/** Returns an engine that stores the rows of a journal in front of each statement that reads or changes events or their columns. */
export function journaledEngine(engine: Engine, journal: Journal): Engine {
  const flush = () => journal.flush()
  return {
    ...engine,
    async change(change) {
      // There are no rows of a dataset that does not exist yet.
      if (change.kind !== 'create') await flush()
      await engine.change(change)
    },
    ask: after(flush, (query, about) => engine.ask(query, about)),
    read: after(flush, (query, limits) => engine.read(query, limits)),
    scan:
      engine.scan &&
      async function* scan(query, limits) {
        await flush()
        yield* engine.scan!(query, limits)
      },
  }
}
