import { identifier, joined, sql } from '../sql/sql.js'
import type { Engine, ReadLimits } from './engine.js'
import { rowsIn } from './response.js'

/** A part of a dataset's table: the events of an insert, or of several that were merged. */
export interface Part {
  readonly events: number
  /** The times of the first and the last event. */
  readonly first: bigint
  readonly last: bigint
}

/** The number of events, and the times of the first and the last one, as strings: `JSON.parse` would round the times. */
export const EXTENT = sql`
  toString(count()) as events, toString(toUnixTimestamp64Nano(min(_time))) as first,
  toString(toUnixTimestamp64Nano(max(_time))) as last`

/** Reads the parts of tables from metadata, without reading events. In a cluster, parts of the same name are one. */
export async function tableParts(
  engine: Pick<Engine, 'read'>,
  tables: readonly string[],
  limits: ReadLimits,
): Promise<readonly Part[]> {
  if (tables.length === 0) return []
  const each = tables.map((table) => sql`select ${EXTENT} from ${identifier(table)} group by _part`)
  const result = await engine.read(joined(each, ' union all '), limits)
  return rowsIn(result, 'events', 'first', 'last').map(({ events, first, last }) => ({
    events: Number(events),
    first: BigInt(first),
    last: BigInt(last),
  }))
}
