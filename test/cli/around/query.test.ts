import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../../support/needs.js'
import { programIn } from '../../support/program-in.js'
import { hasTerminal, startOnTerminal } from '../../support/pty.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')
const { run } = programIn(directory)
const binary = join(import.meta.dirname, '../../../bin/evq.js')

interface Event {
  readonly _time?: string
  readonly n: number
  readonly host: string
  readonly level: string
  readonly port?: number
}

function event(n: number, time?: number): Event {
  return {
    ...(time !== undefined && { _time: new Date(time).toISOString() }),
    ...{ n, host: `h${n % 3}`, level: n % 7 === 0 ? 'error' : 'info' },
    // Absent from half of the events.
    ...(n % 2 === 0 && { port: n % 4 }),
  }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

/** In the order of arrival: three events a second, then older ones, then events without a time. */
const BATCHES = [
  numbers(0, 30).map((n) => event(n, Date.UTC(2024, 0, 2) + Math.floor(n / 3) * 1_000)),
  numbers(30, 50).map((n) => event(n, Date.UTC(2024, 0, 1) + n * 60_000)),
  numbers(50, 80).map((n) => event(n)),
]

beforeAll(async () => {
  for (const batch of BATCHES) {
    const stdin = batch.map((one) => JSON.stringify(one)).join('\n')
    await run(['ingest', 'logs', '-q'], stdin)
  }
})

interface Row {
  readonly n: number
  readonly _match: boolean
}

/** The lines that grep would print for events in the order of arrival; a match is a number with `true`. */
function expected(
  isMatch: (event: Event) => boolean,
  [before, after]: readonly [number, number],
  events: readonly Event[] = BATCHES.flat(),
): readonly Row[] {
  return events.flatMap((one, index) => {
    const isNear = events.slice(Math.max(0, index - after), index + before + 1).some(isMatch)
    return isNear ? [{ n: one.n, _match: isMatch(one) }] : []
  })
}

const query = (...args: string[]) => run(['query', ...args])

async function rows(...args: string[]): Promise<readonly Row[]> {
  const { status, stdout, stderr } = await query(...args)
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/^\d+ rows?, /) })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ n, _match }) => ({ n, _match }))
}

const isError = ({ level }: Event) => level === 'error'

describe('query -A, -B and -C', () => {
  it.each([
    ['-C', [1, 1]],
    ['-C', [2, 2]],
    ['-C', [4, 4]],
    ['-C', [90, 90]],
  ] as const)(
    'shows events around each match in the order of arrival: %s %j',
    async (flag, sides) => {
      const apl = "['logs'] | where level == 'error'"
      expect(await rows(apl, flag, String(sides[0]))).toEqual(expected(isError, sides))
    },
  )

  it('shows the lines of one batch in the order in which they came, whatever their times', async () => {
    // Later times come first, and some are equal.
    const batch = numbers(0, 40).map((n) => event(n, Date.UTC(2024, 0, 3) - (n % 10) * 1_000))
    const lines = batch.map((one) => JSON.stringify(one)).join('\n')
    await run(['ingest', 'unordered', '-q'], lines)
    const apl = "['unordered'] | where level == 'error'"
    expect(await rows(apl, '-C', '2')).toEqual(expected(isError, [2, 2], batch))
    const sorted = await query("['unordered'] | sort by _sysTime asc | project n")
    expect(sorted.stdout).toBe(batch.map(({ n }) => `{"n":${n}}\n`).join(''))
    const latest = await query("['unordered'] | sort by _sysTime desc | limit 3 | project n")
    expect(latest.stdout).toBe('{"n":39}\n{"n":38}\n{"n":37}\n')
  })

  it.each(['age = now() - _time', '_time = now()'])(
    'finds matches with a column that is computed from the time of the query: %s',
    async (column) => {
      const apl = `['logs'] | where level == 'error' | extend ${column}`
      expect(await rows(apl, '-C', '1')).toEqual(expected(isError, [1, 1]))
    },
  )

  it('takes different numbers before and after, and none', async () => {
    const apl = "['logs'] | where level == 'error'"
    expect(await rows(apl, '-B', '2')).toEqual(expected(isError, [2, 0]))
    expect(await rows(apl, '-A', '3')).toEqual(expected(isError, [0, 3]))
    expect(await rows(apl, '-C', '1', '-A', '3')).toEqual(expected(isError, [1, 3]))
    expect(await rows(apl, '-C', '0')).toEqual(expected(isError, [0, 0]))
  })

  it('shows events outside of the time range and the limit of the matches', async () => {
    const apl = "['logs'] | where n > 3 | sort by n asc | limit 2"
    expect(await rows(apl, '-C', '2', '--since', '2024-01-02', '--until', '2024-01-03')).toEqual(
      expected(({ n }) => n === 4 || n === 5, [2, 2]),
    )
  })

  it('follows the time of events, in the range, when the query sorts by it', async () => {
    const sorted = BATCHES.flat()
      .filter(({ _time }) => _time !== undefined && _time >= '2024-01-01T00:37')
      .filter(({ _time }) => _time! < '2024-01-02T00:00:07')
      .sort((one, other) => Date.parse(one._time!) - Date.parse(other._time!))
    const apl = "['logs'] | where n % 7 == 0 | sort by _time asc"
    const range = ['--since', '2024-01-01T00:37:00Z', '--until', '2024-01-02T00:00:07Z']
    for (const around of [1, 3, 90]) {
      const shown = await rows(apl, '-C', String(around), ...range)
      expect(shown).toEqual(expected(isError, [around, around], sorted))
    }
    const projected = await rows(`${apl} | project n`, '-C', '2', ...range)
    expect(projected).toEqual(expected(isError, [2, 2], sorted))
  })

  it.each([
    'extend _time = _time + 1h',
    'project n, _time = _time + 1h',
    'project-rename time = _time | extend _time = time + 1h',
    "extend text = '2024-01-05' | parse text with _time:datetime",
    "extend text = '_time=2024-01-05' | parse-kv text as (_time:datetime) with (pair_delimiter=',', kv_delimiter='=')",
  ])('follows arrival when `%s` replaces the times by which it sorts', async (step) => {
    const apl = `['logs'] | where n == 8 | sort by _time asc | ${step}`
    expect(await rows(apl, '-C', '1')).toEqual(expected(({ n }) => n === 8, [1, 1]))
  })

  it('requires both times, as times', async () => {
    const apl = "['logs'] | where n == 8 | extend _time = tostring(n)"
    const { status, stdout, stderr } = await query(apl, '-C', '1')
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('the query must keep both, with their types')
  })

  it('finds matches of `search`, in tables of `let` and with parameters', async () => {
    expect(await rows("['logs'] | search 'error' | where n < 20", '-C', '1')).toEqual(
      expected((one) => isError(one) && one.n < 20, [1, 1]),
    )
    const apl =
      "declare query_parameters (at:int); let few = ['logs'] | where n >= at; few | where n < 33"
    expect(await rows(apl, '-p', 'at=31', '-C', '1')).toEqual(
      expected(({ n }) => n === 31 || n === 32, [1, 1]),
    )
  })

  it('shows the columns of the query for all events', async () => {
    const apl = "['logs'] | where n == 8 | extend twice = n * 2 | project twice, host"
    const { stdout } = await query(apl, '-C', '1')
    expect(stdout).toBe(
      [
        '{"twice":14,"host":"h1","_match":false}',
        '{"twice":16,"host":"h2","_match":true}',
        '{"twice":18,"host":"h0","_match":false}',
        '',
      ].join('\n'),
    )
  })

  it('stays within the source with `--context-by`', async () => {
    const isMatch = ({ n }: Event) => n === 21 || n === 28
    const shown = await rows(
      "['logs'] | where n == 21 or n == 28",
      '-C',
      '2',
      '--context-by',
      'host',
    )
    const of = (host: string) => BATCHES.flat().filter((one) => one.host === host)
    // 21 is of `h0`, 28 of `h1`; the groups are in the order of their first events.
    expect(shown).toEqual([
      ...expected(isMatch, [2, 2], of('h0')),
      ...expected(isMatch, [2, 2], of('h1')),
    ])
    const both = await rows("['logs'] | where n == 21", '-C', '1', '--context-by', 'host,port')
    // 21 has no port; nor have 15 and 27, the odd multiples of 3 next to it.
    expect(both.map(({ n }) => n)).toEqual([15, 21, 27])
    const hidden = await query(
      "['logs'] | where n == 21 | project n",
      '-C',
      '1',
      '--context-by',
      'host',
    )
    expect(hidden.stdout).toBe(
      '{"n":18,"_match":false}\n{"n":21,"_match":true}\n{"n":24,"_match":false}\n',
    )
  })

  it('adds the column in all formats for programs, also to selected columns and in files', async () => {
    const apl = "['logs'] | where n == 8"
    const csv = await query(apl, '-C', '1', '--columns', 'n', '-o', 'csv')
    expect(csv.stdout).toBe('n,_match\n7,false\n8,true\n9,false\n')
    const file = join(scratch, 'around.csv')
    await query(apl, '-A', '1', '--columns', 'n', '-O', file)
    expect(readFileSync(file, 'utf8')).toBe('n,_match\n8,true\n9,false\n')
  })

  it('rejects queries whose rows are not events, and formats without them', async () => {
    const rejected = async (...args: string[]) => {
      const { status, stdout, stderr } = await query(...args)
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      return stderr.replaceAll('\n', ' ')
    }
    expect(await rejected("['logs'] | summarize count() by host", '-C', '1')).toContain(
      'the rows of `summarize count() by host` are not events of one dataset',
    )
    expect(await rejected('union logs, logs', '-C', '1')).toContain('are not events of one dataset')
    expect(await rejected('logs', '-C', 'x')).toContain('`--context` takes a whole number from 0')
    expect(await rejected('logs', '--context-by', 'host')).toContain('requires `-A`, `-B` or `-C`')
    expect(await rejected('logs', '-C', '1', '-o', 'chart')).toContain("`-o chart` can't show")
    expect(await rejected('--legacy', 'logs', '-C', '1')).toContain('legacy')
  })

  it('reports problems where they are in the query as it was written', async () => {
    const apl = "['logs'] | project host, levle"
    const { status, stderr } = await query(apl, '-C', '1')
    expect(status).toBe(2)
    expect(stderr).toContain(`1 | ${apl}\n  |${' '.repeat(1 + apl.indexOf('levle'))}^^^^^`)
  })
})

describe('query -C on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  const APL = "['logs'] | where n == 1 or n == 3 or n == 9 | project _time, level, host, n"

  async function onTerminal(columns: number, more: readonly string[], env = {}) {
    const args = ['query', APL, '-C', '1', '--since', '2024-01-01', ...more]
    const terminal = startOnTerminal([process.execPath, binary, ...args], {
      ...{ columns, rows: 100 },
      env: { EVQ_DATA_DIR: directory, XDG_STATE_HOME: scratch, ...env },
    })
    const { status } = await terminal.ended
    expect(status).toBe(0)
    return { lines: terminal.screen().text().split('\n'), raw: terminal.raw() }
  }

  it.each([60, 80, 200])('marks matches and separates groups in %i columns', async (columns) => {
    const { lines, raw } = await onTerminal(columns, [], { NO_COLOR: '1' })
    const line = (sign: string, n: number) =>
      `${sign} 2024-01-02T00:00:0${Math.floor(n / 3)}.000Z ${n % 7 === 0 ? 'error' : 'info '} host=h${n % 3} n=${n}`
    expect(lines.slice(0, -1)).toEqual([
      ...[line(' ', 0), line('>', 1), line(' ', 2), line('>', 3), line(' ', 4)],
      '--',
      ...[line(' ', 8), line('>', 9), line(' ', 10)],
    ])
    // The progress of a slow query is erased by other escape sequences.
    const sequences = raw.split('\u001b[').slice(1)
    expect(sequences.filter((sequence) => /^[\d;]*m/.test(sequence))).toEqual([])
  })

  it('prints a table or records for each group on request', async () => {
    const table = await onTerminal(80, ['-o', 'table'])
    expect(table.lines.filter((line) => line === '--')).toHaveLength(1)
    expect(table.lines.filter((line) => /^│ > .*│ +\d │$/.test(line))).toHaveLength(3)
    const record = await onTerminal(80, ['-o', 'record'])
    expect(record.lines.filter((line) => line === '--')).toHaveLength(1)
    expect(record.lines.filter((line) => /^_match +>$/.test(line))).toHaveLength(3)
  })

  it('adds the column and no separator in formats for programs', async () => {
    const { lines } = await onTerminal(80, ['-o', 'csv'])
    expect(lines[0]).toBe('_time,level,host,n,_match')
    expect(lines).not.toContain('--')
  })
})
