import type { AggregateName } from '../aggregate/aggregates.js'
import type { FunctionName } from '../function/functions.js'
import type { Field } from '../schema.js'
import type { JoinKind, LiteralValue } from '../syntax/ast.js'
import type { OperatorName } from '../syntax/words.js'
import type { Type } from '../type.js'

/**
 * A query with all names resolved and all types known: compiled by `sql/` and described to the client by `service/`.
 * Columns are identified by `id`, never by name, so that no name in a query or an event ever has a meaning in SQL.
 */
export interface CheckedQuery extends CheckedPipeline {
  /** The value of `now()`, in nanoseconds since 1970. */
  readonly now: bigint
  /** The patterns of dataset names in the query, such as `logs-*`. */
  readonly patterns: readonly string[]
  /** Parts of the query that are valid, but probably mean something else. */
  readonly warnings: readonly string[]
}

/** A source and the operators applied to it. Sources and subqueries contain further pipelines. */
export interface CheckedPipeline {
  readonly source: CheckedSource
  readonly operators: readonly CheckedOperator[]
  /** The result's columns, in order. */
  readonly columns: readonly Column[]
}

/** The columns at one point of the pipeline by name, resolved on demand because there may be very many. */
export interface ColumnsByName {
  find(name: string): Column | undefined
}

/** A column at one point of the pipeline. Ids are unique within a query. */
export interface Column extends Field {
  readonly id: number
}

export type CheckedSource = CheckedDataset | CheckedRows | CheckedUnion | CheckedJoin

export interface CheckedDataset {
  readonly kind: 'dataset'
  readonly name: string
  /** A column for each field that the query uses. */
  readonly columns: readonly Column[]
  /** A column for any field. */
  readonly all: ColumnsByName
}

/** Literal rows, of `datatable` or `print`. */
export interface CheckedRows {
  readonly kind: 'rows'
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Constant[])[]
}

/** The rows of all parts; columns that a part lacks are null in its rows. */
export interface CheckedUnion {
  readonly kind: 'union'
  /** The columns that the query uses. */
  readonly columns: readonly Column[]
  readonly all: ColumnsByName
  readonly parts: readonly UnionPart[]
}

export interface UnionPart {
  readonly pipeline: CheckedPipeline
  /** The value of the part by the id of the union's column; columns without an entry are null. */
  readonly columns: ReadonlyMap<number, Column | Constant>
}

export interface CheckedJoin {
  readonly kind: 'join'
  readonly joinKind: JoinKind
  readonly left: CheckedPipeline
  readonly right: CheckedPipeline
  readonly keys: readonly JoinKey[]
  readonly joined: readonly JoinedColumn[]
  readonly columns: readonly Column[]
}

/** An equality of a value of the left side and a value of the right side. */
export interface JoinKey {
  readonly left: CheckedExpression
  readonly right: CheckedExpression
}

/** A column of a join and its origin. With both sides, the value is the first that is not null. */
export interface JoinedColumn {
  readonly column: Column
  readonly left?: Column
  readonly right?: Column
}

/** A step of the pipeline. The other operators of the language are reduced to these. */
export type CheckedOperator =
  | CheckedWhere
  | CheckedExtend
  | CheckedProject
  | CheckedSummarize
  | CheckedSort
  | CheckedLimit
  | CheckedDistinct
  | CheckedGetSchema
  | CheckedMvExpand
  | CheckedMakeSeries
  | CheckedReduce
  | CheckedPatterns

/** Keeps the rows for which the predicate is true. */
export interface CheckedWhere {
  readonly kind: 'where'
  readonly predicate: CheckedExpression
}

/** Computes new columns; each replaces the column of the same name. */
export interface CheckedExtend {
  readonly kind: 'extend'
  readonly computed: readonly ComputedColumn[]
}

/** Selects columns (`project`, `project-away`) without computing anything. */
export interface CheckedProject {
  readonly kind: 'project'
  readonly columns: ColumnsByName
}

/** One row for each combination of `by`; without `by`, exactly one row. */
export interface CheckedSummarize {
  readonly kind: 'summarize'
  readonly by: readonly ComputedColumn[]
  readonly aggregates: readonly ComputedColumn[]
}

/** `sort` and, followed by a limit, `top`. */
export interface CheckedSort {
  readonly kind: 'sort'
  readonly keys: readonly CheckedSortKey[]
}

export interface CheckedSortKey {
  readonly value: CheckedExpression
  readonly direction: 'asc' | 'desc'
  readonly nulls: 'first' | 'last'
}

/** The first rows in the current order. */
export interface CheckedLimit {
  readonly kind: 'limit'
  readonly count: bigint
}

/** Each combination of values, once. */
export interface CheckedDistinct {
  readonly kind: 'distinct'
  readonly computed: readonly ComputedColumn[]
}

/** Replaces the rows by the names and types of the columns. */
export interface CheckedGetSchema {
  readonly kind: 'getschema'
  readonly columns: Readonly<Record<'name' | 'dataType' | 'ordinal' | 'type', Column>>
  readonly described: readonly Column[]
}

/** A row for each element; several columns are expanded in parallel. */
export interface CheckedMvExpand {
  readonly kind: 'mv-expand'
  /** True when objects are expanded, too. */
  readonly bags: boolean
  /** The columns of elements, each with the array or object that is expanded. */
  readonly items: readonly ComputedColumn[]
  /** The column of the element's index, from 0. */
  readonly index?: Column
  /** The maximum number of rows made of one row. */
  readonly limit?: bigint
}

/** Aggregations over equal steps of time, as arrays: a row for each combination of `by`. */
export interface CheckedMakeSeries {
  readonly kind: 'make-series'
  readonly by: readonly ComputedColumn[]
  readonly series: readonly CheckedSeries[]
  /** The time of a row, which decides its step. */
  readonly on: CheckedExpression
  /** The column with the array of the steps' start times. */
  readonly time: Column
  /** Nanoseconds since 1970. */
  readonly from: bigint
  /** Nanoseconds. */
  readonly step: bigint
  readonly count: bigint
  /** The end of the range, at which the last step is cut off: nanoseconds since 1970. */
  readonly to: bigint
}

/** Messages that differ only in numbers and ids become one row, with the pattern that they have in common. */
export interface CheckedReduce {
  readonly kind: 'reduce'
  readonly value: CheckedExpression
  /** Patterns with a smaller share of the rows are summed in one row; from 0 to 1. */
  readonly threshold: number
  readonly columns: Readonly<Record<'pattern' | 'count' | 'share' | 'example', Column>>
}

/** `reduce kind=source` with a threshold: adds to each row the pattern under which `reduce` would count it. */
export interface CheckedPatterns {
  readonly kind: 'patterns'
  readonly value: CheckedExpression
  readonly threshold: number
  readonly column: Column
}

/** An aggregation of each step, as an array. */
export interface CheckedSeries {
  readonly column: Column
  readonly value: CheckedExpression
  /** The value of a step without rows. */
  readonly otherwise: Constant
}

/** A column and the expression that computes it from the columns of the step's input. */
export interface ComputedColumn {
  readonly column: Column
  readonly value: CheckedExpression
}

/** An expression with a value for each row or each group. */
export type CheckedExpression =
  | Constant
  | Reference
  | Path
  | Invocation
  | Aggregate
  | CheckedSubquery

/** A value that is known before the query runs. */
export interface Constant {
  readonly kind: 'constant'
  readonly type: Type
  readonly value: LiteralValue
}

/** The value of a column in this row. */
export interface Reference {
  readonly kind: 'reference'
  readonly type: Type
  readonly wireType?: string
  readonly column: number
}

/** A member of an object by its key, or an element of an array by its position from 0. */
export interface Path {
  readonly kind: 'path'
  readonly type: 'dynamic'
  readonly value: CheckedExpression
  readonly key: CheckedExpression
}

/** A scalar function or operator. Operators are named by their sign; the arguments of `in` are the value, then the list. */
export interface Invocation {
  readonly kind: 'invocation'
  readonly type: Type
  readonly function: FunctionName | OperatorName
  readonly arguments: readonly CheckedExpression[]
}

/** An aggregation over the rows of a group; only in `summarize` and `make-series`. */
export interface Aggregate {
  readonly kind: 'aggregate'
  readonly type: Type
  readonly function: AggregateName
  readonly arguments: readonly CheckedExpression[]
}

/** The values of a query's first column, as the right side of `in`. */
export interface CheckedSubquery {
  readonly kind: 'subquery'
  readonly type: Type
  readonly pipeline: CheckedPipeline
}

/** Returns the expressions that an expression is computed from; the pipeline of a subquery is not one. */
export function partsOf(node: CheckedExpression): readonly CheckedExpression[] {
  switch (node.kind) {
    case 'constant':
    case 'reference':
    case 'subquery':
      return []
    case 'path':
      return [node.value, node.key]
    case 'invocation':
    case 'aggregate':
      return node.arguments
    default:
      return node satisfies never
  }
}
