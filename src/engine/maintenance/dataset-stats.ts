import { joined, type Sql, sql, text } from '../../sql/sql.js'
import { METADATA, tableOf } from '../catalog/database.js'
import { EXTENT } from '../dataset-parts.js'
import { type Engine, type EngineResult, hasCode } from '../engine.js'
import { rowsIn } from '../response.js'

/** The size of stored events in bytes. */
interface DatasetSize {
  /** On the disk. */
  readonly compressed: number
  readonly uncompressed: number
}

const NO_SIZE: DatasetSize = { compressed: 0, uncompressed: 0 }

export interface DatasetStatistics {
  readonly dataset: string
  readonly events: number
  readonly size: DatasetSize
  /** The times of the first and the last event, in nanoseconds since 1970; undefined when there are no events. */
  readonly times: { readonly first: bigint; readonly last: bigint } | undefined
}

/** Returns the statistics of datasets by name. Reads only primary keys, no events. */
export async function datasetStatistics(
  engine: Engine,
  datasets: readonly string[],
): Promise<readonly DatasetStatistics[]> {
  if (datasets.length === 0) return []
  const statistics = (dataset: string): Sql =>
    sql`SELECT ${text(dataset)} AS dataset, ${EXTENT} FROM ${tableOf(dataset)}`
  const [results, sizes] = await Promise.all([
    askOfEach(engine, datasets, statistics),
    sizesByTable(engine),
  ])
  const rows = results.flatMap((result) => rowsIn(result, 'dataset', 'events', 'first', 'last'))
  const found = rows.map(({ dataset, events, first, last }): DatasetStatistics => {
    const times = events === '0' ? undefined : { first: BigInt(first), last: BigInt(last) }
    return { dataset, events: Number(events), size: sizes.get(dataset) ?? NO_SIZE, times }
  })
  return found.sort((a, b) => (a.dataset < b.dataset ? -1 : 1))
}

/** Returns the times at which the first events of datasets arrived, in nanoseconds since 1970, except for empty datasets. */
export async function firstArrivals(
  engine: Engine,
  datasets: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  if (datasets.length === 0) return new Map()
  const results = await askOfEach(
    engine,
    datasets,
    (dataset) => sql`
      SELECT ${text(dataset)} AS dataset, toString(toUnixTimestamp64Nano(min(_sysTime))) AS first
      FROM ${tableOf(dataset)} HAVING count() > 0`,
  )
  const rows = results.flatMap((result) => rowsIn(result, 'dataset', 'first'))
  return new Map(rows.map(({ dataset, first }) => [dataset, BigInt(first)]))
}

/**
 * Runs a query for all datasets in one statement. When a dataset no longer exists, runs it for each of the others separately.
 */
async function askOfEach(
  engine: Engine,
  datasets: readonly string[],
  statement: (dataset: string) => Sql,
): Promise<readonly EngineResult[]> {
  const ask = (some: readonly string[]): Promise<EngineResult> =>
    engine.ask(joined(some.map(statement), ' UNION ALL '), { datasets: some })
  const isGone = (error: unknown) => hasCode(error, 'UNKNOWN_TABLE')
  try {
    return [await ask(datasets)]
  } catch (error) {
    if (!isGone(error)) throw error
  }
  const outcomes = await Promise.allSettled(datasets.map((dataset) => ask([dataset])))
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return [outcome.value]
    if (isGone(outcome.reason)) return []
    throw outcome.reason
  })
}

async function sizesByTable(engine: Engine): Promise<ReadonlyMap<string, DatasetSize>> {
  const result = await engine.ask(sql`
    SELECT table, toString(sum(bytes_on_disk)) AS compressed,
      toString(sum(data_uncompressed_bytes)) AS uncompressed
    FROM ${engine.storedParts} WHERE active AND database != ${text(METADATA)} GROUP BY table`)
  const sizes = rowsIn(result, 'table', 'compressed', 'uncompressed')
  return new Map(
    sizes.map(({ table, compressed, uncompressed }) => [
      table,
      { compressed: Number(compressed), uncompressed: Number(uncompressed) },
    ]),
  )
}
