// Words of other query languages, and what APL says instead. The answers hold APL in backticks.
/** Operators after a pipe. */
export const OPERATOR_HABITS: Readonly<Record<string, string>> = {
  aggregate: 'rows are grouped by `summarize count() by status`',
  dedup: 'each combination of values once: `distinct status`',
  eval: 'a column is added by `extend seconds = duration / 1000`',
  fields: 'columns are chosen by `project _time, status`',
  evaluate:
    'plug-ins are not APL; series are made by `make-series count() on _time from ago(1d) to now() step 1h`',
  explode: 'arrays become rows by `mv-expand tags`',
  filter: 'rows are filtered by `where status >= 500`',
  from: "a query begins with its dataset: `['logs'] | where status >= 500`",
  group: 'rows are grouped by `summarize count() by status`',
  groupby: 'rows are grouped by `summarize count() by status`',
  having: 'groups are filtered by a `where` after `summarize`',
  head: 'the first rows are `limit 10`',
  invoke: 'functions are called on values: `extend size = strlen(message)`',
  keep: 'columns are chosen by `project _time, status`',
  'mv-apply':
    'arrays become rows by `mv-expand tags`, and one row again by `summarize make_list(tags) by id`',
  mvexpand: 'arrays become rows by `mv-expand tags`',
  orderby: 'rows are ordered by `sort by _time desc`',
  render: 'a query gives a table; how it is drawn is chosen outside of it',
  partition: 'rows are grouped by `summarize count() by service`',
  rename: 'columns get other names by `project-rename verb = method`',
  reduce: 'rows are grouped by `summarize count() by service`',
  rex: 'parts of a text become columns by `parse message with "user " user " did " action`',
  'sample-distinct': 'each combination of values once: `distinct service`',
  scan: 'rows are grouped by `summarize count() by service`',
  select: 'columns are chosen by `project _time, status`',
  serialize: 'rows keep the order that `sort by _time asc` gives them',
  set: 'a column is added by `extend seconds = duration / 1000`',
  stats: 'rows are grouped by `summarize count() by status`',
  tail: 'the newest rows are `top 10 by _time`',
  timechart: 'counts over time are `summarize count() by bin(_time, 1h)`',
  uniq: 'each combination of values once: `distinct status`',
}

/** Words and signs between two values. */
export const INFIX_HABITS: Readonly<Record<string, string>> = {
  '=': '`=` gives a name; values are compared with `==`: `status == 200`',
  '===': 'values are compared with `==`: `status == 200`',
  '!==': 'values are compared with `!=`: `status != 200`',
  '&&': 'conditions are joined with `and`: `status == 200 and method == "GET"`',
  '||': 'conditions are joined with `or`: `status == 200 or status == 204`, texts by `strcat(method, " ", uri)`',
  '&': 'conditions are joined with `and`: `status == 200 and method == "GET"`',
  '|=': 'text is searched with `contains` or `has`: `message has "error"`',
  ':': 'a field is compared with `==`, and searched with `has`: `message has "error"`',
  '!': 'a negated operator has its sign before it: `status !in (200, 204)`',
  ascending: 'the direction is one word, `asc` or `desc`: `sort by status asc`',
  descending: 'the direction is one word, `asc` or `desc`: `sort by status desc`',
  group: 'rows are grouped by `summarize count() by status`',
  has_all: 'terms are looked for one by one: `message has "disk" and message has "full"`',
  having:
    'groups are filtered afterwards: `summarize total = count() by status | where total > 10`',
  is: 'a missing value is found by `isnull(status)`, any other by `isnotnull(status)`',
  like: 'text is searched with `contains`, `startswith` or `matches regex`: `uri startswith "/api/"`',
  ilike:
    'text is searched with `contains`, `startswith` or `matches regex`: `uri startswith "/api/"`',
  rlike: 'a regex is matched by `uri matches regex "^/api/"`',
  regex: 'a regex is matched by `uri matches regex "^/api/"`',
  regexp: 'a regex is matched by `uri matches regex "^/api/"`',
  not: 'a negated operator has its sign before it: `status !in (200, 204)`, `message !contains "ok"`',
  when: 'one of several values is chosen by `case(status >= 500, "bad", status >= 400, "odd", "good")`',
}

/** `project method as verb`: where no other operator is meant, a name that comes too late. */
export const AS_HABIT =
  'the name of a column stands before its value: `project verb = method`; rows get one by `| as errors`'

/** Functions. */
export const FUNCTION_HABITS: Readonly<Record<string, string>> = {
  average: 'the mean is `avg(duration)`',
  any: 'a value of each group is taken by `arg_max(_time, uri)`',
  cast: 'values are converted by `toint(status)`, `tostring(status)` and their like',
  ceil: 'the function is `ceiling(duration)`',
  concat: 'texts are joined by `strcat(method, " ", uri)`',
  contains: 'it stands between two values: `message contains "error"`',
  count_distinct: 'distinct values are counted by `dcount(user)`',
  countdistinct: 'distinct values are counted by `dcount(user)`',
  date_trunc: 'time is cut into steps by `bin(_time, 1h)`',
  distinct_count: 'distinct values are counted by `dcount(user)`',
  endswith: 'it stands between two values: `uri endswith ".js"`',
  format_datetime: 'a time becomes text by `tostring(_time)`',
  first: 'the value of the oldest event is taken by `arg_min(_time, uri)`',
  from_unixtime: 'a number becomes a time by `unixtime_seconds_todatetime(started)`',
  greatest: 'the largest of several values is `max_of(sent, received)`',
  has: 'it stands between two values: `message has "error"`',
  if: 'one of two values is chosen by `iff(status >= 500, "bad", "good")`',
  ifnull: 'the first value that is there is `coalesce(user, "nobody")`',
  json_extract: 'JSON in a text is read by `parse_json(payload).user.id`',
  last: 'the value of the newest event is taken by `arg_max(_time, uri)`',
  least: 'the smallest of several values is `min_of(sent, received)`',
  length: 'the length of a text is `strlen(message)`, of an array `array_length(tags)`',
  lower: 'the function is `tolower(method)`',
  make_bag: 'values are gathered into an array by `make_list(attributes)`',
  mean: 'the mean is `avg(duration)`',
  median: 'the median is `percentile(duration, 50)`',
  p50: 'a percentile is `percentile(duration, 50)`',
  p95: 'a percentile is `percentile(duration, 95)`',
  p99: 'a percentile is `percentile(duration, 99)`',
  p90: 'a percentile is `percentile(duration, 90)`',
  percentiles: 'several percentiles are `percentiles_array(duration, 50, 95)`',
  quantile: 'a percentile is `percentile(duration, 95)`, of 100',
  quantiles: 'several percentiles are `percentiles_array(duration, 50, 95)`, of 100',
  regexp_extract: 'a part of a text is `extract("user=([0-9]+)", 1, message)`',
  split_part: 'a part of a text is `split(uri, "/")[1]`',
  startswith: 'it stands between two values: `uri startswith "/api/"`',
  strftime: 'a time becomes text by `tostring(_time)`',
  take_any: 'a value of each group is taken by `arg_max(_time, uri)`',
  time_bucket: 'time is cut into steps by `bin(_time, 1h)`',
  uniq: 'distinct values are counted by `dcount(user)`',
  unique: 'distinct values are counted by `dcount(user)`',
  upper: 'the function is `toupper(method)`',
}

/** First words of a query in SQL. */
export const SQL_WORDS: readonly string[] = ['select', 'from', 'with', 'show', 'describe', 'insert']

const PRICES =
  'prices of models change, and none are known here: a cost is reckoned by `extend cost = input_tokens * 2.5 / 1000000`'

/** Functions of APL that need what is not here: refused by name, with the reason and what to do instead. */
export const UNSUPPORTED_FUNCTIONS: Readonly<Record<string, string>> = {
  cursor_current:
    'rows have no cursors in this version; a page begins behind a time: `where _time > ago(1h)`',
  format_sql:
    'there is no parser of SQL here whose trees it could write; a text is put together by `strcat("select ", column)`',
  genai_cost: PRICES,
  genai_get_pricing: PRICES,
  genai_input_cost: PRICES,
  genai_output_cost: PRICES,
  geo_info_from_ip_address:
    'it needs a database of places, which is not part of this version; networks are told by `ipv4_is_in_range(ip, "10.0.0.0/8")`',
  parse_sql:
    'there is no parser of SQL here; a part of a statement is found by `extract("from ([a-z_]+)", 1, statement)`',
}
