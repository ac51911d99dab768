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
import { numberIn, rowsIn, stringsIn } from '../response.js'
import { applyKinds } from './pending-column.js'
import { kindsAfter, lastEvent } from './stored-events.js'

export interface BackfillOptions {
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

/**
 * Verifies pending columns against all events stored before they were added, in steps, until each column is verified or retired.
 */
export async function verifyBackfill(options: BackfillOptions): Promise<void> {
  const { settleMs, stopping, target, read } = options
  if (settleMs > 0) await sleep(settleMs, undefined, { signal: stopping, ref: false })
  // Inserts check later events.
  const last = BigInt(stringsIn(await read(lastEvent(target.name)), 'seq')[0] ?? 0)
  let position = await savedPosition(target)
  let saved = position
  try {
    for (let step = 1; ; step++) {
      const pending = pendingPaths(target)
      if (pending.length === 0) return
      const began = performance.now()
      const result = await read(kindsAfter(target.name, pending, { after: position, last }))
      const end = numberIn(result, 'events') === 0 ? undefined : endOf(result)
      await apply(result, { pending, complete: end === undefined }, options)
      if (end === undefined) return
      position = end
      if (step % STEPS_PER_SAVE === 0) saved = await keepPosition(target, position)
      if (stopping.aborted) return
      // Half of the time is left to queries.
      await sleep(performance.now() - began, undefined, { signal: stopping })
    }
  } finally {
    if (position !== undefined && position !== saved) await keepPosition(target, position)
  }
}

/** Applies the result of a step, which is complete if it is the last; must precede saving its position. */
async function apply(
  result: EngineResult,
  { pending, complete }: { readonly pending: readonly TypedPath[]; readonly complete: boolean },
  { target, alone }: BackfillOptions,
): Promise<void> {
  const found = new Map<string, Kinds>(
    pending.map(({ known }, i) => [pathKey(known.path), numberIn(result, `kinds${i}`)]),
  )
  const isNews = ({ known }: TypedPath): boolean =>
    ((found.get(pathKey(known.path)) ?? 0) | known.kinds) !== known.kinds
  if (!complete && !pending.some(isNews)) return
  const { name } = target
  await alone(async (engine) => {
    const before = target.current()
    if (before === undefined) return
    const { dataset, paths, verified, retired } = applyKinds(before, found, { complete })
    await savePaths(engine, name, paths)
    if (verified.length + retired.length > 0)
      await engine.change(settlePending(name, { verified, retired }))
    target.changed(await addTokenIndexes(engine, dataset, []))
  })
}

async function keepPosition(
  target: DatasetHandle,
  position: EventPosition,
): Promise<EventPosition> {
  const columns = pendingPaths(target).map(({ column }) => column)
  if (columns.length > 0) await target.engine.change(savePosition(target.name, columns, position))
  return position
}

/** Returns the position up to which all pending columns are verified; undefined at the start. */
async function savedPosition(target: DatasetHandle): Promise<EventPosition | undefined> {
  const { name, engine } = target
  const columns = pendingPaths(target).map(({ column }) => columnName(column))
  if (columns.length === 0) return undefined
  const result = await engine.ask(sql`
    SELECT comment FROM system.columns
    WHERE database = ${text(DATASETS)} AND table = ${text(name)} AND name IN ${literalSet(columns)}`)
  const positions = stringsIn(result, 'comment').map(positionIn)
  return positions.reduce(earlier, positions[0])
}

export function pendingPaths(target: DatasetHandle): readonly TypedPath[] {
  return target.current()?.pendingPaths() ?? []
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
  const [{ time, seq } = { time: 0, seq: 0 }] = rowsIn(result, 'time', 'seq')
  return { time: BigInt(time), seq: BigInt(seq) }
}
