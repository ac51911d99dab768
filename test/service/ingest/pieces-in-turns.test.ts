import { describe, expect, it, vi } from 'vitest'
import { firehose } from '../../../src/service/ingest/firehose.js'
import { hecEvents, hecRaw } from '../../../src/service/ingest/hec/hec.js'
import { loki } from '../../../src/service/ingest/loki/loki.js'
import { otlpLogs, otlpTraces } from '../../../src/service/ingest/otlp/otlp.js'
import { piecesInTurns } from '../../../src/service/ingest/pieces-in-turns.js'
import type { DecodingSteps, IngestProtocol } from '../../../src/service/ingest/protocol.js'
import { DEFAULT_LIMITS } from '../../../src/service/limits.js'

async function* only(body: Buffer): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < body.length; at += 64 * 1024) yield body.subarray(at, at + 64 * 1024)
}

/** Decodes a body; returns the text of its events, and the number of steps. */
async function decode(protocol: IngestProtocol, body: string | Buffer, type = JSON_TYPE) {
  const request = {
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    headers: { 'content-type': type },
    body: only(Buffer.from(body)),
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
  let steps = 0
  async function* counted(): AsyncGenerator<DecodingSteps, void> {
    for await (const part of decodeBody(request.body)) yield countedSteps(part)
  }
  function* countedSteps(part: DecodingSteps): DecodingSteps {
    for (const step of part) {
      steps += 1
      yield step
    }
  }
  let events = ''
  for await (const { lines } of piecesInTurns(counted())) events += lines
  return { steps, events }
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

/** A field of Protocol Buffers with a number that nobody uses, and its value. */
const UNKNOWN = Buffer.from([0x78, 0x01])

/** A message or a string as a field of Protocol Buffers. */
function field(tag: number, value: Buffer): Buffer {
  const head = [tag]
  let length = value.length
  for (; length >= 0x80; length >>>= 7) head.push((length & 0x7f) | 0x80)
  return Buffer.concat([Buffer.from([...head, length]), value])
}

// With one step, each would take hundreds of milliseconds.
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
    Buffer.concat(Array<Buffer>(500_000).fill(STREAM)),
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
  ['blank lines of Firehose', firehose, records([base64('\n'.repeat(1_000_000))]), ''],
  [
    'control messages of CloudWatch',
    firehose,
    records([base64('{"messageType":"CONTROL_MESSAGE","logEvents":[]}'.repeat(200_000))]),
    '',
  ],
  [
    'unknown fields of an OTLP request',
    otlpLogs,
    Buffer.alloc(2_000_000, UNKNOWN),
    'application/x-protobuf',
  ],
  [
    'unknown fields of a resource of OTLP',
    otlpLogs,
    field(0x0a, Buffer.alloc(2_000_000, UNKNOWN)),
    'application/x-protobuf',
  ],
  [
    'unknown fields of a scope of OTLP',
    otlpLogs,
    field(0x0a, field(0x12, Buffer.alloc(2_000_000, UNKNOWN))),
    'application/x-protobuf',
  ],
])('%s are read in steps', async (_, protocol, body, type) => {
  const { steps, events } = await decode(protocol, body, type)
  expect(events).toBe('')
  expect(steps).toBeGreaterThan(50)
})

it('small events of the HTTP Event Collector are read in steps', async () => {
  const { steps, events } = await decode(hecEvents, '{"event":1}'.repeat(80_000))
  expect(events.length).toBe('{"_raw":"1"}\n'.length * 80_000)
  expect(steps).toBeGreaterThan(80_000)
})

it('blank lines of the HTTP Event Collector are not copied', async () => {
  const concat = vi.spyOn(Buffer, 'concat')
  try {
    const { events } = await decode(hecRaw, `${'\n'.repeat(1_000_000)}x`, 'text/plain')
    expect(events).toBe('{"_raw":"x"}\n')
    expect(concat.mock.calls.length).toBeLessThan(100)
  } finally {
    concat.mockRestore()
  }
})

const list = (one: string, count: number): string => Array(count).fill(one).join(',')

const spanWith = (members: string): string =>
  `{"resourceSpans":[{"scopeSpans":[{"spans":[{${members}}]}]}]}`

const MIB = 1024 * 1024

describe('a request is refused, and the limit named, with', () => {
  it.each<[string, IngestProtocol, string | Buffer, string, string]>([
    [
      'more than 1,048,576 lines',
      hecRaw,
      '\n'.repeat(1_100_000),
      'text/plain',
      'The request has more than 1,048,576 lines, entries and members',
    ],
    [
      'more than 1,048,576 log records',
      otlpLogs,
      field(0x0a, field(0x12, Buffer.alloc(2_200_000, Buffer.from([0x12, 0])))),
      'application/x-protobuf',
      'it has more than 1,048,576 records',
    ],
    [
      'more than 100,000 events of a span',
      otlpTraces,
      spanWith(`"events":[${list('{"name":"a"}', 100_001)}]`),
      JSON_TYPE,
      'a record or a resource has more than 100,000 values',
    ],
    [
      'more than 400,000 elements and members of a span in JSON',
      otlpTraces,
      spanWith(`"events":[${list('{}', 500_000)}]`),
      JSON_TYPE,
      'a record or a resource has more than 400,000 values',
    ],
    [
      'a line of Loki of more than 2 MiB',
      loki,
      `{"streams":[{"stream":{},"values":[["1","${'x'.repeat(2 * MIB + 1)}"]]}]}`,
      JSON_TYPE,
      'A line of the request has more than 2 MiB',
    ],
    [
      'an entry of Loki of more than 4 MiB in Protocol Buffers',
      loki,
      field(0x0a, field(0x12, field(0x12, Buffer.alloc(4 * MIB)))),
      'application/x-protobuf',
      'An entry of the request has more than 4 MiB',
    ],
    [
      'a stream of Loki of more than 10,000 labels',
      loki,
      field(0x0a, field(0x0a, Buffer.from(`{${list('a="b"', 10_001)}}`))),
      'application/x-protobuf',
      'A stream has more than 10,000 labels',
    ],
    [
      'a record of Firehose of more than 16 MiB',
      firehose,
      records([base64('x'.repeat(13 * MIB))]),
      '',
      'the data of a record has more than 16 MiB',
    ],
    [
      'labels that make the events 16 times as large',
      loki,
      `{"streams":[{"stream":{"a":"${'x'.repeat(60_000)}"},"values":[${list('["1",""]', 300)}]}]}`,
      JSON_TYPE,
      'The request is larger than 16 times its size once each event has its labels',
    ],
  ])('%s', async (_, protocol, body, type, message) => {
    await expect(decode(protocol, body, type)).rejects.toThrow(message)
  })
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

it('other work runs between the steps of a part of a body', async () => {
  let isDone = false
  let turns = 0
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  function* steps(): DecodingSteps {
    setImmediate(count)
    for (let i = 0; i < 20; i++) {
      for (const end = performance.now() + 2; performance.now() < end; );
      yield undefined
    }
    isDone = true
  }
  async function* body(): AsyncGenerator<DecodingSteps, void> {
    yield steps()
  }
  for await (const _ of piecesInTurns(body())) {
    // There are no pieces.
  }
  // 40 ms in turns of 5 ms, of which each may end a step late.
  expect(turns).toBeGreaterThanOrEqual(4)
})
