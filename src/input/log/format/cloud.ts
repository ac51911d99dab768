import { formatsByName } from './line-format.js'

/** The fields of an entry in YAML, whose keys are in alphabetical order. */
const ENTRY = [
  entryField('severity: ', '(?<level>[A-Z]{1,12})'),
  entryField('logName: ', '(?<log>[^\\n]*)'),
  entryField('  requestMethod: ', '(?<method>[A-Z]{1,12})'),
  entryField('  requestUrl: ', '(?<url>[^\\n]*)'),
  entryField('  status: ', '%{INT:status:long}'),
  entryField('textPayload: ', text('  ')),
  entryField('  message: ', text('    ')),
].join('')

function entryField(key: string, value: string): string {
  return `(?=(?:.*?\\n${key}${value}(?=\\n|$))?)`
}

/** A text in quotes, in the lines below its key, or in the line of its key. */
function text(indent: string): string {
  return `(?:'(?<message>[^\\n]*)'|[|>][-+]?\\n(?<message>${indent}[^\\n]*(?:\\n${indent}[^\\n]*)*)|(?<message>[^\\n'|>][^\\n]*))`
}

export const CLOUD_FORMATS = formatsByName({
  'vpc-flow': {
    title: 'AWS VPC flow logs, version 2, without a header',
    example:
      '2 123456789010 eni-1235b8ca123456789 172.31.16.139 172.31.16.21 20641 22 6 20 4249 1795168800 1795168860 ACCEPT OK',
    patterns:
      '%{INT:version:long} (?<account_id>\\d{12}|unknown) (?<interface_id>eni-\\w+) (?:-|%{VALUE:srcaddr}) (?:-|%{VALUE:dstaddr}) (?:-|%{INT:srcport:long}) (?:-|%{INT:dstport:long}) (?:-|%{INT:protocol:long}) (?:-|%{INT:packets:long}) (?:-|%{INT:bytes:long}) %{INT:_time:long} %{INT:end:long} (?:-|(?<action>ACCEPT|REJECT)) (?<log_status>OK|NODATA|SKIPDATA)(?=\\n|$)%{MESSAGE:message}',
    start: '\\d+ (?:\\d{12}|unknown) eni-',
  },
  papertrail: {
    title: 'Papertrail: archives',
    example:
      '111111111111\t2026-11-20T10:00:00Z\t2026-11-20T10:00:01Z\t222\tweb-1\t10.0.0.1\tLocal7\tError\tapi\tconnection refused',
    patterns:
      '%{INT:id:long}\\t%{TIME:_time}\\t(?<received_at>[^\\t\\n]{10,40})\\t%{INT:source_id:long}\\t(?<host>[^\\t\\n]{1,200})\\t(?<source_ip>[\\da-fA-F.:]{2,45})\\t(?<facility>[A-Z]\\w{1,20})\\t%{LEVEL:level}\\t(?<app>[^\\t\\n]{0,200})\\t%{MESSAGE:message}',
  },
  lambda: {
    title: 'AWS Lambda: CloudWatch',
    example: '2026-11-20T10:00:00.123Z\t8476a536-e9f4-11e8-9739-2dfe598c3fcd\tINFO\tEvent received',
    patterns: [
      '%{TIME:_time}\\t(?:%{UUID:request_id}|undefined)\\t%{LEVEL:level}\\t%{MESSAGE:message}',
      '\\[%{LEVEL:level}\\]\\t%{TIME:_time}\\t%{UUID:request_id}\\t%{MESSAGE:message}',
      '(?=(?<type>START|END|REPORT) RequestId: %{UUID:request_id}(?:\\tDuration: %{NUMBER:duration_ms:real} ms\\tBilled Duration: %{NUMBER:billed_duration_ms:real} ms\\tMemory Size: %{INT:memory_size_mb:long} MB\\tMax Memory Used: %{INT:max_memory_used_mb:long} MB)?)%{MESSAGE:message}',
      '(?=(?<type>INIT_START) Runtime Version: )%{MESSAGE:message}',
    ],
    // Lines that a function prints.
    others:
      '(?=[^\\s})\\]])(?!at |Caused by: |Traceback )(?:\\[%{LEVEL:level}\\] ?)?%{MESSAGE:message}',
    start:
      '(?:%{TIME:_time}\\t(?:%{UUID}|undefined)\\t|\\[%{LEVEL}\\]\\t%{TIME:_time}\\t|(?:START|END|REPORT) RequestId: |INIT_START )',
  },
  'cloud-functions': {
    title: 'Google Cloud Functions: the table of `gcloud functions logs read`',
    example: 'I      hello   abc123        2026-11-20 10:00:00.123  Function started',
    patterns:
      '(?<level>[DINWECAF]) {2,12}(?<function>[\\w-]{1,63}) {2,63}(?:(?<execution_id>[\\w-]{1,63}) {2,40})?%{TIME:_time} {2,12}%{MESSAGE:message}',
    levels: { A: 'alert' },
  },
  'cloud-logging': {
    title: 'Google Cloud: entries of `gcloud logging read` in YAML',
    example:
      "---\ninsertId: abc1\nlogName: projects/p1/logs/stderr\nseverity: ERROR\ntextPayload: it failed\ntimestamp: '2026-11-20T10:00:00.123456Z'",
    start: '---(?=\\n|$)',
    patterns: `---\\n(?=(?:httpRequest:|insertId: ))(?=.*?\\ntimestamp: '%{TIME:_time}')${ENTRY}(?<details>.*)`,
    levels: { DEFAULT: 'info' },
  },
})
