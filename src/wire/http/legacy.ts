import type { WholeNumber } from '../json/exact-json.js'
import type { OrderEntry } from './query.js'

/** The body of `POST /v1/datasets/<dataset>/query`. */
export interface LegacyRequest {
  readonly startTime?: string
  readonly endTime?: string
  /** The maximum number of events or, with aggregations, of groups; 0 means no limit. */
  readonly limit?: WholeNumber
  readonly order?: readonly OrderEntry[]
  readonly cursor?: string
  readonly includeCursor?: boolean
  /** The interval of the series: `auto`, `30s`, `1h`. */
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
/** An aggregation of a legacy query. */
export type LegacyAggregationOp = (typeof LEGACY_AGGREGATIONS)[number]

/** An aggregation over the events of a group. */
export interface LegacyAggregation {
  readonly op: LegacyAggregationOp
  /** Absent for `count`, which counts events. */
  readonly field?: string
  /** The name in the response; by default the operation in capitals. */
  readonly alias?: string
  /** A further argument of some operations: a number of values, percentiles, field names. */
  readonly argument?: unknown
}

/** A tree of conditions on an event. */
export type LegacyFilter = FilterGroup | FilterNot | FilterExists | FilterComparison | FilterText

/** All conditions, or any of them. */
interface FilterGroup {
  readonly op: 'and' | 'or'
  readonly children: readonly LegacyFilter[]
}

/** The negation of a condition. */
interface FilterNot {
  readonly op: 'not'
  readonly child: LegacyFilter
}

/** True when the event has the field. */
export interface FilterExists {
  readonly op: 'exists' | 'not-exists'
  readonly field: string
}

/** Compares the field with a value. */
export interface FilterComparison {
  readonly op: '==' | '!=' | '>' | '>=' | '<' | '<='
  readonly field: string
  readonly value: FilterValue
  /** True when case matters. */
  readonly caseSensitive: boolean
}

/** The value to compare with; null stands for a missing field. */
export type FilterValue = string | WholeNumber | boolean | null

/** Matches the field as a string. */
export interface FilterText {
  readonly op: TextOp
  readonly field: string
  readonly value: string
  /** True when case matters. */
  readonly caseSensitive: boolean
}

/** The operations on strings. */
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
/** An operation on strings. */
export type TextOp = (typeof TEXT_OPS)[number]

/** A computed field: an APL expression and its name. */
export interface VirtualField {
  readonly alias: string
  readonly expr: string
}

/** A field of the matches, and its name in the response. */
export interface ProjectedField {
  readonly field: string
  readonly alias?: string
}
