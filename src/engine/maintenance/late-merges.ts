import { sql, text } from '../../sql/sql.js'
import { DATASETS, tableOf } from '../catalog/database.js'
import { MERGED_PARTS } from '../catalog/table.js'
import type { Engine } from '../engine.js'
import { numberIn, rowsIn } from '../response.js'

/** Merges wait until no events of a dataset were loaded for this time. */
const IDLE_MS = 2_000
/** Merges do not wait when a table has this many parts: a query of a command takes 2 to 4 ms longer with each part. */
const MANY_PARTS = 40

/** A time in which the merges of a dataset may be stopped: after the start, and while events are loaded. */
interface Wait {
  readonly timer: NodeJS.Timeout
  loads: number
  /** The number of loads after which merges are started; undefined unless merges are stopped. */
  limit: number | undefined
  /** Resolves when the engine has stopped the merges. */
  stopped?: Promise<void>
}

/**
 * Returns the embedded engine with merges that wait while events are loaded, and at the start. In the load of 360 MB, merges took a
 * quarter of the processor time, and in a query after it a fifth; and a command ends before its merges are done, so that their work is
 * lost.
 */
export async function lateMerges(engine: Engine, idleMs = IDLE_MS): Promise<Engine> {
  const waits = new Map<string, Wait>()
  /** The deletions of events and the renames under way, perhaps several of a dataset: the engine stops deletions with the merges. */
  const deletions = new Set<{ readonly dataset: string }>()

  function begin(dataset: string): Wait {
    const timer = setTimeout(() => {
      waits.delete(dataset)
      start(dataset, wait).catch(() => {})
    }, idleMs).unref()
    const wait: Wait = { timer, loads: 0, limit: undefined }
    waits.set(dataset, wait)
    return wait
  }

  async function stop(dataset: string, wait: Wait, limit: number): Promise<void> {
    wait.limit = limit
    wait.stopped = engine.run(sql`SYSTEM STOP MERGES ${tableOf(dataset)}`)
    await wait.stopped
  }

  async function start(dataset: string, wait: Wait): Promise<void> {
    if (wait.limit === undefined) return
    wait.limit = undefined
    await wait.stopped?.catch(() => {})
    await engine.run(sql`SYSTEM START MERGES ${tableOf(dataset)}`)
  }

  /** Returns the number of parts of a dataset. */
  async function partsOf(dataset: string): Promise<number> {
    const result = await engine.ask(sql`
      SELECT toFloat64(count()) AS n FROM system.parts
      WHERE active AND database = ${text(DATASETS)} AND table = ${text(dataset)}`)
    return numberIn(result, 'n')
  }

  const unmerged = await engine.ask(sql`
    SELECT table FROM system.parts WHERE active AND database = ${text(DATASETS)}
    GROUP BY table HAVING count() BETWEEN ${MERGED_PARTS} AND ${MANY_PARTS - 1}`)
  for (const { table = '' } of rowsIn(unmerged, 'table')) {
    await stop(table, begin(table), Number.POSITIVE_INFINITY)
  }

  return {
    ...engine,
    async load(insert) {
      const { dataset } = insert.stores
      const wait = waits.get(dataset) ?? begin(dataset)
      wait.timer.refresh()
      wait.loads += 1
      // A single load, as of small batches every five seconds, leaves the merges alone.
      if (wait.loads === 2) {
        const limit = MANY_PARTS - (await partsOf(dataset))
        // The wait may have ended in the meantime; merges that are stopped after it would not be started again.
        const isWaiting = waits.get(dataset) === wait
        const isDeleting = [...deletions].some((deletion) => deletion.dataset === dataset)
        if (limit > 0 && isWaiting && !isDeleting) await stop(dataset, wait, 2 + limit)
        else await start(dataset, wait)
      } else if (wait.limit !== undefined && wait.loads >= wait.limit) await start(dataset, wait)
      await engine.load(insert)
    },
    async change(change) {
      const { kind, dataset } = change
      if (kind !== 'events' && kind !== 'rename') return await engine.change(change)
      deletions.add(change)
      try {
        const wait = waits.get(dataset)
        if (wait !== undefined) await start(dataset, wait)
        await engine.change(change)
      } finally {
        deletions.delete(change)
      }
    },
    async close() {
      for (const { timer } of waits.values()) clearTimeout(timer)
      waits.clear()
      return await engine.close()
    },
  }
}
