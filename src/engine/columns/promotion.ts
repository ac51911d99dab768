import { setImmediate } from 'node:timers/promises'
import type { LimitFunction } from 'p-limit'
import { type Sql, sql, text } from '../../sql/sql.js'
import { readLeaves } from '../../wire/json/json-line.js'
import { savePaths } from '../catalog/catalog.js'
import { DATASETS, tableOf } from '../catalog/database.js'
import type { HotPath } from '../catalog/dataset.js'
import { Survey } from '../catalog/field-statistics.js'
import { changeColumns, noteSurvey } from '../catalog/table.js'
import { surveyedIn } from '../catalog/table-notes.js'
import { textsIn } from '../clickhouse/response.js'
import type { Engine, EngineResult } from '../engine.js'
import type { Growing } from '../ingest/slow-path.js'
import { Proof } from './backfill-verification.js'
import { promote } from './pending-column.js'
import { recentEvents } from './stored-events.js'

interface PromotionOptions {
  /** How long it may take until all who store events know of a column on trial. */
  readonly settleMs: number
  readonly target: Growing
  /** One at a time, over all datasets: there is no hurry. */
  readonly slots: LimitFunction
  /** Runs what must not happen while events are being stored. */
  alone(work: (engine: Engine) => Promise<void>): Promise<void>
}

/** A dataset's fields are surveyed each time it has doubled, and not before it has this many events. */
const FIRST_SURVEY = 1_000
/** After a failure, which may be a full disk, as many events go by. */
const AFTER_FAILURE = 10_000
/** Lines read in JavaScript before others have a turn. */
const LINES_AT_ONCE = 50
const PATIENCE_MS = 500
const LIMITS = { timeoutMs: 60_000, memoryBytes: 1024 * 1024 * 1024, threads: 1 }

/**
 * Gives the fields of a dataset their typed column when they prove frequent only as it grows: first on
 * trial, then, when all events stored before were read in the background, for good. Nothing of it is
 * needed: what fails or is cut short is done again later.
 */
export class Promotion {
  private readonly options: PromotionOptions
  private readonly proof: Proof
  /** Ends the work after the step that it is at. */
  private readonly stopping = new AbortController()
  /** Ends that step too. */
  private readonly hurry = new AbortController()
  private work: Promise<void> | undefined
  /** Events that come before there can be something to do. */
  private quiet = 0

  constructor(options: PromotionOptions) {
    this.options = options
    this.proof = new Proof({
      target: options.target,
      stopping: this.stopping.signal,
      read: (query) => this.read(query),
      alone: options.alone,
      settleMs: options.settleMs,
    })
  }

  /** Events were stored: perhaps there is something to do now. */
  stored(events: number): void {
    this.quiet -= events
    if (this.quiet <= 0) this.start()
  }

  /** The dataset was deleted: the next one of its name is another. */
  begin(): void {
    this.quiet = 0
  }

  /** Goes on with what an earlier process left unfinished. */
  resume(): void {
    if (this.trials().length > 0) this.start()
  }

  /** Resolves when nothing goes on any more, which is soon: even a process that only came by helps along. */
  async stop(): Promise<void> {
    this.stopping.abort()
    const late = setTimeout(() => this.hurry.abort(), PATIENCE_MS)
    await this.work
    clearTimeout(late)
  }

  private start(): void {
    if (this.work !== undefined || this.stopping.signal.aborted) return
    this.work = this.options
      .slots(() => this.advance())
      .catch(() => {
        this.quiet = AFTER_FAILURE
      })
      .finally(() => {
        this.work = undefined
      })
  }

  private async advance(): Promise<void> {
    if (this.trials().length === 0) await this.survey()
    if (this.trials().length > 0) await this.proof.run()
  }

  private trials(): readonly HotPath[] {
    return this.options.target.current()?.trials() ?? []
  }

  /** Looks at some events, when it is time, and puts columns on trial for the fields that earn one. */
  private async survey(): Promise<void> {
    const { name, engine } = this.options.target
    const rows = await this.rowsToSurvey()
    if (rows === undefined) return
    const lines = textsIn(await this.read(recentEvents(name, rows)), 'line')
    const survey = await surveyOf(lines)
    await this.options.alone(async (fenced) => {
      const dataset = this.options.target.current()
      if (dataset === undefined) return
      const growth = promote(dataset, survey, lines.length)
      if (growth.columns.length > 0) {
        await savePaths(fenced, name, growth.paths)
        await fenced.change(changeColumns(name, { added: growth.columns, retired: [] }))
        this.options.target.changed(growth.dataset)
      }
    })
    await engine.change(noteSurvey(name, rows))
    this.quiet = Math.max(rows, FIRST_SURVEY)
  }

  /** How many events there are; undefined while they are not enough for a survey. */
  private async rowsToSurvey(): Promise<number | undefined> {
    const { name, engine } = this.options.target
    const answer = await engine.ask(sql`
      SELECT toString((SELECT count() FROM ${tableOf(name)})) AS rows, comment FROM system.tables
      WHERE database = ${text(DATASETS)} AND name = ${text(name)}`)
    const rows = Number(textsIn(answer, 'rows')[0] ?? 0)
    const surveyed = surveyedIn(textsIn(answer, 'comment')[0] ?? '')
    this.quiet = surveyed + Math.max(surveyed, FIRST_SURVEY) - rows
    return this.quiet > 0 ? undefined : rows
  }

  private read(query: Sql): Promise<EngineResult> {
    return this.options.target.engine.read(query, { ...LIMITS, signal: this.hurry.signal })
  }
}

async function surveyOf(lines: readonly string[]): Promise<Survey> {
  const survey = new Survey()
  for (const [i, line] of lines.entries()) {
    if (i % LINES_AT_ONCE === 0) await setImmediate()
    survey.add(readLeaves(line))
  }
  return survey
}
