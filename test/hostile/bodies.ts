import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { MAX_LINES } from '../../src/wire/limits.js'
import { post, remove, store, type Target } from './requests.js'

/** A body that takes more work than its length suggests, in one of the protocols for sending events. */
export interface HostileBody {
  readonly protocol: string
  readonly name: string
  /** The path and the type of its requests; empty for syslog. */
  readonly path: string
  readonly type: string
  /** Makes a body of about this many bytes. */
  make(bytes: number): Buffer
  /** Sends it and returns the status; of syslog, which has none, 200 once all of it is taken. */
  send(target: SyslogTarget, body: Buffer): Promise<number>
  /** Prepares the service for it: removes the events of other bodies from the dataset of syslog, which they share. */
  prepare(target: Target): Promise<void>
  /** The requests that it is compared with in addition to `ORDINARY`; undefined for bodies without many texts or messages. */
  readonly native: NativeRequests | undefined
}

/** Requests to the native endpoint, with the same texts in as many bytes, or with the event of each message. */
interface NativeRequests {
  /** The same for bodies with the same requests. */
  readonly name: string
  make(bytes: number): readonly Buffer[]
  send(target: Target, body: Buffer): Promise<number>
}

/** A running service that also receives syslog over TCP. */
export interface SyslogTarget extends Target {
  readonly syslogPort: number
}

/** The dataset of syslog. */
export const SYSLOG_DATASET = 'syslog'

/** The protocol that others are compared with. */
export const NATIVE = 'native'

/** The body that others are compared with: ordinary events for the native endpoint. */
export const ORDINARY: Pick<HostileBody, 'name' | 'make' | 'send'> = {
  name: 'ordinary events',
  make: (bytes) =>
    filled(
      bytes,
      (i) =>
        `{"_time":"2026-01-01T00:00:00.${String(i % 1000).padStart(3, '0')}Z","level":"info","service":"api-${i % 7}","message":"request ${i} done","duration_ms":${i % 977},"http":{"status":200,"path":"/v1/items/${i % 5000}"}}\n`,
    ),
  send: (target, body) =>
    post(target, { path: '/v1/ingest/ordinary', type: 'application/x-ndjson', body }),
}

const NDJSON = 'application/x-ndjson'
const JSON_TYPE = 'application/json'
const PROTOBUF = 'application/x-protobuf'

type Piece = string | Buffer

/** Repeats a text, or what a function returns for 0, 1, …, up to a length. */
function filled(bytes: number, piece: string | ((i: number) => Piece), end = ''): Buffer {
  const parts: Buffer[] = []
  for (let length = end.length, i = 0; length < bytes; i++) {
    const text = Buffer.from((typeof piece === 'string' ? piece : piece(i)) as string)
    parts.push(text)
    length += text.length
  }
  return Buffer.concat([...parts, Buffer.from(end)])
}

/** Makes bodies of a start, a piece repeated, and an end. */
function around(start: string, piece: string | ((i: number) => Piece), end: string) {
  return (bytes: number) => Buffer.concat([Buffer.from(start), filled(bytes, piece, end)])
}

/** A body, and the requests to the native endpoint with its events. */
interface Messages {
  make(bytes: number): Buffer
  native(bytes: number): readonly Buffer[]
}

/** Makes bodies of messages, one for 0, 1, …, and their events for the native endpoint: as many per request as it may have. */
function messages(
  message: (i: number) => Piece,
  event: (i: number) => object,
  [start, end] = ['', ''],
): Messages {
  return {
    make: around(start, message, end),
    native(bytes) {
      const requests: Buffer[] = []
      let parts: string[] = []
      for (let length = 0, i = 0; length < bytes; i++) {
        length += Buffer.byteLength(message(i))
        parts.push(`${JSON.stringify(event(i))}\n`)
        if (length < bytes && parts.length < MAX_LINES) continue
        requests.push(Buffer.from(parts.join('')))
        parts = []
      }
      return requests
    },
  }
}

/** Returns messages in another envelope. */
function within(envelope: (messages: Buffer) => Buffer, { make, native }: Messages): Messages {
  return { make: (bytes) => envelope(make(bytes)), native }
}

const lists = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const object = (members: number, prefix = 'k'): string =>
  `{${Array.from({ length: members }, (_, i) => `"${prefix}${i}":${i}`).join()}}`

/** Texts of events that are long to convert, by their approximate lengths. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'control characters': (length) => '\x01'.repeat(length),
  'quotes and backslashes': (length) => '"\\'.repeat(length / 2),
  accents: (length) => 'é'.repeat(length / 2),
  'one letter': (length) => 'x'.repeat(length),
  'lists within each other': (length) => `{"a":${lists(Math.min(500, length >> 1))}}`,
  'objects within each other': (length) => objects(Math.min(500, length >> 3)),
  'an object of many keys': (length) => object(Math.ceil(length / 14)),
  nothing: () => '',
}

/** A protocol whose requests hold texts. */
interface Carrier {
  readonly protocol: string
  /** `DATASET` stands for a dataset of each body's own. */
  readonly path: string
  readonly type: string
  /** Makes a request of events, each with one of the texts. */
  body(bytes: number, text: (i: number) => string): Buffer
}

const joinedBody =
  (start: string, event: (text: string) => string, end: string): Carrier['body'] =>
  (bytes, text) =>
    around(start, (i) => (i === 0 || start === '' ? '' : ',') + event(text(i)), end)(bytes)

const quoted = (text: string): string => JSON.stringify(text)

const NATIVE_CARRIER: Carrier = {
  protocol: NATIVE,
  path: '/v1/ingest/DATASET',
  type: NDJSON,
  body: joinedBody('', (text) => `${text.startsWith('{') ? text : `{"a":${quoted(text)}}`}\n`, ''),
}

const CARRIERS: readonly Carrier[] = [
  NATIVE_CARRIER,
  {
    protocol: 'bulk',
    path: '/DATASET/_bulk',
    type: NDJSON,
    body: joinedBody('', (text) => `{"index":{}}\n{"a":${quoted(text)}}\n`, ''),
  },
  {
    protocol: 'Loki, JSON',
    path: '/loki/api/v1/push?dataset=DATASET',
    type: JSON_TYPE,
    body: joinedBody(
      '{"streams":[{"stream":{"app":"a","a":"b"},"values":[',
      (text) => `["1767225600000000000",${quoted(text)}]`,
      ']}]}',
    ),
  },
  {
    protocol: 'Loki, protobuf',
    path: '/loki/api/v1/push?dataset=DATASET',
    type: PROTOBUF,
    body: (bytes, text) =>
      message(
        0x0a,
        message(0x0a, '{app="a",a="b"}'),
        pieces(bytes, (i) => message(0x12, message(0x12, text(i)))),
      ),
  },
  {
    protocol: 'OTLP, JSON',
    path: '/v1/logs?dataset=DATASET',
    type: JSON_TYPE,
    body: joinedBody(
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[',
      (text) => `{"body":{"stringValue":${quoted(text)}}}`,
      ']}]}]}',
    ),
  },
  {
    protocol: 'OTLP, protobuf',
    path: '/v1/logs?dataset=DATASET',
    type: PROTOBUF,
    body: (bytes, text) =>
      logs(pieces(bytes, (i) => message(0x12, message(0x2a, message(0x0a, text(i)))))),
  },
  {
    protocol: 'HEC',
    path: '/services/collector?index=DATASET',
    type: JSON_TYPE,
    body: joinedBody('', (text) => `{"event":${quoted(text)}}`, ''),
  },
  {
    protocol: 'HEC, raw',
    path: '/services/collector/raw?index=DATASET&host=h&source=s',
    type: 'text/plain',
    body: joinedBody('', (text) => `${text}\n`, ''),
  },
  {
    protocol: 'HEC, raw JSON',
    path: '/services/collector/raw?index=DATASET&host=h&source=s',
    type: JSON_TYPE,
    body: joinedBody('', (text) => `${text}\n`, ''),
  },
  {
    protocol: 'Firehose',
    path: '/v1/ingest/DATASET/firehose',
    type: JSON_TYPE,
    body: joinedBody(
      '{"requestId":"r","timestamp":1,"records":[',
      (text) => `{"data":"${Buffer.from(text).toString('base64')}"}`,
      ']}',
    ),
  },
  {
    protocol: 'logplex',
    path: '/v1/ingest/DATASET',
    type: 'application/logplex-1',
    body: joinedBody('', (text) => frame(`<13>1 2026-01-01T00:00:00Z h a p - ${text}`), ''),
  },
  {
    protocol: 'syslog',
    path: '',
    type: '',
    body: joinedBody('', (text) => frame(`<13>1 2026-01-01T00:00:00Z h a p m - ${text}`), ''),
  },
]

function frame(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`
}

/** A field of protobuf with these contents. */
function message(tag: number, ...contents: readonly (string | Buffer)[]): Buffer {
  const all = Buffer.concat(contents.map((one) => Buffer.from(one as string)))
  const size: number[] = []
  let rest = all.length
  for (; rest >= 0x80; rest >>>= 7) size.push((rest & 0x7f) | 0x80)
  return Buffer.concat([Buffer.from([tag, ...size, rest]), all])
}

function pieces(bytes: number, piece: (i: number) => Buffer): Buffer {
  const parts: Buffer[] = []
  for (let length = 0, i = 0; length < bytes; i++) {
    const part = piece(i)
    parts.push(part)
    length += part.length
  }
  return Buffer.concat(parts)
}

const logs = (records: Buffer): Buffer => message(0x0a, message(0x12, records))
const attribute = (tag: number, key: string, value: Buffer): Buffer =>
  message(tag, message(0x0a, key), message(0x12, value))

/** Lists of OTLP within each other. */
function nestedLists(depth: number): Buffer {
  let value = message(0x0a, 'x')
  for (let i = 0; i < depth; i++) value = message(0x2a, message(0x0a, value))
  return value
}

/** Lengths of texts: of many small events, and of a few large ones. */
const LENGTHS: Readonly<Record<string, number>> = { short: 24, long: 100_000 }

/** A hostile body as it is sent, over HTTP unless the path is empty. */
interface Request {
  readonly protocol: string
  readonly name: string
  readonly path: string
  readonly type: string
  readonly headers?: Readonly<Record<string, string>>
  make(bytes: number): Buffer
  native?: Messages['native']
}

function texts(): readonly Request[] {
  return CARRIERS.flatMap((carrier) =>
    Object.entries(TEXTS).flatMap(([name, text]) =>
      Object.entries(LENGTHS).map(([size, length]) => {
        const one = text(length)
        return {
          ...carrier,
          name: `${name}, ${size}`,
          make: (bytes: number) => carrier.body(bytes, () => one),
          native: (bytes: number) => [NATIVE_CARRIER.body(bytes, () => one)],
        }
      }),
    ),
  )
}

const LOKI_EVENT = { _time: '2026-01-01T00:00:00Z', message: 'x' }
const METADATA = Array.from({ length: 400 }, (_, i) => `m${i}`)

/** The fields of the priorities 3 and 13. */
const KERNEL_ERROR = { priority: 3, facility: 'kern', severity: 'err', level: 'error' }
const USER_NOTICE = { priority: 13, facility: 'user', severity: 'notice', level: 'notice' }
const PARAMETERS = Array.from({ length: 300 }, (_, i) => `p${i}`)

/** Requests whose form is hostile. */
const FORMS: readonly {
  readonly protocol: string
  readonly path: string
  readonly type: string
  readonly headers?: Readonly<Record<string, string>>
  readonly rows: Readonly<Record<string, Messages['make'] | Messages>>
}[] = [
  {
    protocol: NATIVE,
    path: '/v1/ingest/DATASET',
    type: NDJSON,
    rows: {
      'blank lines': around('', '\n', ''),
      'bad lines': around('', 'x\n', ''),
      'events without members': around('', '{}\n', ''),
      'events of 10,000 keys': around('', (i) => `${object(10_000, `k${i % 3}-`)}\n`, ''),
      'events of new keys each': around('', (i) => `{"id-${i}":${i}}\n`, ''),
      'maps with other keys each': around('', (i) => `{"m":{"id-${i}":${i},"jd-${i}":1}}\n`, ''),
      'one event, nested deeply': (bytes) => Buffer.from(objects(bytes / 6)),
      'one event, lists nested deeply': (bytes) => Buffer.from(`{"a":${lists(bytes / 2)}}`),
      'one list': around('{"a":[', '1,', '1]}'),
      'one list of objects': around('{"a":[', '{},', '1]}'),
      'one number': around('{"a":', '1', '}'),
      'numbers of 400 digits': around('', `{"a":${'1'.repeat(400)}}\n`, ''),
      'one array of tiny events': around('[', '{"a":1},', '{}]'),
      'kinds that change': around(
        '',
        (i) => `{"a":${['1', '"x"', 'true', '[1]', '{"b":1}', 'null'][i % 6]}}\n`,
        '',
      ),
      'keys with escapes': around('', `{"${'\\u0061'.repeat(100)}":1}\n`, ''),
      'times that are wrong': around('', '{"_time":"2026-13-01"}\n', ''),
    },
  },
  {
    protocol: 'native, CSV',
    path: '/v1/ingest/DATASET',
    type: 'text/csv',
    rows: {
      'rows of one cell': around('a\n', '1\n', ''),
      'rows of empty cells': around('a,b,c\n', ',,\n', ''),
      'rows of quotes': around('a,b\n', '"""""","""" \n', ''),
      'rows of too many cells': around('a\n', `${'1,'.repeat(500)}\n`, ''),
      'a header of many names': (bytes) =>
        Buffer.from(
          `${Array.from({ length: 9_000 }, (_, i) => `c${i}`).join()}\n${`${'1,'.repeat(8_999)}1\n`.repeat(Math.ceil(bytes / 18_000))}`,
        ),
    },
  },
  {
    protocol: 'native, labels',
    path: '/v1/ingest/DATASET',
    type: NDJSON,
    headers: {
      'x-axiom-event-labels': object(400),
    },
    rows: { 'events of one member': around('', '{"a":1}\n', '') },
  },
  {
    protocol: 'bulk',
    path: '/_bulk',
    type: NDJSON,
    rows: {
      'documents without members': around('', '{"index":{"_index":"DATASET"}}\n{}\n', ''),
      'one dataset each': around('', (i) => `{"index":{"_index":"bulk-${i}"}}\n{"a":1}\n`, ''),
      '250 datasets': messages(
        (i) => `{"index":{"_index":"many-${i % 250}"}}\n{"a":1}\n`,
        () => ({ a: 1 }),
      ),
      'two datasets in turns': messages(
        (i) => `{"index":{"_index":"turns-${i % 2}"}}\n{"a":1}\n`,
        () => ({ a: 1 }),
      ),
      deletions: around('', (i) => `{"delete":{"_index":"i${i}"}}\n`, ''),
      'bad documents': around('', '{"index":{"_index":"DATASET"}}\nx\n', ''),
      'actions of many members': around(
        '',
        `{"index":{"_index":"DATASET",${object(30).slice(1, -1)}}}\n{"a":1}\n`,
        '',
      ),
      'ids of documents': messages(
        (i) => `{"index":{"_index":"DATASET","_id":"${i}"}}\n{"a":1}\n`,
        () => ({ a: 1 }),
      ),
    },
  },
  {
    protocol: 'Loki, JSON',
    path: '/loki/api/v1/push?dataset=DATASET',
    type: JSON_TYPE,
    rows: {
      'streams without entries': around('{"streams":[', '{},', '{}]}'),
      'streams of one entry': messages(
        (i) => `{"stream":{"a":"${i}"},"values":[["1767225600000000000","x"]]},`,
        (i) => ({ ...LOKI_EVENT, a: `${i}` }),
        ['{"streams":[', '{}]}'],
      ),
      'entries of many metadata': messages(
        () => `["1767225600000000000","x",${object(50)}],`,
        () => ({ ...LOKI_EVENT, ...JSON.parse(object(50)) }),
        ['{"streams":[{"stream":{},"values":[', '["1767225600000000000","x"]]}]}'],
      ),
      'a stream of many labels': around(
        `{"streams":[{"stream":${object(300)},"values":[`,
        '["1767225600000000000","x"],',
        '["1767225600000000000","x"]]}]}',
      ),
      'names in use': messages(
        () => `["1767225600000000000",${quoted(object(20).replaceAll(':', ':1'))}],`,
        () => ({ ...LOKI_EVENT, ...JSON.parse(object(20)), line: JSON.parse(object(20)) }),
        [`{"streams":[{"stream":${object(20)},"values":[`, '["1767225600000000000","x"]]}]}'],
      ),
      'unknown members': around('{"x":[', '1,', '1]}'),
      'labels in text': messages(
        () =>
          `{"labels":"{${'a=\\"\\\\u0061\\",'.repeat(20)}b=\\"c\\"}","entries":[{"ts":"2026-01-01T00:00:00Z","line":"x"}]},`,
        () => ({ ...LOKI_EVENT, a: 'a', b: 'c' }),
        ['{"streams":[', '{}]}'],
      ),
      'values before labels': messages(
        () => '["1767225600000000000","x"],',
        () => ({ ...LOKI_EVENT, a: 'b' }),
        ['{"streams":[{"values":[', '["1767225600000000000","x"]],"stream":{"a":"b"}}]}'],
      ),
    },
  },
  {
    protocol: 'Loki, protobuf',
    path: '/loki/api/v1/push?dataset=DATASET',
    type: PROTOBUF,
    rows: {
      'entries without lines': (bytes) =>
        message(0x0a, Buffer.alloc(bytes, Buffer.from('1200', 'hex'))),
      'streams without entries': (bytes) => Buffer.alloc(bytes, Buffer.from('0a00', 'hex')),
      'streams of one entry': messages(
        (i) => message(0x0a, message(0x0a, `{a="${i}"}`), message(0x12, message(0x12, 'x'))),
        (i) => ({ ...LOKI_EVENT, a: `${i}` }),
      ),
      'labels of escapes': (bytes) =>
        pieces(bytes, () =>
          message(
            0x0a,
            message(0x0a, `{a="${'\\x41\\u0061'.repeat(100)}"}`),
            message(0x12, message(0x12, 'x')),
          ),
        ),
      'metadata of entries': within(
        (entries) => message(0x0a, entries),
        messages(
          () =>
            message(
              0x12,
              message(0x12, 'x'),
              ...METADATA.map((name) => message(0x1a, message(0x0a, name), message(0x12, '\x01'))),
            ),
          () => ({
            ...LOKI_EVENT,
            ...Object.fromEntries(METADATA.map((name) => [name, '\x01'])),
          }),
        ),
      ),
    },
  },
  {
    protocol: 'OTLP, JSON',
    path: '/v1/logs?dataset=DATASET',
    type: JSON_TYPE,
    rows: {
      'records without members': around(
        '{"resourceLogs":[{"scopeLogs":[{"logRecords":[',
        '{},',
        '{}]}]}]}',
      ),
      'records of many attributes': around(
        '{"resourceLogs":[{"scopeLogs":[{"logRecords":[',
        `{"attributes":[${Array.from({ length: 100 }, (_, i) => `{"key":"k${i}","value":{"intValue":${i}}}`).join()}]},`,
        '{}]}]}]}',
      ),
      'groups without records': around('{"resourceLogs":[', '{},', '{}]}'),
      'unknown members': around('{"x":[', '1,', '1]}'),
      'members before records': around(
        `{"resourceLogs":[{"resource":{"attributes":[${Array.from({ length: 300 }, (_, i) => `{"key":"k${i}","value":{"stringValue":"\\u0001\\u0001"}}`).join()}]},"scopeLogs":[{"logRecords":[`,
        '{"body":{"stringValue":"x"}},',
        '{}]}]}]}',
      ),
    },
  },
  {
    protocol: 'OTLP, protobuf',
    path: '/v1/logs?dataset=DATASET',
    type: PROTOBUF,
    rows: {
      'records without members': (bytes) => logs(Buffer.alloc(bytes, Buffer.from('1200', 'hex'))),
      'groups without records': (bytes) => Buffer.alloc(bytes, Buffer.from('0a00', 'hex')),
      'records of many attributes': (bytes) =>
        logs(
          pieces(bytes, () =>
            message(
              0x12,
              pieces(1_000, (i) => attribute(0x32, `k${i}`, message(0x0a, '\x01'))),
            ),
          ),
        ),
      'values nested deeply': (bytes) =>
        logs(pieces(bytes, () => message(0x12, message(0x2a, nestedLists(90))))),
      'a resource of many attributes': (bytes) =>
        message(
          0x0a,
          message(
            0x0a,
            pieces(8_000, (i) => attribute(0x0a, `k${i}`, message(0x0a, '\x01'))),
          ),
          message(
            0x12,
            pieces(bytes, () => message(0x12, message(0x2a, message(0x0a, 'x')))),
          ),
        ),
      'bodies of bytes': (bytes) =>
        logs(pieces(bytes, () => message(0x12, message(0x2a, message(0x3a, 'x'.repeat(20)))))),
      'one record of control characters': (bytes) =>
        logs(message(0x12, message(0x2a, message(0x0a, Buffer.alloc(bytes - 100, 1))))),
      'invalid UTF-8': (bytes) =>
        logs(
          pieces(bytes, () =>
            message(0x12, message(0x2a, message(0x0a, Buffer.alloc(1000, 0xff)))),
          ),
        ),
    },
  },
  {
    protocol: 'OTLP, traces',
    path: '/v1/traces?dataset=DATASET',
    type: PROTOBUF,
    rows: {
      'events of spans': within(
        logs,
        messages(
          () =>
            message(
              0x12,
              pieces(40_000, () => message(0x5a, message(0x12, '\x01'))),
            ),
          () => ({ events: Array(8_000).fill({ name: '\x01' }) }),
        ),
      ),
      'links of spans': within(
        logs,
        messages(
          () =>
            message(
              0x12,
              pieces(40_000, () => message(0x6a, '')),
            ),
          () => ({ links: Array(20_000).fill({}) }),
        ),
      ),
    },
  },
  {
    protocol: 'HEC',
    path: '/services/collector',
    type: JSON_TYPE,
    rows: {
      'tiny envelopes': messages(
        () => '{"event":1,"index":"DATASET"}',
        () => ({ index: 'DATASET', _raw: '1' }),
      ),
      '250 datasets': messages(
        (i) => `{"event":"x","index":"hec-${i % 250}"}`,
        (i) => ({ index: `hec-${i % 250}`, _raw: 'x' }),
      ),
      'one dataset each': around('', (i) => `{"event":"x","index":"each-${i}"}`, ''),
      'fields in use': messages(
        () =>
          `{"index":"DATASET","event":${object(20)},"fields":${object(20).replaceAll(':', ':1')}}`,
        () => ({ index: 'DATASET', ...JSON.parse(object(20)), fields: JSON.parse(object(20)) }),
      ),
      'fields of many members': messages(
        () => `{"index":"DATASET","event":"x","fields":${object(200)}}`,
        () => ({ index: 'DATASET', _raw: 'x', ...JSON.parse(object(200)) }),
      ),
      'white space': around('{"event":"x","index":"DATASET"}', ' \n', '{"event":1}'),
      'one envelope, nested deeply': (bytes) =>
        Buffer.from(`{"index":"DATASET","event":${objects(bytes / 6)}}`),
      'one envelope without end': around('{"event":"', '\\"', ''),
      'one envelope of lists': around('{"event":[', '[],', '[]],"index":"DATASET"}'),
    },
  },
  {
    protocol: 'Firehose',
    path: '/v1/ingest/DATASET/firehose',
    type: JSON_TYPE,
    rows: {
      'records without data': around('{"records":[', '{},', '{}]}'),
      'records of one letter': messages(
        () => '{"data":"eA=="},',
        () => ({ message: 'x' }),
        ['{"records":[', '{}]}'],
      ),
      'records of blank lines': around(
        '{"records":[',
        `{"data":"${Buffer.from('\n'.repeat(3_000)).toString('base64')}"},`,
        '{}]}',
      ),
      'records of tiny lines': around(
        '{"records":[',
        `{"data":"${Buffer.from('x\n'.repeat(1_500)).toString('base64')}"},`,
        '{}]}',
      ),
      'records compressed': around(
        '{"records":[',
        `{"data":"${gzipSync(Buffer.from('x')).toString('base64')}"},`,
        '{}]}',
      ),
      'one record of objects': (bytes) =>
        Buffer.from(
          `{"records":[{"data":"${filled((bytes * 3) / 4, '{"a":1}').toString('base64')}"}]}`,
        ),
      'log events of CloudWatch': (bytes) =>
        Buffer.from(
          `{"records":[{"data":"${around(
            '{"messageType":"DATA_MESSAGE","logGroup":"g","logStream":"s","logEvents":[',
            '{"id":"1","timestamp":1767225600000,"message":"\\u0001\\u0001"},',
            '{}]}',
          )((bytes * 3) / 4).toString('base64')}"}]}`,
        ),
      'unknown members': around('{"x":[', '1,', '1],"records":[]}'),
    },
  },
  {
    protocol: 'logplex',
    path: '/v1/ingest/DATASET',
    type: 'application/logplex-1',
    rows: {
      'frames of 3 bytes': messages(
        () => '3 <3>',
        () => KERNEL_ERROR,
      ),
      'frames without spaces': around('', frame(`<13>1${'x'.repeat(1_000)}`), ''),
      'pairs in text': around('', frame(`<13>1 - h a p - ${'k=v '.repeat(200)}`), ''),
    },
  },
  {
    protocol: 'syslog',
    path: '',
    type: '',
    rows: {
      'frames of 3 bytes': messages(
        () => '3 <3>',
        () => KERNEL_ERROR,
      ),
      'lines of one letter': messages(
        () => 'x\n',
        () => ({ message: 'x' }),
      ),
      'blank lines': around('', '\n', ''),
      'structured data': around(
        '',
        `<13>1 2026-01-01T00:00:00Z h a p m ${'[x a="b"]'.repeat(500)} m\n`,
        '',
      ),
      'structured data without end': around(
        '',
        `<13>1 2026-01-01T00:00:00Z h a p m [x ${'a="\\"'.repeat(800)}\n`,
        '',
      ),
      'parameters of one element': messages(
        (i) => `<13>1 - h a p m [x ${PARAMETERS.map((name) => `${name}="\\]${i}"`).join(' ')}] m\n`,
        (i) => ({
          ...USER_NOTICE,
          ...{ host: 'h', app: 'a', pid: 'p', msg_id: 'm' },
          structured_data: { x: Object.fromEntries(PARAMETERS.map((name) => [name, `]${i}`])) },
          message: 'm',
        }),
      ),
      'other times': messages(
        () => '<13>Jan  1 00:00:00 h a[1]: m\n',
        () => ({
          ...USER_NOTICE,
          ...{ _time: '2026-01-01T00:00:00Z', host: 'h', app: 'a', pid: 1, message: 'm' },
        }),
      ),
      'pairs in text': around('', `<13>Jan  1 00:00:00 h a[1]: ${'k=v '.repeat(200)}\n`, ''),
      'programs that are known': messages(
        () =>
          '<13>Jan  1 00:00:00 h sshd[1]: Failed password for invalid user a from 10.0.0.1 port 1 ssh2\n',
        () => ({
          ...USER_NOTICE,
          ...{ _time: '2026-01-01T00:00:00Z', host: 'h', app: 'sshd', pid: 1 },
          message: 'Failed password for invalid user a from 10.0.0.1 port 1 ssh2',
          ...{ auth_method: 'password', user: 'a', remote_addr: '10.0.0.1', remote_port: 1 },
        }),
      ),
      'one line without end': around('', 'x', ''),
    },
  },
]

/** Returns all hostile bodies, for a dataset each, or all of a protocol for the same. */
export function hostileBodies(datasets: 'own' | 'shared'): readonly HostileBody[] {
  const forms = FORMS.flatMap(({ rows, ...form }) =>
    Object.entries(rows).map(([name, row]) => ({
      ...form,
      name,
      ...(typeof row === 'function' ? { make: row } : row),
    })),
  )
  return [...forms, ...texts()].map((one, i) => {
    const dataset =
      datasets === 'own' ? `hostile-${i}` : `hostile-${one.protocol.replaceAll(/\W+/g, '-')}`
    return hostileBody(one, dataset)
  })
}

function hostileBody(
  { protocol, name, path, type, headers = {}, make, native }: Request,
  dataset: string,
): HostileBody {
  const target = path.replace('DATASET', dataset)
  return {
    protocol,
    name,
    path: target,
    type,
    make,
    send: (service, body) =>
      path === ''
        ? sendSyslog(service, body)
        : post(service, { path: target, type, headers, body }),
    async prepare(service) {
      if (path === '') await remove(service, SYSLOG_DATASET)
    },
    native: native && {
      name,
      make: native,
      send: (service, body) => store(service, `${dataset}-native`, body),
    },
  }
}

/** Sends messages over TCP; resolves with 200 when the service has closed the connection, after taking all of them. */
async function sendSyslog({ syslogPort }: SyslogTarget, body: Buffer): Promise<number> {
  const socket = connect(syslogPort, '127.0.0.1')
  // The service closes a connection without frames.
  socket.on('error', () => {}).resume()
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await Promise.race([once(socket, 'connect'), closed])
  socket.end(body)
  await closed
  return 200
}
