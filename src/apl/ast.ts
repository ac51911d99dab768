import type { Span } from '../text/span.js'
import type { Type } from './type.js'

/** A query as written: the tree the parser makes, before any name is looked up. */
export interface Query {
  readonly source: Source
  readonly operators: readonly Operator[]
  readonly span: Span
}

/** Where the rows come from. */
export type Source = DatasetSource

/** `['http-logs']`: the events of a dataset. */
export interface DatasetSource {
  readonly kind: 'dataset'
  readonly name: string
  readonly span: Span
}

/** One step of the pipeline. */
export type Operator =
  | Where
  | Extend
  | Project
  | ProjectAway
  | Summarize
  | Sort
  | Limit
  | Top
  | Count
  | Distinct

/** `where <predicate>`: keeps the rows for which the predicate is true. */
export interface Where {
  readonly kind: 'where'
  readonly predicate: Expression
  readonly span: Span
}

/** `extend name = expression, …`: adds columns, or replaces them in place. */
export interface Extend {
  readonly kind: 'extend'
  readonly assignments: readonly Assignment[]
  readonly span: Span
}

/** `project name = expression, …`: the columns listed and no others. */
export interface Project {
  readonly kind: 'project'
  readonly assignments: readonly Assignment[]
  readonly span: Span
}

/** `project-away name, prefix*, …`: all columns but those. */
export interface ProjectAway {
  readonly kind: 'project-away'
  readonly patterns: readonly NamePattern[]
  readonly span: Span
}

/** `summarize name = aggregate, … by name = key, …`: one row for each distinct combination of keys. */
export interface Summarize {
  readonly kind: 'summarize'
  readonly aggregates: readonly Assignment[]
  readonly by: readonly Assignment[]
  readonly span: Span
}

/** `sort by key desc nulls last, …`; also written `order by`. */
export interface Sort {
  readonly kind: 'sort'
  readonly keys: readonly SortKey[]
  readonly span: Span
}

/** `limit n`; also written `take n`. */
export interface Limit {
  readonly kind: 'limit'
  readonly count: Expression
  readonly span: Span
}

/** `top n by key`: the first rows in the order of one key. */
export interface Top {
  readonly kind: 'top'
  readonly count: Expression
  readonly key: SortKey
  readonly span: Span
}

/** `count`: one row with the number of rows. */
export interface Count {
  readonly kind: 'count'
  readonly span: Span
}

/** `distinct name, …`: each combination of values once. */
export interface Distinct {
  readonly kind: 'distinct'
  readonly keys: readonly Expression[]
  readonly span: Span
}

/** An expression with the name it is given, if it is given one. */
export interface Assignment {
  readonly name?: Identifier
  readonly value: Expression
  readonly span: Span
}

/** A name with a `*` somewhere, or without. */
export interface NamePattern {
  readonly pattern: string
  readonly span: Span
}

/** One key of a sort; without a direction, descending; without a word on nulls, they are smallest. */
export interface SortKey {
  readonly value: Expression
  readonly direction?: 'asc' | 'desc'
  readonly nulls?: 'first' | 'last'
  readonly span: Span
}

export interface Identifier {
  readonly name: string
  readonly span: Span
}

/** Anything that has a value in a row. */
export type Expression =
  | Literal
  | Name
  | Member
  | Index
  | Call
  | Unary
  | Binary
  | Membership
  | Between
  | Star

/** `5`, `"text"`, `1h`, `datetime(2026-01-01)`, `dynamic([1, 2])`, `int(null)`. */
export interface Literal {
  readonly kind: 'literal'
  readonly type: Type
  readonly value: LiteralValue
  readonly span: Span
}

/**
 * A literal's value: `bigint` for int, and nanoseconds for datetime (since 1970) and timespan;
 * JSON text for dynamic; null for a typed null.
 */
export type LiteralValue = boolean | bigint | number | string | null

/** `status`, `['user agent']`: a field or column, or a name that a statement gave. */
export interface Name {
  readonly kind: 'name'
  readonly name: string
  readonly span: Span
}

/** `geo.city`. */
export interface Member {
  readonly kind: 'member'
  readonly value: Expression
  readonly member: Identifier
  readonly span: Span
}

/** `geo['city']`, `tags[0]`. */
export interface Index {
  readonly kind: 'index'
  readonly value: Expression
  readonly index: Expression
  readonly span: Span
}

/** `tolower(method)`, `count()`. */
export interface Call {
  readonly kind: 'call'
  readonly function: Identifier
  readonly arguments: readonly Expression[]
  /** The names given to arguments, `arg_max(slowest = duration, uri)`, by their positions. */
  readonly names?: ReadonlyMap<number, Identifier>
  readonly span: Span
}

/** `-x`, `not x`. */
export interface Unary {
  readonly kind: 'unary'
  readonly operator: UnaryOperator
  readonly operand: Expression
  readonly span: Span
}

export type UnaryOperator = '-' | '+' | 'not'

/** `a == b`, `message has "error"`. */
export interface Binary {
  readonly kind: 'binary'
  readonly operator: BinaryOperator
  readonly left: Expression
  readonly right: Expression
  readonly operatorSpan: Span
  readonly span: Span
}

export const BINARY_OPERATORS = [
  'or',
  'and',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '=~',
  '!~',
  '+',
  '-',
  '*',
  '/',
  '%',
  'contains',
  '!contains',
  'contains_cs',
  '!contains_cs',
  'startswith',
  '!startswith',
  'startswith_cs',
  '!startswith_cs',
  'endswith',
  '!endswith',
  'endswith_cs',
  '!endswith_cs',
  'has',
  '!has',
  'has_cs',
  '!has_cs',
  'hasprefix',
  '!hasprefix',
  'hasprefix_cs',
  '!hasprefix_cs',
  'hassuffix',
  '!hassuffix',
  'hassuffix_cs',
  '!hassuffix_cs',
  'matches regex',
  '!matches regex',
] as const
export type BinaryOperator = (typeof BINARY_OPERATORS)[number]

/** `status in (200, 204)`, `message has_any ("error", "fail")`. */
export interface Membership {
  readonly kind: 'membership'
  readonly operator: MembershipOperator
  readonly value: Expression
  readonly list: readonly Expression[]
  readonly operatorSpan: Span
  readonly span: Span
}

export const MEMBERSHIP_OPERATORS = ['in', '!in', 'in~', '!in~', 'has_any', 'has_any_cs'] as const
export type MembershipOperator = (typeof MEMBERSHIP_OPERATORS)[number]

/** `x between (low .. high)`: both ends included. */
export interface Between {
  readonly kind: 'between'
  readonly negated: boolean
  readonly value: Expression
  readonly low: Expression
  readonly high: Expression
  readonly operatorSpan: Span
  readonly span: Span
}

/** `*`: every column, where an operator or function allows it. */
export interface Star {
  readonly kind: 'star'
  readonly span: Span
}
