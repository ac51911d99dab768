import type { Damage } from '../../engine/maintenance/damage.js'
import { NO_VALUES } from '../../engine/response.js'
import type { FieldLayout, Layout } from '../../sql/layout.js'
import { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import { encodeNativeResult } from '../../wire/http/native-result.js'
import type {
  FieldMeta,
  Message,
  QueryStatus,
  Table,
  TableField,
} from '../../wire/http/tabular-result.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { damageMessage } from '../dataset/damage.js'
import { aggregationsOf } from './aggregation.js'
import type { NativeRows } from './native-rows.js'
import { type PageCursors, pageCursors } from './page-cursors.js'
import { CURSOR_FIELD } from './paging.js'
import type { PreparedQuery } from './prepare.js'
import { resultColumn } from './result-column.js'
import { truncationMessages } from './row-limit.js'
import type { RunResult } from './run.js'

/** A query that was run, with everything that its response contains. */
export interface Tabular extends PreparedQuery, RunResult {
  /** The damage of stored data that affects the result. */
  readonly damage: readonly Damage[]
  layout(dataset: string): Layout | undefined
  /** The time at which the query began, in nanoseconds of `process.hrtime`. */
  readonly startedAt: bigint
}

/**
 * Renders a tabular result as JSON, with a second table for totals. The columns are copied as the engine wrote them:
 * parsing and rendering them again would take time and round numbers.
 */
export function tabularJson(page: Page, totals?: ResultTable): ChunkedBuffer {
  const cursors = pageCursors(page)
  const columns = [...queryColumns(page), ...cursorColumn(cursors)]
  return resultJson(page, cursors, { columns, totals })
}

export interface ResultTable {
  readonly page: Page
  readonly columns: readonly TableColumn[]
}

/** Renders a tabular result whose rows are in the format Native. */
export function nativeResult(executed: Tabular & { readonly native: NativeRows }): ChunkedBuffer {
  const { native, compiled, paging, result } = executed
  const page = pageOf(executed)
  const columns = compiled.columns.map(({ name, wireType: type }) => ({
    field: { name, type },
    pieces: [NO_VALUES],
  }))
  const json = compiled.columns.flatMap(({ encoding, type }, i) =>
    encoding === 'json' || (type === 'real' && paging.native === 'texts') ? [i] : [],
  )
  const { documents, members } = native
  return encodeNativeResult(
    { rows: result.rows, json, documents, members },
    { result: resultJson(page, pageCursors(page), { columns }), columns: native.columns },
  )
}

function resultJson(
  page: Page,
  cursors: PageCursors,
  { columns, totals }: { columns: readonly TableColumn[]; totals?: ResultTable | undefined },
): ChunkedBuffer {
  return joined([
    `{"format":"tabular","status":${JSON.stringify(status(page, cursors))},"tables":[`,
    ...tableJson('0', { page, columns }),
    ...(totals === undefined ? [] : [',', ...tableJson('_totals', totals)]),
    `],"datasetNames":${JSON.stringify(page.datasets)}`,
    `,"fieldsMetaMap":${JSON.stringify(fieldsMetaMap(page))}}`,
  ])
}

function tableJson(name: string, { page, columns }: ResultTable): readonly (string | Buffer)[] {
  const fields = columns.map(({ field }) => field)
  const head = JSON.stringify({ name, ...tableHead(page, fields) }).slice(0, -1)
  const values = columns.flatMap(({ pieces }, i) => [...(i === 0 ? [] : [',']), ...pieces])
  return [`${head},"columns":[`, ...values, ']}']
}

function joined(pieces: readonly (string | Buffer)[]): ChunkedBuffer {
  return new ChunkedBuffer(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  )
}

/** A result, and the number of its rows that are returned. */
export interface Page extends Tabular {
  readonly rows: number
  /** True when there are more rows. */
  readonly isCut: boolean
}

/** Returns the rows of a page. The engine was asked for one row more, which shows whether there are more rows. */
export function pageOf(executed: Tabular): Page {
  const { result, limit } = executed
  const isCut = result.rows > limit.rows
  return { ...executed, isCut, rows: isCut ? limit.rows : result.rows }
}

/** A column of the response: the JSON of its values in pieces, and its description. */
interface TableColumn {
  readonly field: TableField
  readonly pieces: readonly Buffer[]
}

export function queryColumns({
  compiled,
  checked,
  result,
  isCut,
  isExact,
}: Page): readonly TableColumn[] {
  const aggregations = aggregationsOf(checked)
  return compiled.columns.map((column) => {
    const found = result.bytes.get(`c${column.id}`)
    if (found === undefined) throw new Error(`the engine gave no column c${column.id}`)
    const { pieces, wireType } = resultColumn({ column, bytes: found, isCut, isExact })
    const agg = aggregations.get(column.id)
    return { field: { name: column.name, type: wireType, agg }, pieces }
  })
}

function cursorColumn({ column }: PageCursors): readonly TableColumn[] {
  if (column === undefined) return []
  return [{ field: { name: CURSOR_FIELD, type: 'string' }, pieces: [column] }]
}

const CACHE = { miss: 0, hit: 1 } as const

function queryMessage(msg: string): Message {
  return { priority: 'warn', code: 'query_warning', count: 1, msg }
}

export function status(page: Page, { minCursor, maxCursor }: PageCursors): QueryStatus {
  const { isCut, isCached, extent, blocks, rowsMatched, compiled, checked } = page
  const messages = [
    ...checked.warnings.map(queryMessage),
    ...page.damage.map(damageMessage),
    ...(isCut ? truncationMessages(page.limit) : []),
  ]
  return {
    elapsedTime: Number((process.hrtime.bigint() - page.startedAt) / 1_000n),
    minCursor,
    maxCursor,
    blocksExamined: blocks,
    blocksCached: isCached ? blocks : 0,
    blocksMatched: Math.min(blocks, rowsMatched),
    rowsExamined: page.rowsExamined,
    rowsMatched,
    numGroups: compiled.isGrouped ? page.result.rowsBeforeLimit : 0,
    isPartial: page.result.isPartial === true || page.damage.length > 0,
    cacheStatus: isCached ? CACHE.hit : CACHE.miss,
    minBlockTime: formatTimestamp(extent?.first ?? page.range.start ?? page.now),
    maxBlockTime: formatTimestamp(extent?.last ?? page.range.end ?? page.now),
    ...(messages.length > 0 && { messages }),
  }
}

function tableHead(
  executed: Tabular,
  fields: readonly TableField[],
): Omit<Table, 'name' | 'columns'> {
  const { compiled, range, extent, now } = executed
  return {
    sources: executed.datasets.map((name) => ({ name })),
    fields,
    order: compiled.order,
    groups: compiled.groups.map((name) => ({ name })),
    range: {
      field: '_time',
      start: formatTimestamp(range.start ?? extent?.first ?? now),
      // The end is exclusive, and the range must include the last event.
      end: formatTimestamp(range.end ?? (extent === undefined ? now : extent.last + 1n)),
    },
    buckets: compiled.buckets && {
      field: compiled.buckets.field,
      size: Number(compiled.buckets.size),
    },
  }
}

export function fieldsMetaMap(executed: Tabular): Readonly<Record<string, readonly FieldMeta[]>> {
  return Object.fromEntries(executed.datasets.map((name) => [name, shownFields(executed, name)]))
}

function shownFields({ compiled, layout }: Tabular, dataset: string): readonly FieldMeta[] {
  const shown = new Set(compiled.columns.map(({ name }) => name))
  return fieldsMeta((layout(dataset)?.fields ?? []).filter(({ name }) => shown.has(name)))
}

export function fieldsMeta(fields: readonly FieldLayout[]): readonly FieldMeta[] {
  return fields.map(({ name, wireType }) => ({
    name,
    type: wireType,
    unit: '',
    hidden: false,
    description: '',
  }))
}
