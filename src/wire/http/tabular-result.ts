import { isJsonObject, type JsonObject } from '../json/json-object.js'
import { JsonReader, type JsonText } from '../json/json-text.js'
import type { OrderEntry } from './query.js'
import { MalformedResponseError, parsePartJson } from './response-json.js'

/** The response of `_apl?format=tabular`. */
export interface TabularResult {
  readonly format: 'tabular'
  readonly status: QueryStatus
  readonly tables: readonly Table[]
  readonly datasetNames: readonly string[]
  readonly fieldsMetaMap: Readonly<Record<string, readonly FieldMeta[]>>
}

/** Information about the execution of a query. */
export interface QueryStatus {
  /** Microseconds. */
  readonly elapsedTime: number
  readonly minCursor: string
  readonly maxCursor: string
  readonly blocksExamined: number
  readonly blocksCached: number
  readonly blocksMatched: number
  readonly rowsExamined: number
  readonly rowsMatched: number
  readonly numGroups: number
  readonly isPartial: boolean
  readonly cacheStatus: number
  readonly minBlockTime: string
  readonly maxBlockTime: string
  readonly messages?: readonly Message[]
}

/** A message about a result, for instance that a limit truncated it. */
export interface Message {
  readonly priority: string
  readonly code: string
  readonly count: number
  readonly msg: string
}

/** A table of a response; its rows are stored by column. */
export interface Table {
  readonly name: string
  readonly sources: readonly { readonly name: string }[]
  readonly fields: readonly TableField[]
  readonly order: readonly OrderEntry[]
  readonly groups: readonly { readonly name: string }[]
  readonly range?: { readonly field: string; readonly start: string; readonly end: string }
  readonly buckets?: { readonly field: string; readonly size: number }
  readonly columns: Columns
}

/** A column of a table. */
export interface TableField {
  readonly name: string
  /** `datetime`, `string`, `boolean`, `float`, `integer`, `timespan`, a union such as `integer|string`, or ''. */
  readonly type: string
  readonly agg?: {
    readonly name: string
    readonly fields: readonly string[]
    readonly args: readonly unknown[]
  }
}

/**
 * The values of a table by column. Each is JSON as received: numbers are never parsed to doubles, so 64-bit integers
 * and nanoseconds stay exact.
 */
export type Columns = readonly (readonly JsonText[])[]

/** The metadata of a field. */
export interface FieldMeta {
  readonly name: string
  readonly type: string
  readonly unit: string
  readonly hidden: boolean
  readonly description: string
}

/**
 * Decodes the response of `_apl?format=tabular`. Missing members and `null` become empty; unknown members are ignored.
 * Throws `MalformedResponseError`.
 */
export function decodeTabularResult(text: string): TabularResult {
  const reader = new JsonReader(text)
  const tables: Table[] = []
  const members: Record<string, unknown> = {}
  reader.object((key) => {
    if (key === 'tables') list(reader, () => tables.push(table(reader)))
    else members[key] = parsePartJson(reader.raw())
  })
  reader.end()
  return {
    format: 'tabular',
    status: decodeStatus(members.status),
    tables,
    datasetNames: listOf(members, 'datasetNames'),
    fieldsMetaMap: recordOf(members, 'fieldsMetaMap'),
  }
}

function table(reader: JsonReader): Table {
  const members: Record<string, unknown> = {}
  let columns: Columns = []
  reader.object((key) => {
    if (key === 'columns') columns = decodeColumns(reader)
    else members[key] = parsePartJson(reader.raw())
  })
  const fields = listOf(members, 'fields').map(decodeField)
  checkShape(fields, columns)
  return {
    name: typeof members.name === 'string' ? members.name : '',
    sources: listOf(members, 'sources'),
    fields,
    order: listOf(members, 'order'),
    groups: listOf(members, 'groups'),
    ...optional<Table['range']>(members, 'range'),
    ...optional<Table['buckets']>(members, 'buckets'),
    columns: columns.length === 0 ? fields.map(() => []) : columns,
  }
}

function decodeColumns(reader: JsonReader): Columns {
  const columns: JsonText[][] = []
  list(reader, () => {
    const cells: JsonText[] = []
    list(reader, () => cells.push(reader.raw()))
    columns.push(cells)
  })
  return columns
}

function decodeField(value: unknown): TableField {
  if (!isJsonObject(value) || typeof value.name !== 'string') {
    throw new MalformedResponseError('a field of a table has no name')
  }
  return { ...value, name: value.name, type: textOf(value, 'type') }
}

function decodeMessage(value: unknown): Message {
  const members = isJsonObject(value) ? value : {}
  return {
    priority: textOf(members, 'priority'),
    code: textOf(members, 'code'),
    count: numberOf(members, 'count'),
    msg: textOf(members, 'msg') || textOf(members, 'code'),
  }
}

/** Throws for columns of different lengths: values in the wrong row would look right. */
function checkShape(fields: Table['fields'], columns: Columns): void {
  if (columns.length === 0) return
  if (columns.length !== fields.length)
    throw new MalformedResponseError(
      `a table has ${fields.length} fields and ${columns.length} columns`,
    )
  const rows = columns[0]?.length
  if (columns.some((column) => column.length !== rows))
    throw new MalformedResponseError('the columns of a table differ in length')
}

/** Decodes the status of a tabular or legacy response. */
export function decodeStatus(value: unknown): QueryStatus {
  const members = isJsonObject(value) ? value : {}
  return {
    elapsedTime: numberOf(members, 'elapsedTime'),
    minCursor: textOf(members, 'minCursor'),
    maxCursor: textOf(members, 'maxCursor'),
    blocksExamined: numberOf(members, 'blocksExamined'),
    blocksCached: numberOf(members, 'blocksCached'),
    blocksMatched: numberOf(members, 'blocksMatched'),
    rowsExamined: numberOf(members, 'rowsExamined'),
    rowsMatched: numberOf(members, 'rowsMatched'),
    numGroups: numberOf(members, 'numGroups'),
    isPartial: members.isPartial === true,
    cacheStatus: numberOf(members, 'cacheStatus'),
    minBlockTime: textOf(members, 'minBlockTime'),
    maxBlockTime: textOf(members, 'maxBlockTime'),
    messages: listOf(members, 'messages').map(decodeMessage),
  }
}

function list(reader: JsonReader, element: () => void): void {
  if (!reader.takeNull()) reader.array(element)
}

function textOf(members: JsonObject, key: string): string {
  const value = members[key]
  return typeof value === 'string' ? value : ''
}

function numberOf(members: JsonObject, key: string): number {
  const value = members[key]
  return typeof value === 'number' ? value : 0
}

function listOf<Element>(members: JsonObject, key: string): readonly Element[] {
  const value = members[key] ?? []
  if (!Array.isArray(value)) throw new MalformedResponseError(`\`${key}\` is not a list`)
  return value as Element[]
}

function recordOf<Value>(members: JsonObject, key: string): Readonly<Record<string, Value>> {
  const value = members[key] ?? {}
  if (!isJsonObject(value)) throw new MalformedResponseError(`\`${key}\` is not an object`)
  return value as Record<string, Value>
}

function optional<Value>(members: JsonObject, key: string): { [name: string]: NonNullable<Value> } {
  const value = members[key]
  return isJsonObject(value) ? { [key]: value as NonNullable<Value> } : {}
}
