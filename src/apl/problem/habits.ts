import { byWord } from '../../text/by-word.js'

// Words of other query languages, and their equivalents in APL. APL is in backticks.
const NO_OFFSET =
  'rows are not skipped; after the last row of a page, use `where _time < datetime(2026-01-31T10:00:00Z)`'

const ROWS_OF_EACH_HABIT =
  'for the first rows of each group, use `sort by duration desc | summarize make_list(uri, 3) by service`'

/** Operators after a pipe. */
export const OPERATOR_HABITS = byWord({
  'aggregate chart group group_by groupby mstats stats tstats':
    'to group rows, use `summarize count() by status`',
  'append appendcols multisearch': 'to add the rows of other queries, use `union`',
  'avg max min sum': 'to aggregate rows, use `summarize avg(duration) by status`',
  'awk cut': 'for a part of a string, use `extend verb = split(message, " ")[0]`',
  'bin bucket rate timechart timeslice':
    'for counts over time, use `summarize count() by bin(_time, 1h)`',
  'delete purge':
    'a query changes no events; to leave some out, use `where level != "debug"`; to mask texts, `redact "[0-9]{16}"`',
  'cluster patterns': 'to group similar messages, use `reduce by message`',
  dedup:
    'for the newest event of each value, use `summarize arg_max(_time, *) by status`; for the values alone, `distinct status`',
  drop: 'to remove columns, use `project-away status`',
  'eval set': 'to add a column, use `extend seconds = duration / 1000`',
  'evaluate pivot untable xyseries':
    'for a column per value, use `summarize countif(method == "GET"), countif(method == "POST") by status`; members of objects are columns: `project user.id`',
  'eventstats streamstats':
    'to add a value of its group to each row, use `join` with the result of `summarize`',
  'explode mvexpand unnest': 'to expand arrays into rows, use `mv-expand tags`',
  'facet facets': 'for the values of a column, use `summarize count() by status`',
  'display fields keep select table': 'to select columns, use `project _time, status`',
  enrich: 'to add columns of another dataset, use `lookup (users) on id`',
  fillnull: 'to replace null, use `extend user = coalesce(user, "unknown")`',
  filter: 'to filter rows, use `where status >= 500`',
  'find grep': 'to find text in any column, use `search "timeout"`',
  from: "a query starts with a dataset: `['logs'] | where status >= 500`",
  'full inner left outer right': 'to join rows, use `join kind=leftouter (traces) on id`',
  'gsub sed':
    'to replace parts of a string, use `extend message = replace_regex("[0-9]+", "N", message)`',
  having: 'to filter groups, use `where` after `summarize`',
  'keys to_entries': '`getschema` lists the fields',
  'label_format line_format map': 'to add a column, use `extend line = strcat(method, " ", uri)`',
  'length wc': 'to count rows, use `count`',
  'first head': 'for the first rows, use `limit 10`',
  invoke: 'call functions in expressions: `extend size = strlen(message)`',
  'jq json parse-json spath unpack':
    'to parse JSON in a string, use `extend data = parse_json(message)`',
  logfmt:
    'to parse pairs in a string, use `parse-kv message as (status, user) with (pair_delimiter=" ", kv_delimiter="=")`',
  'mv-apply':
    'to expand arrays, use `mv-expand tags`; to collect the rows again, `summarize make_list(tags) by id`',
  'offset skip': NO_OFFSET,
  'orderby sort_by': 'to sort rows, use `sort by _time desc`',
  partition: `for a row of each group, use \`summarize arg_max(_time, *) by service\`; ${ROWS_OF_EACH_HABIT}`,
  'fork scan': 'to group rows, use `summarize count() by service`',
  range: 'to make rows of numbers, use `print n = range(1, 10) | mv-expand n`',
  rare: 'for the rarest values, use `summarize total = count() by status | sort by total asc`',
  rename: 'to rename columns, use `project-rename verb = method`',
  render:
    'a query returns a table; charts are drawn by the client: by evq with the option -o chart',
  'regex regexp rex':
    'to extract a part of a string, use `extend user = extract("user=([a-z]+)", 1, message)`',
  'dissect grok pattern':
    'to extract columns from a string, use `parse message with "user " user " did " action`',
  'sample-distinct uniq':
    'for distinct rows, use `distinct service`; to count each value, `summarize count() by service`',
  since: 'for a time range, use `where _time > ago(1h)`',
  serialize: 'to order rows, use `sort by _time asc`',
  'last tail':
    'for the newest rows, use `top 10 by _time`; for a time range, `where _time > ago(1h)`',
  'top-hitters top-nested': `for the largest groups, use \`summarize total = count() by status | top 10 by total\`; ${ROWS_OF_EACH_HABIT}`,
  transaction:
    'to group the events of a session, use `summarize start = min(_time), end = max(_time) by session`',
})

/** `{app="cart"} |= "error"`, `requests{app="cart"}`: the labels of LogQL and PromQL. */
export const LABELS_HABIT =
  'a query starts with a dataset: `[\'logs\'] | where app == "cart" and message has "error"`'

/** Words and signs between two values. */
export const INFIX_HABITS = byWord({
  '=': '`=` assigns a name; compare values with `==`: `status == 200`',
  '===': 'compare values with `==`: `status == 200`',
  '!==': 'compare values with `!=`: `status != 200`',
  '=< =>': 'compare values with `<=` or `>=`: `status >= 500`',
  '&& &': 'combine conditions with `and`: `status == 200 and method == "GET"`',
  '||': 'combine conditions with `or`: `status == 200 or status == 204`; join strings with `strcat(method, " ", uri)`',
  '**': 'for powers, use `pow(duration, 2)`',
  '+=': 'to change a column, use `extend duration = duration + 1`',
  '{': LABELS_HABIT,
  '|=': 'search strings with `contains` or `has`: `message has "error"`',
  ':': 'compare a field with `==`, or search it with `has`: `message has "error"`; for a part of a string, use `substring(message, 0, 3)`',
  '::': 'to convert values, use `toint(status)` or `tostring(status)`',
  '!': 'negate the operator: `status !in (200, 204)`; or the condition: `not(message has_any ("disk", "full"))`',
  'ascending descending': 'the direction is `asc` or `desc`: `sort by status desc`',
  'eq equals ge gt le lt ne': 'compare values with `==`, `!=`, `<` or `>`: `status == 200`',
  'except exclude': 'to remove columns, use `project-away status`',
  group: 'to group rows, use `summarize count() by status`',
  has_all: 'test each term: `message has "disk" and message has "full"`',
  having:
    'to filter groups, use `where` after `summarize`: `summarize total = count() by status | where total > 10`',
  'exists is': 'to test for a missing value, use `isnull(status)` or `isnotnull(status)`',
  'begins ends ilike like starts':
    'search strings with `contains`, `startswith` or `matches regex`: `uri startswith "/api/"`',
  over: 'to add a value of its group to each row, use `join` with the result of `summarize`',
  'rlike regex regexp': 'to match a regular expression, use `uri matches regex "^/api/"`',
  offset: NO_OFFSET,
  not: 'negate the operator: `status !in (200, 204)`, `message !contains "ok"`',
  when: 'to choose one of several values, use `case(status >= 500, "bad", status >= 400, "odd", "good")`',
})

/** `top 5 status`, `top limit=5 status`. */
export const FREQUENT_HABIT =
  'for the most frequent values, use `summarize total = count() by status | top 10 by total`'

/** `top 5 by duration by service`. */
export const TOP_OF_EACH_HABIT = `${FREQUENT_HABIT}; ${ROWS_OF_EACH_HABIT}`

/** `top 5 by status, uri`. */
export const SORT_KEYS_HABIT =
  'to order by several columns, use `sort by status desc, uri asc | limit 10`'

/** `.show tables`, and `show tables` of SQL. */
export const LIST_HABIT =
  "evq dataset list shows the datasets, and `['logs'] | getschema` the fields of one; its events are found by `['logs'] | where status >= 500`"

/** `DROP TABLE logs`. */
export const DROP_HABIT =
  'a query changes no data; evq dataset delete deletes a dataset, and evq dataset trim its older events'

/** `database("a").logs`, `rate(requests[5m])`. */
export const CALL_AS_SOURCE_HABIT =
  "a query starts with the name of a dataset: `['logs'] | summarize count() by bin(_time, 5m)`; for several, use `union logs, web`"

/** `startofday(_time, "Europe/Berlin")`. */
export const ZONE_HABIT =
  'functions of times compute in UTC; days in the zone +01:00 are `bin(_time + 1h, 1d) - 1h`'

/** `union isfuzzy=true web`. */
export const SETTING_HABIT =
  'leave it out; the settings of unions and joins are `union withsource=origin logs, web` and `join kind=inner (web) on id`'

/** `extend (low, high) = bounds`, `summarize count() by (method, uri)`. */
export const LIST_OF_NAMES_HABIT =
  'columns are listed without parentheses, each with its own value: `extend host = split(uri, "/")[1], size = strlen(uri)`'

/** `project method as verb`: a name after its value. */
export const AS_HABIT =
  'the name of a column goes before its value: `project verb = method`; to name the rows, use `| as errors`'

/** `summarize total: count()`, `extend seconds := duration / 1000`. */
export const NAMING_HABIT = '`=` assigns a name: `summarize total = count() by status`'

/** `.status >= 500`: a path of jq. */
export const LEADING_DOT_HABIT = 'a field has no dot before its name: `status >= 500`'

/** `interval 1 day`, `interval '1 day'`. */
export const INTERVAL_HABIT =
  'a timespan is a number with a unit, without a space: `where _time > now() - 1d`'

export const FUNCTION_HABITS = byWord({
  'any anyif take_any take_anyif': 'for one value of each group, use `arg_max(_time, uri)`',
  'approx_count_distinct approx_distinct count_distinct countdistinct dc dcount_hll distinct distinct_count hll hll_merge nunique uniq unique':
    'to count distinct values, use `dcount(user)`',
  array_contains: 'to find a value in an array, use `set_has_element(tags, "new")`',
  count_distinctif: 'to count distinct values, use `dcountif(user, status >= 500)`',
  'array_agg list make_list_with_nulls string_agg values':
    'to collect values into an array, use `make_list(uri)`, or `make_set(uri)` without duplicates',
  between: 'it is an operator between two values: `status between (200 .. 299)`',
  'average mean': 'for the mean, use `avg(duration)`',
  'cidr_match cidrmatch': 'to match a network, use `ipv4_is_in_range(ip, "10.0.0.0/8")`',
  cast: 'to convert values, use `toint(status)` or `tostring(status)`',
  ceil: 'use `ceiling(duration)`',
  concat: 'to join strings, use `strcat(method, " ", uri)`',
  contains: 'it is an operator between two values: `message contains "error"`',
  'date_add date_sub dateadd datesub': 'add a timespan to a time: `where _time > now() - 1d`',
  'date_part datepart': 'for a part of a time, use `datetime_part("hour", _time)`',
  'bucket date_bin date_trunc startofhour startofminute time_bucket':
    'to round times down, use `bin(_time, 1h)`, or `startofmonth(_time)`',
  'earliest first': 'for the value of the oldest event, use `arg_min(_time, uri)`',
  endswith: 'it is an operator between two values: `uri endswith ".js"`',
  'defined exists isset': 'to test for a value, use `isnotnull(status)`',
  'datetime_utc_to_local datetime_local_to_utc':
    'times are in UTC; to shift one by a fixed offset, add it: `extend local = _time + 2h`',
  'format_datetime format_timespan strftime to_char':
    'to convert a time to a string, use `tostring(_time)`; for a part of it, `datetime_part("hour", _time)`',
  from_unixtime: 'to convert a number to a time, use `unixtime_seconds_todatetime(started)`',
  greatest: 'for the largest of several values, use `max_of(sent, received)`',
  has: 'it is an operator between two values: `message has "error"`',
  if: 'to choose one of two values, use `iff(status >= 500, "bad", "good")`',
  'hash_combine hash_many hash_xxhash64': 'for a hash, use `hash(strcat(method, " ", uri))`',
  make_datetime: 'a time is written `datetime(2026-01-31)`; of a string, use `todatetime(started)`',
  make_timespan: 'a timespan is written `90m`; of a string, use `totimespan(elapsed)`',
  'instr position strpos': 'for a position in a string, use `indexof(message, "error")`',
  'ifnull nvl': 'for the first value that is not null, use `coalesce(user, "unknown")`',
  'extract_json extractjson json_extract json_value':
    'to parse JSON in a string, use `parse_json(payload).user.id`',
  'lag lead next prev row_cumsum row_number row_rank_dense row_rank_min row_window_session': `a row has no access to other rows; ${ROWS_OF_EACH_HABIT}; for the duration of a group, \`summarize length = max(_time) - min(_time) by user\``,
  'last latest': 'for the value of the newest event, use `arg_max(_time, uri)`',
  least: 'for the smallest of several values, use `min_of(sent, received)`',
  'length mvcount':
    'for the length of a string, use `strlen(message)`; of an array, `array_length(tags)`',
  like: 'search strings with `uri startswith "/api/"` or `message contains "error"`',
  lower: 'use `tolower(method)`',
  'bag_merge bag_pack_columns bag_remove_keys bag_set_key':
    'to make an object, use `bag_pack("method", method, "uri", uri)`',
  pack_all: 'for an object of all columns, use `bag_pack(*)`',
  make_bag: 'to collect values into an array, use `make_list(attributes)`',
  'match matches regexp regexp_like regexp_matches':
    'to match a regular expression, use `uri matches regex "^/api/"`',
  median: 'for the median, use `percentile(duration, 50)`',
  mod: 'for the remainder, use `status % 100`',
  mode: 'for the most frequent values, use `topk(uri, 10)`',
  'p50 p90 p95 p99': 'for a percentile, use `percentile(duration, 95)`',
  percentiles: 'for several percentiles, use `percentiles_array(duration, 50, 95)`',
  'percentile_tdigest tdigest tdigest_merge': 'for a percentile, use `percentile(duration, 95)`',
  power: 'use `pow(duration, 2)`',
  quantile: 'for a percentile, use `percentile(duration, 95)`, from 0 to 100',
  quantiles: 'for several percentiles, use `percentiles_array(duration, 50, 95)`, from 0 to 100',
  repeat: 'use `strrep(method, 3)`',
  regexp_extract: 'for a part of a string, use `extract("user=([0-9]+)", 1, message)`',
  regexp_replace:
    'to replace matches of a regular expression, use `replace_regex("[0-9]+", "N", message)`',
  'series_decompose series_decompose_anomalies series_outliers':
    'for values far from the mean, compare with `series_stats_dynamic(counts).stdev`',
  split_part: 'for a part of a string, use `split(uri, "/")[1]`',
  startswith: 'it is an operator between two values: `uri startswith "/api/"`',
  'to_number tonumber': 'to convert values, use `toint(status)` or `toreal(duration)`',
  'strptime to_timestamp': 'to convert a value to a time, use `todatetime(started)`',
  todecimal: 'use `toreal(duration)`',
  toguid: 'ids are strings: use `tostring(id)`',
  'to_json tojson': 'for the JSON of a value, use `dynamic_to_json(tags)`',
  typeof:
    'for the type of a value, use `gettype(status)`; to convert it, `toint(status)` or `tostring(status)`',
  upper: 'use `toupper(method)`',
})

/** `ago 1h`. */
export const CALL_HABIT = 'the arguments of a function are in parentheses: `where _time > ago(1h)`'

/** `message.contains("error")`, for a name that `FUNCTION_HABITS` lacks. */
export const METHOD_HABIT = 'values are arguments of a function: `tolower(method)`'

export const QUERY_FUNCTION_HABITS = byWord({
  materialize: 'name the query itself: `let errors = logs | where status >= 500; errors | count`',
  toscalar:
    'to compare with a value of another query, use `where id in (logs | summarize max(id))`; to add it to the rows, use `join`',
})

/** Functions with other arguments. */
export const ARGUMENT_HABITS: Readonly<Record<string, string>> = {
  bin: 'for counts over time, use `summarize count() by bin(_time, 5m)`',
  count: '`count()` counts rows; to count rows with a value, use `countif(isnotnull(status))`',
  extract: 'to convert the result, use `toint(extract("id=([0-9]+)", 1, message))`',
  extract_all: 'for the first group, use `extract_all("id=([0-9]+)", dynamic([1]), message)`',
  floor: 'to round down to a multiple, use `bin(duration, 10)`',
  percentile: 'for several percentiles, use `percentiles_array(duration, 50, 95)`',
}

/** First words of a query in SQL. */
export const SQL_WORDS: readonly string[] =
  'select from with show describe desc explain insert update drop truncate create alter'.split(' ')

/** Functions of APL that are not supported, with the reason and an alternative. */
export const UNSUPPORTED_FUNCTIONS = byWord({
  cursor_current: 'rows have no cursors; to page by time, use `where _time > ago(1h)`',
  format_sql: 'SQL is not parsed; to build a string, use `strcat("select ", column)`',
  'genai_cost genai_get_pricing genai_input_cost genai_output_cost':
    'model prices change and are not built in; compute the cost with `extend cost = input_tokens * 2.5 / 1000000`',
  geo_info_from_ip_address:
    'it needs a geographic database, which is not included; to match networks, use `ipv4_is_in_range(ip, "10.0.0.0/8")`',
  parse_sql:
    'SQL is not parsed; to extract a part of a statement, use `extract("from ([a-z_]+)", 1, statement)`',
})
