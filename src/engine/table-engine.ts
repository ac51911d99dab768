import { raw, type Sql, sql, text } from '../sql/sql.js'

/** A table engine of ClickHouse, as on a single server. */
interface TableEngine {
  readonly family: 'MergeTree' | 'AggregatingMergeTree' | 'ReplacingMergeTree' | 'KeeperMap'
  readonly parameters?: Sql
}

/** Returns the engine in a statement that creates a table. */
export type EngineOf = (engine: TableEngine) => Sql

/** The engine of a table that only one server has. */
export const plainEngine: EngineOf = ({ family, parameters }) =>
  parameters === undefined ? raw(family) : sql`${raw(family)}(${parameters})`

/** Returns the engine of a table whose replicas have the same path in Keeper. */
export function replicatedEngine(path: string): EngineOf {
  return (engine) => {
    const { family, parameters } = engine
    // Its rows are in Keeper: all servers have them.
    if (family === 'KeeperMap') return plainEngine(engine)
    const more = parameters === undefined ? sql`` : sql`, ${parameters}`
    return sql`${raw(`Replicated${family}`)}(${text(path)}, '{replica}'${more})`
  }
}

/** A table with data of the service other than events; on several servers, each has all rows. */
export interface ServiceTable {
  readonly name: string
  readonly columns: Sql
  readonly engine: TableEngine
  readonly clauses: Sql
}

export function createServiceTable(table: ServiceTable, engineOf: EngineOf = plainEngine): Sql {
  const { name, columns, engine, clauses } = table
  return sql`
    CREATE TABLE IF NOT EXISTS evq.${raw(name)} (${columns}) ENGINE = ${engineOf(engine)} ${clauses}`
}
