import { expect, it } from 'vitest'
import { firehose } from '../../../src/service/ingest/firehose.js'
import { hecEvents } from '../../../src/service/ingest/hec/hec.js'
import { loki } from '../../../src/service/ingest/loki/loki.js'
import { otlpLogs } from '../../../src/service/ingest/otlp/otlp.js'
import type { IngestProtocol } from '../../../src/service/ingest/protocol.js'
import { DEFAULT_LIMITS } from '../../../src/service/limits.js'

async function* only(body: Buffer): AsyncGenerator<Buffer, void> {
  yield body
}

/** Decodes a body; returns the text of its events, and how often other work was done in between. */
async function decode(protocol: IngestProtocol, body: string | Buffer, type = JSON_TYPE) {
  const bytes = Buffer.from(body)
  const request = {
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    headers: { 'content-type': type },
    body: only(bytes),
    signal: new AbortController().signal,
    trusted: false,
  }
  const { decodeBody } = protocol.decode(
    { request, parameters: { dataset: 'web' } },
    {
      defaultDataset: 'web',
      limits: DEFAULT_LIMITS,
      caller: { name: 'test', personal: true },
      now: () => 0n,
    },
  )
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  let events = ''
  for await (const { lines } of decodeBody(request.body)) events += lines
  clearImmediate(next)
  return { turns, events }
}

const records = (data: readonly string[]): string =>
  `{"requestId":"1","timestamp":1,"records":[${data.map((one) => `{"data":"${one}"}`).join(',')}]}`

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const JSON_TYPE = 'application/json'

/** An object of half a million members, by default. */
const unknownMembers = (known: string, count = 500_000): string =>
  `{${'"a":0,'.repeat(count)}${known}}`

const LONG = `[${'1,'.repeat(12_000_000)}1]`

const STREAM = Buffer.from([0x0a, 0x00])

const RESOURCE = Buffer.from([0x0a, 0x06, 0x0a, 0x04, 0x0a, 0x02, 0x0a, 0x00])
const SCOPE = Buffer.from([0x12, 0x05, 0x0a, 0x03, 0x0a, 0x01, 0x61])
const SCOPES = Buffer.concat(Array<Buffer>(1_000_000).fill(SCOPE))

// Each takes far more than a few turns of 10 ms.
it.each<[string, IngestProtocol, string | Buffer, string]>([
  [
    'streams of Loki without entries',
    loki,
    `{"streams":[${Array(150_000).fill('{"stream":{"a":"b"},"values":[]}').join(',')}]}`,
    JSON_TYPE,
  ],
  [
    'streams of Loki in Protocol Buffers without entries',
    loki,
    Buffer.concat(Array<Buffer>(1_500_000).fill(STREAM)),
    'application/x-protobuf',
  ],
  [
    'resources of OTLP without records',
    otlpLogs,
    Buffer.concat(Array<Buffer>(1_000_000).fill(RESOURCE)),
    'application/x-protobuf',
  ],
  [
    'scopes of OTLP without records',
    otlpLogs,
    // 7,000,000 bytes.
    Buffer.concat([Buffer.from([0x0a, 0xc0, 0x9f, 0xab, 0x03]), SCOPES]),
    'application/x-protobuf',
  ],
  ['records of Firehose without data', firehose, records(Array(150_000).fill('')), ''],
  [
    'records of Firehose without members',
    firehose,
    `{"records":[${Array(500_000).fill('{}').join(',')}]}`,
    '',
  ],
  ['unknown members of a request of Firehose', firehose, unknownMembers('"records":[]'), ''],
  ['unknown members of a push request of Loki', loki, unknownMembers('"streams":[]'), JSON_TYPE],
  [
    'unknown members of a stream of Loki',
    loki,
    `{"streams":[${unknownMembers('"values":[]')}]}`,
    JSON_TYPE,
  ],
  ['an unknown array of a request of Firehose', firehose, `{"x":${LONG},"records":[]}`, ''],
  ['an unknown array of a push request of Loki', loki, `{"x":${LONG},"streams":[]}`, JSON_TYPE],
  [
    'an unknown array of a stream of Loki',
    loki,
    `{"streams":[{"values":[],"x":${LONG},"stream":{}}]}`,
    JSON_TYPE,
  ],
  [
    'unknown members of an OTLP request',
    otlpLogs,
    unknownMembers('"resourceLogs":[]', 3_000_000),
    JSON_TYPE,
  ],
  ['blank lines of Firehose', firehose, records([base64('\n'.repeat(4_000_000))]), ''],
  [
    'control messages of CloudWatch',
    firehose,
    records([base64('{"messageType":"CONTROL_MESSAGE","logEvents":[]}'.repeat(300_000))]),
    '',
  ],
])('%s do not hold up other requests', async (_, protocol, body, type) => {
  const { turns, events } = await decode(protocol, body, type)
  expect(events).toBe('')
  expect(turns).toBeGreaterThan(3)
})

it('small events of the HTTP Event Collector do not hold up other requests', async () => {
  const { turns, events } = await decode(hecEvents, '{"event":1}'.repeat(80_000))
  expect(events.length).toBe('{"_raw":"1"}\n'.length * 80_000)
  expect(turns).toBeGreaterThan(3)
})

it('line feeds inside a message of CloudWatch are read in linear time', async () => {
  const message = `${'\n'.repeat(1_000_000)}x`
  const logEvents = [{ id: '1', timestamp: 1767268800000, message: `${message}\n\n` }]
  const record = JSON.stringify({ messageType: 'DATA_MESSAGE', logEvents })
  const { events } = await decode(firehose, records([base64(record)]))
  expect(JSON.parse(events)).toMatchObject({ message })
})

// Converting them would take far more than ten seconds, while the process does nothing else.
it('integers of millions of digits are refused', async () => {
  const record = `{"body":{"intValue":${'1'.repeat(8_000_000)}}}`
  const body = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${record}]}]}]}`
  const before = process.cpuUsage()
  for (let i = 0; i < 12; i++) {
    await expect(decode(otlpLogs, body)).rejects.toThrow('`intValue` must be a 64-bit integer')
  }
  // Unlike the time, it does not depend on what else the machine does.
  expect(process.cpuUsage(before).user).toBeLessThan(6e6)
})
