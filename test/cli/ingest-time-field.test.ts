import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programIn } from '../support/program-in.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const { run, query } = programIn(join(scratch, 'data'))

/** Events as the program writes them, the field with their time, and their time in UTC. */
const PROGRAMS: readonly (readonly [
  program: string,
  event: string,
  field: string,
  time: string,
])[] = [
  [
    'pino',
    '{"level":30,"time":1767323045123,"pid":7,"hostname":"h","msg":"up"}',
    'time',
    '2026-01-02T03:04:05.123Z',
  ],
  [
    'bunyan',
    '{"name":"api","hostname":"h","pid":7,"level":30,"msg":"up","time":"2026-01-02T03:04:05.123Z","v":0}',
    'time',
    '2026-01-02T03:04:05.123Z',
  ],
  [
    'zap',
    '{"level":"info","ts":1767323045.25,"caller":"main.go:7","msg":"up"}',
    'ts',
    '2026-01-02T03:04:05.25Z',
  ],
  ['zerolog', '{"level":"info","time":1767323045,"message":"up"}', 'time', '2026-01-02T03:04:05Z'],
  [
    'slog',
    '{"time":"2026-01-02T03:04:05.123456789+01:00","level":"INFO","msg":"up"}',
    'time',
    '2026-01-02T02:04:05.123456789Z',
  ],
  [
    'structlog',
    '{"event":"up","level":"info","timestamp":"2026-01-02T03:04:05.123456Z"}',
    'timestamp',
    '2026-01-02T03:04:05.123456Z',
  ],
  [
    'Serilog',
    '{"@t":"2026-01-02T03:04:05.1234567Z","@mt":"up {n}","n":1}',
    '@t',
    '2026-01-02T03:04:05.1234567Z',
  ],
  [
    'ECS',
    '{"@timestamp":"2026-01-02T03:04:05.123Z","log.level":"INFO","message":"up","event":{"created":"2026-01-09T00:00:00Z"}}',
    '@timestamp',
    '2026-01-02T03:04:05.123Z',
  ],
  [
    'GELF',
    '{"version":"1.1","host":"h","short_message":"up","timestamp":1767323045.5,"level":6}',
    'timestamp',
    '2026-01-02T03:04:05.5Z',
  ],
  [
    'journald',
    '{"__REALTIME_TIMESTAMP":"1767323045123456","__MONOTONIC_TIMESTAMP":"991","MESSAGE":"up"}',
    '__REALTIME_TIMESTAMP',
    '2026-01-02T03:04:05.123456Z',
  ],
  [
    'MongoDB',
    '{"t":{"$date":"2026-01-02T03:04:05.123+00:00"},"s":"I","c":"NETWORK","id":1,"msg":"up"}',
    't.$date',
    '2026-01-02T03:04:05.123Z',
  ],
  [
    'CloudTrail',
    '{"eventVersion":"1.08","eventTime":"2026-01-02T03:04:05Z","eventName":"GetUser"}',
    'eventTime',
    '2026-01-02T03:04:05Z',
  ],
  [
    'GCP',
    '{"insertId":"a","receiveTimestamp":"2026-01-02T03:04:09Z","severity":"INFO","timestamp":"2026-01-02T03:04:05.123456789Z"}',
    'timestamp',
    '2026-01-02T03:04:05.123456789Z',
  ],
  [
    'Python',
    '{"asctime":"2026-01-02 03:04:05,123","levelname":"INFO","message":"up"}',
    'asctime',
    '2026-01-02T03:04:05.123Z',
  ],
]

describe('the field with the event time', () => {
  it('is detected in the events of common loggers, without a flag', async () => {
    const files = PROGRAMS.map(([program, event]) => file(`${program}.ndjson`, `${event}\n`))
    const receipt = join(scratch, 'programs.json')
    const sent = await run(['ingest', 'programs', ...files, '--receipt', receipt])
    expect(sent.stderr).toContain(`${files[0]}: time from \`time\`, level from \`level\`\n`)
    const totals = JSON.parse(readFileSync(receipt, 'utf8')).files
    const found = totals.map((one: Record<string, string>) => [one.timestampField, one.firstTime])
    expect(found).toEqual(PROGRAMS.map(([, , field, time]) => [field, time]))
    const times = await query("['programs'] | project t = tostring(_time)")
    expect(times.map(({ t }) => t).sort()).toEqual(PROGRAMS.map(([, , , time]) => time).sort())
  })

  it('is the field that varies, is recent or in order', async () => {
    const load = '"load_timestamp":1445680800424,"time":1445680800424'
    const nginx = `{${load},"timestamp":1446249499322}\n{${load},"timestamp":1446249499323}\n`
    await run(['ingest', 'varies', file('nginx.ndjson', nginx)])
    expect(await timesOf('varies')).toEqual([
      '2015-10-30T23:58:19.322Z',
      '2015-10-30T23:58:19.323Z',
    ])
    const durations = '{"time":0.25,"ts":12,"date":20260102}\n'
    const sent = await run(['ingest', 'durations', file('durations.ndjson', durations)])
    expect(sent.stderr).not.toContain('time from')
    const days = 'date,day\n1912-04-14,1\n1912-04-15,2\n'
    await run(['ingest', 'days', file('days.csv', days)])
    expect(await timesOf('days')).toEqual(['1912-04-14T00:00:00Z', '1912-04-15T00:00:00Z'])
  })

  it('is not detected when an event has `_time`, with `none` or with a label', async () => {
    const own = '{"ts":1767323045}\n{"_time":1767323046,"ts":1767323047}\n'
    const inputs = [
      ['own', own, []],
      ['none', '{"ts":1767323045}\n', ['--timestamp-field', 'none']],
      ['label', '{"ts":1767323045}\n', ['-l', '_time=2026-02-02T00:00:00Z']],
    ] as const
    for (const [name, text, args] of inputs) {
      const { stderr, status } = await run(['ingest', name, ...args], text)
      expect(stderr).not.toContain('ts`')
      expect(status).toBe(0)
    }
    expect(await timesOf('own')).toContain('2026-01-02T03:04:06Z')
    expect(await timesOf('own')).not.toContain('2026-01-02T03:04:05Z')
    expect(await timesOf('none')).not.toContain('2026-01-02T03:04:05Z')
    expect(await timesOf('label')).toEqual(['2026-02-02T00:00:00Z'])
  })

  it.each([
    ['ctime', '"Fri Jan  2 03:04:05 2026"'],
    ['basic', '"20260102T030405Z"'],
    ['mongo', '{"$date":"2026-01-02T03:04:05Z"}'],
    ['seconds', '{"seconds":1767323045}'],
  ])('is read in `_time` as in other fields: %s', async (name, time) => {
    const path = join(scratch, `own-${name}.ndjson`)
    writeFileSync(path, `{"time":"2020-01-01T00:00:00Z","_time":${time}}\n`)
    expect((await run(['ingest', `own-${name}`, path])).stderr).toContain('1 event stored')
    const rows = await query(`['own-${name}'] | project _time`)
    expect(rows).toEqual([{ _time: '2026-01-02T03:04:05Z' }])
  })

  it('is detected in arrays, in objects over several lines and in tables, with their own format', async () => {
    const array = file('a.json', '[\n{"n":1,"ts":1767323045},\n{"n":2,"ts":1767323046}]')
    const objects = file('b.json', '{\n"n":3,\n"@timestamp":"2026-01-02T03:04:07Z"\n}\n{\n"n":4\n}')
    const table = file('c.tsv', 'n\tDatetime\n5\t2026-01-02 03:04:08\n')
    await run(['ingest', 'formats', array, objects, table, '--timestamp-field', 'auto'])
    const rows = await query("['formats'] | sort by n asc | project t = tostring(_time)")
    const times = rows.map(({ t }) => t)
    expect(times.toSpliced(3, 1)).toEqual([
      ...['2026-01-02T03:04:05Z', '2026-01-02T03:04:06Z', '2026-01-02T03:04:07Z'],
      '2026-01-02T03:04:08Z',
    ])
    const csv = file('d.csv', 'date,open\n31.01.2026,1\n30.01.2026,2\n')
    await run(['ingest', 'german', csv, '--timestamp-format', '02.01.2006'])
    expect(await timesOf('german')).toEqual(['2026-01-30T00:00:00Z', '2026-01-31T00:00:00Z'])
  })

  it('names the flag for a layout that is not known', async () => {
    const csv = file('e.csv', 'date,open\n31.01.2026,1\n')
    const field = ['--timestamp-field', 'date']
    const advice = '`--timestamp-format` sets the layout of times: `02.01.2006 15:04` is day, month'
    const { stderr } = await run(['ingest', 'dotted', csv, ...field])
    expect(stderr).toContain(`"31.01.2026"\n${advice}`)
    const format = ['--timestamp-format', '02/01/2006']
    const other = await run(['ingest', 'dotted', csv, ...field, ...format, '--replace'])
    expect(other.stderr).toContain('"31.01.2026" as `02/01/2006`\n')
    expect(other.stderr).not.toContain(advice)
  })

  it('rejects no later event whose value is not a time', async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => `{"ts":${1767323045 + n},"n":${n}}\n`)
    const odd =
      '{"ts":"soon","n":-1}\n{"ts":{"a":1},"n":-2}\n{not JSON\n{"n":-3}\n{"ts":1767323044,"n":-4}'
    const path = file('odd.ndjson', many.join('') + odd)
    const rejects = join(scratch, 'odd-rejects.ndjson')
    const sent = await run(['ingest', 'odd', path, '--rejects', rejects])
    expect(sent.stderr).toContain(
      `${path}:20001: \`ts\` is not a time. 2 such events get the time of arrival.\n${path}: time from \`ts\`\nodd: 20,004 events stored, 1 rejected`,
    )
    expect(sent.status).toBe(3)
    const rows = await query(
      "['odd'] | where n < 0 | sort by n asc | project n, t = tostring(_time)",
    )
    expect(rows.map(({ n }) => n)).toEqual([-4, -3, -2, -1])
    expect(rows[0]?.t).toBe('2026-01-02T03:04:04Z')
    const [reject = '', ...others] = readFileSync(rejects, 'utf8').trim().split('\n')
    expect(others).toEqual([])
    expect(JSON.parse(reject)).toMatchObject({
      line: 20_003,
      timestampField: 'ts',
      event: '{not JSON',
    })
  })

  it('stays the same when the rest of a file is sent, and when rejected events are sent again', async () => {
    const path = file('grows.ndjson', '{"ts":1767323045}\n')
    await run(['ingest', 'grows', path])
    // On its own, the rest would be read differently.
    writeFileSync(path, '{"ts":1767323045}\n{"time":1767323099,"ts":1767323046}\n')
    await run(['ingest', 'grows', path])
    const rejects = file(
      'rejects.ndjson',
      '{"file":"x","offset":0,"reason":"old","timestampField":"ts","event":"{\\"time\\":1767323099,\\"ts\\":1767323047}"}\n{"file":"x","offset":50,"reason":"old","event":"{\\"_time\\":1767323048}"}\n',
    )
    const { stderr } = await run(['ingest', 'grows', '--retry', rejects])
    expect(stderr).toContain('grows: 2 events stored')
    expect(await timesOf('grows')).toEqual([
      ...['2026-01-02T03:04:05Z', '2026-01-02T03:04:06Z', '2026-01-02T03:04:07Z'],
      '2026-01-02T03:04:08Z',
    ])
  })
})

async function timesOf(dataset: string): Promise<unknown[]> {
  const rows = await query(`['${dataset}'] | sort by _time asc | project t = tostring(_time)`)
  return rows.map(({ t }) => t)
}

function file(name: string, text: string): string {
  const path = join(scratch, name)
  writeFileSync(path, text)
  return path
}
