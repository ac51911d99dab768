import { binarySize } from '../../../text/binary-size.js'
import { formatInteger } from '../../../text/integer.js'
import { EVENT_LINES, EVENT_LINES_BYTES } from '../../../wire/limits.js'
import { blocksOf } from '../block.js'

export const INPUT = blocksOf(`
\`evq ingest\` reads files and standard input (\`-\`). The format is detected by content, gzip and zstd by their first bytes,
UTF-16 by a byte order mark or its zeros, and Shift-JIS, EUC-JP, EUC-KR and GBK by the characters in the first 64 KiB; \`-i\` sets
the format.

ndjson :: a JSON object per line; sent as it is written, except for the level (see below)
json :: a JSON array of objects, or objects one after another, with or without white space between them; the responses of Loki (\`query_range\`) and CloudWatch Logs Insights are read as the lines in them
csv, tsv :: a header line and rows, perhaps after a banner, which becomes a \`message\`; rows that repeat the header are left out (up to 1,000 in a file); \`--csv-fields\` names the columns of a file without a header, \`--delimiter\` the separator. \`tsv\` is CSV with tabs: \`\\t\` and \`\\N\` stay as written
logfmt :: \`level=info msg="it works" took=12\`, also with commas, semicolons, bars or tabs between the pairs
ltsv :: labels and values between tabs: \`time:20/Nov/2026:10:00:00 +0000\`, \`status:200\`, …
clf :: web server logs, common and combined
syslog :: RFC 5424, RFC 3164, and the files that syslog daemons write; the messages of sshd, cron, sudo, iptables and HAProxy have fields of their own
w3c :: W3C extended logs, as IIS and CloudFront write them: rows with the fields of the \`#Fields\` line, in UTC
cri, docker :: logs of containers: what the program wrote is read as JSON, logfmt or text; a time in it is the field \`time\`
otlp-json :: files of the OpenTelemetry Collector's file exporter: logs and traces, an event per record, with the fields of \`evq help service\`
parquet :: files of the Parquet format, detected by their first bytes; the local engine reads them as JSON objects, not from a pipe. They have no checkpoint: the same command sends them again
text :: other lines; the lines of 280 programs (\`evq ingest --formats\`) get level, thread, logger and other fields, and the rest is the \`message\`. Of other programs, a name in front of the message is \`logger\` or \`thread\` if few names recur in this place

Other layouts are described by \`--parse\` or saved with \`evq format add\` (see \`evq help patterns\`).

A line of a log that does not match its format becomes a \`message\`; the summary counts such lines and shows one. So does text among
lines of NDJSON, such as a banner or a stack trace. A line that begins like an object and is not JSON is rejected, and with
\`--strict-input\` every line that is not JSON is.

## Fields

Nested objects become dotted fields: \`{"geo": {"city": "x"}}\` is the field \`geo.city\`. Arrays stay arrays, and a field may hold
several types over time. 64-bit integers and nanoseconds are exact; a number with a fraction or an exponent is a 64-bit double, so
\`1e-400\` and \`-0\` are 0. When an object has a key twice, the first value counts. \`--check\` reports both. When an event names a field in
two ways, as in \`{"a.b": 1, "a": {"b": 2}}\`, the value in the object counts. \`-l name=value\` adds a field to every event.

## Events of several lines

Lines that continue an event are stored with it: lines indented more than the whole log, stack traces and, in a log whose events begin
with a time, all lines without a time. A second program may write to the log, such as a web server beside an application: if two or
more lines of the first 256 KiB begin with another kind of time, with \`time=\` or \`level=\`, like lines of syslog, or with a level as
Uvicorn, Python, .NET, Maven and others write it without a date, each program's lines are read in its own format. Other lines
without a time still continue the event in front of them, unless they begin with a level in capitals, as in \`ERROR: no space\`, or
with the prompt of a shell. Carriage returns alone end lines if they outnumber line feeds, as in progress reports, or if
lines with a time follow them. An event has at most ${formatInteger(EVENT_LINES)} lines and ${binarySize(EVENT_LINES_BYTES)}. In a pipe, and with \`--follow\`, an event ends when the next one
begins or after a second without further lines; lines that are added later, or after the end of a file was sent, become an event
of their own. A run that resumes begins at an event. \`--multiline off\` stores each line as an event; \`--multiline '^=== '\` begins an
event with each line that matches.

## Event time

\`_time\` is the event time. For events without it, another field is detected from the first 256 KiB of each input: of the names that
loggers use (\`@timestamp\`, \`timestamp\`, \`@t\`, \`time\`, \`ts\`, \`t.$date\`, \`eventTime\`, \`__REALTIME_TIMESTAMP\` and others), the best one
whose values are times, vary, and are recent or in order. The field is shown at the end. An event with a later value that is
not a time is stored with the time of arrival, like an event without the field. \`--timestamp-field\` names another field,
\`none\` keeps the time of arrival; \`--timestamp-format\` sets its layout (see \`evq help time\`).

Two fields form a time when their names differ only in \`date\` and \`time\`, as in many tables; \`--timestamp-field Day,Clock\` names
others. Their layout is inferred as in lines of \`text\`, or set by \`--timestamp-format\` with a space between them.
Different dates in one field, such as \`31.01.2026\`, are times at midnight if no field has a clock.

In lines of \`text\` a time at the beginning, or after a bracket or up to five words, becomes \`_time\`.
One layout is inferred from the first lines of each input and shown at the end: ISO 8601, \`2026/03/01 00:00:00\`, \`17/06/09 20:10:40\`,
\`081109 203615\`, \`01/Mar/2026:10:00:00 +0100\`, \`Sun Dec 04 04:47:44 2005\`, \`Mar  1 10:00:00\`, \`03-17 16:13:38.811\`,
\`20 Nov 2026 10:00:00.123\`, \`I1120 10:00:00.123456\`, Unix times and similar. A time without a zone is in UTC; \`-z Europe/Berlin\`
sets another zone, where a time that occurs twice is the first one. A time without a year is in the latest year that is not after the
modification time of its file (for pipes: now), unless complete times in front of the lines, of another program in the log or at the
beginning of messages of syslog decide; \`--year 2019\` sets the year of the first line instead. Seconds since the boot are not a time:
use \`dmesg -T\`. Dates such as \`03/04/2026\` need a line that rules out one of the orders, or \`--timestamp-format\`.

An event without a time in a log whose other events have times, such as a banner or a stack trace, gets the time of the event in
front of it, or of the first one. In a log that is read while it is written, it gets the time of arrival if no event with a time
has arrived in the same second. In a log without times, and in tables, events get the time of arrival.

## Levels

Events of JSON, CSV and logfmt get a \`level\` in lower-case words (trace, debug, info, notice, warn, error, critical, alert, emergency,
fatal) when a logger wrote the first events and they have other levels: words and abbreviations in \`level\`, \`lvl\`, \`severity\`, \`levelname\`, \`log.level\` or
\`@l\`; numbers of pino and bunyan, of GELF, journald (\`PRIORITY\`) and syslog, including lines of syslog; letters of MongoDB (\`s\`). The original value stays when it is in another
field; in \`level\` itself, it becomes \`severity_text\` unless it differs only in case. Nothing else is changed in these events, and other
events are not changed.

## Checkpoints

Each file has a checkpoint: after Ctrl-C, a crash or a lost connection the same command resumes; nothing is sent twice and
nothing is left out. Of a file that has grown, only the new events are sent. Batches that were in flight are sent again under their old ids,
which the local service remembers for two days. \`--checkpoint FILE\` keeps it elsewhere, \`--no-checkpoint\` sends everything.

A file that log rotation has renamed, or copied and truncated, is recognized until it is compressed. \`--follow\` also recognizes
files compressed with gzip or zstd, and files in directories next to the log. A job that runs every hour names the current file and
then the previous one, so that no line is left out or sent twice:

    evq ingest logs -i clf access.log access.log.1

\`--replace\` corrects a wrong time or format: the same command with other options removes exactly the events that earlier runs of
the file stored, then sends it again. Events of other files stay, also equal ones, and so do events that \`--retry\` stored. The two
versions are never stored at the same time; after an interruption the same command finishes the replacement.

To remove the events of a file that was stored by mistake, put an empty file in its place:

    mv wrong.log wrong.txt && touch wrong.log
    evq ingest logs wrong.log --replace

## Rejected events

- \`--rejects FILE\` (created with mode 0600) appends each event that is not stored as a line of JSON: \`file\`, \`line\`, \`offset\`, \`reason\`, the \`event\`
as it was (in JSON if it is from a log, or if its level or time was mapped), and \`timestampField\` if it was detected. \`--retry FILE\` sends them again: stored events are removed from the file, the others stay with
their new reason. An event that the file contains twice is sent once; a truncated record is skipped and kept.
- \`--receipt FILE\` writes a JSON file with, for each input, the number of events \`read\` = \`accepted\` + \`rejected\` + \`skipped\`
(+ \`unsent\` + \`unconfirmed\`), \`bytes\`, the detected \`timestampField\`, and the times of its first and last event.
- A batch that a service rejects as a whole is split until the rejected event is alone.
`)
