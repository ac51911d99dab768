import type { WholeNumber } from '../json/exact-json.js'
import type { OrderEntry } from './query.js'

/** The body of `POST /v1/datasets/<dataset>/query`. */
export interface LegacyRequest {
  readonly startTime?: string
  readonly endTime?: string
  /** The most events or, with aggregations, groups; 0 says nothing. */
  readonly limit?: WholeNumber
  readonly order?: readonly OrderEntry[]
  readonly cursor?: string
  readonly includeCursor?: boolean
  /** The step of time of the series: `auto`, `30s`, `1h`. */
  readonly resolution?: string
  readonly aggregations?: readonly LegacyAggregation[]
  readonly groupBy?: readonly string[]
  readonly filter?: LegacyFilter
  readonly virtualFields?: readonly VirtualField[]
  readonly project?: readonly ProjectedField[]
}

/** The aggregations of a legacy query. */
export const LEGACY_AGGREGATIONS = [
  'count',
  'distinct',
  'makeset',
  'makelist',
  'sum',
  'avg',
  'min',
  'max',
  'topk',
  'percentiles',
  'histogram',
  'stdev',
  'variance',
  'argmin',
  'argmax',
  'rate',
] as const
/** One of the aggregations of a legacy query. */
export type LegacyAggregationOp = (typeof LEGACY_AGGREGATIONS)[number]

/** A value over the events of a group. */
export interface LegacyAggregation {
  readonly op: LegacyAggregationOp
  /** Absent for `count`, which counts events. */
  readonly field?: string
  /** What the answer calls it; the operation in capitals where nothing is said. */
  readonly alias?: string
  /** What some operations also take: a number of values, percentiles, names of fields. */
  readonly argument?: unknown
}

/** A tree of conditions that an event must meet. */
export type LegacyFilter = FilterGroup | FilterNot | FilterExists | FilterComparison | FilterText

/** All of the conditions, or any one of them. */
export interface FilterGroup {
  readonly op: 'and' | 'or'
  readonly children: readonly LegacyFilter[]
}

/** The opposite of a condition. */
export interface FilterNot {
  readonly op: 'not'
  readonly child: LegacyFilter
}

/** Whether an event has the field. */
export interface FilterExists {
  readonly op: 'exists' | 'not-exists'
  readonly field: string
}

/** The field's value against another, by size. */
export interface FilterComparison {
  readonly op: '==' | '!=' | '>' | '>=' | '<' | '<='
  readonly field: string
  readonly value: FilterValue
  /** Whether letters differ from their capitals. */
  readonly caseSensitive: boolean
}

/** What a field is compared with; null stands for a field that is not there. */
export type FilterValue = string | WholeNumber | boolean | null

/** The field's value as a text. */
export interface FilterText {
  readonly op: TextOp
  readonly field: string
  readonly value: string
  /** Whether letters differ from their capitals. */
  readonly caseSensitive: boolean
}

/** What is asked of a text. */
export const TEXT_OPS = [
  'starts-with',
  'not-starts-with',
  'ends-with',
  'not-ends-with',
  'contains',
  'not-contains',
  'regexp',
  'not-regexp',
] as const
/** One of the things that are asked of a text. */
export type TextOp = (typeof TEXT_OPS)[number]

/** A field that is computed for the query: an APL expression under a name. */
export interface VirtualField {
  readonly alias: string
  readonly expr: string
}

/** A field that the matches show, and under which name. */
export interface ProjectedField {
  readonly field: string
  readonly alias?: string
}
