// Most batches arrive once, and asking the engine for each whether it is stored takes as long as storing a few of them. A service
// that alone stores events knows all batches that arrive while it runs; batches that were stored before are loaded once.
import { type Sql, sql, text } from '../../sql/sql.js'
import { nativeColumns, nativeHead } from '../../wire/native/native-block.js'
import { hexOf } from '../batch-hash.js'
import { tableOf } from '../catalog/database.js'
import type { DatasetHandle } from '../catalog/dataset.js'
import type { Engine, ReadLimits } from '../engine.js'
import { numberIn } from '../response.js'
import { HashFilter, type HashWords } from './hash-filter.js'
import type { SavedOutcomes } from './saved-outcomes.js'

/** Loading takes three statements at least, as many as lookups of three batches. Most processes store fewer. */
const LOOKUPS_BEFORE_LOADING = 4

/** Loading reads a column of all events, of which so many take as long as a lookup. */
const EVENTS_PER_LOOKUP = 50_000

const LOAD_LIMITS: ReadLimits = {
  timeoutMs: 3_600_000,
  memoryBytes: 512 * 1024 * 1024,
  threads: 1,
  // Adding the hashes of a block takes about ten milliseconds, in which no request is served.
  blockRows: 16_384,
}

/** Durable rows that are not in the tables of their datasets yet. */
interface WaitingRows {
  /** Its statements do not find these rows. */
  readonly engine: Engine
  /** Stores the rows of datasets in their tables. */
  flush(datasets: readonly string[]): Promise<void>
}

interface ArrivedBatchesOptions {
  readonly target: DatasetHandle
  readonly savedOutcomes: SavedOutcomes
  readonly journal: WaitingRows | undefined
}

/** Decides which batches of a dataset have certainly not arrived before, without the engine. */
export class ArrivedBatches {
  private readonly options: ArrivedBatchesOptions
  private readonly engine: Engine
  /** All batches that arrived in this process or were loaded. */
  private readonly filter = new HashFilter()
  private lookups = 0
  /** The number of lookups after which loading pays off. */
  private enough = LOOKUPS_BEFORE_LOADING
  /** True while outcomes, but no rows, can be of batches that arrived in another process: a batch may have had no valid event. */
  private isNew = false
  private loading: AbortController | undefined
  /** True when the filter has all batches that may be stored. */
  private isComplete = false

  constructor(options: ArrivedBatchesOptions) {
    this.options = options
    // Rows that wait belong to batches that arrived in this process.
    this.engine = options.journal?.engine ?? options.target.engine
  }

  /** Adds batches that arrive, and returns the batches that may have arrived before. */
  add(hashes: readonly bigint[]): readonly bigint[] {
    if (this.engine.isShared || this.engine.scan === undefined) return hashes
    const known = hashes.filter((hash) => !this.filter.add(wordsOf(hash)))
    if (this.isComplete) return known
    this.lookups++
    if (this.lookups >= this.enough) this.load(this.engine.scan)
    return hashes
  }

  /** Called when this process has created the dataset: all of its rows belong to batches that arrived here. */
  created(): void {
    const { isShared, scan } = this.engine
    if (isShared || scan === undefined) return
    this.isNew = true
    this.load(scan)
  }

  /** Called before and after rows or outcomes of batches are added to the dataset other than by storing batches. */
  forget(): void {
    this.isComplete = false
    this.isNew = false
    this.lookups = 0
    this.loading?.abort(new Error('the batches of the dataset have changed'))
    this.loading = undefined
  }

  private load(scan: NonNullable<Engine['scan']>): void {
    if (this.loading !== undefined) return
    const loading = new AbortController()
    this.loading = loading
    this.loadAll(scan, loading.signal).then(
      (isComplete) => {
        if (this.loading !== loading) return
        this.loading = undefined
        this.isComplete = isComplete
      },
      // As many lookups later, it is tried again.
      () => {
        if (this.loading === loading) this.forget()
      },
    )
  }

  /** Resolves with false when there are so many events that lookups are faster for now. */
  private async loadAll(scan: NonNullable<Engine['scan']>, signal: AbortSignal): Promise<boolean> {
    const { target, savedOutcomes, journal } = this.options
    const { name, current } = target
    const hasRows = current() !== undefined && !this.isNew
    if (hasRows) {
      // Rows that an earlier process left may wait for space on the disk.
      await journal?.flush([name])
      const counted = await this.engine.ask(sql`SELECT count() AS events FROM ${tableOf(name)}`)
      this.enough = numberIn(counted, 'events') / EVENTS_PER_LOOKUP
      if (this.lookups < this.enough) return false
    }
    // The outcomes in memory belong to batches that arrived in this process, possibly under an earlier name of the dataset.
    if (!this.isNew) await savedOutcomes.flush()
    const statements = [
      firstWords(sql`hash`, sql`evq.batch WHERE dataset = ${text(name)}`),
      ...(hasRows ? [firstWords(sql`_batch`, tableOf(name))] : []),
    ]
    for (const statement of statements) {
      for await (const block of scan(statement, { ...LOAD_LIMITS, signal })) this.addBlock(block)
    }
    signal.throwIfAborted()
    return true
  }

  private addBlock(block: Buffer): void {
    let before: HashWords = { low: 0, high: 0 }
    for (let at = 0; at < block.length; ) {
      const rest = block.subarray(at)
      const head = nativeHead(rest)
      const found = head && nativeColumns(rest, { ...head, at: head.end })
      const [column] = found?.columns ?? []
      if (head === undefined || found === undefined) throw new Error('the block is corrupted')
      for (let row = 0; column !== undefined && row < head.rows; row++) {
        const hash = wordsAt(rest, column.values + row * column.type.width)
        // Events of one batch are neighbors; events of batches without an id have zeros.
        if (hash.low === before.low && hash.high === before.high) continue
        this.filter.add(hash)
        before = hash
      }
      at += found.end
    }
  }
}

/** Returns a query for the first eight bytes of the hashes in a column. */
function firstWords(column: Sql, table: Sql): Sql {
  return sql`SELECT reinterpretAsUInt64(${column}) AS words FROM ${table}`
}

function wordsOf(hash: bigint): HashWords {
  return wordsAt(Buffer.from(hexOf(hash), 'hex'), 0)
}

function wordsAt(bytes: Buffer, at: number): HashWords {
  return { low: bytes.readUInt32LE(at), high: bytes.readUInt32LE(at + 4) }
}
