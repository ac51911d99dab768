import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { json, scriptedService } from '../../../client/scripted-service.js'
import { cannedService, tabular } from '../../../support/canned-service.js'
import { evqInProcess } from '../../../support/evq-in-process.js'
import { needs } from '../../../support/needs.js'
import { programIn } from '../../../support/program-in.js'
import { hasTerminal, startOnTerminal } from '../../../support/pty.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')
const { run } = programIn(directory)
const binary = join(import.meta.dirname, '../../../../bin/evq.js')

/** An event an hour from 2015-05-17 on; every fourth one failed, the last of them on the 18th. */
const EVENTS = Array.from({ length: 40 }, (_, n) => ({
  _time: new Date(Date.UTC(2015, 4, 17) + n * 3_600_000).toISOString(),
  status: n % 4 === 0 ? 503 : 200,
  service: n % 8 === 0 ? 'web' : 'api',
  n,
}))

beforeAll(async () => {
  const stdin = EVENTS.map((event) => JSON.stringify(event)).join('\n')
  await run(['ingest', 'logs', '-q'], stdin)
})

const query = (...args: string[]) => run(['query', ...args])

/** The lines on stderr without the summary. */
async function why(...args: string[]) {
  const { status, stdout, stderr } = await query('--why', ...args)
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  return stderr.trimEnd().split('\n').slice(0, -1)
}

describe('--why', () => {
  it('counts what each condition lets through, in order', async () => {
    const apl = "['logs'] | where status >= 500 and service == 'Api' | where n > 5"
    expect(await why(apl)).toEqual([
      'Why there are no rows:',
      '  the dataset: 40 events',
      '  `status >= 500`: 10 of 40',
      '  `service == "Api"`: 0 of 10 (there are `api`, `web`)',
      '  `n > 5`: not reached (alone: 34 of 40)',
    ])
  })

  it('names the nearest numbers, and the range of compared ones', async () => {
    expect(await why("['logs'] | where status == 500")).toContain(
      '  `status == 500`: 0 of 40 (there are `503`, `200`)',
    )
    expect(await why("['logs'] | where n >= 100")).toContain(
      '  `n >= 100`: 0 of 40 (`n` is from `0` to `39`)',
    )
  })

  it('counts an `or` as one condition', async () => {
    expect(await why("['logs'] | where status == 404 or n == 70 or service == 'db'")).toEqual([
      'Why there are no rows:',
      '  the dataset: 40 events',
      '  `status == 404 or n == 70 or service == "db"`: 0 of 40 (of `status` there are `503`, `200`; of `n` there are `39`, `38`, `37`, `36`, `35` and 35 more; of `service` there are `api`, `web`)',
    ])
  })

  it('lists conditions on changed columns and those after `summarize`', async () => {
    const apl =
      "['logs'] | where n > 7 | extend n = n * 2 | where n < 40 | summarize hits = count() by service | where hits > 100 | where service == 'api'"
    expect(await why(apl)).toEqual([
      'Why there are no rows:',
      '  the dataset: 40 events',
      '  `n > 7`: 32 of 40',
      // From 8 to 19, of which 8 and 16 are of `web`.
      '  `n < 40`: 12 of 32',
      '  `summarize hits = count() by service`: 2 rows',
      '  `hits > 100`: 0 of 2 (`hits` is from `2` to `10`)',
      '  `service == "api"`: not reached (alone: 1 of 2)',
    ])
  })

  it('reports the rows of each side of a join', async () => {
    const apl =
      "['logs'] | where n < 3 | join kind=inner (['logs'] | where n > 35 | project n, other = status) on n | where other == 200"
    expect(await why(apl)).toEqual([
      'Why there are no rows:',
      '  the dataset: 40 events',
      '  `n < 3`: 3 of 40',
      '  `join kind = inner (["logs"] | where n > 35 | project n, other = status) on n`: 3 rows on the left, 4 rows on the right, 0 joined',
      '  `other == 200`: not reached',
    ])
  })

  it('looks into tables of `let` and terms of `search`', async () => {
    const apl =
      "let failed = ['logs'] | where status == 503; failed | search 'web' and 'absent' | where n > 1"
    expect(await why(apl)).toEqual([
      'Why there are no rows:',
      '  the dataset: 40 events',
      '  `status == 503`: 10 of 40',
      '  `* has "web"`: 5 of 10',
      '  `* has "absent"`: 0 of 5',
      '  `n > 1`: not reached (alone: 38 of 40)',
    ])
  })

  it('reports an empty time range, checks the conditions without it, and hints at a range with rows', async () => {
    const { stderr } = await query('--why', "['logs'] | where status == 503", '--since', '1h')
    expect(stderr.split('\n')).toEqual([
      'Why there are no rows: the time range has 0 events, the dataset has 40 events from 2015-05-17T00:00:00Z to 2015-05-18T15:00:00Z.',
      '  Without the time range:',
      '  `status == 503`: 10 of 40',
      expect.stringMatching(/^no rows \(`--since 2015-05-18` finds some\), 0 events examined in /),
      '',
    ])
    const hinted = await query("['logs'] | where status == 503", '--since', '2015-05-18')
    // Those of 0, 4, 8 and 12 o'clock.
    expect(hinted.stdout.trimEnd().split('\n')).toHaveLength(4)
  })

  it('hints at a range only when the whole query has rows in it', async () => {
    const apl = "['logs'] | where n < 9 | summarize hits = count() by service | where hits >"
    const [few, none] = [`${apl} 5`, `${apl} 50`]
    expect((await query('--why', few, '--since', '1h')).stderr).toMatch(
      /no rows \(`--since 2015-05-17` finds some\)/,
    )
    expect((await query('--why', none, '--since', '1h')).stderr).toMatch(/\nno rows, 0 events/)
  })

  it('reports a value that no event has, and a dataset without events', async () => {
    await run(['ingest', 'sparse', '-q'], '{"a":1}\n{"a":2,"b":"x"}\n')
    expect(await why("['sparse'] | where a == 1 | where b == 'y'")).toContain(
      '  `b == "y"`: 0 of 1 (`b` has no value)',
    )
    await run(['dataset', 'trim', 'sparse', '--before', '2200-01-01', '--yes'])
    expect(await why("['sparse'] | where a == 1")).toEqual([
      'Why there are no rows: the dataset has no events.',
    ])
  })

  it('is one JSON object with `--json-errors`', async () => {
    const { stderr, status } = await query(
      ...['--why', '--json-errors', '-p', 'least=500'],
      "declare query_parameters (least:int); ['logs'] | where status > least | where n == 70",
    )
    expect(status).toBe(0)
    expect(JSON.parse(stderr)).toEqual({
      why: {
        range: { rows: 40 },
        points: [
          {
            kind: 'condition',
            text: 'status > least',
            matched: 10,
            of: 40,
            alone: 10,
            rows: 40,
            nearby: [],
          },
          {
            ...{ kind: 'condition', text: 'n == 70', matched: 0, of: 10, alone: 0, rows: 40 },
            nearby: [{ kind: 'values', subject: 'n', values: [36, 32, 28, 24, 20], others: 5 }],
          },
        ],
      },
      notes: [expect.stringMatching(/^no rows, 40 events examined/)],
    })
    const failed = await query('--why', '-o', 'json', '--fail-on-empty', "['logs'] | where n > 99")
    expect(failed.status).toBe(6)
    expect(Object.keys(JSON.parse(failed.stderr))).toEqual(['error', 'why', 'notes'])
  })

  it('prints nothing for a result with rows, and is never automatic in a pipe', async () => {
    const rows = await query('--why', "['logs'] | limit 1")
    expect(rows.stderr).toMatch(/^1 row, .*\n$/)
    const piped = await query("['logs'] | where n > 99")
    expect(piped.stderr).toMatch(/^no rows, .*\n$/)
  })

  it('is not silenced by `-q`', async () => {
    const { stderr } = await query('-q', '--why', "['logs'] | where n > 99")
    expect(stderr).toBe(
      'Why there are no rows:\n  the dataset: 40 events\n  `n > 99`: 0 of 40 (`n` is from `0` to `39`)\n',
    )
  })
})

describe('--why at a deployment', async () => {
  const service = await cannedService()
  const env = { EVQ_URL: service.url }
  const empty = tabular([{ name: 'n', type: 'integer', values: '[]' }])

  it('says when the deployment returns no counts', async () => {
    service.respondWith({ body: empty })
    const { status, stderr } = await evqInProcess(['query', '--why', 'logs'], { directory, env })
    expect(status).toBe(0)
    expect(stderr).toMatch(
      /^The empty result can't be explained: Unexpected response: it has no count `rows_`\.\nno rows, /,
    )
  })

  it('says when the syntax is unknown, and asks nothing more', async () => {
    service.respondWith({ body: empty })
    service.received.length = 0
    const { stderr } = await evqInProcess(['query', '--why', 'logs | teleport n'], {
      directory,
      env,
    })
    expect(stderr).toMatch(/^The empty result can't be explained: this version does not know/)
    expect(service.received).toHaveLength(1)
  })

  it('takes no longer than a query may take', async () => {
    const slow = await scriptedService((response, request) => {
      // The counts never arrive.
      if (!request.body.toString().includes('rows_')) json(JSON.parse(empty))(response, request)
    })
    const args = ['query', '--why', 'logs | where n > 1', '--timeout', '500ms']
    const { status, stderr } = await evqInProcess(args, { directory, env: { EVQ_URL: slow.url } })
    expect(status).toBe(0)
    expect(stderr).toMatch(
      /^The empty result can't be explained: it takes more than 0\.5 s\.\nno rows/,
    )
  })

  it('carries the range, the parameters and the token of the query', async () => {
    service.respondWith({ body: empty })
    service.received.length = 0
    await evqInProcess(
      ['query', '--why', 'logs | where n > a', '-p', 'a=5', '--since', '2026-01-01'],
      {
        directory,
        env: { ...env, EVQ_TOKEN: 'xaat-why' },
      },
    )
    const [asked, counted] = service.received
    const { variables, startTime } = JSON.parse(counted!.body)
    expect({ variables, startTime }).toEqual({
      variables: { a: 5 },
      startTime: '2026-01-01T00:00:00Z',
    })
    expect(counted!.headers.authorization).toBe(asked!.headers.authorization)
    expect(counted!.url).toBe(asked!.url)
  })
})

describe('a query without rows on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  async function onTerminal(args: readonly string[], columns: number, more = {}) {
    const env = { EVQ_DATA_DIR: directory, XDG_STATE_HOME: scratch, ...more }
    const command = [process.execPath, binary, ...args]
    const terminal = startOnTerminal(command, { columns, env })
    await terminal.ended
    return { screen: terminal.screen(), raw: terminal.raw() }
  }

  it.each([60, 80, 200])('explains itself in %i columns', async (columns) => {
    const args = ['query', "['logs'] | where service == 'Api'", '--since', '2015-01-01']
    const { screen, raw } = await onTerminal(args, columns, { NO_COLOR: '1' })
    expect(screen.hasWrapped).toBe(false)
    expect(screen.text()).toContain('  `service == "Api"`: 0 of 40 (there are `api`, `web`)')
    expect(raw).not.toContain('\u001b[3')
  })

  it('does not with `-q`', async () => {
    const { raw } = await onTerminal(['query', '-q', "['logs'] | where n > 99"], 80)
    expect(raw).toBe('')
  })

  it('explains itself in the prompt', async () => {
    const env = { EVQ_DATA_DIR: directory, XDG_STATE_HOME: scratch, NO_COLOR: '1' }
    const terminal = startOnTerminal([process.execPath, binary, 'query'], { env, columns: 100 })
    await terminal.until(/evq> /)
    terminal.type("\\since 1h\r['logs'] | where status == 503;\r")
    await terminal.until(/Without the time range[\s\S]*no rows \(`\\since 2015-05-18` finds some\)/)
    terminal.type('\\q\r')
    await terminal.ended
  })
})
