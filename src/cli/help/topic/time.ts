import { blocksOf } from '../block.js'

export const TIME = blocksOf(`
## Times in --since, --until and --before

2026-01-31 :: midnight of that day, in the zone of \`--timezone\` (UTC by default)
2026-01-31T10:00 :: a local time in that zone
2026-01-31T10:00:00Z :: RFC 3339, with up to nine digits of a second
1769853600 :: Unix time in seconds, milliseconds, microseconds or nanoseconds
10:30 :: that time today; for \`--since\`, not a time that is still to come
1h, 1w2d12h, now-15m :: that long ago
now-1d/d :: that long ago, rounded down to the unit
today, yesterday :: midnight
+30m :: for \`--until\` and \`--to\`: that long after the start

\`--from\` and \`--to\`, \`--start-time\` and \`--end-time\` are other names of \`--since\` and \`--until\`. The range
includes its start and excludes its end.

Without a range, \`evq query\` covers all events. On a terminal it covers the last hour, or the hour that ends with the newest event,
and says so below the rows; a condition on \`_time\` such as \`where _time > ago(7d)\` sets the range instead.

## Durations

Numbers with units, in all flags: \`500ms\`, \`30s\`, \`1m30s\`, \`1.5h\`, \`1w2d12h\`. The units are \`ns\`, \`us\`, \`ms\`, \`s\`, \`m\`, \`h\`, \`d\` and \`w\`.

## Times in APL

\`ago(1h)\`, \`now()\`, \`datetime(2026-01-31T10:00:00Z)\`; a timespan is written \`1h\`, \`30s\` or \`500ms\`.
The difference of two times is a timespan. Times have nanoseconds.

\`bin(_time, 1d)\` returns days in UTC, also with \`--timezone\`. Days in the zone +01:00 are \`bin(_time + 1h, 1d) - 1h\`.

## Layouts for --timestamp-format

Written as Go writes the reference time: \`2006-01-02 15:04:05.000\`, \`02/Jan/2006:15:04:05 -0700\`; or \`unix\`,
\`unixms\`, \`unixus\`, \`unixns\`, or the name of a Go layout such as \`RFC1123\`.
`)
