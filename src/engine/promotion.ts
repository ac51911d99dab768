import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { sql, text } from '../sql/sql.js'
import { savePaths } from './catalog.js'
import type { HotPath } from './dataset.js'
import { DATASETS } from './embedded.js'
import type { EngineResult } from './engine.js'
import { pathKey } from './field-path.js'
import { readLeaves } from './json-line.js'
import type { Kinds } from './kinds.js'
import type { Growing } from './odd-batch.js'
import type { Pool } from './pool.js'
import { kindsAfter, lastEvent, recentEvents } from './stored-events.js'
import { Survey } from './survey.js'
import { changeColumns, endTrial, noteSurvey, noteTrial } from './table.js'
import { type Place, placeIn, surveyedIn } from './table-notes.js'
import { promote, settle } from './trial.js'

export interface PromotionOptions {
  readonly target: Growing
  /** One at a time, over all datasets: there is no hurry. */
  readonly slots: Pool<object>
  /** Runs what must not happen while events are being stored. */
  alone(work: () => Promise<void>): Promise<void>
}

/** A dataset's fields are surveyed each time it has doubled, and not before it has this many events. */
const FIRST_SURVEY = 1_000
/** After a failure, which may be a full disk, as many events go by. */
const AFTER_FAILURE = 10_000
/** A place that was read up to is noted every so many steps; a crash repeats the ones since. */
const STEPS_NOTED = 16
/** Lines read in JavaScript before others have a turn. */
const LINES_AT_ONCE = 50
const PATIENCE_MS = 500
const LIMITS = { timeoutMs: 60_000, memoryBytes: 1024 * 1024 * 1024 }

/**
 * Gives the fields of a dataset their typed column when they prove frequent only as it grows: first on
 * trial, then, when all events stored before were read in the background, for good. Nothing of it is
 * needed: what fails or is cut short is done again later.
 */
export class Promotion {
  private readonly options: PromotionOptions
  /** Ends the work after the step that it is at. */
  private readonly stopping = new AbortController()
  /** Ends that step too. */
  private readonly hurry = new AbortController()
  private work: Promise<void> | undefined
  /** Events that come before there can be something to do. */
  private quiet = 0

  constructor(options: PromotionOptions) {
    this.options = options
  }

  /** Events were stored: perhaps there is something to do now. */
  stored(events: number): void {
    this.quiet -= events
    if (this.quiet <= 0) this.start()
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
    if (this.work !== undefined || this.stopped) return
    this.work = this.options.slots
      .use(() => this.advance())
      .catch(() => {
        this.quiet = AFTER_FAILURE
      })
      .finally(() => {
        this.work = undefined
      })
  }

  private async advance(): Promise<void> {
    if (this.trials().length === 0) await this.survey()
    if (this.trials().length > 0) await this.prove()
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted
  }

  private trials(): readonly HotPath[] {
    return this.options.target.current()?.trials() ?? []
  }

  /** Looks at some events, when it is time, and puts columns on trial for the fields that earn one. */
  private async survey(): Promise<void> {
    const { name, engine } = this.options.target
    const rows = await this.rowsToSurvey()
    if (rows === undefined) return
    const lines = strings(await this.read(recentEvents(name, rows)), 'line')
    const survey = await surveyOf(lines)
    await this.options.alone(async () => {
      const dataset = this.options.target.current()
      if (dataset === undefined) return
      const growth = promote(dataset, survey, lines.length)
      if (growth.columns.length > 0) {
        await savePaths(engine, name, growth.paths)
        await engine.run(changeColumns(name, { added: growth.columns, retired: [] }))
        this.options.target.changed(growth.dataset)
      }
    })
    await engine.run(noteSurvey(name, rows))
    this.quiet = Math.max(rows, FIRST_SURVEY)
  }

  /** How many events there are; undefined while they are not enough for a survey. */
  private async rowsToSurvey(): Promise<number | undefined> {
    const { name, engine } = this.options.target
    const answer = await engine.ask(sql`
      SELECT toString(total_rows) AS rows, comment FROM system.tables
      WHERE database = ${text(DATASETS)} AND name = ${text(name)}`)
    const rows = Number(strings(answer, 'rows')[0] ?? 0)
    const surveyed = surveyedIn(strings(answer, 'comment')[0] ?? '')
    this.quiet = surveyed + Math.max(surveyed, FIRST_SURVEY) - rows
    return this.quiet > 0 ? undefined : rows
  }

  /** Reads all events stored before the trial, some at a time, until each column on trial is proven or not. */
  private async prove(): Promise<void> {
    const { name } = this.options.target
    // Those that come later are guarded.
    const last = BigInt(strings(await this.read(lastEvent(name)), 'seq')[0] ?? 0)
    let place = await this.notedPlace()
    let noted = place
    try {
      for (let step = 1; ; step++) {
        const trials = this.trials()
        if (trials.length === 0) return
        const began = performance.now()
        const answer = await this.read(kindsAfter(name, trials, { after: place, last }))
        const end = answer.columns.get('events') === '[0]' ? undefined : placeOf(answer)
        await this.settle(trials, answer, { complete: end === undefined })
        if (end === undefined) return
        place = end
        if (step % STEPS_NOTED === 0) noted = await this.note(place)
        if (this.stopped) return
        // The other half of the time is for those who wait for an answer.
        await sleep(performance.now() - began, undefined, { signal: this.stopping.signal })
      }
    } finally {
      if (place !== undefined && place !== noted) await this.note(place)
    }
  }

  /** Draws the conclusions before the place that was read up to may be noted. */
  private async settle(
    trials: readonly HotPath[],
    answer: EngineResult,
    options: { readonly complete: boolean },
  ): Promise<void> {
    const found = new Map<string, Kinds>(
      trials.map(({ known }, i) => [pathKey(known.path), numberIn(answer, `kinds${i}`)]),
    )
    const isNews = ({ known }: HotPath): boolean =>
      ((found.get(pathKey(known.path)) ?? 0) | known.kinds) !== known.kinds
    if (!options.complete && !trials.some(isNews)) return
    const { name, engine } = this.options.target
    await this.options.alone(async () => {
      const before = this.options.target.current()
      if (before === undefined) return
      const { dataset, paths, proven, retired } = settle(before, found, options)
      await savePaths(engine, name, paths)
      if (proven.length + retired.length > 0) await engine.run(endTrial(name, { proven, retired }))
      this.options.target.changed(dataset)
    })
  }

  private async note(place: Place): Promise<Place> {
    const { name, engine } = this.options.target
    const columns = this.trials().map(({ column }) => column)
    if (columns.length > 0) await engine.run(noteTrial(name, columns, place))
    return place
  }

  /** Up to where the events were read for all columns on trial. */
  private async notedPlace(): Promise<Place | undefined> {
    const { name, engine } = this.options.target
    const answer = await engine.ask(sql`
      SELECT comment FROM system.columns
      WHERE database = ${text(DATASETS)} AND table = ${text(name)} AND startsWith(comment, 'trial')`)
    const places = strings(answer, 'comment').map(placeIn)
    return places.reduce(earlier, places[0])
  }

  private read(query: Parameters<Growing['engine']['read']>[0]): Promise<EngineResult> {
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

function earlier(one: Place | undefined, other: Place | undefined): Place | undefined {
  if (one === undefined || other === undefined) return undefined
  const isEarlier = one.time < other.time || (one.time === other.time && one.seq < other.seq)
  return isEarlier ? one : other
}

function placeOf(answer: EngineResult): Place {
  const [time = '0'] = strings(answer, 'time')
  const [seq = '0'] = strings(answer, 'seq')
  return { time: BigInt(time), seq: BigInt(seq) }
}

function strings(answer: EngineResult, column: string): readonly string[] {
  return JSON.parse(answer.columns.get(column) ?? '[]')
}

function numberIn(answer: EngineResult, column: string): number {
  return Number(answer.columns.get(column)?.slice(1, -1) ?? 0)
}
