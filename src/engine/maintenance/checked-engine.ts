import { joined, sql, text } from '../../sql/sql.js'
import { startedAfterCall } from '../../text/shared-work.js'
import { DATASETS, METADATA, tableOf } from '../catalog/database.js'
import { type Engine, hasCode } from '../engine.js'
import type { FileStatement } from '../file-statement.js'
import { numberIn } from '../response.js'
import { checkWritable } from '../spool.js'
import { unwrittenError } from '../store-error.js'
import type { EngineData } from './damage.js'
import type { DamageWatch } from './damage-watch.js'
import { sqlName } from './table-parts.js'
import { type WrittenPart, WrittenParts } from './written-parts.js'

/**
 * Returns the embedded engine with inserts that reject with a `StoreError` when their rows could not be written to the disk, and leave
 * nothing of them.
 */
export function checkedEngine(
  { engine, directory }: EngineData,
  damage: Pick<DamageWatch, 'whileRemoving'>,
): Engine {
  const written = new WrittenParts(engine)
  /** The number of parts that were dropped: by the insert that made them or by another one that ran at the same time. */
  let dropped = 0

  async function drop({ table, name }: WrittenPart): Promise<void> {
    dropped += 1
    await damage.whileRemoving(table.name, async () => {
      try {
        await engine.run(sql`ALTER TABLE ${sqlName(table)} DROP PART ${text(name)}`)
      } catch (error) {
        if (!hasCode(error, 'NO_SUCH_DATA_PART')) throw error
      }
    })
  }

  let unchecked: { readonly dataset: string; readonly began: number }[] = []
  /** Loads that end at about the same time are checked together: listing the parts takes some milliseconds. */
  const checkLoads = startedAfterCall(async () => {
    const loads = unchecked
    unchecked = []
    const tables = [...new Set(loads.map(({ dataset }) => dataset))]
    const since = Math.min(...loads.map(({ began }) => began))
    await written.inserted({ database: DATASETS, tables }, since, drop)
  })

  return {
    ...engine,
    async run(statement) {
      const [before, began] = [dropped, performance.now()]
      await engine.run(statement)
      await written.inserted({ database: METADATA }, began, drop)
      if (dropped !== before) await fail(directory)
    },
    async load(insert) {
      const [before, began] = [dropped, performance.now()]
      await engine.load(insert)
      unchecked.push({ dataset: insert.stores.dataset, began })
      await checkLoads()
      if (dropped !== before && !(await hasRows(engine, insert))) await fail(directory)
    },
  }
}

/** True when the table has the rows of an insert. */
async function hasRows(engine: Engine, { files, stores }: FileStatement): Promise<boolean> {
  const ranges = stores.numbers.map(({ first, last }) => sql`_seq BETWEEN ${first} AND ${last}`)
  const result = await engine.ask(sql`
    SELECT toFloat64(count()) AS n FROM ${tableOf(stores.dataset)} WHERE ${joined(ranges, ' OR ')}`)
  return numberIn(result, 'n') === files.reduce((sum, { rows }) => sum + rows, 0)
}

/** Rejects with the error of the system if the disk is full, otherwise with a `StoreError`. */
async function fail(directory: string): Promise<never> {
  await checkWritable(directory)
  throw unwrittenError()
}
