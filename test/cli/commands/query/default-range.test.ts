import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../../../src/main.js'
import type { AplRequest } from '../../../../src/wire/http/query.js'
import { json, scriptedService } from '../../../client/scripted-service.js'
import { tabular } from '../../../support/canned-service.js'
import { fakeIo } from '../../../support/fake-io.js'
import { needs } from '../../../support/needs.js'
import { programIn } from '../../../support/program-in.js'
import { hasTerminal, startOnTerminal } from '../../../support/pty.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')
const { run } = programIn(directory)
const binary = join(import.meta.dirname, '../../../../bin/evq.js')

/** The times and statuses of the events of `old`; the newest is at 14:30. */
const OLD = [
  ['2015-05-17T08:00:00Z', 503],
  ['2015-05-20T13:29:59Z', 200],
  ['2015-05-20T13:30:00Z', 200],
  ['2015-05-20T14:00:00Z', 404],
  ['2015-05-20T14:30:00Z', 200],
].map(([_time, status]) => JSON.stringify({ _time, status }))

async function onTerminal(args: readonly string[], { columns = 200, ...more } = {}) {
  const env = { EVQ_DATA_DIR: directory, XDG_STATE_HOME: scratch, NO_COLOR: '1', ...more }
  const terminal = startOnTerminal([process.execPath, binary, ...args], { columns, env })
  const { status } = await terminal.ended
  const lines = terminal.screen().text().split('\n')
  return { status, lines, last: lines.at(-1), screen: terminal.screen() }
}

describe('a query without a range on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  beforeAll(async () => {
    await run(['ingest', 'old', '-q'], OLD.join('\n'))
  })

  it('covers the 60 minutes that end with the newest event, and says so', async () => {
    const { lines, last } = await onTerminal(['query', "['old'] | project _time, status"])
    expect(lines.slice(3, 6).map((line) => line.match(/T(..:..)/)?.[1])).toEqual([
      '14:30',
      '14:00',
      '13:30',
    ])
    expect(last).toMatch(
      /^3 rows of the newest hour \(2015-05-20 13:30 to 14:30; `--since 2015-05-14` looks further back\), \d events? examined/,
    )
  })

  it('has no range when it asks no dataset', async () => {
    const { last } = await onTerminal(['query', 'print x = 5'])
    expect(last).toMatch(/^1 row, 0 events examined/)
  })

  it('is the same for `-O -`, which names the terminal', async () => {
    const { last } = await onTerminal(['query', "['old'] | project _time, status", '-O', '-'])
    expect(last).toMatch(/^3 rows of the newest hour \(2015-05-20 13:30 to 14:30; /)
  })

  it('names the range in the chosen zone', async () => {
    const { last } = await onTerminal(['query', 'old | count', '-z', '+10:00'])
    expect(last).toContain('(2015-05-20 23:30 to 2015-05-21 00:30; `--since 2015-05-15` looks')
  })

  it('hints at a range in which this very query has rows', async () => {
    const { lines, last } = await onTerminal(['query', 'old | where status == 503'])
    expect(lines).toContain('  `status == 503`: 0 of 3 (there are `404`, `200`)')
    expect(last).toMatch(
      /^no rows of the newest hour \(2015-05-20 13:30 to 14:30; `--since 2015-05-17` finds some\), /,
    )
    const hinted = await onTerminal(['query', 'old | where status == 503', '--since', '2015-05-17'])
    expect(hinted.last).toMatch(/^1 row, /)
    const never = await onTerminal(['query', 'old | where status == 500'])
    expect(never.last).toMatch(
      /^no rows of the newest hour or earlier \(2015-05-20 13:30 to 14:30\), /,
    )
  })

  it('covers the last hour when it has events, and hints in hours and days', async () => {
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    const events = [ago(0.1), ago(30.5), ago(70.5)].map((_time, n) => JSON.stringify({ _time, n }))
    await run(['ingest', 'new', '-q'], events.join('\n'))
    expect((await onTerminal(['query', 'new'])).last).toMatch(/^1 row of the last hour, /)
    expect((await onTerminal(['query', 'new | where n == 1'])).last).toMatch(
      /^no rows of the last hour \(`--since 31h` finds some\), /,
    )
    expect((await onTerminal(['query', 'new | where n == 2'])).last).toMatch(
      /^no rows of the last hour \(`--since 3d` finds some\), /,
    )
  })

  it('says when the dataset has no events, and needs no dataset', async () => {
    await run(['ingest', 'trimmed', '-q'], '{"n":1}')
    await run(['dataset', 'trim', 'trimmed', '--before', '2200-01-01', '--yes'])
    const { last } = await onTerminal(['query', 'trimmed | count'])
    expect(last).toBe('1 row, the dataset has no events')
    expect((await onTerminal(['query', 'print 1'])).last).toMatch(/^1 row/)
  })

  it('follows the newest event of any part of a union, and of a table of `let`', async () => {
    const union = await onTerminal(['query', "union old, (['trimmed'] | where n > 0) | count"])
    expect(union.last).toContain('1 row of the newest hour (2015-05-20 13:30 to 14:30;')
    const let_ = await onTerminal(['query', "let o = ['old'] | where status < 500; o | count"])
    expect(let_.last).toContain('1 row of the newest hour (2015-05-20 13:30 to 14:30;')
  })

  it.each([
    'where _time >= datetime(2015-05-17)',
    "where status > 0 and _time between (datetime('2015-05-01') .. datetime('2015-06-01'))",
    'extend n = 1 | where datetime(2015-05-17) < _time',
    'where startofyear(_time) == datetime(2015-01-01)',
  ])('covers what the query covers when it has a condition on `_time`: %s', async (condition) => {
    const { lines, last } = await onTerminal(['query', `old | ${condition} | count`])
    expect(lines).toContainEqual(expect.stringMatching(/^│ +5 │$/))
    expect(last).toMatch(/^1 row, 5 events examined/)
  })

  it.each([
    'where status > 0 | summarize n = count(), t = max(_time) | where t > ago(1h) or n > 0 | project n',
    'summarize n = count() by _time = bin(_time, 1d) | where _time > datetime(2015-05-01) | project n',
  ])('is not set by times of rows that are no events: %s', async (pipeline) => {
    const { last } = await onTerminal(['query', `old | ${pipeline}`])
    expect(last).toMatch(/^1 row of the newest hour/)
  })

  it('is for terminals only', async () => {
    const piped = await run(['query', "['old'] | summarize n = count()"])
    expect(piped.stdout).toBe('{"n":5}\n')
  })

  it.each([60, 80, 200])('shows `_sysTime` last in %i columns', async (columns) => {
    const { lines } = await onTerminal(['query', 'old | limit 1'], { columns })
    expect(lines[1]).toMatch(/^│ _time +│ status │ _sysTime +│$/)
    const record = await onTerminal(['query', 'old | limit 1', '-o', 'record'], { columns })
    expect(record.lines.slice(1, 4).map((line) => line.split(' ')[0])).toEqual([
      '_time',
      'status',
      '_sysTime',
    ])
  })

  it('shows `_sysTime` where the query or `--columns` puts it, and first in other formats', async () => {
    const named = await onTerminal(['query', 'old | limit 1 | project _sysTime, status'])
    expect(named.lines[1]).toMatch(/^│ _sysTime +│ status │$/)
    const chosen = await onTerminal(['query', 'old | limit 1', '--columns', '_sysTime,status'])
    expect(chosen.lines[1]).toMatch(/^│ _sysTime +│ status │$/)
    const csv = await onTerminal(['query', 'old | limit 1', '-o', 'csv'])
    expect(csv.lines[0]).toBe('_sysTime,_time,status')
  })
})

describe('the default range at a deployment', () => {
  let asked: AplRequest[] = []
  let newest: string | undefined

  beforeEach(() => {
    asked = []
  })

  /** A deployment whose only event is at 08:30, before the last hour. */
  async function run(apl: string, status = 200) {
    const service = await scriptedService((response, request) => {
      const body = JSON.parse(request.body.toString()) as AplRequest
      asked.push(body)
      const isNewest = body.apl.includes('newest_')
      if (isNewest && status !== 200)
        return json({ code: status, message: 'No.' }, status)(response, request)
      const isIn = body.endTime !== undefined
      const fields = isNewest
        ? [
            { name: 'newest_', type: 'datetime', values: `[${JSON.stringify(newest ?? null)}]` },
            { name: 'rows_', type: 'integer', values: newest === undefined ? '[0]' : '[1]' },
          ]
        : [{ name: 'n', type: 'integer', values: isIn ? '[1]' : '[]' }]
      const matched = { rowsMatched: isIn ? 1 : 0, rowsExamined: 7 }
      json(JSON.parse(tabular(fields, matched)))(response, request)
    })
    const now = Date.UTC(2026, 0, 31, 12)
    const io = fakeIo({ isTerminal: true, columns: 200, now, env: { EVQ_URL: service.url } })
    return { exitCode: await main(['query', apl], io), err: io.err() }
  }

  it('is asked for with the same source, and only when no event of the last hour matched', async () => {
    newest = '2026-01-31T08:30:00Z'
    const { err } = await run("['logs'] | where a > 1")
    expect(asked).toEqual([
      { apl: "['logs'] | where a > 1", startTime: '2026-01-31T11:00:00Z' },
      expect.objectContaining({
        apl: '["logs"]\n| summarize newest_ = max(_time), rows_ = count()',
      }),
      {
        apl: "['logs'] | where a > 1",
        startTime: '2026-01-31T07:30:00Z',
        endTime: '2026-01-31T08:30:00.000000001Z',
      },
    ])
    expect(asked[1]).not.toHaveProperty('startTime')
    expect(err).toBe(
      '1 row of the newest hour (2026-01-31 07:30 to 08:30; `--since 7d` looks further back), 7 events examined in 34 ms\n',
    )
  })

  it('stays the last hour when the newest event is in it, or cannot be asked for', async () => {
    newest = '2026-01-31T11:30:00Z'
    expect((await run('logs')).err).toContain('no rows of the last hour')
    expect((await run('logs', 400)).err).toContain('no rows of the last hour')
  })
})
