import { setTimeout as sleep } from 'node:timers/promises'
import { type Sql, sql, text } from '../../sql/sql.js'
import { pathKey } from '../../wire/json/field-path.js'
import type { Kinds } from '../../wire/json/kinds.js'
import { savePaths } from '../catalog/catalog.js'
import { DATASETS } from '../catalog/database.js'
import type { DatasetHandle, TypedPath } from '../catalog/dataset.js'
import { literalSet } from '../catalog/extraction.js'
import { savePosition, settlePending } from '../catalog/table.js'
import { type EventPosition, positionIn } from '../catalog/table-comments.js'
import { addTokenIndexes } from '../catalog/token-indexes.js'
import { columnName } from '../catalog/typed-column.js'
import type { Engine, EngineResult } from '../engine.js'
import { numberIn, stringsIn } from '../response.js'
import { applyKinds } from './pending-column.js'
import { kindsAfter, lastEvent } from './stored-events.js'

interface BackfillVerificationOptions {
  /** The time until all services that store events know of a new column. */
  readonly settleMs: number
  readonly target: DatasetHandle
  /** Ends the work after the current step. */
  readonly stopping: AbortSignal
  read(query: Sql): Promise<EngineResult>
  /** Runs work while no events are being stored. */
  alone(work: (engine: Engine) => Promise<void>): Promise<void>
}

/** The position is saved after this many steps; a crash repeats the steps since then. */
const STEPS_PER_SAVE = 16

/** Verifies pending columns against the events stored before them. */
export class BackfillVerification {
  private readonly options: BackfillVerificationOptions

  constructor(options: BackfillVerificationOptions) {
    this.options = options
  }

  /** Reads all events stored before the columns were added, in steps, until each column is verified or retired. */
  async run(): Promise<void> {
    const { name } = this.options.target
    const { settleMs, stopping } = this.options
    if (settleMs > 0) await sleep(settleMs, undefined, { signal: stopping, ref: false })
    // Inserts check later events.
    const last = BigInt(stringsIn(await this.options.read(lastEvent(name)), 'seq')[0] ?? 0)
    let position = await this.savedPosition()
    let saved = position
    try {
      for (let step = 1; ; step++) {
        const pendingPaths = this.pendingPaths()
        if (pendingPaths.length === 0) return
        const began = performance.now()
        const result = await this.options.read(
          kindsAfter(name, pendingPaths, { after: position, last }),
        )
        const end = result.columns.get('events') === '[0]' ? undefined : endOf(result)
        await this.apply(pendingPaths, result, { complete: end === undefined })
        if (end === undefined) return
        position = end
        if (step % STEPS_PER_SAVE === 0) saved = await this.savePosition(position)
        if (this.options.stopping.aborted) return
        // Half of the time is left to queries.
        await sleep(performance.now() - began, undefined, { signal: this.options.stopping })
      }
    } finally {
      if (position !== undefined && position !== saved) await this.savePosition(position)
    }
  }

  /** Applies the result of a step; must precede saving its position. */
  private async apply(
    pending: readonly TypedPath[],
    result: EngineResult,
    options: { readonly complete: boolean },
  ): Promise<void> {
    const found = new Map<string, Kinds>(
      pending.map(({ known }, i) => [pathKey(known.path), numberIn(result, `kinds${i}`)]),
    )
    const isNews = ({ known }: TypedPath): boolean =>
      ((found.get(pathKey(known.path)) ?? 0) | known.kinds) !== known.kinds
    if (!options.complete && !pending.some(isNews)) return
    const { name } = this.options.target
    await this.options.alone(async (engine) => {
      const before = this.options.target.current()
      if (before === undefined) return
      const { dataset, paths, verified, retired } = applyKinds(before, found, options)
      await savePaths(engine, name, paths)
      if (verified.length + retired.length > 0)
        await engine.change(settlePending(name, { verified, retired }))
      this.options.target.changed(await addTokenIndexes(engine, dataset, []))
    })
  }

  private async savePosition(position: EventPosition): Promise<EventPosition> {
    const { name, engine } = this.options.target
    const columns = this.pendingPaths().map(({ column }) => column)
    if (columns.length > 0) await engine.change(savePosition(name, columns, position))
    return position
  }

  /** Returns the position up to which all pending columns are verified; undefined at the start. */
  private async savedPosition(): Promise<EventPosition | undefined> {
    const { name, engine } = this.options.target
    const columns = this.pendingPaths().map(({ column }) => columnName(column))
    if (columns.length === 0) return undefined
    const result = await engine.ask(sql`
      SELECT comment FROM system.columns
      WHERE database = ${text(DATASETS)} AND table = ${text(name)} AND name IN ${literalSet(columns)}`)
    const positions = stringsIn(result, 'comment').map(positionIn)
    return positions.reduce(earlier, positions[0])
  }

  private pendingPaths(): readonly TypedPath[] {
    return this.options.target.current()?.pendingPaths() ?? []
  }
}

function earlier(
  one: EventPosition | undefined,
  other: EventPosition | undefined,
): EventPosition | undefined {
  if (one === undefined || other === undefined) return undefined
  const isEarlier = one.time < other.time || (one.time === other.time && one.seq < other.seq)
  return isEarlier ? one : other
}

function endOf(result: EngineResult): EventPosition {
  const [time = '0'] = stringsIn(result, 'time')
  const [seq = '0'] = stringsIn(result, 'seq')
  return { time: BigInt(time), seq: BigInt(seq) }
}
