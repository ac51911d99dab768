import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programIn } from '../support/program-in.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const { run, query } = programIn(join(scratch, 'data'))

/** Events as the programs write them, and the fields about their level. */
const PROGRAMS: readonly (readonly [
  program: string,
  events: readonly (readonly [event: string, fields: Readonly<Record<string, unknown>>])[],
])[] = [
  [
    'pino',
    [
      ['{"level":30,"time":1767323045123,"msg":"a"}', { level: 'info', severity_text: '30' }],
      ['{"level":60,"time":1767323045124,"msg":"b"}', { level: 'fatal', severity_text: '60' }],
      ['{"level":"x","time":1767323045124,"msg":"b"}', { level: 'x' }],
    ].concat(
      Array(20).fill([
        '{"level":35,"time":1767323045125,"msg":"c"}',
        { level: 'info', severity_text: '35' },
      ]),
    ) as never,
  ],
  [
    'zap',
    [
      ['{"level":"warn","ts":1767323045.25,"msg":"a"}', { level: 'warn' }],
      [
        '{"level":"dpanic","ts":1767323045.25,"msg":"b"}',
        { level: 'critical', severity_text: 'dpanic' },
      ],
    ],
  ],
  [
    'slog',
    [
      ['{"time":"2026-01-02T03:04:05Z","level":"INFO","msg":"a"}', { level: 'info' }],
      [
        '{"time":"2026-01-02T03:04:05Z","level":"DEBUG-4","msg":"b"}',
        { level: 'debug', severity_text: 'DEBUG-4' },
      ],
    ],
  ],
  [
    'logrus',
    [
      [
        '{"level":"warning","msg":"a","time":"2026-01-02T03:04:05Z"}',
        { level: 'warn', severity_text: 'warning' },
      ],
      [
        '{"level":"panic","msg":"a","severity_text":"own","time":"2026-01-02T03:04:05Z"}',
        { level: 'panic', severity_text: 'own' },
      ],
    ],
  ],
  [
    'Serilog',
    [
      ['{"@t":"2026-01-02T03:04:05Z","@mt":"a"}', { level: 'info' }],
      [
        '{"@t":"2026-01-02T03:04:05Z","@mt":"a","@l":"Warning"}',
        { level: 'warn', '@l': 'Warning' },
      ],
      [
        '{"@t":"2026-01-02T03:04:05Z","@mt":"a","@l":"Verbose"}',
        { level: 'trace', '@l': 'Verbose' },
      ],
    ],
  ],
  [
    'ECS',
    [
      [
        '{"@timestamp":"2026-01-02T03:04:05Z","log.level":"ERROR","message":"a"}',
        { level: 'error', 'log.level': 'ERROR' },
      ],
    ],
  ],
  [
    'nested ECS',
    [
      [
        '{"@timestamp":"2026-01-02T03:04:05Z","log":{"level":"warn"},"message":"a"}',
        { level: 'warn', 'log.level': 'warn' },
      ],
    ],
  ],
  [
    'GELF',
    [
      [
        '{"version":"1.1","host":"h","short_message":"a","timestamp":1767323045.5,"level":3}',
        { level: 'error', severity_text: '3' },
      ],
    ],
  ],
  [
    'journald',
    [
      [
        '{"__REALTIME_TIMESTAMP":"1767323045123456","PRIORITY":"2","MESSAGE":"a"}',
        { level: 'critical', PRIORITY: '2' },
      ],
      ['{"__REALTIME_TIMESTAMP":"1767323045123457","MESSAGE":"b"}', {}],
    ],
  ],
  [
    'GCP',
    [
      [
        '{"timestamp":"2026-01-02T03:04:05Z","severity":"EMERGENCY","textPayload":"a"}',
        { level: 'emergency', severity: 'EMERGENCY' },
      ],
      [
        '{"timestamp":"2026-01-02T03:04:05Z","severity":"DEFAULT","textPayload":"a"}',
        { severity: 'DEFAULT' },
      ],
    ],
  ],
  [
    'MongoDB',
    [
      [
        '{"t":{"$date":"2026-01-02T03:04:05.123+00:00"},"s":"I","c":"NETWORK","id":1,"msg":"a"}',
        { level: 'info', s: 'I' },
      ],
      [
        '{"t":{"$date":"2026-01-02T03:04:05.123+00:00"},"s":"D2","c":"NETWORK","id":1,"msg":"a"}',
        { level: 'debug', s: 'D2' },
      ],
    ],
  ],
]

const LEVEL_FIELDS = [
  ...['level', 'severity_text', '@l', 'log.level', 'PRIORITY', 'severity', 's', 'lvl'],
]

describe('the level of events', () => {
  it('is a word in `level` for common loggers', async () => {
    const files = PROGRAMS.map(([program, events], place) => {
      const lines = events.map(([event], n) => `${event.slice(0, -1)},"n":${place * 100 + n}}\n`)
      return file(`${program}.ndjson`, lines.join(''))
    })
    await run(['ingest', 'programs', ...files])
    const expected = PROGRAMS.flatMap(([program, events]) =>
      events.map(([, fields]) => ({ program, ...fields })),
    )
    const found = (await levels('programs')) as Record<string, unknown>[]
    const programs = expected.map(({ program }) => program)
    expect(found.map((fields, i) => ({ program: programs[i], ...fields }))).toEqual(expected)
  })

  it('is read from arrays and logfmt, where lines keep their fields', async () => {
    const array = file(
      'levels.json',
      '[{"severity":"NOTICE",\n"message":"a, \\"b\\"","n":0},\n {"severity":"ALERT","message":"é","n":1}]',
    )
    const logfmt = file('levels.log', 'level=WARN msg=x n=2\nlevel=eror msg="y z" n=3\n')
    const other = file('levels.logfmt', 'lvl=eror msg=x n=4\nlvl=dbug msg=y n=5\n')
    const sent = await run(['ingest', 'formats', array, logfmt, other])
    expect(sent.stderr).toContain(`${array}: level from \`severity\`\n`)
    expect(await levels('formats')).toEqual([
      { level: 'notice', severity: 'NOTICE' },
      { level: 'alert', severity: 'ALERT' },
      { level: 'warn' },
      { level: 'error', severity_text: 'eror' },
      { level: 'error', lvl: 'eror' },
      { level: 'debug', lvl: 'dbug' },
    ])
    const messages = await query("['formats'] | sort by n asc | project message, msg")
    expect(messages[0]?.message).toBe('a, "b"')
    expect(messages[1]?.message).toBe('é')
    expect(messages[3]?.msg).toBe('y z')
  })

  it('changes no other byte of an event, and no event of another program', async () => {
    const exact = '"n":9007199254740993,"f":1.10,"s":"\\u00e9\\/","o":{"level":"WARN"}'
    const logger = file('exact.ndjson', `{"level":"WARN","msg":"é",${exact}}\n`)
    const game = file('game.ndjson', '{"level":30,"player":"a"}\n{"level":"B","player":"b"}\n')
    const dryRun = await run(['ingest', 'exact', logger, game, '--dry-run'])
    const sent = dryRun.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind === 'file')
      .map(({ firstEvent }) => firstEvent)
    expect(sent).toEqual([`{"level":"warn","msg":"é",${exact}}`, '{"level":30,"player":"a"}'])
  })

  it('is read the same when rejected events are sent again', async () => {
    const rejects = join(scratch, 'rejects.ndjson')
    const text = '{"level":"WARNING","msg":"a","n":0}\n{"level":"WARNING","msg":"b","n":1\n'
    await run(['ingest', 'again', '--rejects', rejects], text)
    const reject = JSON.parse(readFileSync(rejects, 'utf8'))
    const event = '{"level":"warn","severity_text":"WARNING","msg":"b","n":1'
    expect(reject).toMatchObject({ line: 2, event })
    // The user repairs the event.
    writeFileSync(rejects, `${JSON.stringify({ ...reject, event: `${reject.event}}` })}\n`)
    await run(['ingest', 'again', '--retry', rejects])
    const fields = { level: 'warn', severity_text: 'WARNING' }
    expect(await levels('again')).toEqual([fields, fields])
  })
})

/** Returns the fields about the level of each event, in the order of `n`. */
async function levels(dataset: string): Promise<unknown[]> {
  const rows = await query(`['${dataset}'] | sort by n asc`)
  return rows.map((row) =>
    Object.fromEntries(
      LEVEL_FIELDS.filter((name) => (row[name] ?? null) !== null).map((name) => [name, row[name]]),
    ),
  )
}

function file(name: string, text: string): string {
  const path = join(scratch, name)
  writeFileSync(path, text)
  return path
}

it('names the level of lines that begin with it once', async () => {
  const file = join(scratch, 'levels.log')
  writeFileSync(file, 'INFO: started\nERROR: failed\nWARN: slow\n')
  const { stderr } = await run(['ingest', 'logs', file, '--check'])
  expect(stderr).toContain(`${file}: level; no time at the beginning of the lines`)
})
