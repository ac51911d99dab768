import { FORMATS, type Format } from '../../../input/format.js'
import { groupOf, LINE_FORMATS } from '../../../input/log/format/formats.js'
import { CRI } from '../../../input/log/wrapper/cri.js'
import { DOCKER } from '../../../input/log/wrapper/docker.js'
import { WRAPPERS } from '../../../input/log/wrapper/wrappers.js'
import type { Context } from '../../context.js'
import { savedFormats } from '../../settings/saved-formats.js'
import { type ListColumn, printList } from '../../terminal/listing.js'

/** The titles and examples of the general formats, which are not defined by patterns of lines. */
const OTHERS: Readonly<Record<Format, readonly [title: string, example: string]>> = {
  ndjson: ['one JSON object per line', '{"_time":"2026-11-20T10:00:00Z","status":200}'],
  json: ['a JSON array of objects, or several objects', '[{"status":200},{"status":404}]'],
  csv: ['comma-separated values with a header', 'time,status\n2026-11-20T10:00:00Z,200'],
  tsv: ['tab-separated values with a header', 'time\tstatus\n2026-11-20T10:00:00Z\t200'],
  logfmt: ['pairs of keys and values', 'time=2026-11-20T10:00:00Z level=info msg="listening"'],
  ltsv: [
    'labeled tab-separated values (LTSV)',
    'time:20/Nov/2026:10:00:00 +0000\tstatus:200\treqtime:0.012',
  ],
  clf: [
    'web server access log, common and combined: Apache, nginx, Traefik, Caddy 1',
    '192.0.2.1 - - [20/Nov/2026:10:00:00 +0100] "GET / HTTP/1.1" 200 1043 "-" "curl/8.0"',
  ],
  syslog: [
    'syslog (RFC 5424, RFC 3164) and journalctl: cron, sshd, sudo, kernel, iptables, …',
    'Nov 20 10:00:00 web1 sshd[4242]: Accepted publickey for alice',
  ],
  w3c: [
    'W3C extended log: IIS, CloudFront',
    '#Fields: date time cs-method sc-status\n2026-11-20 10:00:00 GET 200',
  ],
  table: [
    'columns that a header names: Zeek, VPC flow logs, kubectl, ps, df, ss, psql, DuckDB, Markdown, CSV after a banner',
    'version srcport dstport bytes\n2 443 40000 120',
  ],
  cri: [CRI.title, CRI.example],
  docker: [DOCKER.title, DOCKER.example],
  'otlp-json': [
    'logs and traces of the OpenTelemetry Collector (file exporter)',
    '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"started"}}]}]}]}',
  ],
  text: ['other lines, with their time if they begin with one', '2026-11-20T10:00:00Z started'],
}

/**
 * `evq ingest --formats`: prints one row per format that `-i` takes, by group, and one row per prefix that is removed from
 * lines automatically.
 */
export async function listInputFormats(context: Context): Promise<void> {
  const others = LINE_FORMATS.filter(({ name }) => !FORMATS.some((other) => other === name))
  const rows = [
    ...savedFormats(context.io.env).map(({ name, title, example }) => [
      'saved',
      name,
      title,
      example,
    ]),
    ...FORMATS.map((name) => ['general', name, ...OTHERS[name]]),
    ...others.map((format) => [groupOf(format), format.name, format.title, format.example]),
    ...WRAPPERS.filter(({ name }) => !FORMATS.some((other) => other === name)).map(
      ({ name, title, example }) => ['prefix (by itself)', name, title, example],
    ),
  ]
  const columns: readonly ListColumn<readonly (string | undefined)[]>[] = [
    { name: 'group', of: ([group]) => group },
    { name: 'format', type: 'id', of: ([, name]) => name },
    { name: 'title', of: ([, , title]) => title ?? '' },
    { name: 'example', of: ([, , , example]) => example ?? '' },
  ]
  await printList({ rows, columns }, context)
}
