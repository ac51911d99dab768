import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { cannedService } from '../support/canned-service.js'
import { type FakeIoOptions, fakeIo } from '../support/fake-io.js'
import { programIn } from '../support/program-in.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()

describe('the legacy formats on the local service', () => {
  const { run } = programIn(join(scratch, 'data'))
  const query = (...args: readonly string[]) => run(['query', ...args, '-q'])

  it('print events and groups as rows', async () => {
    const events = [
      '{"_time":"2026-01-01T10:00:00Z","status":200,"service":"web","big":9007199254740993}',
      '{"_time":"2026-01-01T10:00:01Z","status":500,"service":"web"}',
      '{"_time":"2026-01-01T10:01:00Z","status":503,"service":"api"}',
    ]
    await run(['ingest', 'logs', '-q'], `${events.join('\n')}\n`)

    const filters = ['--filter', 'status >= 200', '--filter', 'big not-exists']
    const sorted = ['--order', '_time:asc', '-n', '1', '--columns', '_time,status', '-o', 'csv']
    expect(await query('--legacy', 'logs', ...filters, ...sorted)).toMatchObject({
      status: 0,
      stdout: '_time,status\n2026-01-01T10:00:01Z,500\n',
      stderr: '',
    })

    const file = join(scratch, 'request.json')
    writeFileSync(
      file,
      '{"aggregations":[{"op":"count"}],"groupBy":["service"],"filter":{"op":">","field":"status","value":0}}',
    )
    const grouped = ['--legacy', 'logs', '-f', file, '--order', 'service:asc', '-o', 'csv']
    expect((await query(...grouped)).stdout).toBe('service,COUNT\napi,1\nweb,2\n')
    expect((await query(...grouped, '--filter', 'service=web')).stdout).toBe(
      'service,COUNT\nweb,2\n',
    )
    expect((await query(...grouped, '--resolution', '1m')).stdout).toBe(
      '_time,service,COUNT\n2026-01-01T10:00:00Z,web,2\n2026-01-01T10:01:00Z,api,1\n',
    )

    const apl = "['logs'] | where big > 0 | project _time, big"
    expect((await query('--format', 'legacy', apl)).stdout).toMatch(
      /^{"_time":"2026-01-01T10:00:00Z","_rowId":"[0-9a-z]+","big":9007199254740993}\n$/,
    )
    const misspelt = await query('--format', 'legacy', "['logs'] | where statsu > 0")
    expect(misspelt).toMatchObject({ status: 2, stdout: '' })
    expect(misspelt.stderr).toContain('error[unknown-field]')
    const unknown = await query('--legacy', 'logs', '--filter', 'statsu=1')
    expect(unknown).toMatchObject({ status: 2, stdout: '' })
    expect(unknown.stderr).toContain('There is no field `statsu`')
    expect(unknown.stderr.trim().split('\n')).toHaveLength(1)
  })
})

const service = await cannedService()

beforeEach(() => {
  service.received.length = 0
  const data = { msg: '\u001b[31mred', n: 1 }
  const match = { _time: '2026-01-01T10:00:00Z', _sysTime: '2026-01-01T10:00:00Z', data }
  service.respondWith({ body: { status: { rowsExamined: 5 }, matches: [match], buckets: null } })
})

async function run(args: readonly string[], options: FakeIoOptions = {}) {
  const io = fakeIo({ ...options, env: { EVQ_URL: service.url, NO_COLOR: '1' } })
  const exitCode = await main(['query', ...args], io)
  return { exitCode, out: io.out(), err: io.err() }
}

describe('the legacy formats', () => {
  it('send the request that the flags describe', async () => {
    const flags = ['--filter', 'n > 0', '--order', 'n:desc', '-n', '3', '--since', '2026-01-01']
    const cursor = ['--cursor', 'abc', '--include-cursor', '--resolution', '30s']
    expect(await run(['--legacy', 'my.logs', ...flags, ...cursor])).toEqual({
      exitCode: 0,
      out: '{"_time":"2026-01-01T10:00:00Z","_sysTime":"2026-01-01T10:00:00Z","msg":"\\u001b[31mred","n":1}\n',
      err: '1 row, 5 events examined\n',
    })
    const [{ method, url, body } = { method: '', url: '', body: '' }] = service.received
    expect([method, url]).toEqual(['POST', '/v1/datasets/my.logs/query'])
    expect(JSON.parse(body)).toEqual({
      startTime: '2026-01-01T00:00:00Z',
      limit: 3,
      order: [{ field: 'n', desc: true }],
      cursor: 'abc',
      includeCursor: true,
      resolution: '30s',
      filter: { op: '>', field: 'n', value: 0 },
    })
  })

  it('request a legacy response to an APL query', async () => {
    const { exitCode, out } = await run(["['logs']", '--format', 'legacy', '-o', 'raw'])
    expect([exitCode, JSON.parse(out).status]).toEqual([0, { rowsExamined: 5 }])
    expect(service.received[0]?.url).toBe('/v1/datasets/_apl?format=legacy')
  })

  it('send numbers in a request as written, and flags take precedence', async () => {
    const filter = '{"op":"==","field":"id","value":9007199254740993}'
    const request = `{"filter": ${filter}, "limit": 5}`
    await run(['--legacy', 'logs', request, '-n', '2', '--filter', 'n exists'])
    const { body } = service.received[0]!
    expect(body).toContain(`"filter":{"op":"and","children":[${filter},{"op":"exists"`)
    expect(JSON.parse(body).limit).toBe(2)
  })

  it('default to the last hour on a terminal, unless the request has a range', async () => {
    const { out, err } = await run(['--legacy', 'logs'], { isTerminal: true })
    expect(out).toContain('│ _time')
    expect(out).not.toContain('\u001b[31m')
    expect(err).toContain('1 row of the last hour')
    expect(JSON.parse(service.received[0]!.body)).toHaveProperty('startTime')
    const request = '{"endTime":"2026-01-02T00:00:00Z"}'
    const own = await run(['--legacy', 'logs', request], { isTerminal: true })
    expect(own.err).toBe('1 row, 5 events examined\n')
    expect(JSON.parse(service.received[1]!.body)).toEqual({ endTime: '2026-01-02T00:00:00Z' })
  })

  it.each([
    [['--legacy', '-logs'], 'is not a valid dataset name'],
    [['--legacy', 'logs', '--filter', 'status'], '`--filter` takes a field'],
    [['--legacy', 'logs', '{'], 'a JSON request'],
    [['--legacy', 'logs', '[]'], 'a JSON request'],
    [["['logs']", '--filter', 'n=1'], '`--filter` requires `--legacy <dataset>`'],
    [['--legacy', 'logs', '--check'], '`--check` applies to APL queries'],
    [['--legacy', 'logs', '-p', 'n=1'], '`--param` applies to APL queries'],
    [['--legacy', 'logs', '--no-fill'], '`--no-fill` applies to APL queries'],
    [["['logs']", '--format', 'csv'], '`--format` does not accept `csv`'],
  ])('end with 2 for %j', async (args, message) => {
    const { exitCode, err } = await run(args)
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)])
    expect(service.received).toEqual([])
  })

  it('exit with 1 for a malformed response', async () => {
    service.respondWith({ body: '<html>' })
    const { exitCode, err } = await run(['--legacy', 'logs'])
    expect([exitCode, err]).toEqual([1, expect.stringContaining('Unexpected response')])
  })
})
