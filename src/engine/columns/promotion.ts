import { setImmediate } from 'node:timers/promises'
import type { LimitFunction } from 'p-limit'
import { type Sql, sql, text } from '../../sql/sql.js'
import { Countdown } from '../../text/countdown.js'
import { fieldName } from '../../wire/json/field-path.js'
import { readLeaves } from '../../wire/json/json-line.js'
import { columnTypes } from '../../wire/json/kinds.js'
import { DATASETS, tableOf } from '../catalog/database.js'
import { Dataset, type DatasetHandle, type KnownPath } from '../catalog/dataset.js'
import { FieldStatistics } from '../catalog/field-statistics.js'
import { frequentColumns, hasRoom, isNameable } from '../catalog/schema-change.js'
import { addColumns, saveSampledCount } from '../catalog/table.js'
import { sampledCountIn } from '../catalog/table-comments.js'
import type { Engine } from '../engine.js'
import { numberIn, stringsIn } from '../response.js'

interface PromotionOptions {
  readonly target: DatasetHandle
  /** Runs work while no events are being stored. */
  alone(work: (engine: Engine) => Promise<void>): Promise<void>
  /** Limits the work to one dataset at a time. */
  readonly slots: LimitFunction
}

/** A dataset is sampled first at this many events, and then each time it has doubled. */
const FIRST_SAMPLE_EVENTS = 1_000
/** The number of events to skip after a failure, such as a full disk. */
const RETRY_AFTER_EVENTS = 10_000
/** Lines read in JavaScript before other tasks may run. */
const LINES_AT_ONCE = 50
/** Samples every n-th of the newest events, so that one batch does not dominate. */
const NEWEST_EVENTS = 20_000
const SAMPLE_EVENTS = 1_000
/** Longer events are not sampled, since samples are read in JavaScript. */
const MAX_SAMPLED_BYTES = 65_536
const STOP_TIMEOUT_MS = 500
const LIMITS = { timeoutMs: 60_000, memoryBytes: 1024 * 1024 * 1024, threads: 1 }

/**
 * Adds typed columns for fields that become frequent as a dataset grows. The catalog has the kinds of all values of a field, and the
 * default of the column reads the values of older events. This is an optimization: work that fails is repeated later.
 */
export class Promotion {
  private readonly options: PromotionOptions
  private isStopped = false
  private readonly aborting = new AbortController()
  private work: Promise<void> | undefined
  /** The number of events to wait for before there can be work. */
  private eventsToSkip = 0
  /** The number of events stored by this process. */
  private storedEvents = 0
  /** True when recent events have frequent fields without columns, so that the next sample does not wait until they have doubled. */
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

  /** Samples events when a thousand more are stored, since recent ones have frequent fields without columns. */
  sampleSoon(): void {
    if (this.isDue) return
    this.isDue = true
    this.eventsToSkip = FIRST_SAMPLE_EVENTS
  }

  /** Resets the count after the dataset was deleted. */
  reset(): void {
    this.eventsToSkip = 0
  }

  /** Stops the work; resolves soon. Even a short-lived process finishes a sample. */
  async stop(): Promise<void> {
    this.isStopped = true
    const countdown = new Countdown(STOP_TIMEOUT_MS, () => this.aborting.abort())
    await this.work
    countdown.stop()
  }

  private start(): void {
    if (this.work !== undefined || this.isStopped || !this.mayHaveWork()) return
    this.work = this.options
      .slots(() => this.sample())
      .catch(() => {
        this.isDue = false
        this.eventsToSkip = RETRY_AFTER_EVENTS
      })
      .finally(() => {
        this.work = undefined
        if (this.eventsToSkip <= 0) this.start()
      })
  }

  /** False while no field could get a column. */
  private mayHaveWork(): boolean {
    const dataset = this.options.target.current()
    if (dataset !== this.examined) {
      this.examined = dataset
      this.hasWork = dataset !== undefined && hasColumnCandidates(dataset)
    }
    return this.hasWork
  }

  /** Samples some events, when it is due, and adds columns for frequent fields. */
  private async sample(): Promise<void> {
    const { name, engine, current, changed } = this.options.target
    const { storedEvents } = this
    const rows = await this.rowsToSample()
    if (rows === undefined) return
    const limits = { ...LIMITS, signal: this.aborting.signal }
    const lines = stringsIn(await engine.read(recentEvents(name, rows), limits), 'line')
    const statistics = await statisticsOf(lines)
    let isSaved = false
    await this.options.alone(async (fenced) => {
      const dataset = current()
      if (dataset === undefined) return
      const known = { dataset, paths: columnCandidates(dataset), count: dataset.columns.size }
      const candidates = [...statistics.paths.values()]
      const added = frequentColumns(candidates, { events: lines.length, ...known })
      if (added.length === 0) return
      const columns = new Map([
        ...dataset.columns,
        ...added.map(({ column }) => [column.field, column] as const),
      ])
      const grown = new Dataset(name, { ...dataset, columns })
      changed(await addColumns(fenced, grown, { columns: added, events: rows }))
      isSaved = true
    })
    if (!isSaved) await engine.change(saveSampledCount(name, rows))
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
    const left = this.isDue ? Math.min(events, FIRST_SAMPLE_EVENTS) : events
    this.eventsToSkip = left - (this.storedEvents - since)
  }
}

/** True when some known field would get a column if it became frequent. */
function hasColumnCandidates(dataset: Dataset): boolean {
  return hasRoom(dataset, dataset.columns.size) && columnCandidates(dataset).size > 0
}

/** Returns the known paths, by key, that have no column but may get one. */
function columnCandidates({ paths, columns, former }: Dataset): ReadonlyMap<string, KnownPath> {
  // The default of a column reads the text of events, and the values of a former column need not be in it.
  const taken = new Set([...columns.keys(), ...former.map(({ column }) => column.field)])
  const isCandidate = (known: KnownPath): boolean =>
    columnTypes(known.kinds).length > 0 &&
    !taken.has(fieldName(known.path)) &&
    isNameable(known.path)
  return new Map([...paths].filter(([, known]) => isCandidate(known)))
}

/** Returns a query for a sample of recently stored events, as `line`, which is empty if columns hold all of their values. */
function recentEvents(dataset: string, rows: number): Sql {
  const every = Math.max(1, Math.floor(Math.min(rows, NEWEST_EVENTS) / SAMPLE_EVENTS))
  const newest = sql`SELECT _seq FROM ${tableOf(dataset)} ORDER BY _seq DESC LIMIT ${NEWEST_EVENTS}`
  return sql`
    SELECT line FROM ${tableOf(dataset)}
    WHERE length(line) <= ${MAX_SAMPLED_BYTES}
      AND _seq IN (SELECT _seq FROM (${newest}) WHERE cityHash64(_seq) % ${every} = 0)`
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
