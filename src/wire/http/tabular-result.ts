import type { JsonReader, JsonText } from '../json/json-text.js'
import { ANYTHING, listOf as schemaOfList } from '../shape/json-schema.js'
import {
  anything,
  constant,
  count,
  decodeResponse,
  flag,
  listOf,
  mapOf,
  mapped,
  object,
  openObject,
  optional,
  type ResponseShape,
  required,
  text,
  time,
} from '../shape/response.js'
import { named, type ValueOf } from '../shape/shape.js'
import { MalformedResponseError } from './response-json.js'

const MESSAGE = mapped(
  object({ priority: text(), code: text(), count: count(), msg: text() }),
  (message) => ({ ...message, msg: message.msg || message.code }),
)

/** A message about a result, for instance that a limit truncated it. */
export type Message = ValueOf<typeof MESSAGE>

export const QUERY_STATUS = object({
  elapsedTime: count('Microseconds.'),
  minCursor: text('The smallest cursor of the page.'),
  maxCursor: text('The largest cursor of the page.'),
  blocksExamined: count(),
  blocksCached: count(),
  blocksMatched: count(),
  rowsExamined: count(),
  rowsMatched: count('The number of matching rows, regardless of the limit.'),
  numGroups: count(),
  isPartial: flag('True when some of the data could not be examined.'),
  cacheStatus: count(),
  minBlockTime: time(),
  maxBlockTime: time(),
  messages: optional(listOf(MESSAGE, 'Notes about the result, such as that it is truncated.')),
})
export type QueryStatus = ValueOf<typeof QUERY_STATUS>

export const FIELD_META = object({
  name: text(),
  type: text(),
  unit: text(),
  hidden: flag(),
  description: text(),
})
export type FieldMeta = ValueOf<typeof FIELD_META>

export const FIELDS_META_MAP = mapOf(listOf(named('FieldMeta', FIELD_META)))

const FIELD = openObject({
  name: required(text()),
  type: text(
    '`datetime`, `string`, `boolean`, `float`, `integer`, `timespan`, or several separated by `|`. Empty when unknown.',
  ),
  agg: optional(object({ name: text(), fields: listOf(text()), args: listOf(anything()) })),
})

export type TableField = ValueOf<typeof FIELD>

/**
 * The values of a table by column. Each is JSON as received: numbers are never parsed to doubles, so 64-bit integers
 * and nanoseconds stay exact.
 */
type Columns = readonly (readonly JsonText[])[]

const COLUMNS: ResponseShape<Columns> = {
  schema: schemaOfList(schemaOfList(ANYTHING), 'The values of each field in all rows.'),
  accepts: Array.isArray,
  decode: (_, columns) => (columns ?? []) as Columns,
  read: readColumns,
}

/** A table of a response; its rows are stored by column. */
export const TABLE = mapped(
  object({
    name: text(),
    sources: listOf(object({ name: text() })),
    fields: listOf(FIELD),
    order: listOf(named('Order', object({ field: text(), desc: flag() }))),
    groups: listOf(object({ name: text() })),
    range: optional(object({ field: text(), start: time(), end: time() })),
    buckets: optional(object({ field: text(), size: count('Nanoseconds.') })),
    columns: COLUMNS,
  }),
  (table) => {
    checkColumns(table.fields, table.columns)
    return table.columns.length > 0 ? table : { ...table, columns: table.fields.map(() => []) }
  },
)
export type Table = ValueOf<typeof TABLE>

/** Returns the cells of a column; undefined when there is no such column. */
export function columnOf(table: Table | undefined, name: string): readonly JsonText[] | undefined {
  return table?.columns[table.fields.findIndex((field) => field.name === name)]
}

/**
 * The media type of results for clients of this program, which name it in `Accept`: timespans are integers, in nanoseconds, and
 * totals are not computed. In `application/json`, timespans are strings such as `1m20s` and time-binned results have a table
 * `_totals`, as clients of the hosted service expect.
 */
export const EXACT_RESULT = 'application/vnd.evq.exact+json'

/** The response of `_apl?format=tabular`. */
export const TABULAR_RESULT = object({
  format: constant('tabular'),
  status: named('Status', QUERY_STATUS),
  tables: required(mapped(listOf(named('Table', TABLE)), withoutTotals)),
  datasetNames: listOf(text()),
  fieldsMetaMap: FIELDS_META_MAP,
})
export type TabularResult = ValueOf<typeof TABULAR_RESULT>

/** Decodes the response of `_apl?format=tabular`. Throws `MalformedResponseError`. */
export function decodeTabularResult(text: string): TabularResult {
  return decodeResponse(text, TABULAR_RESULT)
}

/** Reads the values one by one: this loop runs for each value of a result. */
function readColumns(reader: JsonReader): Columns {
  const columns: JsonText[][] = []
  list(reader, () => {
    const cells: JsonText[] = []
    list(reader, () => cells.push(reader.raw()))
    columns.push(cells)
  })
  return columns
}

function list(reader: JsonReader, element: () => void): void {
  if (!reader.takeNull()) reader.array(element)
}

/** Removes the table with the totals of a time-binned result, which hosted deployments append to the rows of the query. */
function withoutTotals(tables: readonly Table[]): readonly Table[] {
  return tables.length > 1 && tables.at(-1)?.name === '_totals' ? tables.slice(0, -1) : tables
}

/** Throws a `MalformedResponseError` for columns of different lengths, whose values could be shown in the wrong rows. */
function checkColumns(fields: Table['fields'], columns: Columns): void {
  if (columns.length === 0) return
  if (columns.length !== fields.length)
    throw new MalformedResponseError(
      `a table has ${fields.length} fields and ${columns.length} columns`,
    )
  const rows = columns[0]?.length
  if (columns.some((column) => column.length !== rows))
    throw new MalformedResponseError('the columns of a table differ in length')
}
