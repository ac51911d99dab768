import type { Connection } from '../../client/connection.js'
import { query } from '../../client/query.js'
import type { AplRequest } from '../../wire/http/query.js'
import { columnOf, type Table } from '../../wire/http/tabular-result.js'
import type { JsonText } from '../../wire/json/json-text.js'
import type { TimeRange } from '../option/time-range.js'

/** Runs a query that returns one row; returns a function from column names to values other than null. */
export type AskRow = (apl: string) => Promise<(name: string) => JsonText | undefined>

/** Runs a query and returns its rows as a table; undefined when the response has no table. */
export type AskTable = (apl: string, limit: number) => Promise<Table | undefined>

/** Returns the number in the first cell of a result of a query with `count`; 0 without a result. */
export function countIn(table: Table | undefined): number {
  return Number(table?.columns[0]?.[0] ?? 0)
}

/** Functions that run queries with the parameters and the range of another query. */
export interface Asking {
  readonly askRow: AskRow
  readonly askTable: AskTable
}

export function askingIn(
  range: TimeRange,
  {
    connection,
    request: { variables, libraries },
    signal,
  }: { connection: Connection; request: AplRequest; signal: AbortSignal },
): Asking {
  const common = { ...range, variables, libraries }
  const askTable: AskTable = async (apl, limit) => {
    const request = { apl, ...common, defaultLimit: limit }
    return (await query(connection, request, { signal })).tables[0]
  }
  return {
    askTable,
    async askRow(apl) {
      const table = await askTable(apl, 1)
      return (name) => {
        const cell = columnOf(table, name)?.[0] ?? 'null'
        return cell === 'null' ? undefined : cell
      }
    },
  }
}
