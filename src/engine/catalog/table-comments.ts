// Persistent state of a table or a column is kept in its comment, so that it is dropped with it.
import { type Sql, text } from '../../sql/sql.js'
import { type FieldPath, pathKey, pathOfKey } from '../../wire/json/field-path.js'

const SAMPLED = /^sampled (\d+)$/

const COLUMN = /^(\[.*\])?(?: ?token index (\d+))?$/s

/** The persistent state of a column. */
interface ColumnState {
  /** The path of its values, since two paths may have the same field name; undefined for a column that every table has. */
  readonly path?: FieldPath | undefined
  /** The number of the token index over the column. */
  readonly index?: number | undefined
}

export function columnComment({ path, index }: ColumnState): Sql {
  const key = path === undefined ? [] : [pathKey(path)]
  const number = index === undefined ? [] : [`token index ${index}`]
  return text([...key, ...number].join(' '))
}

/** Returns the state in the comment of a column. */
export function columnStateIn(comment: string): ColumnState {
  const [, key, number] = COLUMN.exec(comment) ?? []
  return {
    path: key === undefined ? undefined : pathOfKey(key),
    index: number === undefined ? undefined : Number(number),
  }
}

/** Returns the comment of a table with the number of events when it was last sampled. */
export function sampledComment(events: number): Sql {
  return text(`sampled ${events}`)
}

/** Returns the number of events from the comment of a table; 0 when the comment has no number. */
export function sampledCountIn(comment: string): number {
  return Number(SAMPLED.exec(comment)?.[1] ?? 0)
}

/** The version of the layout that this program writes; `layout-version.ts` has an upgrade for each earlier one. */
export const LAYOUT = 1

/** Returns the comment of the catalog's table: the version of the layout, which all services on the same data read. */
export function layoutComment(version = LAYOUT): Sql {
  return text(`evq layout ${version}`)
}

/** Returns the version of the layout from the comment of the catalog's table; undefined when the comment has no version. */
export function layoutIn(comment: string): number | undefined {
  const [, version] = /^evq layout (\d+)$/.exec(comment) ?? []
  return version === undefined ? undefined : Number(version)
}
