// The events that can be around a match: events of the same dataset, with equal values in the fields of `--context-by`.
import type { EventQuery, KeptColumns } from '../../apl/language.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { UsageError } from '../error/usage-error.js'
import type { EventCells } from './table.js'

/** A query for matches, and the query for the events of their dataset. */
export interface AroundQuery {
  /** The query for matches, with the columns that are needed to find the events around them. */
  readonly matches: KeptColumns
  readonly events: EventQuery
}

/**
 * Prepares a query for finding the events around its rows, which keep `columns`. `hasInput` is true for a query of files. Throws a
 * `UsageError` when its rows are not events.
 */
export async function aroundQuery(
  apl: string,
  columns: readonly string[],
  options: { readonly hasInput?: boolean } = {},
): Promise<AroundQuery> {
  const { eventQueryOf, keepColumns } = await import('../../apl/language.js')
  const matches = keepColumns(apl, columns, options)
  const events = eventQueryOf(matches.apl, options)
  if (events === undefined) {
    throw new UsageError(
      'The events around matches can be found only for queries whose syntax this version knows. `--check` shows what it does not know.',
    )
  }
  if (events.kind === 'other') {
    throw new UsageError(
      `\`-A\`, \`-B\` and \`-C\` show the events of a dataset around each row, but the rows of \`${events.cause}\` are not events of one dataset.`,
    )
  }
  return { matches, events }
}

/** The column of `markedQuery` that is null in matches. */
export const UNMATCHED_COLUMN = 'unmatched_'

/** Returns the query for all events, with a column that distinguishes matches. */
export function markedQuery({ events }: AroundQuery): string {
  return `${events.source}${events.marked(UNMATCHED_COLUMN)}`
}

/** Returns the condition for events that have the same values in the fields `by`. */
export function sharedCondition(event: EventCells, by: readonly string[]): string {
  if (by.length === 0) return 'true'
  return by.map((name) => equals(name, event.get(name) ?? 'null')).join(' and ')
}

function equals(name: string, cell: JsonText): string {
  const field = `[${JSON.stringify(name)}]`
  if (cell === 'null') return `isnull(${field})`
  if (cell.startsWith('{') || cell.startsWith('[')) {
    throw new UsageError(`\`--context-by ${name}\`: the values of the field are objects or arrays.`)
  }
  return `${field} == ${cell}`
}
