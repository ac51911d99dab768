import type { CheckedQuery } from '../apl/checked.js'
import type { EngineResult } from '../engine/engine.js'
import type { CompiledQuery, TimeRange } from '../sql/compile.js'
import type { Layout } from '../sql/layout.js'
import type { FieldMeta, QueryStatus, Table, TableField } from '../wire/query.js'
import { formatTimestamp } from '../wire/timestamp.js'
import { aggregationsOf } from './aggregation.js'
import type { Extent } from './extent.js'
import { type ResultColumn, resultColumn } from './result-column.js'
import { cutMessages, type RowLimit } from './row-limit.js'

/** Everything that an answer tells about a query that was run. */
export interface Tabular {
  readonly checked: CheckedQuery
  readonly compiled: CompiledQuery
  readonly result: EngineResult
  readonly rowsExamined: number
  readonly rowsMatched: number
  readonly extent: Extent
  readonly range: TimeRange
  readonly limit: RowLimit
  /** The datasets that the query read. */
  readonly datasets: readonly string[]
  layout(dataset: string): Layout | undefined
  /** The instant of the request, nanoseconds since 1970. */
  readonly now: bigint
  /** Microseconds. */
  readonly elapsed: number
}

/**
 * The JSON text of a tabular result. The columns are put into it as the engine wrote them: reading
 * and writing them again would cost time and round the numbers.
 */
export function tabularText(answer: Tabular): string {
  const isCut = answer.result.rows > answer.limit.rows
  const columns = answer.compiled.columns.map((column) => {
    const text = answer.result.columns.get(`c${column.id}`)
    if (text === undefined) throw new Error(`the engine gave no column c${column.id}`)
    return resultColumn({ column, text, isCut })
  })
  const { datasets } = answer
  const metas = datasets.map((dataset) => [dataset, fieldsMeta(answer, dataset)])
  const table = JSON.stringify(tableHead(answer, columns)).slice(0, -1)
  const values = columns.map(({ text }) => text).join(',')
  return [
    `{"format":"tabular","status":${JSON.stringify(status(answer, isCut))}`,
    `"tables":[${table},"columns":[${values}]}]`,
    `"datasetNames":${JSON.stringify(datasets)}`,
    `"fieldsMetaMap":${JSON.stringify(Object.fromEntries(metas))}}`,
  ].join(',')
}

function status(answer: Tabular, isCut: boolean): QueryStatus {
  const { result, extent, checked } = answer
  const rows = isCut ? answer.limit.rows : result.rows
  const isGrouped = checked.operators.some(({ kind }) => kind === 'summarize')
  const messages = isCut ? cutMessages(answer.limit) : []
  return {
    elapsedTime: answer.elapsed,
    minCursor: '',
    maxCursor: '',
    blocksExamined: 0,
    blocksCached: 0,
    blocksMatched: 0,
    rowsExamined: answer.rowsExamined,
    rowsMatched: answer.rowsMatched,
    numGroups: isGrouped ? rows : 0,
    isPartial: false,
    cacheStatus: 0,
    minBlockTime: formatTimestamp(extent?.first ?? answer.range.start ?? answer.now),
    maxBlockTime: formatTimestamp(extent?.last ?? answer.range.end ?? answer.now),
    ...(messages.length > 0 && { messages }),
  }
}

function tableHead(answer: Tabular, columns: readonly ResultColumn[]): Omit<Table, 'columns'> {
  const { checked, compiled, range, extent, now } = answer
  const aggregations = aggregationsOf(checked)
  const fields = compiled.columns.map(({ id, name }, i): TableField => {
    const agg = aggregations.get(id)
    return { name, type: columns[i]!.wireType, ...(agg && { agg }) }
  })
  return {
    name: '0',
    sources: answer.datasets.map((name) => ({ name })),
    fields,
    order: compiled.order,
    groups: compiled.groups.map((name) => ({ name })),
    range: {
      field: '_time',
      start: formatTimestamp(range.start ?? extent?.first ?? now),
      // The end is exclusive: the last event is still within.
      end: formatTimestamp(range.end ?? (extent === undefined ? now : extent.last + 1n)),
    },
    ...(compiled.buckets && {
      buckets: { field: compiled.buckets.field, size: Number(compiled.buckets.size) },
    }),
  }
}

/** The fields of a dataset that the result shows. */
function fieldsMeta({ compiled, layout }: Tabular, dataset: string): readonly FieldMeta[] {
  const shown = new Set(compiled.columns.map(({ name }) => name))
  return (layout(dataset)?.fields ?? [])
    .filter(({ name }) => shown.has(name))
    .map(({ name, wireType }) => ({
      name,
      type: wireType,
      unit: '',
      hidden: false,
      description: '',
    }))
}
