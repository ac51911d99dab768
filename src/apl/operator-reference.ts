/** The reference entry of a tabular operator: the syntax, one line on the result, and a query that runs. */
export interface OperatorReference {
  readonly form: string
  readonly summary: string
  readonly example: string
}

/** The tabular operators by their first word, with their entries in `evq help`. A test parses the examples. */
export const OPERATOR_REFERENCE = {
  as: {
    form: 'as Name',
    summary: 'names the rows up to here, so that a later step can read them again',
    example: "['logs'] | where status >= 500 | as failed | union failed | count",
  },
  count: {
    form: 'count',
    summary: 'the number of rows',
    example: "['logs'] | where status >= 500 | count",
  },
  distinct: {
    form: 'distinct Column, …',
    summary: 'each combination of values once',
    example: "['logs'] | distinct service, level",
  },
  extend: {
    form: 'extend Name = Expression, …',
    summary: 'adds columns, or replaces those of the same name',
    example: "['logs'] | extend slow = duration_ms > 1000",
  },
  'extend-valid': {
    form: 'extend-valid Name = Expression, …',
    summary: 'as `extend`; a value that is empty, 0 or false, or not finite, becomes null',
    example: "['logs'] | extend-valid status = toint(status)",
  },
  getschema: {
    form: 'getschema',
    summary: 'the columns with their types, as rows',
    example: "['logs'] | getschema",
  },
  join: {
    form: 'join kind=Kind (Query) on Column, …',
    summary:
      'the rows of two queries side by side where the columns are equal; columns with different names are compared as `$left.a == $right.b`. The kinds are inner (the default), innerunique, leftouter, rightouter, fullouter, leftsemi, rightsemi, leftanti and rightanti',
    example: "['logs'] | join kind=leftouter (['users']) on user_id",
  },
  limit: {
    form: 'limit Number',
    summary: 'at most that many rows',
    example: "['logs'] | limit 100",
  },
  lookup: {
    form: 'lookup kind=Kind (Query) on Column, …',
    summary: 'adds the columns of a small table where the key is equal',
    example: "['logs'] | lookup (['teams']) on service",
  },
  'make-series': {
    form: 'make-series Aggregation on _time from Start to End step Step by Column, …',
    summary: 'an array of values at even steps of time for each group',
    example: "['logs'] | make-series count() on _time from ago(1h) to now() step 1m by service",
  },
  'mv-expand': {
    form: 'mv-expand Column, …',
    summary: 'a row for each element of an array',
    example: "['logs'] | mv-expand tags",
  },
  order: {
    form: 'order by Column asc|desc, …',
    summary: 'the same as `sort`',
    example: "['logs'] | order by duration_ms desc",
  },
  parse: {
    form: 'parse Column with Pattern',
    summary: 'extracts columns from a string by a pattern; null where it does not match',
    example: `['logs'] | parse message with * "took " took:int "ms" *`,
  },
  'parse-kv': {
    form: 'parse-kv Column as (Name: type, …) with (pair_delimiter=…, kv_delimiter=…)',
    summary: 'extracts `key=value` pairs from a string',
    example: `['logs'] | parse-kv message as (user: string, code: int) with (pair_delimiter=" ", kv_delimiter="=")`,
  },
  'parse-where': {
    form: 'parse-where Column with Pattern',
    summary: 'as `parse`, without the rows that do not match',
    example: `['logs'] | parse-where message with * "took " took:int "ms" *`,
  },
  project: {
    form: 'project Name = Expression, …',
    summary: 'only these columns, in this order',
    example: "['logs'] | project _time, seconds = duration_ms / 1000.0",
  },
  'project-away': {
    form: 'project-away Column, …',
    summary: 'all columns but these; `*` matches any text in a name',
    example: "['logs'] | project-away geo.*",
  },
  'project-keep': {
    form: 'project-keep Column, …',
    summary: 'only these columns, in the order they had',
    example: "['logs'] | project-keep _time, http*",
  },
  'project-rename': {
    form: 'project-rename New = Old, …',
    summary: 'new names for columns',
    example: "['logs'] | project-rename severity = level",
  },
  'project-reorder': {
    form: 'project-reorder Column asc|desc, …',
    summary: 'these columns first',
    example: "['logs'] | project-reorder level, service",
  },
  redact: {
    form: 'redact Regex, … on Column, …',
    summary: 'replaces what a regular expression matches in strings',
    example: `['logs'] | redact "[0-9]{16}" on message`,
  },
  reduce: {
    form: 'reduce kind=source by Column with threshold=Share',
    summary:
      'messages that differ only in numbers and ids as one pattern each, with count, share and an example; rarer ones are combined by their common words, the rest is summed as `*`',
    example: "['logs'] | reduce by message with threshold=0.01 | top 20 by count_",
  },
  sample: {
    form: 'sample Share',
    summary: 'a random share of the rows, from 0 to 1',
    example: "['logs'] | sample 0.1",
  },
  search: {
    form: 'search Predicate',
    summary: 'the rows with a term in any column',
    example: `['logs'] | search "timeout"`,
  },
  sort: {
    form: 'sort by Column asc|desc nulls first|last, …',
    summary: 'the rows in order',
    example: "['logs'] | sort by _time asc",
  },
  summarize: {
    form: 'summarize Name = Aggregation, … by Column, …',
    summary: 'one row for each group, with aggregations over it',
    example: "['logs'] | summarize count(), max(duration_ms) by service, bin(_time, 1h)",
  },
  take: {
    form: 'take Number',
    summary: 'the same as `limit`',
    example: "['logs'] | take 10",
  },
  top: {
    form: 'top Number by Column asc|desc',
    summary: 'the first rows in order',
    example: "['logs'] | top 10 by duration_ms",
  },
  union: {
    form: 'union withsource=Name Dataset, …',
    summary: 'the rows of several datasets or queries; `*` matches any text in a name',
    example: "union withsource=dataset ['logs'], ['access']",
  },
  where: {
    form: 'where Predicate',
    summary: 'the rows for which the predicate is true',
    example: `['logs'] | where status >= 500 and message has "timeout"`,
  },
} as const satisfies Readonly<Record<string, OperatorReference>>
