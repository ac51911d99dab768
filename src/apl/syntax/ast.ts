import type { Span } from '../../text/span.js'
import type { Type } from '../type.js'

/** A query as written: the tree the parser makes, before any name is looked up. */
export interface Query {
  readonly statements: readonly Statement[]
  readonly source: Source
  readonly operators: readonly Operator[]
  readonly span: Span
}

/** What stands before a query, each ended by `;`. */
export type Statement = LetScalar | LetTabular | SetOption | DeclareParameters | BrokenStatement

/** `let threshold = 500;`: a name for a value. */
export interface LetScalar {
  readonly kind: 'let-scalar'
  readonly name: Identifier
  readonly value: Expression
  readonly span: Span
}

/** `let slow = ['logs'] | where duration > 1s;`: a name for rows. */
export interface LetTabular {
  readonly kind: 'let-tabular'
  readonly name: Identifier
  readonly pipeline: Pipeline
  readonly span: Span
}

/** `set stricttypes;`: taken note of, nothing more. */
export interface SetOption {
  readonly kind: 'set'
  readonly name: Identifier
  readonly value?: Expression
  readonly span: Span
}

/** `declare query_parameters (service:string = "web");`: names whose values come with the request. */
export interface DeclareParameters {
  readonly kind: 'declare'
  readonly parameters: readonly DeclaredParameter[]
  readonly span: Span
}

/** A name that the request gives a value, or that has its default. */
export interface DeclaredParameter {
  readonly name: Identifier
  readonly type: Type
  readonly value?: Expression
  readonly span: Span
}

/** A statement that could not be read, and the names that it would have given. */
export interface BrokenStatement {
  readonly kind: 'broken-statement'
  readonly names: readonly Identifier[]
}

/** A query within a query: an operand of `join` or `union`, what `in` looks into, what `let` names. */
export interface Pipeline {
  /** Undefined when it could not be read. */
  readonly source?: Source
  readonly steps: readonly Step[]
  readonly span: Span
}

/** An operator, or what stands where one could not be read. */
export type Step = Operator | Broken

/** A step that could not be read. */
export interface Broken {
  readonly kind: 'broken'
  /** Whether the operator, had it been right, would have left the columns as they are. */
  readonly keepsColumns: boolean
}

/** Where the rows come from. */
export type Source =
  | DatasetSource
  | DatasetPattern
  | PipelineSource
  | TableCall
  | Print
  | Datatable
  | Union

/** `['http-logs']`: the events of a dataset, or the rows that `let` gave that name. */
export interface DatasetSource {
  readonly kind: 'dataset'
  readonly name: string
  readonly span: Span
}

/** `github*`: every dataset of such a name; only in `union`. */
export interface DatasetPattern extends NamePattern {
  readonly kind: 'dataset-pattern'
}

/** `(['logs'] | where status >= 500)`. */
export interface PipelineSource {
  readonly kind: 'pipeline'
  readonly pipeline: Pipeline
  readonly span: Span
}

/** `table(name)`: the dataset of that name. */
export interface TableCall {
  readonly kind: 'table'
  readonly name: Expression
  readonly span: Span
}

/** `print a = 1, b = now()`: one row. */
export interface Print {
  readonly kind: 'print'
  readonly assignments: readonly Assignment[]
  readonly span: Span
}

/** `datatable(name:string, age:int)["Ada", 36, "Alan", 41]`: rows written out. */
export interface Datatable {
  readonly kind: 'datatable'
  readonly columns: readonly DatatableColumn[]
  readonly values: readonly Expression[]
  readonly span: Span
}

/** A column of `datatable`, with the type of its cells. */
export interface DatatableColumn {
  readonly name: Identifier
  readonly type: Type
}

/** `union withsource=origin ['a'], b*, (['c'] | limit 5)`: the rows of each; also behind a `|`. */
export interface Union {
  readonly kind: 'union'
  readonly withSource?: Identifier
  readonly parts: readonly Source[]
  readonly span: Span
}

/** One step of the pipeline. */
export type Operator =
  | Where
  | Search
  | Extend
  | ExtendValid
  | Parse
  | ParseKv
  | Redact
  | Project
  | ProjectAway
  | ProjectKeep
  | ProjectRename
  | ProjectReorder
  | GetSchema
  | Sample
  | MvExpand
  | MakeSeries
  | Summarize
  | Sort
  | Limit
  | Top
  | Count
  | Distinct
  | Join
  | Lookup
  | Union
  | As

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

/**
 * `search kind=case_sensitive "error" and status:"5*"`: keeps the rows in which the terms are. A term is
 * in the tree as what it means: `* has "error"`.
 */
export interface Search {
  readonly kind: 'search'
  readonly caseSensitive: boolean
  readonly predicate: Expression
  readonly span: Span
}

/** `extend-valid name = expression, …`: as `extend`; what is empty, zero or false becomes null. */
export interface ExtendValid {
  readonly kind: 'extend-valid'
  readonly assignments: readonly Assignment[]
  readonly span: Span
}

/** `parse message with * "user " id:int *`; `parse-where` drops the rows that do not match. */
export interface Parse {
  readonly kind: 'parse'
  readonly dropsOthers: boolean
  readonly mode: ParseMode
  /** Flags of the regexes: some of `i`, `m`, `s`, `U`. */
  readonly flags: string
  readonly value: Expression
  readonly pattern: readonly PatternPiece[]
  readonly span: Span
}

/** Whether the constants of `parse` are texts or regexes, and whether a row fits whose captures are not of their types. */
export const PARSE_MODES = ['simple', 'regex', 'relaxed'] as const
/** One of the ways of `parse`. */
export type ParseMode = (typeof PARSE_MODES)[number]

/** A piece of what `parse` looks for: a constant, anything at all, or what a column is made of. */
export type PatternPiece = PatternText | PatternGap | Capture

/** `"user "`: text that must be there as it is, or a regex. */
export interface PatternText {
  readonly kind: 'text'
  readonly text: string
  readonly span: Span
}

/** `*`: any text, which no column is made of. */
export interface PatternGap {
  readonly kind: 'gap'
  readonly span: Span
}

/** A column made of a part of a text. */
export interface Capture {
  readonly kind: 'capture'
  readonly name: Identifier
  readonly type: Type
  readonly span: Span
}

/** `parse-kv message as (status:int, user) with (pair_delimiter=";", kv_delimiter="=")`. */
export interface ParseKv {
  readonly kind: 'parse-kv'
  readonly value: Expression
  readonly keys: readonly Capture[]
  readonly pairDelimiter: string
  readonly keyDelimiter: string
  readonly quote?: string
  readonly escape?: string
  readonly span: Span
}

/** `redact replaceToken="x" @"\\d+" on message`: hides what the regexes find in texts. */
export interface Redact {
  readonly kind: 'redact'
  readonly cover: RedactCover
  /** Whether only what is in the groups of the regexes is hidden. */
  readonly onlyGroups: boolean
  readonly regexes: readonly Literal[]
  /** The columns; all of them when none is named. */
  readonly on: readonly NamePattern[]
  readonly span: Span
}

/** What stands in the place of a hidden text. One character stands for each of its characters. */
export type RedactCover =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'hash' }

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

/** `project-keep name, prefix*, …`: those columns, in the order that they have. */
export interface ProjectKeep {
  readonly kind: 'project-keep'
  readonly patterns: readonly NamePattern[]
  readonly span: Span
}

/** `project-rename new = old, …`: the same columns under other names. */
export interface ProjectRename {
  readonly kind: 'project-rename'
  readonly renames: readonly Rename[]
  readonly span: Span
}

/** `verb = method`: another name for a column. */
export interface Rename {
  readonly name: Identifier
  readonly column: NamePattern
  readonly span: Span
}

/** `project-reorder name, prefix* asc, *, last`: all columns, in another order. */
export interface ProjectReorder {
  readonly kind: 'project-reorder'
  readonly places: readonly ColumnPlace[]
  readonly span: Span
}

/** Columns that stand here, and how those of one pattern are ordered by name. */
export interface ColumnPlace {
  readonly pattern: NamePattern
  readonly order?: ColumnOrder
}

/** How columns are ordered by name; `granny` takes the numbers in names by their size. */
export type ColumnOrder = 'asc' | 'desc' | 'granny-asc' | 'granny-desc'

/** `getschema`: a row for each column, with its name and type. */
export interface GetSchema {
  readonly kind: 'getschema'
  readonly span: Span
}

/** `sample 0.1`: each row with that probability. */
export interface Sample {
  readonly kind: 'sample'
  readonly share: Expression
  readonly span: Span
}

/** `mv-expand kind=bag with_itemindex=i tags to typeof(string), … limit 10`: a row for each element. */
export interface MvExpand {
  readonly kind: 'mv-expand'
  /** Whether objects are taken apart, too. */
  readonly bags: boolean
  readonly index?: Identifier
  readonly items: readonly ExpandItem[]
  readonly limit?: Expression
  readonly span: Span
}

/** `tags to typeof(string)`: a column whose elements are to be rows. */
export interface ExpandItem {
  readonly name?: Identifier
  readonly value: Expression
  readonly type?: Type
  readonly span: Span
}

/** `make-series count() default=0 on _time from ago(1h) to now() step 1m by service`. */
export interface MakeSeries {
  readonly kind: 'make-series'
  readonly series: readonly Series[]
  readonly on: Expression
  readonly from?: Expression
  readonly to?: Expression
  readonly step: Expression
  readonly by: readonly Assignment[]
  readonly span: Span
}

/** An aggregate over each step of time. */
export interface Series extends Assignment {
  /** The value of a step without rows. */
  readonly default?: Expression
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

/** Which rows of both sides a join gives. */
export const JOIN_KINDS = [
  'inner',
  'innerunique',
  'leftouter',
  'rightouter',
  'fullouter',
  'leftsemi',
  'rightsemi',
  'leftanti',
  'rightanti',
] as const
/** Which rows of both sides one join gives. */
export type JoinKind = (typeof JOIN_KINDS)[number]

/** `join kind=inner (['b'] | where …) on id, $left.a == $right.b`: the rows of both that belong together. */
export interface Join {
  readonly kind: 'join'
  readonly joinKind: JoinKind
  readonly right: Source
  readonly conditions: readonly Expression[]
  readonly span: Span
}

/** `lookup kind=leftouter (names) on id`: the columns of a smaller table beside each row. */
export interface Lookup {
  readonly kind: 'lookup'
  readonly joinKind: 'leftouter' | 'inner'
  readonly right: Source
  readonly conditions: readonly Expression[]
  readonly span: Span
}

/** `as slow`: a name for the rows at this point, for what follows. */
export interface As {
  readonly kind: 'as'
  readonly name: Identifier
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

/** A name as it is written, and where. */
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
  | Subquery
  | Side

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

/** A sign or word before a value. */
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

/** The signs and words between two values. */
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
/** A sign or word between two values. */
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

/** The words between a value and a list in parentheses. */
export const MEMBERSHIP_OPERATORS = ['in', '!in', 'in~', '!in~', 'has_any', 'has_any_cs'] as const
/** A word between a value and a list in parentheses. */
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

/** `(['logs'] | project id)`: the values of a query's first column, to look among. */
export interface Subquery {
  readonly kind: 'subquery'
  readonly pipeline: Pipeline
  readonly span: Span
}

/** `$left`, `$right`: a side of a join, whose parts are its columns. */
export interface Side {
  readonly kind: 'side'
  readonly side: 'left' | 'right'
  readonly span: Span
}
