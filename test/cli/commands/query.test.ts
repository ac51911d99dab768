import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../../src/main.js'
import { cannedService, tabular } from '../../support/canned-service.js'
import { start } from '../../support/evq.js'
import { brokenOutput, type FakeIoOptions, fakeIo } from '../../support/fake-io.js'
import { needsLinux } from '../../support/needs.js'
import { temporaryDirectory } from '../../support/temporary.js'

const service = await cannedService()
const scratch = temporaryDirectory()
const APL = "['logs'] | summarize count() by service"

const COUNTS = tabular([
  { name: 'service', type: 'string', values: '["checkout","cart"]' },
  { name: 'count_', type: 'integer', values: '[9007199254740993,7]' },
])
const NOTHING = tabular([{ name: 'service', type: 'string', values: '[]' }], { rowsMatched: 0 })

beforeEach(() => {
  service.received.length = 0
  service.respondWith({ body: COUNTS })
})

async function run(args: readonly string[], options: FakeIoOptions = {}) {
  const io = fakeIo({ ...options, env: { EVQ_URL: service.url, ...options.env } })
  const exitCode = await main(['query', ...args], io)
  return { exitCode, out: io.out(), err: io.err() }
}

function request(): Record<string, unknown> {
  expect(service.received).toHaveLength(1)
  return JSON.parse(service.received[0]?.body ?? '')
}

describe('a result', () => {
  it('is a table on a terminal', async () => {
    expect(await run([APL], { isTerminal: true, env: { NO_COLOR: '1' } })).toEqual({
      exitCode: 0,
      out: [
        '┌──────────┬──────────────────┐',
        '│ service  │           count_ │',
        '├──────────┼──────────────────┤',
        '│ checkout │ 9007199254740993 │',
        '│ cart     │                7 │',
        '└──────────┴──────────────────┘',
        '',
      ].join('\n'),
      err: '2 rows of the last hour, 1,204,311 events examined in 34 ms\n',
    })
  })

  it('is NDJSON in a pipe', async () => {
    expect(await run([APL])).toEqual({
      exitCode: 0,
      out: '{"service":"checkout","count_":9007199254740993}\n{"service":"cart","count_":7}\n',
      err: '2 rows, 1,204,311 events examined in 34 ms\n',
    })
  })

  it('has the requested format', async () => {
    expect((await run([APL, '-o', 'csv'])).out).toBe(
      'service,count_\ncheckout,9007199254740993\ncart,7\n',
    )
    expect((await run([APL, '-o', 'csv', '--no-header'], { isTerminal: true })).out).toBe(
      'checkout,9007199254740993\ncart,7\n',
    )
    expect((await run([APL, '--output=json'])).out).toBe(
      '[\n{"service":"checkout","count_":9007199254740993},\n{"service":"cart","count_":7}\n]\n',
    )
    expect((await run([APL, '-o', 'table'])).out).toContain('│ checkout │ 9007199254740993 │')
  })

  it('has the requested columns in the requested order', async () => {
    expect((await run([APL, '--columns', 'count_,service', '-o', 'csv'])).out).toBe(
      'count_,service\n9007199254740993,checkout\n7,cart\n',
    )
  })

  it('rejects an unknown column and suggests a similar one', async () => {
    expect(await run([APL, '--columns', 'servce'])).toEqual({
      exitCode: 2,
      out: '',
      err: 'evq: The result has no column `servce`. Did you mean `service`?\n',
    })
  })

  it('is shown as records, with a note, when it does not fit the terminal', async () => {
    const { out, err } = await run([APL, '--color', 'never'], { isTerminal: true, columns: 20 })
    expect(out).toContain('service  checkout\ncount_   9007199254740993\n')
    expect(err).toMatch(/^The columns do not\nfit in 20\ncharacters, so each\n/)
  })

  it('is colored only on a terminal, unless flags or the environment override it', async () => {
    const bold = '\u001b[1m'
    const table = [APL, '-o', 'table']
    expect((await run(table, { isTerminal: true })).out).toContain(bold)
    expect((await run(table)).out).not.toContain(bold)
    expect((await run([...table, '--color', 'always'])).out).toContain(bold)
    expect((await run(table, { env: { FORCE_COLOR: '1' } })).out).toContain(bold)
    const without: Record<string, string>[] = [
      { NO_COLOR: '1' },
      { TERM: 'dumb' },
      { FORCE_COLOR: '0' },
    ]
    for (const env of without) {
      expect((await run(table, { isTerminal: true, env })).out).not.toContain(bold)
    }
    expect((await run([...table, '--color=never'], { isTerminal: true })).out).not.toContain(bold)
  })
})

describe('messages about a result', () => {
  it('end with the summary', async () => {
    const messages = [
      { priority: 'warn', code: 'default_limit_warning', count: 1, msg: 'Cut at 1,000.' },
    ]
    service.respondWith({
      body: tabular([{ name: 'n', type: 'integer', values: '[1]' }], { messages, rowsExamined: 1 }),
    })
    const { exitCode, err } = await run([APL])
    expect({ exitCode, err }).toEqual({
      exitCode: 0,
      err: 'Cut at 1,000. `-n` sets the limit of the request; `evq page` exports all rows.\n1 row, 1 event examined in 34 ms\n',
    })
    expect((await run([APL, '--strict'])).exitCode).toBe(3)
    expect((await run([APL, '-q'])).err).toBe(
      'Cut at 1,000. `-n` sets the limit of the request; `evq page` exports all rows.\n',
    )
  })

  it('report an empty result, and its time range on a terminal', async () => {
    service.respondWith({ body: NOTHING })
    expect(await run([APL], { isTerminal: true, columns: 100 })).toEqual({
      exitCode: 0,
      out: '',
      err: 'no rows of the last hour (`--since 7d` looks further back), 1,204,311 events examined in 34 ms\n',
    })
    expect(await run([APL])).toEqual({
      exitCode: 0,
      out: '',
      err: 'no rows, 1,204,311 events examined in 34 ms\n',
    })
    expect((await run([APL, '-o', 'json'])).out).toBe('[]\n')
  })

  it('report a partial result, which exits with 3', async () => {
    service.respondWith({
      body: tabular([{ name: 'n', type: 'integer', values: '[1]' }], { isPartial: true }),
    })
    const { exitCode, out, err } = await run([APL, '-q'])
    expect({ exitCode, out }).toEqual({ exitCode: 3, out: '{"n":1}\n' })
    expect(err).toContain('partial')
  })

  it('include more with --stats and with -v', async () => {
    const { err } = await run([APL, '--stats', '-v'])
    expect(err.split('\n')[0]).toContain(service.url)
    expect(err).toContain('matched: 2 events')
  })
})

describe('the request', () => {
  it('has the query as written, and no time range in a pipe', async () => {
    await run([`${APL} // ü\n`])
    expect(request()).toEqual({ apl: `${APL} // ü\n` })
    expect(service.received[0]).toMatchObject({
      method: 'POST',
      url: '/v1/datasets/_apl?format=tabular',
    })
  })

  it('covers the last hour on a terminal', async () => {
    await run([APL], { isTerminal: true, now: Date.UTC(2026, 0, 31, 12) })
    expect(request()).toEqual({ apl: APL, startTime: '2026-01-31T11:00:00Z' })
  })

  it('covers the requested range, also on a terminal', async () => {
    await run([APL, '--since', '2026-01-01', '--until', '+1d', '-n', '50'], { isTerminal: true })
    expect(request()).toEqual({
      apl: APL,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2026-01-02T00:00:00Z',
      defaultLimit: 50,
    })
  })

  it('has no default start on a terminal when there is an end', async () => {
    await run([APL, '--to', '2026-01-01'], { isTerminal: true })
    expect(request()).toEqual({ apl: APL, endTime: '2026-01-01T00:00:00Z' })
  })
})

describe('the query', () => {
  it('comes from a file', async () => {
    const file = join(scratch, 'q.apl')
    writeFileSync(file, APL)
    expect((await run(['-f', file])).exitCode).toBe(0)
    expect(request()).toEqual({ apl: APL })
  })

  it.each([[['-']], [['-f', '-']], [[]]])('comes from standard input with %j', async (args) => {
    expect((await run(args, { stdin: APL })).exitCode).toBe(0)
    expect(request()).toEqual({ apl: APL })
  })

  it.each<[string, readonly string[], FakeIoOptions, string]>([
    ['is missing', [], {}, 'There is no query.'],
    ['is empty', [' '], {}, 'on a file, `evq query -i app.log "limit 10"`.'],
    ['is empty on standard input', [], { stdin: '\n' }, 'The query is empty.'],
    ['is there twice', [APL, '-f', 'x'], {}, 'with `--file`. Events are read with `-i`.'],
    ['has lost its quotes', ['logs', '|', 'count'], {}, 'one argument in quotes'],
  ])('that %s is not sent', async (_, args, options, words) => {
    const { exitCode, out, err } = await run(args, options)
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toContain(words)
    expect(service.received).toEqual([])
  })

  it('fails when its file cannot be read', async () => {
    mkdirSync(join(scratch, 'directory'), { recursive: true })
    expect(await run(['-f', join(scratch, 'missing.apl')])).toMatchObject({ exitCode: 1, out: '' })
    const { exitCode, err } = await run(['-f', join(scratch, 'directory')])
    expect(exitCode).toBe(1)
    expect(err).toContain('is a directory')
  })

  it('fails when its file or standard input is longer than a request', async () => {
    const text = 'x'.repeat(2 * 1_048_576 + 1)
    const file = join(scratch, 'events.log')
    writeFileSync(file, text)
    for (const [args, options, what] of [
      [['-f', file], {}, `in \`${file}\``],
      [['-'], { stdin: text }, 'on standard input'],
    ] as const) {
      expect(await run(args, options)).toMatchObject({
        exitCode: 1,
        out: '',
        err: `evq: The query ${what} is longer than 2 MiB. Store a long list as a dataset, and query it with \`in\`. Events are read with \`-i\`.\n`,
      })
    }
    expect(service.received).toEqual([])
  })

  it('fails when its file never ends', needsLinux, async () => {
    expect(await run(['-f', '/dev/zero'])).toMatchObject({ exitCode: 1, out: '' })
  })
})

describe('an error response', () => {
  const problems = [
    {
      code: 'unknown-field',
      message: 'There is no field `statsu` at this point of the query.',
      span: { start: 17, end: 23 },
      label: 'close to `status`',
    },
  ]
  const refused = { code: 400, message: problems[0]?.message, problems }
  const misspelt = "['logs'] | where statsu >= 500"

  it('about the query marks the position in it and exits with 2', async () => {
    service.respondWith({ status: 400, body: refused })
    const { exitCode, out, err } = await run([misspelt])
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toContain(
      'error[unknown-field]: There is no field `statsu` at this point of the query.',
    )
    expect(err).toContain(`1 | ${misspelt}\n`)
    expect(err).toContain(`${' '.repeat(17)}^^^^^^ close to \`status\``)
  })

  it.each([['--json-errors'], ['-o', 'json']])('is one JSON object with %s', async (...flags) => {
    service.respondWith({ status: 400, headers: { 'x-service-trace-id': 'abc' }, body: refused })
    const { exitCode, err } = await run([misspelt, ...flags, '-v'])
    expect(exitCode).toBe(2)
    expect(JSON.parse(err)).toEqual({
      error: { code: 'unknown-field', message: refused.message, requestId: 'abc', problems },
      notes: expect.arrayContaining([expect.stringContaining(service.url)]),
    })
  })

  it.each([
    [400, 2],
    [422, 2],
    [401, 4],
    [403, 4],
    [404, 1],
    [413, 1],
  ])('with %d and no problems is one line, exit %d', async (status, expected) => {
    service.respondWith({
      status,
      headers: { 'x-service-trace-id': 'abc' },
      body: { code: status, message: 'No \u001b[31mway' },
    })
    const { exitCode, out, err } = await run([APL])
    expect({ exitCode, out }).toEqual({ exitCode: expected, out: '' })
    expect(err).toMatch(/^evq: No \\u001b\[31mway\. \(request abc\).*\n$/)
  })

  it('never shows the token', async () => {
    service.respondWith({ status: 403, body: { code: 403, message: 'Forbidden.' } })
    const { err } = await run([APL, '-vv'], { env: { EVQ_TOKEN: 'xapt-secret' } })
    expect(service.received[0]?.headers.authorization).toBe('Bearer xapt-secret')
    expect(err).toContain('EVQ_TOKEN')
    expect(err).not.toContain('xapt-secret')
  })

  it('is reported when it does not follow the interface', async () => {
    service.respondWith({ body: '<html>Sign in</html>' })
    const { exitCode, out, err } = await run([APL])
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(err).toContain('Unexpected response')
  })
})

describe('the output', () => {
  it('may be closed early, which is success', async () => {
    const io = { ...fakeIo({ env: { EVQ_URL: service.url } }), stdout: brokenOutput('EPIPE') }
    expect(await main(['query', APL], io)).toBe(0)
    expect(io.err()).toBe('')
  })

  it('fails on a full device', async () => {
    const io = { ...fakeIo({ env: { EVQ_URL: service.url } }), stdout: brokenOutput('ENOSPC') }
    expect(await main(['query', APL], io)).toBe(1)
    expect(io.err()).toContain('no space left')
  })

  it('may be closed early on standard error, too', async () => {
    const io = { ...fakeIo({ env: { EVQ_URL: service.url } }), stderr: brokenOutput('EPIPE') }
    expect(await main(['query', APL], io)).toBe(0)
    expect(io.out()).toContain('"checkout"')
  })
})

describe('Ctrl-C', () => {
  it('cancels a query in flight', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const connected = once(silent, 'connection')
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const query = start(['query', APL], { directory: scratch, env: { EVQ_URL: url } })
    const [socket] = await connected
    await once(socket, 'data')
    query.child.kill('SIGINT')
    expect(await query.ended).toMatchObject({
      signal: 'SIGINT',
      stdout: '',
      stderr: 'Query canceled.\n',
    })
    silent.close()
  })
})

describe('with -vv', () => {
  it('shows each exchange, without the token', async () => {
    const { err, exitCode } = await run([APL, '-vv'], { env: { EVQ_TOKEN: 'xapt-secret' } })
    expect(exitCode).toBe(0)
    expect(err).toContain(` > POST ${service.url}/v1/datasets/_apl?format=tabular, `)
    expect(err).toMatch(/^#\d+ > authorization: Bearer …$/m)
    expect(err).toMatch(/^#\d+ > content-type: application\/json$/m)
    expect(err).toMatch(/^#\d+ < 200, \d+ B in /m)
    expect(err).not.toContain('secret')
  })

  it('shows a failed exchange', async () => {
    const { err } = await run([APL, '-vv'], { env: { EVQ_URL: 'http://127.0.0.1:1' } })
    expect(err).toMatch(/^#\d+ < after .*: `http:\/\/127\.0\.0\.1:1` could not be reached/m)
  })

  it('shows an exchange with the local service', async () => {
    const env = { EVQ_URL: '', EVQ_DATA_DIR: join(scratch, 'shown') }
    const { err } = await run(['nothing', '-vv'], { env })
    expect(err).toMatch(/^#\d+ > POST http:\/\/localhost\/v1\/datasets\/_apl\?format=tabular, /m)
    expect(err).toMatch(/^#\d+ < 404, /m)
  })

  it('shows no exchange with -v only', async () => {
    expect((await run([APL, '-v'])).err).not.toContain(' > ')
  })
})

describe('an error with a line and a column', () => {
  const at = (line: unknown, column: unknown) => ({
    status: 400,
    body: {
      code: 400,
      message: 'The query is invalid.',
      detail: { errorType: 'compile', message: 'unknown function `cuont`', line, column },
    },
  })
  const TWO_LINES = "['logs']\n| summarize cuont()"
  const MARKED = [
    'error[compile]: unknown function `cuont`',
    '  |',
    '2 | | summarize cuont()',
    '  |             ^^^^^',
    '',
  ].join('\n')

  it('marks the place in the query', async () => {
    service.respondWith(at(2, 13))
    expect(await run([TWO_LINES])).toEqual({ exitCode: 2, out: '', err: MARKED })
    expect((await run([TWO_LINES, '--json-errors'])).err).toContain('"span":{"start":21,"end":26}')
  })

  it('marks it in a query that page and tail add to', async () => {
    service.respondWith(at(2, 9))
    for (const command of ['page', 'tail']) {
      const io = fakeIo({ env: { EVQ_URL: service.url } })
      expect(await main([command, "['logs']\n| where cuont() > 1"], io)).toBe(2)
      expect(io.err()).toContain('2 | | where cuont() > 1\n  |         ^^^^^\n')
    }
  })

  it('marks it in the predicate of --assert', async () => {
    service.respondWith(at(3, 3))
    const { err } = await run(["['logs']", '--assert', '  cuont() > 1'])
    expect(err).toContain('1 |   cuont() > 1\n  |   ^^^^^\n')
  })

  it.each([
    [9, 1],
    [2, 99],
    [0, 0],
    [2, -1],
    ['2', 13],
    [1.5, 2],
  ])('prints the message alone where there is no such place: %j, %j', async (line, column) => {
    service.respondWith(at(line, column))
    for (const args of [[TWO_LINES], [TWO_LINES, '--assert', 'a > 1']]) {
      const { exitCode, err } = await run(args)
      expect(exitCode).toBe(2)
      expect(err).toMatch(/^evq: (`--assert`: )?The query is invalid\.\n$/)
    }
  })

  it('marks an end of line', async () => {
    service.respondWith(at(1, 9))
    expect((await run([TWO_LINES])).err).toContain("1 | ['logs']\n  |         ^\n")
  })
})

describe('variables of a query', () => {
  it('are sent with the type that their text has', async () => {
    const params = [
      'n=5',
      'share=0.5',
      'ok=true',
      'who=web 1',
      's="5"',
      'list=[1,"a"]',
      'e=',
      'q=a=b',
    ]
    await run([...params.flatMap((param) => ['-p', param]), APL])
    expect(request().variables).toEqual({
      n: 5,
      share: 0.5,
      ok: true,
      who: 'web 1',
      s: '5',
      list: [1, 'a'],
      e: '',
      q: 'a=b',
    })
  })

  it('are sent with all digits of an integer', async () => {
    for (const digits of ['9223372036854775807', '-9223372036854775808', '9007199254740993']) {
      await run(['-p', `n=${digits}`, '-p', `list=[${digits}]`, APL])
      expect(service.received.at(-1)?.body).toContain(
        `"variables":{"n":${digits},"list":[${digits}]}`,
      )
    }
  })

  it('reach the local service with all digits', async () => {
    const env = { EVQ_URL: '', EVQ_DATA_DIR: join(scratch, 'exact') }
    const apl = 'declare query_parameters(n: long); print n, n - 1'
    const { out } = await run([apl, '-p', 'n=9223372036854775807'], { env })
    expect(out).toBe('{"print_0":9223372036854775807,"print_1":9223372036854775806}\n')
  })

  it('require a value, and numbers must be JSON', async () => {
    for (const param of ['n', '=5', 'n=1e400']) {
      const { exitCode, err } = await run(['--param', param, APL])
      expect([exitCode, err]).toEqual([2, expect.stringContaining('--param')])
    }
    expect(service.received).toEqual([])
  })
})
