// The rows of a batch contain its hash and are stored atomically, so they show exactly whether it is stored. Its outcome is
// saved in addition: it lists events that left no row, and it remains when rows are deleted.
import { list, type Sql, sql, text } from '../../sql/sql.js'
import { startedAfterCall } from '../../text/shared-work.js'
import { byHash, hashSql, isOneOf } from '../batch-hash.js'
import { DURABLE, DURABLE_MERGES } from '../catalog/database.js'
import { deleteBatches } from '../catalog/deletion.js'
import type { Engine } from '../engine.js'
import { numberIn } from '../response.js'
import { encodeRemoval } from './batch-outcome.js'

/** The delay after which outcomes are written together that could be computed again from the rows of their batches. */
const FLUSH_DELAY_MS = 1_000

/** Creates the table of outcomes unless it exists. */
export async function createSavedOutcomes(engine: Engine): Promise<void> {
  // Hashes are distributed evenly: a small granule limits the rows that are read for a hash.
  await engine.createTable({
    name: 'batch',
    columns: sql`
      dataset String, hash FixedString(16), outcome String CODEC(ZSTD(1)),
      at DateTime DEFAULT now() CODEC(ZSTD(1))`,
    engine: { family: 'MergeTree' },
    clauses: sql`
      ORDER BY (dataset, hash) TTL at + INTERVAL 2 DAY
      SETTINGS ${DURABLE}, ${DURABLE_MERGES}, index_granularity = 256, min_compress_block_size = 16384`,
  })
}

/** The column with the name of its table: in a query, `hash` alone is the column of the result. */
const HASH = sql`batch.hash`

/** The time of removed batches: the year 2100, so that they do not expire. */
const REMOVED_AT = sql`toDateTime(4102444800)`

interface SavedOutcome {
  readonly dataset: string
  readonly batchHash: bigint
  readonly outcome: string
}

/** The encoded outcomes of batches with an id, kept for two days and across restarts. */
export class SavedOutcomes {
  private readonly engine: Engine
  private waiting = new Map<string, SavedOutcome>()
  private writing = new Map<string, SavedOutcome>()
  private timer: NodeJS.Timeout | undefined

  constructor(engine: Engine) {
    this.engine = engine
  }

  /** Returns the saved outcomes of the batches with these hashes. A removal takes precedence over earlier outcomes. */
  async find(dataset: string, hashes: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
    const found = new Map<bigint, string>()
    for (const batchHash of hashes) {
      const key = keyOf(dataset, batchHash)
      const saved = this.waiting.get(key) ?? this.writing.get(key)
      if (saved !== undefined) found.set(batchHash, saved.outcome)
    }
    const others = hashes.filter((batchHash) => !found.has(batchHash))
    if (others.length === 0) return found
    await this.engine.synchronize?.(['batch'])
    const result = await this.engine.ask(sql`
      SELECT hex(batch.hash) AS hash, argMin(outcome, (at < ${REMOVED_AT}, at)) AS first
      FROM evq.batch
      WHERE dataset = ${text(dataset)} AND ${isOneOf(HASH, others)} GROUP BY batch.hash`)
    for (const [batchHash, first] of byHash(result, 'first')) found.set(batchHash, first)
    return found
  }

  /** Saves an outcome that could be computed again from the rows of the batch: it is written soon, together with others. */
  save(saved: SavedOutcome): void {
    this.waiting.set(keyOf(saved.dataset, saved.batchHash), saved)
    this.flushSoon()
  }

  private flushSoon(): void {
    // A failed write schedules the next one itself.
    this.timer ??= setTimeout(() => this.flush().catch(() => {}), FLUSH_DELAY_MS).unref()
  }

  /** Saves an outcome; resolves when it is durable. */
  async saveNow(saved: SavedOutcome): Promise<void> {
    this.save(saved)
    await this.flush()
  }

  /**
   * Marks batches as removed, given their numbers of events by their hashes, so that they are not stored later; resolves when that is
   * durable.
   */
  async saveRemoved(dataset: string, events: ReadonlyMap<bigint, number>): Promise<void> {
    if (events.size === 0) return
    const saved = [...events].map(([batchHash, count]) => ({
      dataset,
      batchHash,
      outcome: encodeRemoval(count),
    }))
    await this.engine.run(insertion(saved, REMOVED_AT))
  }

  /** Returns the number of events that removed batches had. */
  async removedEvents(dataset: string, hashes: readonly bigint[]): Promise<number> {
    await this.engine.synchronize?.(['batch'])
    const result = await this.engine.ask(sql`
      SELECT toFloat64(sum(removed)) AS events FROM (
        SELECT max(JSONExtractUInt(outcome, 'removed')) AS removed FROM evq.batch
        WHERE dataset = ${text(dataset)} AND ${isOneOf(HASH, hashes)} AND at >= ${REMOVED_AT}
        GROUP BY batch.hash)`)
    return numberIn(result, 'events')
  }

  /** Deletes the outcomes of a dataset that is about to be deleted, so that its batches can be stored again. */
  async forget(dataset: string): Promise<void> {
    await this.flush()
    await deleteBatches(this.engine, dataset)
  }

  /** Copies the outcomes of a dataset that is about to be renamed to its new name. */
  async copy(from: string, to: string): Promise<void> {
    await this.forget(to)
    await this.engine.run(sql`
      INSERT INTO evq.batch (dataset, hash, outcome, at)
      SELECT ${text(to)}, hash, outcome, at FROM evq.batch WHERE dataset = ${text(from)}`)
  }

  /** Writes all waiting outcomes. Outcomes added during a write are written together after it. */
  readonly flush = startedAfterCall(async (): Promise<void> => {
    if (this.waiting.size === 0) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.writing = this.waiting
    this.waiting = new Map()
    try {
      await this.engine.run(insertion([...this.writing.values()]))
    } catch (error) {
      this.waiting = new Map([...this.writing, ...this.waiting])
      this.flushSoon()
      throw error
    } finally {
      this.writing = new Map()
    }
  })
}

/** Returns a statement that saves outcomes; `at` is the current time by default. */
function insertion(saved: readonly SavedOutcome[], at: Sql = sql`now()`): Sql {
  // Arrays of literals: an array of tuples takes several times as much CPU time.
  const datasets = list(saved.map(({ dataset }) => text(dataset)))
  const hashes = list(saved.map(({ batchHash }) => hashSql(batchHash)))
  const outcomes = list(saved.map(({ outcome }) => text(outcome)))
  return sql`
    INSERT INTO evq.batch (dataset, hash, outcome, at)
    SELECT d, h, o, ${at} FROM system.one
    ARRAY JOIN [${datasets}] AS d, [${hashes}] AS h, [${outcomes}] AS o`
}

function keyOf(dataset: string, batchHash: bigint): string {
  return `${dataset} ${batchHash}`
}
