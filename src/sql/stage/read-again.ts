import { isRandom } from '../function/number.js'
import { type Rows, select } from '../rows.js'
import type { Sql } from '../sql.js'

// Conditions under which rows can be read more than once.

/** The number of arrival of the event of a row; undefined without one. */
export const arrivalOf = ({ order }: Rows) => order.find((key) => key.arrival)?.sql

/** True when no two rows are made of the same event, nor of events of different datasets: numbers of arrival are unique. */
export function isEachAnEvent(rows: Rows): boolean {
  return areEvents(rows) && !rows.order.some(({ dataset }) => dataset)
}

/** True when no two rows are made of the same event. */
export function areEvents({ order }: Rows): boolean {
  return order.every(
    ({ arrival, instant, dataset, column }) =>
      arrival || instant || dataset || column !== undefined,
  )
}

/**
 * True for rows that differ when they are read again, or that it takes longer to read twice: the events of files, which are in memory
 * and in the order of arrival, and rows that were sorted for a limit, for which all of their fields are read.
 */
export function isReadOnce(rows: Rows, values: readonly Sql[]): boolean {
  const isOfFiles = rows.order[0]?.arrival === true
  return isOfFiles || / LIMIT \d/.test(rows.from.text) || isRandom(select(rows, values))
}
