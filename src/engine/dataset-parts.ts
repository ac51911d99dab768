import { identifier, joined, sql } from '../sql/sql.js'
import type { Engine, ReadLimits } from './engine.js'

/** A part of a dataset's table: the events of an insert, or of several that were merged. */
export interface Part {
  readonly events: number
  /** The times of the first and the last event. */
  readonly first: bigint
  readonly last: bigint
}

/** Reads the parts of tables from metadata, without reading events. In a cluster, parts of the same name are one. */
export async function tableParts(
  engine: Pick<Engine, 'read'>,
  tables: readonly string[],
  limits: ReadLimits,
): Promise<readonly Part[]> {
  if (tables.length === 0) return []
  const each = tables.map(
    (table) => sql`
    select count() as events, toUnixTimestamp64Nano(min(_time)) as first, toUnixTimestamp64Nano(max(_time)) as last
    from ${identifier(table)} group by _part`,
  )
  const { columns } = await engine.read(joined(each, ' union all '), limits)
  const [events = [], first = [], last = []] = ['events', 'first', 'last'].map(
    (name) =>
      // The times are too large for JSON.parse.
      (columns.get(name) ?? '').match(/-?\d+/g) ?? [],
  )
  return events.map((count, i) => ({
    events: Number(count),
    first: BigInt(first[i]!),
    last: BigInt(last[i]!),
  }))
}
