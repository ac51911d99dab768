import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { joined, list, sql } from '../../sql/sql.js'
import { counted } from '../../text/integer.js'
import { sharedWhileRunning, startedAfterCall } from '../../text/shared-work.js'
import { tableOf } from '../catalog/database.js'
import type { Dataset } from '../catalog/dataset.js'
import { storedRows } from '../deduplication/stored-rows.js'
import { type Engine, isDamage } from '../engine.js'
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

/** The time for which events are only in the journal, unless the engine runs a statement about their dataset before. */
const FLUSH_DELAY_MS = 5_000
/** Storing the rows of hundreds of datasets takes seconds; it may take a tenth of the time. */
const DELAY_PER_FLUSH = 10
const MAX_FLUSH_DELAY_MS = 30_000
/** The most bytes of events that are only in the journal; they are also in memory. */
const MOST_BYTES = 8 * 1024 * 1024
/** So many entries of a dataset are stored without delay. */
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
 * Makes the rows of small batches durable in a file, and stores the rows of five seconds or more together. A part of a table takes
 * a dozen files and as many calls of `fsync`, for one row as for a thousand; an entry of the journal takes one call. The rows of a
 * dataset are stored before the engine runs a statement about it, which so finds all acknowledged events.
 *
 * After a crash, a row is recognized by its sequence number: the rows of a dataset in a segment are stored in one part or not at
 * all.
 */
export class Journal {
  readonly engine: Engine
  private readonly options: JournalOptions
  private readonly turn = pLimit(1)
  private readonly loading = pLimit(MAX_LOADS)
  private waiting: JournalRows[] = []
  private current: Segment
  /** The numbers of entries of the current segment, by dataset. */
  private counts = new Map<string, number>()
  /** Segments that get no more entries, and have some that are not stored yet, in order. */
  private closed: Segment[]
  /** The datasets of which the next run stores the rows; undefined for all. */
  private wanted: Set<string> | undefined = new Set()
  /** The entries whose rows may be stored although the statement failed, or a process was killed. */
  private readonly tried = new WeakSet<JournalRows>()
  private timer: NodeJS.Timeout | undefined
  private delayMs = FLUSH_DELAY_MS

  private constructor(options: JournalOptions, left: readonly Segment[]) {
    this.engine = options.engine
    this.options = options
    this.closed = [...left]
    for (const entry of left.flatMap(({ entries }) => entries)) this.tried.add(entry)
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
    if (this.bytes >= MOST_BYTES) await this.flush()
    this.waiting.push(rows)
    await this.write()
  }

  /** Resolves when all rows of datasets, by default of all, that were durable before the call are stored in their tables. */
  async flush(datasets?: readonly string[]): Promise<void> {
    const isWanted = ({ dataset }: JournalRows) => datasets?.includes(dataset) ?? true
    // The file of a closed segment without entries could not be removed.
    const isPending = ({ entries }: Segment) => entries.some(isWanted) || entries.length === 0
    if (!this.closed.some(isPending) && !this.current.entries.some(isWanted)) return
    if (datasets === undefined) this.wanted = undefined
    for (const dataset of datasets ?? []) this.wanted?.add(dataset)
    await this.store()
  }

  private get segments(): readonly Segment[] {
    return [...this.closed, this.current]
  }

  private get bytes(): number {
    return this.segments.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /**
   * Returns the numbers of rows that a dataset has of batches, by their hashes. Looks in the journal and in the table: batches that
   * arrive are looked up until all earlier ones are known, and storing the rows first would take longer.
   */
  async storedRows(
    dataset: string,
    hashes: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, number>> {
    const entries = this.segments.flatMap((segment) => segment.entries)
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
      this.flushSoon()
      this.flushFull(rows)
    })
  })

  /** Stores the rows of datasets that have many entries, or of all when half of the memory is used, while more are added. */
  private flushFull(added: readonly JournalRows[]): void {
    const full = added.flatMap(({ dataset }) => {
      const entries = (this.counts.get(dataset) ?? 0) + 1
      this.counts.set(dataset, entries)
      return entries === FULL_ENTRIES ? [dataset] : []
    })
    if (full.length > 0) void this.flush(full).catch(() => {})
    if (this.bytes >= MOST_BYTES / 2) void this.flushInTurns()
  }

  private readonly store = startedAfterCall(async () => {
    const { wanted } = this
    this.wanted = new Set()
    // No rows are added to a segment of which some are stored: after a crash they would count as stored, too.
    await this.turn(() => this.closeSegment())
    try {
      await this.storeRows(({ dataset }) => wanted?.has(dataset) ?? true)
    } catch (error) {
      this.flushSoon()
      throw error
    }
  })

  /** Stores all rows, of a few datasets at a time: a statement about one of them does not wait for the rows of all. */
  private readonly flushInTurns = sharedWhileRunning(async () => {
    clearTimeout(this.timer)
    this.timer = undefined
    const began = performance.now()
    const entries = this.segments.flatMap((segment) => segment.entries)
    const names = [...new Set(entries.map(({ dataset }) => dataset))]
    for (let at = 0; at < names.length; at += MAX_LOADS) {
      // A failed run schedules the next one itself.
      await this.flush(names.slice(at, at + MAX_LOADS)).catch(() => {})
    }
    const tookMs = performance.now() - began
    this.delayMs = Math.min(Math.max(FLUSH_DELAY_MS, DELAY_PER_FLUSH * tookMs), MAX_FLUSH_DELAY_MS)
  })

  private flushSoon(): void {
    this.timer ??= setTimeout(() => void this.flushInTurns(), this.delayMs).unref()
  }

  private async closeSegment(): Promise<void> {
    const segment = this.current
    if (segment.file === undefined) return
    this.current = newSegment(this.options.folder)
    this.counts = new Map()
    this.closed.push(segment)
    await segment.file.close().catch(() => {})
  }

  /** Stores rows of closed segments, and removes the segments of which all rows are stored. */
  private async storeRows(isWanted: (entry: JournalRows) => boolean): Promise<void> {
    const stored = new Set<JournalRows>()
    const unstorable = new Set<JournalRows>()
    const wanted = this.closed.flatMap(({ entries }): readonly Part[] =>
      groups(entries.filter(isWanted), (entry) => entry),
    )
    const each = groups(wanted, ([entry]) => entry).map((parts) =>
      this.loading(() => this.storeParts(parts, { stored, unstorable })),
    )
    // Later runs store what is left, so that none may begin while some of the rows are being stored.
    const outcomes = await Promise.allSettled(each)
    for (const segment of [...this.closed]) {
      segment.entries = segment.entries.filter((entry) => !stored.has(entry))
      if (!segment.entries.every((entry) => unstorable.has(entry))) continue
      if (segment.entries.length > 0 || segment.isDamaged) await this.keep(segment)
      else await removeSegment(segment)
      this.closed.splice(this.closed.indexOf(segment), 1)
    }
    this.options.stored()
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }

  /**
   * Stores the rows of a dataset, which are in parts of one segment each. Rows are unstorable when their dataset is damaged, or
   * unknown: then its definition is damaged, since rows are stored before a deletion.
   */
  private async storeParts(
    parts: readonly Part[],
    { stored, unstorable }: Readonly<Record<'stored' | 'unstorable', Set<JournalRows>>>,
  ): Promise<void> {
    const dataset = this.options.datasets.get(parts[0]![0].dataset)
    const tried = parts.filter(([first]) => this.tried.has(first))
    const found = tried.length > 0 && dataset ? await storedParts(this.engine, tried) : []
    if (dataset === undefined || found === undefined) {
      for (const entry of parts.flat()) unstorable.add(entry)
      return
    }
    for (const entry of found.flat()) stored.add(entry)
    const missing = parts.filter((part) => !found.includes(part)).flat()
    if (missing.length === 0) return
    for (const entry of missing) this.tried.add(entry)
    await this.load(dataset, missing)
    for (const entry of missing) stored.add(entry)
  }

  private async load(dataset: Dataset, entries: readonly JournalRows[]): Promise<void> {
    const file = new ColumnFile(newColumnsPath(this.options.spool))
    try {
      const layout = sharedLayout(dataset)
      for (let at = 0; at < entries.length; at += JOINED_ENTRIES) {
        const blocks = entries.slice(at, at + JOINED_ENTRIES).map(({ block }) => block)
        await file.write(joinedBlocks(layout, Buffer.concat(blocks)))
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

  /** Keeps the file of a segment whose remaining entries can't be stored. */
  private async keep({ path, isDamaged, entries }: Segment): Promise<void> {
    const kept = `${path}${KEPT}`
    await rename(path, kept)
    const events = entries.reduce((sum, { rows }) => sum + rows, 0)
    const names = [...new Set(entries.map(({ dataset }) => `\`${dataset}\``))].join(', ')
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

/** The entries of a segment that one statement stores. */
type Part = readonly [JournalRows, ...JournalRows[]]

/** Returns what one statement can store together. */
function groups<T>(
  all: readonly T[],
  entryOf: (one: T) => JournalRows,
): readonly (readonly [T, ...T[]])[] {
  const found = new Map<string, [T, ...T[]]>()
  for (const one of all) {
    const { dataset, labels } = entryOf(one)
    const key = JSON.stringify([dataset, labels])
    const group = found.get(key)
    if (group === undefined) found.set(key, [one])
    else group.push(one)
  }
  return [...found.values()]
}

/**
 * Returns the parts of a dataset whose rows are stored. Resolves with undefined when the files of the table are damaged: an error
 * would keep the rows of all other datasets waiting.
 */
async function storedParts(
  engine: Engine,
  parts: readonly Part[],
): Promise<readonly Part[] | undefined> {
  const [{ dataset }] = parts[0]!
  // Each part is stored as a whole.
  const ranges = parts.map(([{ first, last }]) => sql`_seq BETWEEN ${first} AND ${last}`)
  const flags = list(ranges.map((range) => sql`countIf(${range}) > 0`))
  try {
    const { columns } = await engine.ask(sql`
      SELECT [${flags}] AS found FROM ${tableOf(dataset)} WHERE ${joined(ranges, ' OR ')}`)
    const [found] = JSON.parse(columns.get('found') ?? '[[]]') as [readonly number[]]
    return parts.filter((_, at) => found[at] === 1)
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

/**
 * Returns the engine of a journal, which stores the rows of the journal in front of each statement that reads or changes events or
 * columns: the rows of the datasets that the statement names, by default of `datasets`, or else of all.
 */
export function journaledEngine(journal: Journal, datasets?: readonly string[]): Engine {
  const { engine } = journal
  return {
    ...engine,
    async change(change) {
      // All rows, so that no segment is left from which deleted events would be stored again after a crash. There are no rows of a
      // dataset that does not exist yet.
      if (change.kind !== 'create') await journal.flush()
      await engine.change(change)
    },
    async ask(query, about) {
      await journal.flush(about?.datasets ?? datasets)
      return await engine.ask(query, about)
    },
    async read(query, limits) {
      await journal.flush(limits.datasets ?? datasets)
      return await engine.read(query, limits)
    },
    scan:
      engine.scan &&
      async function* scan(query, limits) {
        await journal.flush(limits.datasets ?? datasets)
        yield* engine.scan!(query, limits)
      },
  }
}
