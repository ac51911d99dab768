import { setTimeout as sleep } from 'node:timers/promises'
import { type Sql, sql, text } from '../../sql/sql.js'
import { pathKey } from '../../wire/json/field-path.js'
import type { Kinds } from '../../wire/json/kinds.js'
import { savePaths } from '../catalog/catalog.js'
import { DATASETS } from '../catalog/database.js'
import type { HotPath } from '../catalog/dataset.js'
import { endTrial, noteTrial } from '../catalog/table.js'
import { type Place, placeIn } from '../catalog/table-notes.js'
import { numberIn, textsIn } from '../clickhouse/response.js'
import type { Engine, EngineResult } from '../engine.js'
import type { Growing } from '../ingest/slow-path.js'
import { settle } from './pending-column.js'
import { kindsAfter, lastEvent } from './stored-events.js'

interface ProofOptions {
  /** How long it may take until all who store events know of a column on trial. */
  readonly settleMs: number
  readonly target: Growing
  /** Ends the work after the step that it is at. */
  readonly stopping: AbortSignal
  read(query: Sql): Promise<EngineResult>
  /** Runs what must not happen while events are being stored. */
  alone(work: (engine: Engine) => Promise<void>): Promise<void>
}

/** A place that was read up to is noted every so many steps; a crash repeats the ones since. */
const STEPS_NOTED = 16

/** Finds out of columns on trial whether they hold for the events that were stored before them. */
export class Proof {
  private readonly options: ProofOptions

  constructor(options: ProofOptions) {
    this.options = options
  }

  /** Reads all events stored before the trial, some at a time, until each column on trial is proven or not. */
  async run(): Promise<void> {
    const { name } = this.options.target
    const { settleMs, stopping } = this.options
    if (settleMs > 0) await sleep(settleMs, undefined, { signal: stopping, ref: false })
    // Those that come later are guarded.
    const last = BigInt(textsIn(await this.options.read(lastEvent(name)), 'seq')[0] ?? 0)
    let place = await this.notedPlace()
    let noted = place
    try {
      for (let step = 1; ; step++) {
        const trials = this.trials()
        if (trials.length === 0) return
        const began = performance.now()
        const answer = await this.options.read(kindsAfter(name, trials, { after: place, last }))
        const end = answer.columns.get('events') === '[0]' ? undefined : placeOf(answer)
        await this.settle(trials, answer, { complete: end === undefined })
        if (end === undefined) return
        place = end
        if (step % STEPS_NOTED === 0) noted = await this.note(place)
        if (this.options.stopping.aborted) return
        // The other half of the time is for those who wait for an answer.
        await sleep(performance.now() - began, undefined, { signal: this.options.stopping })
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
    const { name } = this.options.target
    await this.options.alone(async (engine) => {
      const before = this.options.target.current()
      if (before === undefined) return
      const { dataset, paths, proven, retired } = settle(before, found, options)
      await savePaths(engine, name, paths)
      if (proven.length + retired.length > 0)
        await engine.change(endTrial(name, { proven, retired }))
      this.options.target.changed(dataset)
    })
  }

  private async note(place: Place): Promise<Place> {
    const { name, engine } = this.options.target
    const columns = this.trials().map(({ column }) => column)
    if (columns.length > 0) await engine.change(noteTrial(name, columns, place))
    return place
  }

  /** Up to where the events were read for all columns on trial. */
  private async notedPlace(): Promise<Place | undefined> {
    const { name, engine } = this.options.target
    const answer = await engine.ask(sql`
      SELECT comment FROM system.columns
      WHERE database = ${text(DATASETS)} AND table = ${text(name)} AND startsWith(comment, 'trial')`)
    const places = textsIn(answer, 'comment').map(placeIn)
    return places.reduce(earlier, places[0])
  }

  private trials(): readonly HotPath[] {
    return this.options.target.current()?.trials() ?? []
  }
}

function earlier(one: Place | undefined, other: Place | undefined): Place | undefined {
  if (one === undefined || other === undefined) return undefined
  const isEarlier = one.time < other.time || (one.time === other.time && one.seq < other.seq)
  return isEarlier ? one : other
}

function placeOf(answer: EngineResult): Place {
  const [time = '0'] = textsIn(answer, 'time')
  const [seq = '0'] = textsIn(answer, 'seq')
  return { time: BigInt(time), seq: BigInt(seq) }
}
