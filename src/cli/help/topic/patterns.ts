import { blocksOf } from '../block.js'

export const PATTERNS = blocksOf(`
\`evq ingest --parse '<pattern>'\` reads lines in a layout of your own; \`evq format add NAME --parse '<pattern>'\` saves it for \`-i NAME\` and
for detection. A pattern is of one of three kinds.

## APL

The pattern of APL's \`parse\`: strings in quotes, fields, and \`*\` for text to skip. It matches the whole line; a field ends where
the next string begins, the last one with the line.

    evq ingest logs app.log \\
      --parse '"[" time "] " level " " took:long "ms"'

\`kind=regex\` in front makes the strings regular expressions.

## Regular expression

An expression with named groups, \`(?<name>…)\` or \`(?P<name>…)\`, found anywhere in the line. A type follows the name: \`(?<status:long>\\d+)\`.
Lookarounds and \`\\k<name>\` are available, \`\\p{…}\` and numbered references are not. \`(?i)\` ignores case, and \`.\` matches line breaks, as an
event may have several lines.

    evq ingest logs app.log \\
      --parse '^(?<level>\\w+) +(?<took:long>\\d+)ms'

## Grok

References to named patterns, \`%{NAME:field:type}\`, within a regular expression.

    evq ingest logs gw.log \\
      --parse '%{IP:client} %{WORD:method} %{URIPATH:path}'

words :: WORD, NOTSPACE, SPACE, DATA, GREEDYDATA, QUOTEDSTRING, UUID, USERNAME, EMAILADDRESS
numbers :: INT, NUMBER, POSINT, NONNEGINT, BASE16NUM
network :: IP, IPV4, IPV6, HOSTNAME, IPORHOST, HOSTPORT, MAC, URI, URIPATH, URIPATHPARAM
times :: TIMESTAMP_ISO8601, HTTPDATE, SYSLOGTIMESTAMP, DATE, TIME, MONTH, DAY, YEAR
logs :: LOGLEVEL, COMMONAPACHELOG, COMBINEDAPACHELOG, HTTPD_ERRORLOG, NGINXERRORLOG, SYSLOGLINE, SYSLOG5424LINE, HAPROXYHTTP, RUBY_LOGGER, CATALINALOG

## Fields

Types are \`string\`, \`long\`, \`real\`, \`bool\`, \`datetime\`, \`timespan\` (in nanoseconds) and \`dynamic\` (JSON); \`int\`, \`float\` and \`boolean\` are other
names. A value that is not of its type stays a string. Empty fields are omitted.

The field \`_time\`, \`@timestamp\`, \`timestamp\`, \`time\`, \`ts\`, \`datetime\` or \`date\` becomes the event time; its layout is inferred from the first
lines. \`level\` becomes a word such as \`warn\`. A line that does not match is stored as \`message\` and counted. When the pattern matches
only a part of a line, the line is stored as \`message\` in addition to its fields, unless the pattern has a field \`message\`.

Lines are matched up to 64 KiB. Patterns take linear time even if they backtrack a lot, unless they have lookarounds, references to groups,
or fields in a group that is repeated more than 16 times.
`)
