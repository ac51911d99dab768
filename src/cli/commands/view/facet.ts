// The most frequent values of a field.

import { FILE_FIELD, POSITION_FIELDS } from '../../../input/mapping/source-fields.js'
import { MESSAGE_FIELDS } from '../../../render/event-line.js'
import { isLevelField } from '../../../render/tone.js'
import { columnOf, type TableField } from '../../../wire/http/tabular-result.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import { type AskTable, countIn } from '../../query/ask-rows.js'
import { aplField } from './apl-text.js'
import { SOURCE_FIELDS } from './event-line.js'
import { STATUS_FIELDS } from './levels.js'
import { unsortedApl, type ViewQuery } from './query.js'
import { type HeldRows, heldColumns, isNumeric } from './row.js'

/** The values of a field among the events of a query, the most frequent first. */
export interface Facet {
  readonly field: string
  readonly type: string
  readonly values: readonly { readonly cell: JsonText; readonly count: number }[]
  /** The number of different values. */
  readonly total: number
}

const MOST_VALUES = 200
const OTHERS: readonly string[] = ['_time', '_sysTime', '_rowId', ...POSITION_FIELDS]

/** Returns the fields of rows: levels and sources first, then others, numbers and messages, and fields without a value last. */
export function facetFields(rows: HeldRows): readonly string[] {
  const filled = new Set(rows.items.flatMap(({ cells }) => [...cells.keys()]))
  const rank = (column: TableField) => rankOf(column) + (filled.has(column.name) ? 0 : EMPTY)
  return heldColumns(rows)
    .filter(({ name }) => !OTHERS.includes(name))
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ name }) => name)
}

/** More than the rank of any field. */
const EMPTY = 10

function rankOf(column: TableField): number {
  const { name } = column
  if (isLevelField(name) || STATUS_FIELDS.includes(name)) return 0
  if (SOURCE_FIELDS.includes(name) || name === FILE_FIELD) return 1
  if (MESSAGE_FIELDS.includes(name)) return 4
  return isNumeric(column) ? 3 : 2
}

export async function readFacet(
  field: string,
  { query, ask }: { readonly query: ViewQuery; readonly ask: AskTable },
): Promise<Facet> {
  const events = unsortedApl(query)
  const counted = `${events} | summarize count_ = count() by value_ = ${aplField(field)}`
  const [values, total] = await Promise.all([
    ask(`${counted} | sort by count_ desc, value_ asc | limit ${MOST_VALUES}`, MOST_VALUES),
    ask(`${counted} | count`, 1),
  ])
  const counts = columnOf(values, 'count_') ?? []
  return {
    field,
    type: values?.fields.find(({ name }) => name === 'value_')?.type ?? 'string',
    values: (columnOf(values, 'value_') ?? []).map((cell, row) => ({
      cell,
      count: Number(counts[row]),
    })),
    total: countIn(total),
  }
}
