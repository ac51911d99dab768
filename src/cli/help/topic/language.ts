import { blocksOf } from '../block.js'

/** `evq help language`. The queries in it are parsed by a test. */
export const LANGUAGE = blocksOf(`
A query names a dataset and passes its events through operators.

    ['logs']
    | where status >= 500 and message has "timeout"
    | extend slow = duration_ms > 1000
    | summarize count(), countif(slow),
      percentile(duration_ms, 95)
      by bin(_time, 1h), service
    | sort by _time asc

## Sources

A dataset (\`['logs']\`, or \`logs\` when the name is a plain word), \`union\`, \`search\`, \`print\`, \`datatable\`, \`table("name")\`, a
name defined by \`let\`, or a query in parentheses. \`union web*\` reads all datasets whose names match.

## Statements

Statements before the query name values and rows. A query in parentheses can be used wherever rows can.

    let slow = 1000;
    let owners = datatable(service: string, team: string)
      ["api", "core", "cart", "shop"];
    ['logs']
    | where duration_ms > slow
    | where user_id in ((['signups']
      | where plan == "pro"
      | distinct user_id))
    | lookup owners on service
    | summarize count(), arg_max(duration_ms, path) by team

\`declare query_parameters (name: type = default);\` declares what \`-p name=value\` sets.

## Operators between values

== != < <= > >= :: comparison; \`=~\` and \`!~\` ignore case
+ - * / % :: arithmetic; between two integers \`/\` cuts the fraction, and dividing by zero gives null
and or not :: logic
in !in in~ !in~ :: a value in a list or a query
between !between :: a range that includes both ends: \`(1 .. 5)\`; after a time, a length: \`(ago(1d) .. 1h)\`
contains startswith endswith has hasprefix hassuffix :: string search; \`!\` negates, \`_cs\` is case-sensitive
has_any has_any_cs :: any of several terms
matches regex, !matches regex :: regular expressions of RE2

## Patterns of messages

    ['logs']
    | reduce by message with threshold=0.01
    | top 20 by count_

Messages that differ only in numbers and ids have one pattern, in which these are \`*\`. The columns are \`pattern\`, \`count_\`, \`share\` of
the rows (0 to 1, to six decimals) and \`example\`, the first message in the order of text. Rows without a value have the pattern null.

Messages whose pattern is below the threshold (0.001) are combined by the words that are frequent at their positions: thousands of paths
become \`Compiling src/*.py\`. Patterns that are still below the threshold are summed as \`*\`. A higher threshold gives fewer, more general
patterns.

- Variable parts: numbers with sign, unit and punctuation (\`-3\`, \`1.5s\`, \`10.0.0.1:80\`, \`2026-01-31\`), words with a letter after a digit
(\`k8s\`, \`7f3a\`), hexadecimal words with a digit or of eight letters, UUIDs, and the digits after other letters: \`worker12\` is \`worker*\`.
- With \`threshold=0\`, the pattern of a message depends only on the message, so results of different times can be compared with \`evq diff\`.
- \`reduce kind=source by message\` keeps the events and adds the column \`pattern\`, for example for \`summarize count() by pattern, bin(_time, 1h)\`.
With a threshold, it is the pattern under which \`reduce\` counts the event.
- \`-o chart\` draws the counts of each pattern over time.

## Semantics

- A field that an event lacks is null. \`null == null\` is true, and \`f != "x"\` keeps the events without \`f\`.
- An integer outside 64 bits is an error that names it.
- Elements of arrays and objects, and fields of several types, are computed as real numbers, which round integers beyond 2^53;
  \`toint(items[0].id) + 1\` is exact.
- \`has\` matches whole terms: runs of letters and digits.
- \`percentile\` returns a value of the data, at the nearest rank.
- Events come newest first unless the query sorts them.
- Not supported, and rejected by name with the reason: \`externaldata\`, geographic lookups of IP addresses, prices of language
models, \`parse_sql\` and \`format_sql\`.
`)
