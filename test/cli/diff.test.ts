import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { start } from '../support/evq.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { needs } from '../support/needs.js'
import { hasTerminal, startOnTerminal } from '../support/pty.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')
const binary = join(import.meta.dirname, '../../bin/evq.js')
const APL = 'logs | summarize count() by level'
const env = {
  XDG_CONFIG_HOME: join(scratch, 'config'),
  XDG_STATE_HOME: join(scratch, 'state'),
  PAGER: '',
}
/** The events of the two days: error 3 → 1, info 1 → 2, debug 2 → 0, warn 0 → 1. */
const RANGE = ['--since', '2026-01-02T10:00', '--until', '2026-01-02T11:00']
const DAY_BEFORE = [...RANGE, '--against', '1d']
const ROWS = [
  { level: 'warn', before: 0, after: 1, difference: 1, ratio: null },
  { level: 'debug', before: 2, after: 0, difference: -2, ratio: 0 },
  { level: 'error', before: 3, after: 1, difference: -2, ratio: 1 / 3 },
  { level: 'info', before: 1, after: 2, difference: 1, ratio: 2 },
]

let service: ReturnType<typeof start> | undefined

beforeAll(async () => {
  mkdirSync(directory)
  service = start(['serve', '--listen', '127.0.0.1:0'], { directory, env })
  await service.err.until(/127\.0\.0\.1:\d+/)
  const events = [
    ...['error', 'error', 'error', 'info', 'debug', 'debug'].map((level) => ({
      _time: '2026-01-01T10:30:00Z',
      level,
    })),
    ...['error', 'info', 'info', 'warn'].map((level) => ({ _time: '2026-01-02T10:59:59Z', level })),
    { _time: '2026-01-02T11:00:00Z', level: 'late' },
  ]
  const stdin = events.map((event) => JSON.stringify(event)).join('\n')
  await evqInProcess(['ingest', 'logs', '-q'], { directory, env, stdin })
})

afterAll(async () => {
  service?.child.kill('SIGTERM')
  await service?.ended
})

const diff = (args: readonly string[]) =>
  evqInProcess(['diff', ...args], { directory, env, stdin: '' })

function parsed(text: string): readonly unknown[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

describe('evq diff', () => {
  it('warns that groups beyond the limit of a result appear as new or vanished', async () => {
    const { stderr, status } = await diff([APL, ...DAY_BEFORE, '-n', '2', '--strict'])
    expect(stderr).toContain('The result `before` has 2 rows, its limit. Groups beyond it')
    expect(stderr).toContain('The result `after` has 2 rows, its limit.')
    expect(status).toBe(3)
    const whole = await diff([APL, ...DAY_BEFORE, '-n', '4', '--strict'])
    expect([whole.stderr.includes('its limit'), whole.status]).toEqual([false, 0])
  })

  it('reports ranges in the time zone of the rows, in which their times were read', async () => {
    const { stderr } = await diff([APL, ...DAY_BEFORE, '-z', 'Asia/Kolkata'])
    expect(stderr).toMatch(
      /^before: from 2026-01-01T10:00:00\+05:30 until 2026-01-01T11:00:00\+05:30$/m,
    )
    expect(stderr).toMatch(
      /^after: from 2026-01-02T10:00:00\+05:30 until 2026-01-02T11:00:00\+05:30$/m,
    )
  })

  it('compares a range with the same range earlier', async () => {
    const { stdout, stderr, status } = await diff([APL, ...DAY_BEFORE])
    expect(parsed(stdout)).toEqual(ROWS)
    expect(stderr).toBe(
      [
        'before: from 2026-01-01T10:00:00Z until 2026-01-01T11:00:00Z',
        'after: from 2026-01-02T10:00:00Z until 2026-01-02T11:00:00Z',
        '4 rows: 1 new, 1 vanished, 2 changed',
        '',
      ].join('\n'),
    )
    expect(status).toBe(0)
  })

  it('compares two queries', async () => {
    const { stdout } = await diff([
      'logs | count',
      '--against-query',
      'logs | where level == "error" | count',
    ])
    expect(parsed(stdout)).toEqual([{ before: 4, after: 11, difference: 7, ratio: 2.75 }])
  })

  it('compares two deployments', async () => {
    const other = join(scratch, 'other')
    mkdirSync(other)
    await evqInProcess(['ingest', 'logs', '-q'], {
      directory: other,
      env,
      stdin: '{"_time":"2026-01-02T10:00:00Z","level":"info"}',
    })
    const port = /127\.0\.0\.1:\d+/.exec(service!.err.text())![0]
    const { stdout: token } = await evqInProcess(['token', 'create', 'reader', '--query', 'logs'], {
      directory,
      env,
    })
    await evqInProcess(
      [
        'profile',
        'add',
        'prod',
        '--url',
        `http://${port}`,
        '--token-command',
        `echo ${token.trim()}`,
      ],
      {
        directory,
        env,
      },
    )
    const { stdout } = await evqInProcess(['diff', APL, ...RANGE, '--against-profile', 'prod'], {
      directory: other,
      env,
    })
    expect(parsed(stdout)).toEqual([
      { level: 'error', before: 1, after: 0, difference: -1, ratio: 0 },
      { level: 'warn', before: 1, after: 0, difference: -1, ratio: 0 },
      { level: 'info', before: 2, after: 1, difference: -1, ratio: 0.5 },
    ])
  })

  it('has the output formats of a query', async () => {
    const csv = await diff([APL, ...DAY_BEFORE, '-o', 'csv', '--columns', 'level,difference'])
    expect(csv.stdout).toBe('level,difference\nwarn,1\ndebug,-2\nerror,-2\ninfo,1\n')
    const file = join(scratch, 'diff.md')
    expect((await diff([APL, ...DAY_BEFORE, '-O', file, '-q'])).stderr).toBe('')
    expect(await readFile(file, 'utf8')).toContain('| warn | 0 | 1 | 1 |  |\n')
    const chart = await diff([APL, ...DAY_BEFORE, '-o', 'chart'])
    expect(chart.stdout).toMatch(/^difference\nwarn +│█+ 1\ndebug/)
  })

  it.each([
    [[APL], /There is nothing to compare with/],
    [[APL, '--against', '1d'], /set its start with `--since`/],
    [[APL, ...RANGE, '--against', 'yesterday'], /`--against` takes a duration such as/],
    [[APL, ...RANGE, '--against', '0s'], /`--against` takes a duration above 0/],
    [['logs', ...DAY_BEFORE], /has no `summarize`/],
    [[APL, ...RANGE, '--against-profile', 'nowhere'], /There is no profile `nowhere`/],
    [[APL, '--against-query', ' '], /`--against-query` is empty/],
    [
      [APL, '--against-query', 'logs | cuont'],
      /error\[unknown-operator\][\s\S]*1 \| logs \| cuont/,
    ],
  ])('explains what is wrong in %j', async (args, reason) => {
    const { stdout, stderr, status } = await diff(args)
    expect(stderr).toMatch(reason)
    expect(stdout).toBe('')
    expect(status).toBe(2)
  })

  it('is complete without rows', async () => {
    const { stdout, stderr, status } = await diff([
      APL,
      '--since',
      '2020-01-02',
      '--until',
      '+1h',
      '--against',
      '1d',
    ])
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
    expect(stderr).toContain('0 rows: 0 new, 0 vanished, 0 changed')
  })
})

describe('on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it.each([60, 80, 200])(
    'prints a table with colored differences in %d columns',
    async (columns) => {
      const onTerminal = async (more: Readonly<Record<string, string>>) => {
        const command = [process.execPath, binary, 'diff', APL, ...DAY_BEFORE]
        const terminal = startOnTerminal(command, {
          columns,
          env: { ...env, EVQ_DATA_DIR: directory, ...more },
        })
        expect((await terminal.ended).status).toBe(0)
        return terminal
      }
      const colored = await onTerminal({})
      expect(colored.raw()).toContain('\u001b[31m-2')
      expect(colored.raw()).toContain('\u001b[32m1')
      const plain = await onTerminal({ NO_COLOR: '1' })
      expect(plain.raw()).not.toContain('\u001b[3')
      expect(plain.screen().hasWrapped).toBe(false)
      expect(plain.screen().text()).toMatch(/│ error │ +3 │ +1 │ +-2 │ 0\.3333333333333333 │/)
    },
  )
})

describe('of files', () => {
  it('compares two files, or two ranges of one', async () => {
    const old = join(scratch, 'old.log')
    const recent = join(scratch, 'new.log')
    writeFileSync(old, 'level=info n=1\nlevel=info n=2\nlevel=warn n=3\n')
    writeFileSync(recent, 'level=info n=1\nlevel=error n=2\n')
    const by = (path: string) => `file('${path}') | summarize count() by level`
    const compared = await evqInProcess(['diff', by(recent), '--against-query', by(old)], {
      directory,
      env,
    })
    expect(compared.status).toBe(0)
    expect(
      compared.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { level: 'error', before: 0, after: 1, difference: 1, ratio: null },
      { level: 'warn', before: 1, after: 0, difference: -1, ratio: 0 },
      { level: 'info', before: 2, after: 1, difference: -1, ratio: 0.5 },
    ])
    const days = join(scratch, 'days.ndjson')
    writeFileSync(
      days,
      ['01', '02', '02'].map((day) => `{"_time":"2026-01-${day}T10:00:00Z"}\n`).join(''),
    )
    const range = ['--since', '2026-01-02', '--until', '2026-01-03', '--against', '1d']
    const moved = await evqInProcess(['diff', `file('${days}') | count`, ...range], {
      directory,
      env,
    })
    expect(JSON.parse(moved.stdout)).toMatchObject({ before: 1, after: 2 })
  })

  it('takes parameters', async () => {
    const numbers = join(scratch, 'numbers.ndjson')
    writeFileSync(numbers, '{"n":1}\n{"n":2}\n{"n":3}\n')
    const counted = `file('${numbers}') | where n > least | count`
    const declared = `declare query_parameters (least: long); ${counted}`
    const args = [declared, '--against-query', `file('${numbers}') | count`, '-p', 'least=1']
    const { stdout, stderr } = await evqInProcess(['diff', ...args], { directory, env })
    expect(stderr).toBe('1 row: 0 new, 0 vanished, 1 changed\n')
    expect(JSON.parse(stdout)).toMatchObject({ before: 3, after: 2 })
  })

  it('does not read standard input twice', async () => {
    const all = `file('-') | count`
    const twice = await evqInProcess(
      ['diff', all, '--against-query', `file('-') | where n > 1 | count`],
      {
        ...{ directory, env, stdin: '{"n":1}\n{"n":2}\n' },
      },
    )
    expect(twice.stderr).toBe(
      'evq: Both queries read standard input, but it can be read only once. Save the events in a file, and name it in `file(…)`.\n',
    )
    expect([twice.stdout, twice.status]).toEqual(['', 2])
    const other = join(scratch, 'other.ndjson')
    writeFileSync(other, '{"n":1}\n')
    const once = ['diff', all, '--against-query', `file('${other}') | count`]
    const compared = await evqInProcess(once, { directory, env, stdin: '{"n":1}\n{"n":2}\n' })
    expect(JSON.parse(compared.stdout)).toMatchObject({ before: 1, after: 2 })
    const read = await evqInProcess(['diff', '-', ...once.slice(2)], { directory, env, stdin: all })
    expect(read.stderr).toMatch(/^evq: Standard input is the query, but it can be read only once\./)
    expect(read.status).toBe(2)
  })
})
