import { gzipSync } from 'node:zlib'
import { ask, connections, post, store, type Target } from './requests.js'

/** Something hostile that a holder of a token can send, and nobody else must notice. */
interface Input {
  readonly name: string
  /** Sends it and returns the statuses of the responses. */
  send(target: Target): Promise<readonly number[]>
}

/** Bodies that take much more work than their length suggests, by protocol. */
function encodings(share: number): readonly Input[] {
  const many = (count: number): number => Math.max(3, Math.ceil(count * share))
  const input = (name: string, path: string, type: string, body: () => string | Buffer): Input => ({
    name,
    send: async (target) => [await post(target, { path, type, body: body() })],
  })
  const protobuf = 'application/x-protobuf'
  const traces = '/v1/traces?dataset=encodings'
  const push = '/loki/api/v1/push?dataset=encodings'
  const spanEvents = (count: number): string =>
    `{"resourceSpans":[{"scopeSpans":[{"spans":[{"events":[${'{"name":"a"},'.repeat(count)}{}]}]}]}]}`
  const lokiLine = (length: number): Buffer =>
    varintMessage(0x0a, varintMessage(0x12, varintMessage(0x12, Buffer.alloc(length, 1))))
  const names = (count: number): string => Array.from({ length: count }, (_, i) => `f${i}`).join()
  return [
    input(
      '60,000,000 blank lines of the HTTP Event Collector',
      '/services/collector/raw?index=encodings',
      'text/plain',
      () => '\n'.repeat(many(60_000_000)),
    ),
    input('a span of 500,000 events', traces, 'application/json', () => spanEvents(many(500_000))),
    input('unknown fields of OTLP', '/v1/logs?dataset=encodings', protobuf, () =>
      varintMessage(0x0a, Buffer.alloc(2 * many(30_000_000), Buffer.from([0x78, 1]))),
    ),
    input('a line of Loki of 60 MB', push, protobuf, () => lokiLine(many(60_000_000))),
    input('frames of 3 bytes', '/v1/ingest/encodings', 'application/logplex-1', () =>
      '3 <3>'.repeat(many(12_000_000)),
    ),
    input('a header of CSV of 100,000 names', '/v1/ingest/encodings', 'text/csv', () =>
      [names(many(100_000)), '1', ''].join('\n'),
    ),
    input('a row of CSV of 8,000,000 cells in quotes', '/v1/ingest/encodings', 'text/csv', () =>
      ['a,b', '"",'.repeat(many(8_000_000)), ''].join('\n'),
    ),
    input('deletions of 450,000 indices', '/_bulk', 'application/x-ndjson', () =>
      Array.from({ length: many(450_000) }, (_, i) => `{"delete":{"_index":"i${i}"}}\n`).join(''),
    ),
  ]
}

/** The hostile inputs; `share` of their full size, between 0 and 1. Datasets that one makes are there for those after it. */
export function inputs(share: number): readonly Input[] {
  const many = (count: number): number => Math.max(3, Math.ceil(count * share))
  const numbers = (count: number) => Array.from({ length: many(count) }, (_, i) => i)
  const query = (name: string, apl: () => string, more?: object): Input => ({
    name,
    send: async (target) => [await ask(target, apl(), more)],
  })
  const ingest = (name: string, dataset: string, body: () => string): Input => ({
    name,
    send: async (target) => [await store(target, dataset, body())],
  })
  const oneObject = (prefix: string, count: number): string =>
    `{${numbers(count)
      .map((i) => `"${prefix}${i}":${i}`)
      .join(',')}}\n`
  return [
    ...[300, 2_000, 5_000].map((fields) =>
      ingest(`an event of ${fields} fields`, `wide-${fields}`, () => oneObject('f', fields)),
    ),
    ingest('an event of 100,000 fields', 'wide', () => oneObject('f', 100_000)),
    {
      name: '20 events of 20,000 new fields each, then a small one',
      async send(target) {
        const statuses = []
        for (const i of numbers(20))
          statuses.push(await store(target, 'junk', oneObject(`e${i}_`, 20_000)))
        return [...statuses, await store(target, 'junk', '{"e0_1":1}\n')]
      },
    },
    {
      name: '20 events of 9,000 new fields each',
      async send(target) {
        const statuses = []
        for (const i of numbers(20))
          statuses.push(await store(target, 'full', oneObject(`e${i}_`, 9_000)))
        return statuses
      },
    },
    ingest('keys made of ids', 'ids', () =>
      numbers(50_000)
        .map((i) => `{"users":{"u-${i}":{"n":${i}}}}\n`)
        .join(''),
    ),
    ...['wide', 'junk', 'full', 'ids', 'wide-5000'].flatMap((dataset) => [
      query(`take of ${dataset}`, () => `['${dataset}'] | take 1`),
      query(`getschema of ${dataset}`, () => `['${dataset}'] | getschema`),
    ]),
    ...[
      'union * | take 5',
      'union * | count',
      "search 'zzz'",
      "search 'zzz' | count",
      'union wide*, junk, ids | where f1 == 1 | summarize count() by f2',
    ].map((apl) => query(apl, () => apl)),
    ...[100_000, 300_000, 550_000].map((count) =>
      query(`in (${count} numbers)`, () => `ids | where n in (${numbers(count).join(',')})`),
    ),
    query('in (300,000 strings)', () => {
      const values = numbers(300_000).map((i) => `"s${i}"`)
      return `ids | where n in~ (${values.join(',')})`
    }),
    query('a datatable of 500,000 values', () => `datatable(a:int)[${numbers(500_000).join(',')}]`),
    query('a string of 3 MB', () => `print a = "${'x'.repeat(many(3_000_000))}"`),
    query('a comment of 3 MB', () => `print a = 1 //${'x'.repeat(many(3_000_000))}`),
    query('a dynamic literal of 3 MB', () => `print a = dynamic([${numbers(500_000).join(',')}])`),
    query('a list of parameters of 3 MB', () => 'print x', { variables: { x: numbers(500_000) } }),
    query(
      '100,000 conditions',
      () =>
        `ids | where ${numbers(100_000)
          .map((i) => `n == ${i}`)
          .join(' or ')}`,
    ),
    query(
      '20,000 operators',
      () =>
        `ids ${numbers(20_000)
          .map((i) => `| extend a${i} = ${i}`)
          .join('')}`,
    ),
    query(
      '20,000 statements',
      () =>
        `${numbers(20_000)
          .map((i) => `let a${i} = ${i};`)
          .join('\n')} print a1`,
    ),
    query('50,000 parentheses', () => {
      const depth = many(50_000)
      return `print a = ${'('.repeat(depth)}1${')'.repeat(depth)}`
    }),
    query('220 queries within each other', () => {
      const depth = many(220)
      return `${'('.repeat(depth)}ids${' | take 5)'.repeat(depth)}`
    }),
    query('queries that double', () => {
      const steps = numbers(30).map((i) => `let t${i + 1} = union t${i}, t${i};`)
      return `let t0 = ids; ${steps.join(' ')} t${many(30)} | count`
    }),
    query(
      '1,000 queries beside each other',
      () =>
        `union ${numbers(1_000)
          .map((i) => `(ids | where n == ${i})`)
          .join(', ')}`,
    ),
    query(
      'a product of 1,000,000 rows by itself',
      () =>
        'range a from 1 to 1000000 step 1 | extend k = 1 | join (range b from 1 to 1000000 step 1 | extend k = 1) on k | count',
    ),
    query(
      'a series of 10^12 steps',
      () =>
        'ids | make-series count() on _time from datetime(1970-01-01) to datetime(2200-01-01) step 1ms',
    ),
    query(
      'strings that grow',
      () =>
        "print s = strrep('x', 1000000) | extend s = strcat(s, s, s, s, s, s, s, s, s, s) | extend s = strcat(s, s, s, s, s, s, s, s, s, s) | project strlen(s)",
    ),
    query(
      'a regular expression of 1 MB',
      () => `ids | where tostring(n) matches regex "${'(a|b)*'.repeat(many(170_000))}"`,
    ),
    {
      name: 'a bulk request with 500,000 rejected documents',
      async send(target) {
        const body = `{"index":{}}\nx\n`.repeat(many(500_000))
        return [await post(target, { path: '/junk-bulk/_bulk', body })]
      },
    },
    {
      name: '30 envelopes with an event of 100,000 keys each',
      async send(target) {
        const body = `{"event":${oneObject('f', 100_000)}}`.repeat(30)
        return [await post(target, { path: '/services/collector?index=junk-envelopes', body })]
      },
    },
    {
      name: 'a request nested 100,000 deep',
      async send(target) {
        const depth = many(100_000)
        const body = `{"apl":"ids","variables":${'['.repeat(depth)}${']'.repeat(depth)}}`
        return [await post(target, { path: '/v1/datasets/_apl?format=tabular', body })]
      },
    },
    {
      name: 'a legacy filter of 100,000 conditions',
      async send(target) {
        const children = numbers(100_000).map((value) => ({ op: '==', field: 'n', value }))
        const body = JSON.stringify({ filter: { op: 'or', children } })
        return [await post(target, { path: '/v1/datasets/ids/query', body })]
      },
    },
    ingest('a million bad lines', 'bad', () => 'x\n'.repeat(many(1_000_000))),
    ingest('a million lines of which each second is bad', 'bad', () =>
      '{"n":1}\nx\n'.repeat(many(500_000)),
    ),
    {
      name: 'a million bad elements of an array',
      async send(target) {
        const body = `[${'x,'.repeat(many(1_000_000))}x]`
        return [await post(target, { path: '/v1/ingest/bad', body })]
      },
    },
    {
      name: 'a million bad rows of CSV',
      async send(target) {
        const body = `a,b\n${'1,2,3\n'.repeat(many(1_000_000))}`
        return [await post(target, { path: '/v1/ingest/bad', type: 'text/csv', body })]
      },
    },
    ingest('a line of 60 MB', 'long', () => `{"a":"${'x'.repeat(many(60_000_000))}"}\n`),
    ingest('an array of 60 MB', 'long', () => `{"list":[${'12345,'.repeat(many(10_000_000))}1]}\n`),
    ingest(
      'an array of 60 MB in objects',
      'long',
      () => `{"rows":[${'{"k":1,"b":"xx"},'.repeat(many(3_500_000))}{}]}\n`,
    ),
    ingest(
      'a string of 30,000,000 escapes',
      'long',
      () => `{"text":"${'\\n'.repeat(many(30_000_000))}"}\n`,
    ),
    {
      name: 'OTLP: many empty records, a long unknown member, a record of many attributes',
      async send(target) {
        const path = '/v1/logs?dataset=otlp'
        const json = (records: string): string =>
          `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${records}]}]}]}`
        const pairs = numbers(150_000).map((i) => `{"key":"k${i}","value":{"intValue":${i}}}`)
        const bodies = [
          json(`${'{},'.repeat(many(5_000_000))}{}`),
          json(`{"attributes":[${pairs.join(',')}]}`),
          `{"x":[${'1,'.repeat(many(20_000_000))}1]}`,
        ]
        const statuses = []
        for (const body of bodies) {
          statuses.push(await post(target, { path, type: 'application/json', body }))
        }
        const scope = varintMessage(0x12, Buffer.from('1200'.repeat(many(5_000_000)), 'hex'))
        const body = varintMessage(0x0a, scope)
        statuses.push(await post(target, { path, type: 'application/x-protobuf', body }))
        return statuses
      },
    },
    ...encodings(share),
    {
      name: 'a gzip bomb of 1 GiB',
      async send(target) {
        const body = gzipSync(Buffer.alloc(Math.ceil(share * 2 ** 30)))
        const headers = { 'content-encoding': 'gzip' }
        const type = 'application/x-ndjson'
        return [await post(target, { path: '/v1/ingest/bomb', type, headers, body })]
      },
    },
    {
      name: '2,000 wrong tokens',
      async send(target) {
        const wrong = numbers(2_000).map((i) =>
          ask({ ...target, token: `xaat-${i}` }, 'ids | count'),
        )
        return await Promise.all(wrong)
      },
    },
    {
      name: '5,000 idle connections',
      async send(target) {
        const close = await connections(target, many(5_000))
        try {
          return [await ask(target, 'ids | count')]
        } finally {
          await close()
        }
      },
    },
    {
      name: '1,000 bodies that never end',
      async send(target) {
        const head =
          'POST /v1/ingest/ids HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-ndjson\r\ncontent-length: 60000000\r\n'
        const text = `${head}authorization: Bearer ${target.token}\r\n\r\n{"n":1}\n`
        const close = await connections(target, many(1_000), text)
        try {
          return [await ask(target, 'ids | count')]
        } finally {
          await close()
        }
      },
    },
  ]
}

/** A field of protobuf with a message. */
function varintMessage(tag: number, message: Buffer): Buffer {
  const size = Buffer.alloc(5)
  for (let i = 0, rest = message.length; i < 5; i++, rest >>>= 7) {
    size[i] = (rest & 0x7f) | (i < 4 ? 0x80 : 0)
  }
  return Buffer.concat([Buffer.from([tag]), size, message])
}
