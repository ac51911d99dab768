import type { AggregateName } from '../aggregate/aggregates.js'
import type { FunctionName } from '../function/functions.js'
import type { JoinKind, LiteralValue } from '../syntax/ast.js'
import type { OperatorName } from '../syntax/words.js'
import type { Type } from '../type.js'

/**
 * A query whose every name is found and every type known: what `sql/` compiles and `service/`
 * describes to the caller. Columns are told apart by `id`, never by name, so no name written in a
 * query or an event ever has to mean anything in SQL.
 */
export interface CheckedQuery extends CheckedPipeline {
  /** The instant that `now()` meant, nanoseconds since 1970. */
  readonly now: bigint
}

/** Rows and what is done with them; sources and sub-queries hold others. */
export interface CheckedPipeline {
  readonly source: CheckedSource
  readonly operators: readonly CheckedOperator[]
  /** The result's columns, in order. */
  readonly columns: readonly Column[]
}

/** The columns at one point of the pipeline by name. They are found when they are asked for: there may be very many. */
export interface ColumnsByName {
  find(name: string): Column | undefined
}

/** A column at one point of the pipeline. An id is given once in a query and never reused. */
export interface Column {
  readonly id: number
  readonly name: string
  readonly type: Type
}

/** Where the rows come from. */
export type CheckedSource = CheckedDataset | CheckedRows | CheckedUnion | CheckedJoin

/** A dataset. */
export interface CheckedDataset {
  readonly kind: 'dataset'
  readonly name: string
  /** A column for each field that the query uses. */
  readonly columns: readonly Column[]
  /** A column for any field. */
  readonly all: ColumnsByName
}

/** Rows written out in the query. */
export interface CheckedRows {
  readonly kind: 'rows'
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Constant[])[]
}

/** The rows of each part, column by column; a part without a column has nulls there. */
export interface CheckedUnion {
  readonly kind: 'union'
  /** Those that the query uses. */
  readonly columns: readonly Column[]
  readonly all: ColumnsByName
  readonly parts: readonly UnionPart[]
}

/** The rows of one part of a union. */
export interface UnionPart {
  readonly pipeline: CheckedPipeline
  /** The part's value of a column of the union, by its id; those that it has not are null. */
  readonly columns: ReadonlyMap<number, Column | Constant>
}

/** The rows of two pipelines that belong together. */
export interface CheckedJoin {
  readonly kind: 'join'
  readonly joinKind: JoinKind
  readonly left: CheckedPipeline
  readonly right: CheckedPipeline
  readonly keys: readonly JoinKey[]
  readonly joined: readonly JoinedColumn[]
  readonly columns: readonly Column[]
}

/** Two values, over the columns of each side, that are equal where rows belong together. */
export interface JoinKey {
  readonly left: CheckedExpression
  readonly right: CheckedExpression
}

/** A column of a join and where it comes from: from both sides, the first that has a value. */
export interface JoinedColumn {
  readonly column: Column
  readonly left?: Column
  readonly right?: Column
}

/** A step of the pipeline; those of the language are made of these few. */
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

/** Keeps the rows for which the predicate is true. */
export interface CheckedWhere {
  readonly kind: 'where'
  readonly predicate: CheckedExpression
}

/** Computes new columns; one takes the place of another of its name. */
export interface CheckedExtend {
  readonly kind: 'extend'
  readonly computed: readonly ComputedColumn[]
}

/** Keeps some columns (`project`, `project-away`): a change of what is visible, nothing is computed. */
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

/** A value that rows are put in order by. */
export interface CheckedSortKey {
  readonly value: CheckedExpression
  readonly direction: 'asc' | 'desc'
  readonly nulls: 'first' | 'last'
}

/** The first rows of the order at hand. */
export interface CheckedLimit {
  readonly kind: 'limit'
  readonly count: bigint
}

/** Each combination of values once. */
export interface CheckedDistinct {
  readonly kind: 'distinct'
  readonly computed: readonly ComputedColumn[]
}

/** The names and types of the columns before it, in the place of the rows. */
export interface CheckedGetSchema {
  readonly kind: 'getschema'
  readonly columns: Readonly<Record<'name' | 'dataType' | 'ordinal' | 'type', Column>>
  readonly described: readonly Column[]
}

/** A row for each element; items of several columns go side by side. */
export interface CheckedMvExpand {
  readonly kind: 'mv-expand'
  /** Whether objects are taken apart, too. */
  readonly bags: boolean
  /** Each column of elements, and the values that hold them. */
  readonly items: readonly ComputedColumn[]
  /** The number of the element, from 0. */
  readonly index?: Column
  /** The most rows of one row. */
  readonly limit?: bigint
}

/** Aggregates over equal steps of time, as arrays: a row for each combination of `by`. */
export interface CheckedMakeSeries {
  readonly kind: 'make-series'
  readonly by: readonly ComputedColumn[]
  readonly series: readonly CheckedSeries[]
  /** What the steps are steps of. */
  readonly on: CheckedExpression
  /** The column of the instants at which the steps begin. */
  readonly time: Column
  /** Nanoseconds since 1970. */
  readonly from: bigint
  /** Nanoseconds. */
  readonly step: bigint
  readonly count: bigint
  /** Where the last step ends, at the latest: nanoseconds since 1970. */
  readonly to: bigint
}

/** An aggregate of each step, as an array. */
export interface CheckedSeries {
  readonly column: Column
  readonly value: CheckedExpression
  /** The value of a step without rows. */
  readonly otherwise: Constant
}

/** A column and the expression, over the columns before it, that gives its values. */
export interface ComputedColumn {
  readonly column: Column
  readonly value: CheckedExpression
}

/** A value in each row, or in each group. */
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
  readonly column: number
}

/** A part of a dynamic value: a key of an object or a position of an array, from 0. */
export interface Path {
  readonly kind: 'path'
  readonly type: 'dynamic'
  readonly value: CheckedExpression
  readonly key: CheckedExpression
}

/** A scalar function or operator. Operators are functions whose name is their sign; `in` has the value first, then the list. */
export interface Invocation {
  readonly kind: 'invocation'
  readonly type: Type
  readonly function: FunctionName | OperatorName
  readonly arguments: readonly CheckedExpression[]
}

/** An aggregation over the rows of a group; only inside `summarize`. */
export interface Aggregate {
  readonly kind: 'aggregate'
  readonly type: Type
  readonly function: AggregateName
  readonly arguments: readonly CheckedExpression[]
}

/** The values of a query's first column: what `in` looks into. */
export interface CheckedSubquery {
  readonly kind: 'subquery'
  readonly type: Type
  readonly pipeline: CheckedPipeline
}
