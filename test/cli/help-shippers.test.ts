import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { PbfWriter } from 'pbf'
// @ts-expect-error The package has no types.
import { compress } from 'snappyjs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SHIPPERS } from '../../src/cli/help/topic/shippers.js'
import { convertMessages } from '../../src/input/log/syslog/convert-messages.js'
import { listen } from '../../src/service/listener/listen.js'
import { listenSyslog } from '../../src/service/syslog/listen-syslog.js'
import { type Running, run } from '../service/running.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { needs } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

// Sends what each program of `evq help shippers` sends with the configuration there: the addresses, the token and the dataset
// are read from the topic. The requests are those of the programs' sources.

const TOKEN = 'xaat-…'

let service: Running

beforeAll(async () => {
  const grant = { name: 'shipper', personal: false, ingest: ['logs'], query: ['logs'] } as const
  service = await run({ grants: { 'xaat-shipper': grant } })
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

/** Returns the configuration under a heading, with the token of the service. */
function configuration(heading: string): string {
  const at = SHIPPERS.findIndex((block) => block.kind === 'heading' && block.text === heading)
  const end = SHIPPERS.findIndex((block, i) => i > at && block.kind === 'heading')
  const lines = SHIPPERS.slice(at, end).flatMap((block) =>
    block.kind === 'code' ? [...block.lines, ''] : [],
  )
  return lines.join('\n').replaceAll(TOKEN, 'xaat-shipper')
}

/** Returns the first group of a pattern, which has to occur. */
function found(text: string, pattern: RegExp): string {
  const [, group] = pattern.exec(text) ?? []
  if (group === undefined) throw new Error(`${pattern} is not in ${text}`)
  return group
}

const addressIn = (text: string) => found(text, /http:\/\/127\.0\.0\.1:4600([^"\s]*)/)

interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const send = (request: Sent) => service.send({ ...request, trusted: false })

/** Returns the only event that a predicate selects, without nulls and `_sysTime`. */
async function eventOf(where: string): Promise<object> {
  const { body } = await service.send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({ apl: `['logs'] | where ${where}`, startTime: '2025-01-01T00:00:00Z' }),
  })
  const [{ fields, columns }] = body.tables
  expect(columns[0]).toHaveLength(1)
  return Object.fromEntries(
    fields
      .map(({ name }: { readonly name: string }, i: number) => [name, columns[i][0]])
      .filter(([name, value]: [string, unknown]) => name !== '_sysTime' && value !== null),
  )
}

const JSON_TYPE = 'application/json'
const NOON = '2026-01-01T12:00:00.123Z'
const NANOSECONDS = 1_767_268_800_123_000_000n

it('OpenTelemetry Collector', async () => {
  const config = configuration('OpenTelemetry Collector')
  const text = (writer: PbfWriter) => writer.writeStringField(1, 'from the Collector')
  const record = (writer: PbfWriter) => {
    writer.writeTag(1, 1)
    const time = Buffer.alloc(8)
    time.writeBigUInt64LE(NANOSECONDS)
    writer.writeFixed32(time.readUInt32LE(0))
    writer.writeFixed32(time.readUInt32LE(4))
    writer.writeMessage(5, (_, inner) => text(inner), null)
  }
  const scope = (writer: PbfWriter) => writer.writeMessage(2, (_, inner) => record(inner), null)
  const resource = (writer: PbfWriter) => writer.writeMessage(2, (_, inner) => scope(inner), null)
  const request = new PbfWriter()
  request.writeMessage(1, (_, inner) => resource(inner), null)
  const { status } = await send({
    path: `${addressIn(config)}/v1/logs`,
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
      authorization: found(config, /authorization: (.+)/),
      'x-axiom-dataset': found(config, /x-axiom-dataset: (\w+)/),
      'user-agent': 'OpenTelemetry Collector Contrib/0.120.0 (linux/amd64)',
    },
    body: gzipSync(request.finish()),
  })
  expect(status).toBe(200)
  expect(await eventOf("body == 'from the Collector'")).toMatchObject({ _time: NOON })
})

it('Vector', async () => {
  const config = configuration('Vector')
  const { status } = await send({
    path: addressIn(config),
    headers: {
      'content-type': JSON_TYPE,
      'content-encoding': found(config, /compression = "(\w+)"/),
      authorization: `Bearer ${found(config, /token = "([^"]+)"/)}`,
      'user-agent': 'Vector/0.45.0 (x86_64-unknown-linux-gnu)',
    },
    body: gzipSync(
      JSON.stringify([
        { file: '/a.log', message: 'from Vector', source_type: 'file', timestamp: NOON },
      ]),
    ),
  })
  expect(status).toBe(200)
  expect(await eventOf("message == 'from Vector'")).toEqual({
    _time: NOON,
    file: '/a.log',
    message: 'from Vector',
    source_type: 'file',
    timestamp: NOON,
  })
})

it('Fluent Bit', async () => {
  const config = configuration('Fluent Bit')
  const { status } = await send({
    path: found(config, /URI +(\S+)/),
    headers: {
      'content-type': JSON_TYPE,
      authorization: found(config, /Header +Authorization (.+)/),
      'user-agent': 'Fluent-Bit',
    },
    body: `[{"${found(config, /Json_Date_Key +(\w+)/)}":"2026-01-01T12:00:00.123000Z","log":"from Fluent Bit"}]`,
  })
  expect(status).toBe(200)
  expect(await eventOf("log == 'from Fluent Bit'")).toEqual({ _time: NOON, log: 'from Fluent Bit' })
})

it('Filebeat', async () => {
  const config = configuration('Filebeat')
  const key = Buffer.from(found(config, /api_key: "([^"]+)"/)).toString('base64')
  const headers = {
    authorization: `ApiKey ${key}`,
    accept: JSON_TYPE,
    'user-agent': 'Elastic-filebeat/8.17.0 (linux; amd64)',
  }
  const base = addressIn(config)
  const greeting = await send({ method: 'GET', path: `${base}/`, headers })
  expect([
    greeting.status,
    greeting.headers['X-Elastic-Product'] ?? greeting.headers['x-elastic-product'],
  ]).toEqual([200, 'Elasticsearch'])
  expect(greeting.body.version.number).toMatch(/^\d+\.\d+\.\d+$/)
  const event = {
    '@timestamp': NOON,
    message: 'from Filebeat',
    log: { offset: 0, file: { path: '/a.log' } },
  }
  const { status, body } = await send({
    path: `${base}/_bulk`,
    headers: { ...headers, 'content-type': 'application/json; charset=UTF-8' },
    body: `{"create":{"_index":"filebeat-8.17.0"}}\n${JSON.stringify(event)}\n`,
  })
  expect([status, body.errors, body.items]).toMatchObject([
    200,
    false,
    [{ create: { status: 201 } }],
  ])
  expect(await eventOf("message == 'from Filebeat'")).toMatchObject({
    _time: NOON,
    'log.offset': 0,
    'log.file.path': '/a.log',
  })
})

it('Logstash', async () => {
  const config = configuration('Logstash')
  const event = {
    '@timestamp': NOON,
    '@version': '1',
    message: 'from Logstash',
    host: { name: 'h' },
  }
  const { status } = await send({
    path: addressIn(config),
    headers: {
      'content-type': JSON_TYPE,
      authorization: found(config, /"Authorization" => "([^"]+)"/),
      'user-agent': 'Manticore 0.9.1',
    },
    body: JSON.stringify([event]),
  })
  expect(status).toBe(200)
  expect(await eventOf("message == 'from Logstash'")).toEqual({
    _time: NOON,
    '@timestamp': NOON,
    '@version': '1',
    message: 'from Logstash',
    'host.name': 'h',
  })
})

it('rsyslog', async () => {
  const config = configuration('rsyslog')
  expect(found(config, /--syslog 127\.0\.0\.1:(\d+)/)).toBe(found(config, / port="(\d+)"/))
  // The message of a local program begins with the space that separates it from the header.
  expect(config).toContain('property(name="msg" spifno1stsp="on")')
  const listener = await listenSyslog({
    ...{ host: '127.0.0.1', port: 0, intake: service.intake, convert: convertMessages },
    dataset: found(config, /--syslog-dataset (\w+)/),
  })
  const socket = connect(listener.port, '127.0.0.1')
  await once(socket, 'connect')
  const message = '<13>1 2026-01-01T13:00:00.123000+01:00 h shop 77 - - from rsyslog'
  socket.end(`${message.length} ${message}`)
  await once(socket.resume(), 'close')
  await listener.close({ graceMs: 60_000 })
  expect(await eventOf("message == 'from rsyslog'")).toMatchObject({
    _time: NOON,
    host: 'h',
    app: 'shop',
    pid: 77,
    severity: 'notice',
  })
})

it('syslog-ng', async () => {
  const config = configuration('syslog-ng')
  const { status } = await send({
    path: addressIn(config),
    headers: {
      authorization: found(config, /"Authorization: ([^"]+)"/),
      'content-type': found(config, /"Content-Type: ([^"]+)"/),
      'user-agent': 'syslog-ng/3.38.1/libcurl',
    },
    body: '{"level":"notice","_time":"2026-01-01T13:00:00.123000+01:00","PROGRAM":"shop","PRIORITY":"notice","PID":"77","MESSAGE":"from syslog-ng","HOST":"h","FACILITY":"user","DATE":"Jan  1 13:00:00.123000"}\n',
  })
  for (const needed of ['flags(flow-control)', 'frac-digits(6)', 'level=$PRIORITY']) {
    expect(config).toContain(needed)
  }
  expect(status).toBe(200)
  expect(await eventOf("MESSAGE == 'from syslog-ng'")).toMatchObject({
    _time: NOON,
    PROGRAM: 'shop',
    level: 'notice',
  })
})

const RSYSLOG = '/usr/sbin/rsyslogd'
const SYSLOG_NG = '/usr/sbin/syslog-ng'
/** True when syslog-ng can send over HTTP: Debian has that in a package of its own. */
const hasSyslogNgHttp =
  existsSync(SYSLOG_NG) &&
  /Available-Modules:.*\bhttp\b/.test(execFileSync(SYSLOG_NG, ['--version'], { encoding: 'utf8' }))
const LOGGER = '/usr/bin/logger'
const scratch = temporaryDirectory()

/** Runs a daemon that reads messages from a socket, sends it a message with `logger`, and returns the event. */
async function forwarded(
  command: readonly [string, ...string[]],
  { socket, predicate }: { readonly socket: string; readonly predicate: string },
): Promise<object> {
  const [file, ...args] = command
  const daemon = spawn(file, args, { stdio: 'ignore' })
  try {
    await until(() => existsSync(socket), `the socket of ${file}`)
    await promisify(execFile)(LOGGER, ['-u', socket, '-t', 'shop', 'from the real', file])
    return await until(async () => await eventOf(predicate).catch(() => undefined), 'the event')
  } finally {
    daemon.kill('SIGKILL')
  }
}

it('rsyslog itself', needs(existsSync(RSYSLOG) && existsSync(LOGGER), 'rsyslog'), async () => {
  const config = configuration('rsyslog')
  const listener = await listenSyslog({
    ...{ host: '127.0.0.1', port: 0, intake: service.intake, convert: convertMessages },
    dataset: found(config, /--syslog-dataset (\w+)/),
    limits: { batchMs: 10 },
  })
  const socket = join(scratch, 'rsyslog.socket')
  const file = join(scratch, 'rsyslog.conf')
  const action = config
    .slice(config.indexOf('template('))
    .replace(/ port="\d+"/, ` port="${listener.port}"`)
  writeFileSync(
    file,
    `module(load="imuxsock" SysSock.Use="off")\ninput(type="imuxsock" Socket="${socket}")\n${action}`,
  )
  const pid = join(scratch, 'rsyslog.pid')
  const predicate = `message == 'from the real ${RSYSLOG}'`
  const event = await forwarded([RSYSLOG, '-n', '-f', file, '-i', pid], { socket, predicate })
  await listener.close({ graceMs: 1_000 })
  expect(event).toMatchObject({ app: 'shop', facility: 'user', severity: 'notice' })
})

it(
  'syslog-ng itself',
  needs(hasSyslogNgHttp && existsSync(LOGGER), 'syslog-ng with its module http'),
  async () => {
    const { app } = service
    const address = { host: '127.0.0.1', port: 0 }
    const listener = await listen({ app, address, trusted: false })
    if (!('port' in listener.address)) throw new Error('no port')
    const socket = join(scratch, 'syslog-ng.socket')
    const file = join(scratch, 'syslog-ng.conf')
    const config = configuration('syslog-ng').replace(':4600', `:${listener.address.port}`)
    writeFileSync(file, `@version: 3.38\nsource s_src { unix-dgram("${socket}"); };\n${config}`)
    const state = ['persist-file', 'pidfile', 'control'].map(
      (name) => `--${name}=${join(scratch, `syslog-ng.${name}`)}`,
    )
    const predicate = `MESSAGE == 'from the real ${SYSLOG_NG}'`
    const event = await forwarded([SYSLOG_NG, '-F', '-f', file, ...state], { socket, predicate })
    await listener.close()
    expect(event).toMatchObject({ PROGRAM: 'shop', FACILITY: 'user', PRIORITY: 'notice' })
  },
)

it.each([
  ['Promtail', /tenant_id: (\w+)/, /bearer_token: (\S+)/, 'promtail/3.4.0'],
  ['Grafana Alloy', /tenant_id += "(\w+)"/, /bearer_token += "([^"]+)"/, 'Alloy/v1.7.1 (linux)'],
])('%s', async (name, tenant, token, agent) => {
  const config = configuration(name)
  const request = new PbfWriter()
  request.writeMessage(
    1,
    (_, stream) => {
      stream.writeStringField(1, '{filename="/a.log", job="varlogs"}')
      stream.writeMessage(
        2,
        (_, entry) => {
          entry.writeMessage(
            1,
            (_, time) => {
              time.writeVarintField(1, Number(NANOSECONDS / 1_000_000_000n))
              time.writeVarintField(2, Number(NANOSECONDS % 1_000_000_000n))
            },
            null,
          )
          entry.writeStringField(2, `from ${name}`)
        },
        null,
      )
    },
    null,
  )
  const { status, text } = await send({
    path: addressIn(config),
    headers: {
      'content-type': 'application/x-protobuf',
      'x-scope-orgid': found(config, tenant),
      authorization: `Bearer ${found(config, token)}`,
      'user-agent': agent,
    },
    body: Buffer.from(compress(Buffer.from(request.finish()))),
  })
  expect([status, text]).toEqual([204, ''])
  expect(await eventOf(`message == 'from ${name}'`)).toEqual({
    _time: NOON,
    filename: '/a.log',
    job: 'varlogs',
    message: `from ${name}`,
  })
})

/** Sends what a client of Elasticsearch sends before its first events, and a bulk request. */
async function bulk(
  base: string,
  { authorization, lines }: { readonly authorization: string; readonly lines: readonly object[] },
): Promise<void> {
  const type = 'application/vnd.elasticsearch+x-ndjson; compatible-with=9'
  const { status, body } = await send({
    method: 'POST',
    path: `${base}/_bulk`,
    headers: { authorization, 'content-type': type },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })
  expect([status, body.errors]).toEqual([200, false])
}

it('Telegraf', async () => {
  const config = configuration('Telegraf')
  const base = addressIn(config)
  const authorization = `Bearer ${found(config, /auth_bearer_token = "([^"]+)"/)}`
  const greeting = await send({ method: 'GET', path: `${base}/`, headers: { authorization } })
  expect(greeting.body.version.number).toMatch(/^[89]\./)
  await bulk(base, {
    authorization,
    lines: [
      { index: { _index: found(config, /index_name = "(\w+)"/) } },
      {
        '@timestamp': '2026-01-01T12:00:00.123000001Z',
        measurement_name: 'syslog',
        syslog: { message: 'from Telegraf', severity_code: 3 },
        tag: { hostname: 'h' },
      },
    ],
  })
  expect(await eventOf("['syslog.message'] == 'from Telegraf'")).toMatchObject({
    _time: '2026-01-01T12:00:00.123000001Z',
    'syslog.severity_code': 3,
    'tag.hostname': 'h',
  })
})

it('Logback', async () => {
  const config = configuration('Logback')
  const credentials = `${found(config, /<username>(.+)</)}:${found(config, /<password>(.+)</)}`
  const entry = { level: 'INFO', thread: 'main', logger: 'shop.Cart' }
  const { status, text } = await send({
    path: addressIn(config).replace(/<.*/, ''),
    headers: {
      'content-type': JSON_TYPE,
      'x-scope-orgid': found(config, /<tenantId>(\w+)</),
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    },
    body: JSON.stringify({
      streams: [
        {
          stream: { agent: 'loki4j', app: 'shop', host: 'h' },
          values: [[String(NANOSECONDS), 'from Logback', entry]],
        },
      ],
    }),
  })
  expect([status, text]).toEqual([204, ''])
  expect(await eventOf("message == 'from Logback'")).toEqual({
    _time: NOON,
    message: 'from Logback',
    agent: 'loki4j',
    app: 'shop',
    host: 'h',
    ...entry,
  })
})

it('Elasticsearch libraries', async () => {
  const config = configuration('Elasticsearch libraries')
  await bulk(addressIn(config), {
    authorization: `ApiKey ${found(config, /api_key="([^"]+)"/)}`,
    lines: [
      { index: { _index: found(config, /"_index": "(\w+)"/) } },
      { '@timestamp': NOON, message: 'from a library' },
    ],
  })
  expect(await eventOf("message == 'from a library'")).toMatchObject({ _time: NOON })
})

it('pino', async () => {
  const config = configuration('pino')
  const { status } = await send({
    path: `/v1/datasets/${found(config, /dataset: '(\w+)'/)}/ingest`,
    headers: {
      'content-type': 'application/x-ndjson',
      authorization: `Bearer ${found(config, /token: '([^']+)'/)}`,
    },
    body: `{"_time":"${NOON}","level":"info","msg":"from pino"}\n`,
  })
  expect(status).toBe(200)
  expect(await eventOf("msg == 'from pino'")).toMatchObject({ _time: NOON })
  // With this option, pino-elasticsearch copies `time` to `@timestamp`.
  expect(config).toContain("opType: 'create'")
  await bulk(found(config, /node:\s+'http:\/\/127\.0\.0\.1:4600([^']+)'/), {
    authorization: `ApiKey ${found(config, /apiKey: '([^']+)'/)}`,
    lines: [
      { index: { _index: found(config, /index: '(\w+)'/), op_type: 'create' } },
      { level: 30, time: NOON, pid: 7, msg: 'from pino-elasticsearch', '@timestamp': NOON },
    ],
  })
  expect(await eventOf("msg == 'from pino-elasticsearch'")).toMatchObject({
    _time: NOON,
    time: NOON,
  })
})

it('winston', async () => {
  const config = configuration('winston')
  const { status } = await send({
    path: `/v1/datasets/${found(config, /dataset: '(\w+)'/)}/ingest`,
    headers: {
      'content-type': JSON_TYPE,
      authorization: `Bearer ${found(config, /token: '([^']+)'/)}`,
    },
    body: `[{"_time":"${NOON}","level":"info","message":"from winston"}]`,
  })
  expect(status).toBe(200)
  expect(await eventOf("message == 'from winston'")).toMatchObject({ _time: NOON })
  const base = found(config, /node:\s+'http:\/\/127\.0\.0\.1:4600([^']+)'/)
  const authorization = `ApiKey ${found(config, /apiKey: '([^']+)'/)}`
  const prefix = found(config, /indexPrefix: '(\w+)'/)
  const asked = [
    ['GET', '/_cluster/health?timeout=30s&wait_for_nodes=%3E%3D1&wait_for_status=yellow'],
    ['HEAD', `/_index_template/template_${prefix}`],
  ] as const
  for (const [method, path] of asked) {
    const response = await send({ method, path: `${base}${path}`, headers: { authorization } })
    expect(response.status).toBe(200)
  }
  await bulk(base, {
    authorization,
    lines: [
      { index: { _index: `${prefix}-2026.01.01` }, attempts: 0 },
      { '@timestamp': NOON, message: 'from winston-elasticsearch', severity: 'info', fields: {} },
    ],
  })
  expect(await eventOf("message == 'from winston-elasticsearch'")).toMatchObject({
    _time: NOON,
    severity: 'info',
  })
})

/** Serves the service at an address; returns the environment with this address and the token. */
async function listening() {
  const address = { host: '127.0.0.1', port: 0 }
  const listener = await listen({ app: service.app, address, trusted: false })
  if (!('port' in listener.address)) throw new Error('no port')
  const env = {
    EVQ_URL: `http://127.0.0.1:${listener.address.port}`,
    EVQ_TOKEN: TOKEN.replace('…', 'shipper'),
  }
  return { listener, env }
}

it('Files', async () => {
  const config = configuration('Files')
  expect(config).toMatch(/^export EVQ_URL=\S+ EVQ_TOKEN=xaat-shipper$/m)
  const [, dataset = '', file = ''] = /^evq ingest (\w+) --follow (\S+)$/m.exec(config) ?? []
  const path = join(scratch, basename(file))
  const request = '"GET /from-nginx HTTP/1.1" 200 5 "-" "curl/8.5.0"'
  writeFileSync(path, `10.0.0.1 - - [01/Jan/2026:12:00:00 +0000] ${request}\n`)
  const { listener, env } = await listening()
  // With --follow, the command would not end.
  const { status } = await evqInProcess(['ingest', dataset, path], { directory: scratch, env })
  await listener.close()
  expect(status).toBe(0)
  expect(await eventOf("path == '/from-nginx'")).toMatchObject({
    _time: '2026-01-01T12:00:00Z',
    status: 200,
  })
})

it('journald', async () => {
  const config = configuration('journald')
  const arguments_ = found(config, /\| evq (.+)/).split(' ')
  const line = {
    __REALTIME_TIMESTAMP: '1767268800123000',
    _SOURCE_REALTIME_TIMESTAMP: '1767268800122990',
    PRIORITY: '3',
    SYSLOG_IDENTIFIER: 'shop',
    _HOSTNAME: 'h',
    MESSAGE: 'from journald',
  }
  const { listener, env } = await listening()
  const stdin = `${JSON.stringify(line)}\n`
  const { status } = await evqInProcess(arguments_, { directory: scratch, stdin, env })
  await listener.close()
  expect(status).toBe(0)
  expect(await eventOf("MESSAGE == 'from journald'")).toMatchObject({
    _time: NOON,
    level: 'error',
    SYSLOG_IDENTIFIER: 'shop',
  })
})

it('Docker', async () => {
  const config = configuration('Docker')
  const path = `${found(config, /splunk-url=http:\/\/127\.0\.0\.1:4600(\S*)/)}/services/collector/event/1.0`
  const probe = await send({ method: 'OPTIONS', path, headers: {} })
  expect(probe.status).toBe(200)
  const envelope = (line: unknown, time: string) =>
    JSON.stringify({
      event: { line, tag: 'abc', source: 'stdout' },
      time,
      host: 'h',
      index: found(config, /splunk-index=(\w+)/),
    })
  const { status, body } = await send({
    path,
    headers: { authorization: `Splunk ${found(config, /splunk-token=(\S+)/)}` },
    body:
      envelope({ n: 1, from: 'Docker' }, '1767268800.123000') +
      envelope('text', '1767268801.000000'),
  })
  expect([status, body]).toEqual([200, { text: 'Success', code: 0 }])
  expect(await eventOf("['line.from'] == 'Docker'")).toMatchObject({
    _time: NOON,
    'line.n': 1,
    tag: 'abc',
    host: 'h',
  })
})

it('Heroku', async () => {
  const config = configuration('Heroku')
  const [, credentials = '', path = ''] = /https:\/\/([^@]+)@[^/]+(\S+)/.exec(config) ?? []
  const message = '<190>1 2026-01-01T12:00:00.123000+00:00 host app web.1 - from Heroku'
  const { status } = await send({
    path,
    headers: {
      'content-type': 'application/logplex-1',
      'logplex-msg-count': '1',
      'logplex-frame-id': '09C557EAFCFB6CF2740EE62F62971098',
      'logplex-drain-token': 'd.fc6b856b-3332-4546-93de-7d0ee272c3bd',
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'user-agent': 'Logplex/v72',
    },
    body: `${message.length} ${message}`,
  })
  expect(status).toBe(200)
  expect(await eventOf("message == 'from Heroku'")).toMatchObject({ _time: NOON, pid: 'web.1' })
})

it('Amazon Data Firehose', async () => {
  const config = configuration('Amazon Data Firehose')
  const { status, body } = await send({
    path: found(config, /https:\/\/[^/]+(\S+)/),
    headers: {
      'content-type': JSON_TYPE,
      'x-amz-firehose-protocol-version': '1.0',
      'x-amz-firehose-request-id': 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f',
      'x-amz-firehose-source-arn': 'arn:aws:firehose:us-east-1:123456789:deliverystream/evq',
      'x-amz-firehose-access-key': found(config, /Access key: (\S+)/),
      'user-agent': 'Amazon Kinesis Data Firehose Agent/1.0',
    },
    body: JSON.stringify({
      requestId: 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f',
      timestamp: 1767268800123,
      records: [{ data: Buffer.from('from Firehose').toString('base64') }],
    }),
  })
  expect([status, body.requestId]).toEqual([200, 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f'])
  expect(await eventOf("message == 'from Firehose'")).toEqual({
    _time: '2026-01-01T12:00:00Z',
    message: 'from Firehose',
  })
})

it('Grafana', async () => {
  const config = configuration('Grafana')
  const path = `${addressIn(config)}/v1/query/_apl?format=tabular`
  const headers = {
    'content-type': JSON_TYPE,
    authorization: `Bearer ${found(config, /accessToken: "([^"]+)"/)}`,
  }
  // "Save & test"
  expect((await send({ path, headers, body: '' })).status).toBe(422)
  await send({ path: '/v1/ingest/logs', headers, body: `[{"_time":"${NOON}","n":1}]` })
  const apl = "['logs'] | where n == 1 | summarize count() by bin(_time, 1h)"
  const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' }
  const { status, body } = await until(
    () => send({ path, headers, body: JSON.stringify({ apl, ...range }) }),
    'a result',
  )
  expect(status).toBe(200)
  expect(body.tables[0].columns).toEqual([['2026-01-01T12:00:00Z'], [1]])
})

it('covers every configuration', () => {
  const programs = SHIPPERS.flatMap((block) => (block.kind === 'heading' ? [block.text] : []))
  expect(programs.slice(0, -1)).toEqual([
    ...['Files', 'OpenTelemetry Collector', 'Vector', 'Fluent Bit', 'Filebeat', 'Logstash'],
    'Telegraf',
    ...['rsyslog', 'syslog-ng', 'journald', 'Promtail', 'Grafana Alloy', 'Logback'],
    ...['Elasticsearch libraries', 'pino', 'winston', 'Docker', 'Heroku'],
    ...['Amazon Data Firehose', 'Grafana'],
  ])
})
