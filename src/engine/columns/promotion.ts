import { setImmediate } from 'node:timers/promises'
import type { LimitFunction } from 'p-limit'
import { type Sql, sql, text } from '../../sql/sql.js'
import { Countdown } from '../../text/countdown.js'
import { readLeaves } from '../../wire/json/json-line.js'
import { savePaths } from '../catalog/catalog.js'
import { DATASETS, tableOf } from '../catalog/database.js'
import type { Dataset } from '../catalog/dataset.js'
import { FieldStatistics } from '../catalog/field-statistics.js'
import { changeColumns, saveSampledCount } from '../catalog/table.js'
import { sampledCountIn } from '../catalog/table-comments.js'
import type { EngineResult } from '../engine.js'
import { numberIn, stringsIn } from '../response.js'
import { type BackfillOptions, pendingPaths, verifyBackfill } from './backfill-verification.js'
import { addPendingColumns, hasColumnCandidates } from './pending-column.js'
import { recentEvents } from './stored-events.js'

interface PromotionOptions extends Pick<BackfillOptions, 'settleMs' | 'target' | 'alone'> {
  /** Limits the work to one dataset at a time. */
  readonly slots: LimitFunction
}

/** A dataset is sampled first at this many events, and then each time it has doubled. */
const FIRST_SAMPLE_EVENTS = 1_000
/** The number of events to skip after a failure, such as a full disk. */
const RETRY_AFTER_EVENTS = 10_000
/** Lines read in JavaScript before other tasks may run. */
const LINES_AT_ONCE = 50
const STOP_TIMEOUT_MS = 500
const LIMITS = { timeoutMs: 60_000, memoryBytes: 1024 * 1024 * 1024, threads: 1 }

/**
 * Adds typed columns for fields that become frequent as a dataset grows. A column is pending until all older events are
 * read in the background. This is an optimization: work that fails or is interrupted is repeated later.
 */
export class Promotion {
  private readonly options: PromotionOptions
  /** Ends the work after the current step. */
  private readonly stopping = new AbortController()
  /** Ends the current step as well. */
  private readonly aborting = new AbortController()
  private work: Promise<void> | undefined
  /** The number of events to wait for before there can be work. */
  private eventsToSkip = 0
  /** The number of events stored by this process. */
  private storedEvents = 0
  /** True when the next sample is due however many events there are. */
  private isDue = false
  /** The schema for which `hasWork` was determined last. */
  private examined: Dataset | undefined
  private hasWork = false

  constructor(options: PromotionOptions) {
    this.options = options
  }

  /** Counts stored events and starts the work when it is due. */
  stored(events: number): void {
    this.storedEvents += events
    this.eventsToSkip -= events
    if (this.eventsToSkip <= 0) this.start()
  }

  /** Samples events soon, since they have frequent fields without columns. */
  sampleSoon(): void {
    this.isDue = true
    this.start()
  }

  /** Resets the count after the dataset was deleted. */
  reset(): void {
    this.eventsToSkip = 0
  }

  /** Resumes the unfinished work of an earlier process. */
  resume(): void {
    if (pendingPaths(this.options.target).length > 0) this.start()
  }

  /** Stops the work; resolves soon. Even a short-lived process finishes a step. */
  async stop(): Promise<void> {
    this.stopping.abort()
    const countdown = new Countdown(STOP_TIMEOUT_MS, () => this.aborting.abort())
    await this.work
    countdown.stop()
  }

  private start(): void {
    if (this.work !== undefined || this.stopping.signal.aborted || !this.mayHaveWork()) return
    this.work = this.options
      .slots(() => this.advance())
      .catch(() => {
        this.isDue = false
        this.eventsToSkip = RETRY_AFTER_EVENTS
      })
      .finally(() => {
        this.work = undefined
        if (this.isDue || this.eventsToSkip <= 0) this.start()
      })
  }

  /** False while no field waits for a column or could get one. */
  private mayHaveWork(): boolean {
    const dataset = this.options.target.current()
    if (dataset !== this.examined) {
      this.examined = dataset
      this.hasWork =
        dataset !== undefined && (dataset.pendingPaths().length > 0 || hasColumnCandidates(dataset))
    }
    return this.hasWork
  }

  private async advance(): Promise<void> {
    const { target } = this.options
    if (pendingPaths(target).length === 0) await this.sample()
    if (pendingPaths(target).length === 0) return
    const read = (query: Sql): Promise<EngineResult> => this.read(query)
    await verifyBackfill({ ...this.options, stopping: this.stopping.signal, read })
  }

  /** Samples some events, when it is due, and adds pending columns for frequent fields. */
  private async sample(): Promise<void> {
    const { name, engine } = this.options.target
    const { storedEvents } = this
    const rows = await this.rowsToSample()
    if (rows === undefined) return
    const lines = stringsIn(await this.read(recentEvents(name, rows)), 'line')
    const statistics = await statisticsOf(lines)
    await this.options.alone(async (fenced) => {
      const dataset = this.options.target.current()
      if (dataset === undefined) return
      const change = addPendingColumns(dataset, statistics, lines.length)
      if (change.paths.length + change.columns.length === 0) return
      await savePaths(fenced, name, change.paths)
      if (change.columns.length > 0) {
        await fenced.change(changeColumns(name, { added: change.columns, retired: [] }))
      }
      this.options.target.changed(change.dataset)
    })
    await engine.change(saveSampledCount(name, rows))
    this.skip(Math.max(rows, FIRST_SAMPLE_EVENTS), storedEvents)
  }

  /** Returns the number of events; undefined when no sample is due. */
  private async rowsToSample(): Promise<number | undefined> {
    const { name, engine } = this.options.target
    const { isDue, storedEvents } = this
    this.isDue = false
    const result = await engine.ask(sql`
      SELECT (SELECT count() FROM ${tableOf(name)}) AS rows, comment FROM system.tables
      WHERE database = ${text(DATASETS)} AND name = ${text(name)}`)
    const rows = numberIn(result, 'rows')
    const sampled = sampledCountIn(stringsIn(result, 'comment')[0] ?? '')
    const missing = sampled + Math.max(sampled, FIRST_SAMPLE_EVENTS) - rows
    if (missing <= 0 || isDue) return rows
    this.skip(missing, storedEvents)
    return undefined
  }

  /** Waits for `events` more than had been stored when `since` was the number of stored events. */
  private skip(events: number, since: number): void {
    this.eventsToSkip = events - (this.storedEvents - since)
  }

  private read(query: Sql): Promise<EngineResult> {
    return this.options.target.engine.read(query, { ...LIMITS, signal: this.aborting.signal })
  }
}

async function statisticsOf(lines: readonly string[]): Promise<FieldStatistics> {
  const statistics = new FieldStatistics()
  for (const [i, line] of lines.entries()) {
    if (i % LINES_AT_ONCE === 0) await setImmediate()
    // An event without a remainder has only fields with columns.
    if (line !== '') statistics.add(readLeaves(line))
  }
  return statistics
}
