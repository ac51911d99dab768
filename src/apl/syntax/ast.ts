import type { Span } from '../../text/span.js'
import type { Type } from '../type.js'

/** A part of a query, with its position. */
interface Node {
  readonly span: Span
}

/** The syntax tree of a query, before names are resolved. */
export interface Query extends Node {
  readonly statements: readonly Statement[]
  readonly source: Source
  readonly operators: readonly Operator[]
}

/** A statement in front of a query, terminated by `;`. */
export type Statement = LetScalar | LetTabular | SetOption | DeclareParameters | BrokenStatement

/** `let threshold = 500;`: defines a name for a value. */
export interface LetScalar extends Node {
  readonly kind: 'let-scalar'
  readonly name: Identifier
  readonly value: Expression
}

/** `let slow = ['logs'] | where duration > 1s;`: defines a name for a table. */
export interface LetTabular extends Node {
  readonly kind: 'let-tabular'
  readonly name: Identifier
  readonly pipeline: Pipeline
}

/** `set stricttypes;`: accepted and ignored. */
export interface SetOption extends Node {
  readonly kind: 'set'
  readonly name: Identifier
  readonly value?: Expression
}

/** `declare query_parameters (service:string = "web");`: names with values from the request. */
export interface DeclareParameters extends Node {
  readonly kind: 'declare'
  readonly parameters: readonly DeclaredParameter[]
}

/** A parameter with a value from the request, or else its default. */
export interface DeclaredParameter extends Node {
  readonly name: Identifier
  readonly type: Type
  readonly value?: Expression
}

/** A statement with a syntax error, and the names that it would have defined. */
export interface BrokenStatement {
  readonly kind: 'broken-statement'
  readonly names: readonly Identifier[]
}

/** A nested query: an operand of `join` or `union`, the right side of `in`, the definition of a `let`. */
export interface Pipeline extends Node {
  /** Undefined after a syntax error. */
  readonly source?: Source
  readonly steps: readonly Step[]
}

/** An operator, or a placeholder for one with a syntax error. */
export type Step = Operator | Broken

export interface Broken {
  readonly kind: 'broken'
  /** True if the operator does not change the columns. */
  readonly keepsColumns: boolean
}

export type Source =
  | DatasetSource
  | DatasetPattern
  | PipelineSource
  | TableCall
  | FileSource
  | InputSource
  | Print
  | Datatable
  | Union

/** `['http-logs']`: the events of a dataset, or a table defined by `let` or `as`. */
export interface DatasetSource extends Node {
  readonly kind: 'dataset'
  readonly name: string
}

/** `github*`: the datasets that match; only in `union`. */
export interface DatasetPattern extends NamePattern {
  readonly kind: 'dataset-pattern'
}

/** `(['logs'] | where status >= 500)`. */
export interface PipelineSource extends Node {
  readonly kind: 'pipeline'
  readonly pipeline: Pipeline
}

/** `table(name)`: the dataset of that name. */
export interface TableCall extends Node {
  readonly kind: 'table'
  readonly name: Expression
}

/** `file('access*.log')`: the events of files. Only the local program reads them. */
export interface FileSource extends Node {
  readonly kind: 'file'
  readonly pattern: string
}

/** The events of the input, for a query that starts with an operator. */
export interface InputSource extends Node {
  readonly kind: 'input'
}

/** `print a = 1, b = now()`: one row. */
export interface Print extends Node {
  readonly kind: 'print'
  readonly assignments: readonly Assignment[]
}

/** `datatable(name:string, age:int)["Ada", 36, "Alan", 41]`: literal rows. */
export interface Datatable extends Node {
  readonly kind: 'datatable'
  readonly columns: readonly DatatableColumn[]
  readonly values: readonly Expression[]
}

/** A column of `datatable`, with the type of its cells. */
export interface DatatableColumn {
  readonly name: Identifier
  readonly type: Type
}

/** `union withsource=origin ['a'], b*, (['c'] | limit 5)`: the rows of all parts; a source, or an operator after `|`. */
export interface Union extends Node {
  readonly kind: 'union'
  readonly withSource?: Identifier
  readonly parts: readonly Source[]
}

export type Operator =
  | Where
  | Search
  | Extend
  | Parse
  | ParseKv
  | Redact
  | Project
  | ProjectMatching
  | ProjectRename
  | ProjectReorder
  | GetSchema
  | Sample
  | MvExpand
  | Reduce
  | MakeSeries
  | Summarize
  | Sort
  | Limit
  | Top
  | Count
  | Distinct
  | Join
  | Union
  | As

/** `where <predicate>`: keeps the rows for which the predicate is true. */
export interface Where extends Node {
  readonly kind: 'where'
  readonly predicate: Expression
}

/**
 * `extend name = expression, …`: adds columns, or replaces them in place. With `extend-valid`, empty values, zero and false become
 * null.
 */
export interface Extend extends Node {
  readonly kind: 'extend' | 'extend-valid'
  readonly assignments: readonly Assignment[]
}

/**
 * `search kind=case_sensitive "error" and status:"5*"`: keeps the rows in which the terms occur. In the tree, a term is
 * the equivalent condition: `* has "error"`.
 */
export interface Search extends Node {
  readonly kind: 'search'
  readonly caseSensitive: boolean
  readonly predicate: Expression
}

/** `parse message with * "user " id:int *`; `parse-where` drops the rows that do not match. */
export interface Parse extends Node {
  readonly kind: 'parse'
  readonly dropsOthers: boolean
  readonly mode: ParseMode
  /** Flags of the regexes, out of `i`, `m`, `s`, `U`. */
  readonly flags: string
  readonly value: Expression
  readonly pattern: readonly PatternPiece[]
}

/** The modes of `parse`: strings or regexes as delimiters; `relaxed` accepts captures whose text is not of the declared type. */
export const PARSE_MODES = ['simple', 'regex', 'relaxed'] as const
export type ParseMode = (typeof PARSE_MODES)[number]

/** A piece of the pattern of `parse`: a delimiter, a gap, or a capture. */
export type PatternPiece = PatternText | PatternGap | Capture

/** `"user "`: literal text or a regex. */
export interface PatternText extends Node {
  readonly kind: 'text'
  readonly text: string
}

/** `*`: any text, which is not captured. */
export interface PatternGap extends Node {
  readonly kind: 'gap'
}

/** A column for a part of the string. */
export interface Capture extends Node {
  readonly kind: 'capture'
  readonly name: Identifier
  readonly type: Type
}

/** `parse-kv message as (status:int, user) with (pair_delimiter=";", kv_delimiter="=")`. */
export interface ParseKv extends Node {
  readonly kind: 'parse-kv'
  readonly value: Expression
  readonly keys: readonly Capture[]
  readonly pairDelimiter: string
  readonly keyDelimiter: string
  readonly quote?: string
  readonly escape?: string
}

/** `redact replaceToken="x" @"\\d+" on message`: replaces the matches of regexes in strings. */
export interface Redact extends Node {
  readonly kind: 'redact'
  readonly cover: RedactCover
  /** True if only the groups of the regexes are replaced. */
  readonly onlyGroups: boolean
  readonly regexes: readonly Literal[]
  /** The columns; all if empty. */
  readonly on: readonly NamePattern[]
}

/** The replacement of a match. A token of one character replaces each character of the match. */
export type RedactCover =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'hash' }

/** `project name = expression, …`: only the listed columns. */
export interface Project extends Node {
  readonly kind: 'project'
  readonly assignments: readonly Assignment[]
}

/** `project-keep name, prefix*, …`: only these columns, in their original order; `project-away`: all other columns. */
export interface ProjectMatching extends Node {
  readonly kind: 'project-away' | 'project-keep'
  readonly patterns: readonly NamePattern[]
}

/** `project-rename new = old, …`: renames columns. */
export interface ProjectRename extends Node {
  readonly kind: 'project-rename'
  readonly renames: readonly Rename[]
}

/** `verb = method`: a new name for a column. */
export interface Rename extends Node {
  readonly name: Identifier
  readonly column: NamePattern
}

/** `project-reorder name, prefix* asc, *, last`: all columns, in another order. */
export interface ProjectReorder extends Node {
  readonly kind: 'project-reorder'
  readonly places: readonly ColumnPlace[]
}

/** The columns that match a pattern, and their order by name. */
export interface ColumnPlace {
  readonly pattern: NamePattern
  readonly order?: ColumnOrder
}

/** An order of columns by name; `granny` compares numbers in names by value. */
export type ColumnOrder = 'asc' | 'desc' | 'granny-asc' | 'granny-desc'

/** `getschema`: a row for each column, with its name and type. */
export interface GetSchema extends Node {
  readonly kind: 'getschema'
}

/** `sample 0.1`: keeps each row with that probability. */
export interface Sample extends Node {
  readonly kind: 'sample'
  readonly share: Expression
}

/** `mv-expand kind=bag with_itemindex=i tags to typeof(string), … limit 10`: a row for each element. */
export interface MvExpand extends Node {
  readonly kind: 'mv-expand'
  /** True when objects are expanded, too. */
  readonly bags: boolean
  readonly index?: Identifier
  readonly items: readonly ExpandItem[]
  readonly limit?: Expression
}

/** `tags to typeof(string)`: a column whose elements become rows. */
export interface ExpandItem extends Node {
  readonly name?: Identifier
  readonly value: Expression
  readonly type?: Type
}

/** `reduce by message with threshold=0.01`: a row for each pattern of messages. */
export interface Reduce extends Node {
  readonly kind: 'reduce'
  /** True for `kind=source`: the rows stay, with their pattern as a column. */
  readonly keepsRows: boolean
  readonly value: Expression
  readonly threshold?: Expression
}

/** `make-series count() default=0 on _time from ago(1h) to now() step 1m by service`. */
export interface MakeSeries extends Node {
  readonly kind: 'make-series'
  readonly series: readonly Series[]
  readonly on: Expression
  readonly from?: Expression
  readonly to?: Expression
  readonly step: Expression
  readonly by: readonly Assignment[]
}

/** An aggregation over each step of time. */
export interface Series extends Assignment {
  /** The value of a step without rows. */
  readonly default?: Expression
}

/** `summarize name = aggregate, … by name = key, …`: one row for each distinct combination of keys. */
export interface Summarize extends Node {
  readonly kind: 'summarize'
  readonly aggregates: readonly Assignment[]
  readonly by: readonly Assignment[]
}

/** `sort by key desc nulls last, …`; also written `order by`. */
export interface Sort extends Node {
  readonly kind: 'sort'
  readonly keys: readonly SortKey[]
}

/** `limit n`; also written `take n`. */
export interface Limit extends Node {
  readonly kind: 'limit'
  readonly count: Expression
}

/** `top n by key`: the first rows in the order of one key. */
export interface Top extends Node {
  readonly kind: 'top'
  readonly count: Expression
  readonly key: SortKey
}

/** `count`: one row with the number of rows. */
export interface Count extends Node {
  readonly kind: 'count'
}

/** `distinct name, …`: each combination of values, once. */
export interface Distinct extends Node {
  readonly kind: 'distinct'
  readonly keys: readonly Expression[]
}

/** The kinds of joins, which decide the rows of the result. */
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
export type JoinKind = (typeof JOIN_KINDS)[number]

/**
 * `join kind=inner (['b'] | where …) on id, $left.a == $right.b`: the matching rows of both sides. `lookup kind=leftouter (names) on
 * id`: adds the columns of a smaller table.
 */
export interface Join extends Node {
  readonly kind: 'join' | 'lookup'
  readonly joinKind: JoinKind
  readonly right: Source
  readonly conditions: readonly Expression[]
}

/** `as slow`: defines a name for the rows at this point, for later steps. */
export interface As extends Node {
  readonly kind: 'as'
  readonly name: Identifier
}

export interface Assignment extends Node {
  readonly name?: Identifier
  readonly value: Expression
}

/** A name that may contain `*`. */
export interface NamePattern extends Node {
  readonly pattern: string
}

/** A sort key. The default direction is descending; by default, nulls are smallest. */
export interface SortKey extends Node {
  readonly value: Expression
  readonly direction?: 'asc' | 'desc'
  readonly nulls?: 'first' | 'last'
}

export interface Identifier extends Node {
  readonly name: string
}

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
export interface Literal extends Node {
  readonly kind: 'literal'
  readonly type: Type
  readonly value: LiteralValue
}

/**
 * A literal's value: `bigint` for int, and nanoseconds for datetime (since 1970) and timespan;
 * JSON text for dynamic; null for a typed null.
 */
export type LiteralValue = boolean | bigint | number | string | null

/** `status`, `['user agent']`: a field, a column, or a name defined by a statement. */
export interface Name extends Node {
  readonly kind: 'name'
  readonly name: string
}

/** `geo.city`. */
export interface Member extends Node {
  readonly kind: 'member'
  readonly value: Expression
  readonly member: Identifier
}

/** `geo['city']`, `tags[0]`. */
export interface Index extends Node {
  readonly kind: 'index'
  readonly value: Expression
  readonly index: Expression
}

/** `tolower(method)`, `count()`. */
export interface Call extends Node {
  readonly kind: 'call'
  readonly function: Identifier
  readonly arguments: readonly Expression[]
  /** The names of arguments by position, as in `arg_max(slowest = duration, uri)`. */
  readonly names?: ReadonlyMap<number, Identifier>
}

/** `-x`, `not x`. */
export interface Unary extends Node {
  readonly kind: 'unary'
  readonly operator: UnaryOperator
  readonly operand: Expression
}

export type UnaryOperator = '-' | '+' | 'not'

/** `a == b`, `message has "error"`. */
export interface Binary extends Node {
  readonly kind: 'binary'
  readonly operator: BinaryOperator
  readonly left: Expression
  readonly right: Expression
  readonly operatorSpan: Span
}

/** The tests for a string in another. Each has four variants: `has`, `!has`, `has_cs` and `!has_cs`. */
export const TEXT_TESTS = [
  'contains',
  'startswith',
  'endswith',
  'has',
  'hasprefix',
  'hassuffix',
] as const
export type TextTest = (typeof TEXT_TESTS)[number]

export const BINARY_OPERATORS = [
  ...(['or', 'and', '==', '!=', '<', '<=', '>', '>=', '=~', '!~'] as const),
  ...(['+', '-', '*', '/', '%'] as const),
  ...TEXT_TESTS.flatMap((test) => [test, `!${test}`, `${test}_cs`, `!${test}_cs`] as const),
  ...(['matches regex', '!matches regex'] as const),
]
export type BinaryOperator = (typeof BINARY_OPERATORS)[number]

/** `status in (200, 204)`, `message has_any ("error", "fail")`. */
export interface Membership extends Node {
  readonly kind: 'membership'
  readonly operator: MembershipOperator
  readonly value: Expression
  readonly list: readonly Expression[]
  readonly operatorSpan: Span
}

/** The operators between a value and a list in parentheses. */
export const MEMBERSHIP_OPERATORS = ['in', '!in', 'in~', '!in~', 'has_any', 'has_any_cs'] as const
export type MembershipOperator = (typeof MEMBERSHIP_OPERATORS)[number]

/** `x between (low .. high)`: both bounds are inclusive. */
export interface Between extends Node {
  readonly kind: 'between'
  readonly negated: boolean
  readonly value: Expression
  readonly low: Expression
  readonly high: Expression
  readonly operatorSpan: Span
}

/** `*`: every column, where an operator or function allows it. */
export interface Star extends Node {
  readonly kind: 'star'
}

/** `(['logs'] | project id)`: the values of a query's first column, on the right side of `in`. */
export interface Subquery extends Node {
  readonly kind: 'subquery'
  readonly pipeline: Pipeline
}

/** `$left`, `$right`: a side of a join, whose members are its columns. */
export interface Side extends Node {
  readonly kind: 'side'
  readonly side: 'left' | 'right'
}
