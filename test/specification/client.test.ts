import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CannedResponse, cannedService, tabular } from '../support/canned-service.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { temporaryDirectory } from '../support/temporary.js'

/** The address for ingest, and the address for everything else. */
const edge = await cannedService()
const base = await cannedService()
const scratch = temporaryDirectory()

const NO_ROWS = tabular([{ name: 'n', type: 'integer', values: '[]' }])
const RECORD = { kind: 'apl', metadata: {}, name: 'n', query: { apl: 'x' }, who: 'team', id: 'i' }
const STORED = { ingested: 1, failed: 0, failures: null, processedBytes: 8 }

beforeEach(() => {
  for (const { received } of [edge, base]) received.length = 0
  edge.respondWith({ body: STORED })
  base.respondWith({ body: NO_ROWS })
})

function run(args: readonly string[], { stdin = '{"n":1}\n', env = {} } = {}) {
  return evqInProcess(args, {
    directory: join(scratch, 'data'),
    stdin,
    env: {
      EVQ_URL: base.url,
      EVQ_INGEST_URL: edge.url,
      EVQ_TOKEN: 'xaat-token',
      XDG_CONFIG_HOME: scratch,
      ...env,
    },
  })
}

/** Returns the exit code and the messages of a query that gets this response. */
async function queryWith(response: CannedResponse) {
  base.respondWith(response)
  const { status, stderr } = await run(['query', 'logs'])
  return { status, stderr }
}

describe('Addresses', () => {
  it('{ingest_url} is the address of an edge deployment, used only for ingest.', async () => {
    expect(await run(['ingest', 'logs'])).toMatchObject({ status: 0 })
    expect(edge.received.map(({ url }) => url)).toEqual(['/v1/ingest/logs'])
    expect(base.received).toEqual([])
  })

  it('{base_url} is the address for all endpoints except ingest.', async () => {
    await run(['query', 'logs'])
    await run(['query', '--legacy', 'logs'])
    base.respondWith({ body: RECORD })
    await run(['starred', 'get', 'i'])
    expect(base.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /v1/datasets/_apl?format=tabular',
      'POST /v1/datasets/logs/query',
      'GET /v2/apl-starred-queries/i',
    ])
    expect(edge.received).toEqual([])
  })

  it('where only a base URL is configured, the ingest URL is the same', async () => {
    base.respondWith({ body: STORED })
    await run(['ingest', 'logs'], { env: { EVQ_INGEST_URL: '' } })
    expect(base.received.map(({ url }) => url)).toEqual(['/v1/ingest/logs'])
  })

  it('A base URL may come with a trailing slash or a path prefix; both are kept working.', async () => {
    await run(['query', 'logs'], { env: { EVQ_URL: `${base.url}/prefix/` } })
    expect(base.received[0]?.url).toBe('/prefix/v1/datasets/_apl?format=tabular')
  })
})

describe('Headers', () => {
  it('API token: header `Authorization: Bearer <API_TOKEN>`. The organization header is sent only with an organization id.', async () => {
    await run(['query', 'logs'])
    expect(base.received[0]?.headers).toMatchObject({
      authorization: 'Bearer xaat-token',
      'content-type': 'application/json',
    })
    expect(base.received[0]?.headers).not.toHaveProperty('x-service-org-id')
  })

  it('PAT: header `Authorization: Bearer <API_TOKEN>` plus header `x-service-org-id: <ORG_ID>`', async () => {
    await run(['query', 'logs'], { env: { EVQ_TOKEN: 'xapt-token', EVQ_ORG_ID: 'acme' } })
    expect(base.received[0]?.headers).toMatchObject({
      authorization: 'Bearer xapt-token',
      'x-service-org-id': 'acme',
    })
  })

  it('a profile can set another name. The same holds for the other product-named headers: event labels and CSV field names.', async () => {
    const XDG_CONFIG_HOME = join(scratch, 'configuration')
    mkdirSync(join(XDG_CONFIG_HOME, 'evq'), { recursive: true })
    const profile = `
      url = "${base.url}"
      org_id = "acme"
      org_header = "x-axiom-org-id"
      labels_header = "x-axiom-event-labels"
      csv_fields_header = "x-axiom-csv-fields"
    `
    const file = join(XDG_CONFIG_HOME, 'evq/config.toml')
    writeFileSync(file, `[profiles.hosted]\n${profile}`, { mode: 0o600 })
    base.respondWith({ body: STORED })
    const flags = ['-P', 'hosted', '-i', 'csv', '--csv-fields', 'a,b', '--label', 'k=v']
    await run(['ingest', 'logs', ...flags], {
      env: { XDG_CONFIG_HOME, EVQ_URL: '', EVQ_INGEST_URL: '' },
      stdin: '1,2\n',
    })
    const { headers = {} } = base.received[0] ?? {}
    expect(headers).toMatchObject({ 'x-axiom-org-id': 'acme' })
    expect(headers['x-axiom-csv-fields']).toBe('a,b')
    expect(JSON.parse(String(headers['x-axiom-event-labels']))).toEqual({ k: 'v' })
    for (const name of ['org-id', 'csv-fields', 'event-labels'])
      expect(headers).not.toHaveProperty(`x-service-${name}`)
  })
})

describe('Answers', () => {
  it.each([401, 403])(
    'The client treats 401 and 403 alike, and says which permission is missing when it knows: %i',
    async (status) => {
      const ended = await queryWith({ status, body: { code: status, message: 'No.' } })
      expect(ended.status).toBe(4)
      expect(ended.stderr).toMatch(/permi|allow|query/i)
    },
  )

  it('`null` in place of an empty list (`failures`, `groups`, `order`, `messages`, `matches`) must be accepted.', async () => {
    expect(await run(['ingest', 'logs'])).toMatchObject({ status: 0 })
    const table = [{ name: 'n', type: 'integer', values: '[1]' }]
    expect(await queryWith({ body: tabular(table, { messages: null }) })).toMatchObject({
      status: 0,
    })
    base.respondWith({
      body: { status: { rowsMatched: 0, messages: null }, matches: null, buckets: {} },
    })
    expect(await run(['query', '--legacy', 'logs'])).toMatchObject({ status: 0, stdout: '' })
  })

  it('The client also reads `{"error": ..., "message": ...}` and plain text bodies.', async () => {
    const both = await queryWith({
      status: 404,
      body: { error: 'E-1', message: 'dataset not found' },
    })
    expect(both.stderr).toContain('dataset not found')
    const error = await queryWith({ status: 404, body: { error: 'no such thing' } })
    expect(error.stderr).toContain('no such thing')
    const headers = { 'content-type': 'text/plain' }
    const plain = await queryWith({ status: 404, headers, body: 'nothing here' })
    expect(plain.stderr).toContain('nothing here')
    for (const { status } of [both, error, plain]) expect(status).toBe(1)
  })

  it('Each answer carries a request id (`x-service-trace-id`); the client shows it with an error.', async () => {
    const headers = { 'x-service-trace-id': 'trace-4711' }
    const ended = await queryWith({ status: 404, headers, body: { code: 404, message: 'No.' } })
    expect(ended.stderr).toContain('trace-4711')
  })

  it('`messages` may be in `status`. The client prints them on stderr.', async () => {
    const messages = [{ priority: 'warn', code: 'x', count: 1, msg: 'the query was shortened' }]
    const table = [{ name: 'n', type: 'integer', values: '[1]' }]
    const ended = await queryWith({ body: tabular(table, { messages }) })
    expect(ended.stderr).toContain('the query was shortened')
  })

  it('The hosted service refuses the whole batch with 400 and names `index N`; the client understands both.', async () => {
    edge.respondWith({ status: 400, body: { code: 400, message: 'bad event at index 0' } })
    const ended = await run(['ingest', 'logs'])
    expect(ended.status).toBe(3)
    expect(ended.stderr).toContain('1 rejected')
  })

  it('A failures entry has at least `timestamp` and `error`; the client lives without `index` and `line`.', async () => {
    const failures = [{ timestamp: '2026-01-01T00:00:00Z', error: 'too odd' }]
    edge.respondWith({ body: { ingested: 1, failed: 1, failures } })
    const ended = await run(['ingest', 'logs'], { stdin: '{"n":1}\n{"n":2}\n' })
    expect(ended.status).toBe(3)
    expect(ended.stderr).toContain('too odd')
  })
})

describe('Limits of the hosted service the client must keep by itself', () => {
  it('10,000 events a batch', async () => {
    // A part of the events that waits for the rest of the input is not sent alone, however long it waits.
    const flags = ['--batch-bytes', '64MiB', '--flush-every', '1h']
    await run(['ingest', 'logs', ...flags], { stdin: '{"n":1}\n'.repeat(10_001) })
    const sizes = edge.received.map(({ body }) => body.trimEnd().split('\n').length)
    expect(sizes.toSorted((a, b) => b - a)).toEqual([10_000, 1])
  })

  it('No JavaScript number stands between.', async () => {
    const line = '{"big":9223372036854775807,"small":1.10,"exp":1E2}'
    await run(['ingest', 'logs'], { stdin: `${line}\n` })
    expect(edge.received[0]?.body.trimEnd()).toBe(line)
    base.respondWith({
      body: tabular([{ name: 'n', type: 'integer', values: '[9223372036854775807]' }]),
    })
    expect((await run(['query', 'logs'])).stdout).toBe('{"n":9223372036854775807}\n')
  })
})
