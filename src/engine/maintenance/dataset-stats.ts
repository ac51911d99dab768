import { joined, sql, text } from '../../sql/sql.js'
import { tableOf } from '../catalog/database.js'
import { stringsIn } from '../clickhouse/response.js'
import type { Engine } from '../engine.js'

/** The current size of a dataset. */
export interface DatasetStatistics {
  readonly dataset: string
  readonly events: number
  /** Compressed, on the disk. */
  readonly bytes: number
  /** The times of the first and the last event, in nanoseconds since 1970; undefined when there are no events. */
  readonly times: { readonly first: bigint; readonly last: bigint } | undefined
}

/** Returns the statistics of datasets by name. Reads only primary keys, no events. */
export async function datasetStatistics(
  engine: Engine,
  datasets: readonly string[],
): Promise<readonly DatasetStatistics[]> {
  if (datasets.length === 0) return []
  const each = datasets.map(
    (dataset) => sql`
      SELECT ${text(dataset)} AS dataset, toString(count()) AS events,
        toString(toUnixTimestamp64Nano(min(_time))) AS first,
        toString(toUnixTimestamp64Nano(max(_time))) AS last
      FROM ${tableOf(dataset)}`,
  )
  const [result, bytes] = await Promise.all([
    engine.ask(joined(each, ' UNION ALL ')),
    bytesByTable(engine),
  ])
  const events = stringsIn(result, 'events').map(Number)
  const firsts = stringsIn(result, 'first').map(BigInt)
  const lasts = stringsIn(result, 'last').map(BigInt)
  const found = stringsIn(result, 'dataset').map((dataset, i): DatasetStatistics => {
    const [count = 0, first = 0n, last = 0n] = [events[i], firsts[i], lasts[i]]
    const times = count === 0 ? undefined : { first, last }
    return { dataset, events: count, bytes: bytes.get(dataset) ?? 0, times }
  })
  return found.sort((a, b) => (a.dataset < b.dataset ? -1 : 1))
}

async function bytesByTable(engine: Engine): Promise<ReadonlyMap<string, number>> {
  const result = await engine.ask(sql`
    SELECT table, toString(sum(bytes_on_disk)) AS bytes FROM ${engine.storedParts} WHERE active GROUP BY table`)
  const bytes = stringsIn(result, 'bytes')
  return new Map(stringsIn(result, 'table').map((table, i) => [table, Number(bytes[i])]))
}
