import { beforeAll, describe, expect, it } from 'vitest'
import { main } from '../../../src/main.js'
import { cannedService, tabular } from '../../support/canned-service.js'
import { fakeIo } from '../../support/fake-io.js'
import { programIn } from '../../support/program-in.js'
import { temporaryDirectory } from '../../support/temporary.js'

const directory = temporaryDirectory()
const { run } = programIn(directory)

/** Statuses 200, 200, 503 and none: two of four events are below 500. */
const EVENTS = ['{"status":200}', '{"status":200}', '{"status":503}', '{"other":1}'].join('\n')

beforeAll(async () => {
  expect((await run(['ingest', 'logs'], EVENTS)).status).toBe(0)
})

async function query(...args: string[]) {
  return runQuery(args, { EVQ_DATA_DIR: directory })
}

async function runQuery(args: readonly string[], env: Readonly<Record<string, string>>) {
  const io = fakeIo({ env, stdin: '' })
  const status = await main(['query', ...args], io)
  return { status, stdout: io.out(), stderr: io.err() }
}

describe('--fail-on-empty', () => {
  it('exits with 6 when there are no rows', async () => {
    const { status, stderr } = await query("['logs'] | where status == 1", '--fail-on-empty')
    expect(status).toBe(6)
    expect(stderr).toMatch(/^no rows.*\nThe result has no rows \(`--fail-on-empty`\)\.\n$/)
  })

  it('exits with 0 when there are rows', async () => {
    expect(await query("['logs'] | count", '--fail-on-empty')).toMatchObject({ status: 0 })
  })
})

describe('a saved query', () => {
  it('is run with the same assertions', async () => {
    const created = await run([
      'starred',
      'create',
      '--name',
      'failed',
      '--apl',
      "['logs'] | where status > 500",
    ])
    expect(created.status).toBe(0)
    const saved = ['starred', 'run', 'failed', '--since', '2020-01-01']
    expect((await run([...saved, '--fail-on-empty', '--assert', 'status == 503'])).status).toBe(0)
    const failed = await run([...saved, '--assert', 'status == 500'])
    expect(failed.status).toBe(6)
    expect(failed.stderr).toContain('1 of 1 row does not meet `status == 500`.')
  })
})

describe('--assert', () => {
  it('exits with 0 when all rows meet the predicate', async () => {
    const ended = await query("['logs'] | where isnotnull(status)", '--assert', 'status < 600')
    expect(ended).toMatchObject({ status: 0, stderr: expect.stringMatching(/^3 rows/) })
    expect(ended.stdout.split('\n')).toHaveLength(4)
  })

  it('exits with 6 when some rows do not, after printing them', async () => {
    const ended = await query("['logs'] | where isnotnull(status)", '--assert', 'status < 500')
    expect(ended.status).toBe(6)
    expect(ended.stdout.split('\n')).toHaveLength(4)
    expect(ended.stderr).toMatch(/^3 rows.*\n1 of 3 rows does not meet `status < 500`\.\n$/)
  })

  it('is not met by a row without the field', async () => {
    const { status, stderr } = await query("['logs']", '--assert', 'status < 500')
    expect(status).toBe(6)
    expect(stderr).toContain('2 of 4 rows do not meet')
  })

  it('covers rows that a limit of the request cuts off', async () => {
    const ended = await query(
      "['logs'] | sort by status asc",
      '-n',
      '1',
      '--assert',
      'status < 500',
    )
    expect(ended).toMatchObject({ status: 6, stderr: expect.stringContaining('2 of 4 rows') })
    expect(ended.stdout.split('\n')).toHaveLength(2)
  })

  it('is met by an empty result', async () => {
    const ended = await query("['logs'] | where status == 1", '--assert', 'status < 0')
    expect(ended).toMatchObject({ status: 0 })
  })

  it('accepts columns of the result, and predicates that end in comments', async () => {
    const apl = "['logs'] | summarize n = count() // all of them"
    expect(await query(apl, '--assert', 'n == 4 // four')).toMatchObject({ status: 0 })
    expect(await query(apl, '--assert', 'n > 4')).toMatchObject({ status: 6 })
  })

  it('is reported with its own position, and prints nothing, when it does not compile', async () => {
    const ended = await query("['logs'] | where status > 0", '--assert', 'statsu < 500')
    expect(ended).toMatchObject({ status: 2, stdout: '' })
    expect(ended.stderr).toBe(
      [
        'error[unknown-field]: There is no field `statsu` at this point of the query.',
        '  |',
        '1 | statsu < 500',
        '  | ^^^^^^ close to `status`',
        '  = help: fields here: _sysTime, _time, other, status',
        '',
      ].join('\n'),
    )
  })

  it('reports problems in the query as those of the query', async () => {
    const ended = await query("['logs'] | where statsu > 0", '--assert', 'status < 500')
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain("1 | ['logs'] | where statsu > 0\n")
  })

  it.each(['', 'status <', 'status < 500)', 'a, b', 'status < 500 | limit 1'])(
    'rejects what is not a predicate: %j',
    async (predicate) => {
      const { status, stderr, stdout } = await query("['logs']", '--assert', predicate)
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      expect(stderr).not.toContain('countif(')
    },
  )

  it.each([
    ['status <', 'Expected a value, found the end of the query.'],
    ['status < 500)', '`)`'],
    ['(status < 500', '`)`'],
  ])('is evaluated as written when it ends too early or too late: %j', async (predicate, words) => {
    const { status, stderr } = await query("['logs']", '--assert', predicate)
    expect(status).toBe(2)
    expect(stderr).toContain(words)
    expect(stderr).toContain(`1 | ${predicate}\n`)
  })

  it('is not blamed for an incomplete query', async () => {
    const { status, stderr } = await query("['logs'] | where", '--assert', 'status < 500')
    expect(status).toBe(2)
    expect(stderr).toContain("1 | ['logs'] | where\n")
    expect(stderr).not.toContain('--assert')
  })

  it('sends the query with the same time range, and is named in errors', async () => {
    const service = await cannedService()
    const env = { EVQ_URL: service.url }
    const args = ["['logs']", '--since', '2026-01-01', '-p', 'n=5', '--assert', 's < n']
    service.respondWith({
      body: tabular([
        { name: 'rows_', type: 'integer', values: '[3]' },
        { name: 'met_', type: 'integer', values: '[1]' },
      ]),
    })
    const ended = await runQuery(args, env)
    expect(ended.status).toBe(6)
    expect(ended.stderr).toContain('2 of 3 rows do not meet `s < n`.')
    const [judged, printed] = service.received.map(({ body }) => JSON.parse(body))
    expect({ ...judged, apl: '' }).toEqual({ ...printed, apl: '' })
    expect(judged.apl).toMatch(/^\['logs'\]\n\| summarize /)
    service.respondWith({ status: 400, body: { code: 400, message: 'no such field' } })
    expect(await runQuery(args, env)).toMatchObject({
      status: 2,
      stderr: 'evq: `--assert`: no such field.\n',
    })
  })
})
