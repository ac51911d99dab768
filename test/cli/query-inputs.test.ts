import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { start } from '../support/evq.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const binary = join(import.meta.dirname, '../../bin/evq.js')
const scratch = temporaryDirectory()
const temporary = join(scratch, 'tmp')
mkdirSync(temporary)
// For the commands in this process.
process.env.TMPDIR = temporary
const empty = join(scratch, 'empty')
/** No command may create it. */
const absent = join(scratch, 'absent')
const env = {
  TMPDIR: temporary,
  XDG_CONFIG_HOME: join(scratch, 'config'),
  XDG_STATE_HOME: join(scratch, 'state'),
}

function file(name: string, content: string | Buffer): string {
  const path = join(scratch, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  return path
}

function run(
  args: readonly string[],
  stdin?: string,
  others: Readonly<Record<string, string>> = {},
) {
  return evqInProcess(['query', ...args], {
    directory: absent,
    env: { ...env, ...others },
    ...(stdin !== undefined && { stdin }),
  })
}

const rows = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

const LOG = [
  '2026-01-01 10:00:00,123 ERROR [main] com.x.Foo - failed to open',
  '\tat com.x.Foo.open(Foo.java:1)',
  '2026-01-01 10:00:01,123 INFO [main] com.x.Bar - opened',
  '2026-01-01 10:00:02,123 ERROR [main] com.x.Foo - failed again',
  '',
].join('\n')

afterEach(() => {
  expect(readdirSync(temporary)).toEqual([])
  expect(existsSync(absent)).toBe(false)
})

it('says that times have no zone when a range of times selects the events', async () => {
  const inUtc = 'time 2026-01-01 10:00:00,123 (no zone, UTC assumed); `-z` sets the zone.\n'
  const since = ['--since', '2026-01-01T10:00:01Z']
  for (const apl of ['count', 'where level == "error"']) {
    expect((await run([apl, ...since], LOG)).stderr).toContain(inUtc)
    expect((await run([apl, ...since, '-z', 'UTC'], LOG)).stderr).not.toContain('no zone')
    expect((await run([apl], LOG)).stderr).not.toContain('no zone')
  }
})

it('chooses the earliest of equal events for `arg_max`, as a dataset does', async () => {
  const lines = [
    '{"_time":"2026-01-01T00:00:02Z","n":1,"word":"first line"}',
    '{"_time":"2026-01-01T00:00:01Z","n":1,"word":"earliest"}',
    '{"_time":"2026-01-01T00:00:01Z","n":1,"word":"later line"}\n',
  ].join('\n')
  const tied = file('tied.ndjson', lines)
  for (const call of ['arg_max(n, word)', 'arg_min(n * 2.5, word)', 'arg_max(n, *)']) {
    const apl = `extend k = 1 | summarize ${call} by k | project word`
    expect(rows((await run(['-i', tied, '-o', 'ndjson', apl])).stdout)).toEqual([
      { word: 'earliest' },
    ])
    const read = await run(['-i', '-', '-o', 'ndjson', apl], lines)
    expect(rows(read.stdout)).toEqual([{ word: 'earliest' }])
  }
  // The order of the rows remains the order of the lines.
  const listed = await run([
    '-i',
    tied,
    '-o',
    'ndjson',
    'limit 2 | summarize words = make_list(word)',
  ])
  expect(rows(listed.stdout)).toEqual([{ words: ['first line', 'earliest'] }])
})

describe('a step after the columns of fields that no event had before', () => {
  const shop = () => file('shop.ndjson', '{"status":200,"url":"/cart","ms":5}\n')
  const ndjson = async (apl: string) => {
    const { stdout, stderr } = await run(['-q', '-i', shop(), '-o', 'ndjson', apl])
    return stderr === '' ? rows(stdout) : stderr
  }

  it('removes and keeps them', async () => {
    const steps = ['away url', 'away u*', 'keep status', 'keep st*', 'keep status, other*']
    for (const step of steps) {
      expect(await ndjson(`project status, url | project-${step}`)).toEqual([{ status: 200 }])
      expect(await ndjson(`distinct status, url | project-${step}`)).toEqual([{ status: 200 }])
    }
    for (const step of ['away s*, u*', 'away status, url', 'keep other*']) {
      expect(await ndjson(`project status, url | project-${step}`)).toContain(
        'No columns are left.',
      )
    }
  })

  it('lists them when it uses another name', async () => {
    for (const [apl, fields] of [
      ['summarize sum(ms) / 2 by status | sort by sum_ms', 'status, Column1'],
      ['project path = url, status | extend k = status + 1 | sort by x', 'path, status, k'],
      ['extend k = ms * 2 | summarize s = max(k) by url | sort by k', 'url, s'],
      ['distinct url | sort by ms', 'url'],
      ['project status, url, ms | project-away u* | sort by x', 'status, ms'],
    ] as const) {
      expect(await ndjson(apl)).toContain(`fields here: ${fields}\n`)
    }
  })
})

it('finds no text in the fields of `--source-fields`', async () => {
  const orders = file('orders.ndjson', '{"n":1,"text":"of gateway"}\n{"n":3,"text":"of orders"}\n')
  const found = async (apl: string, ...flags: readonly string[]) => {
    const { stdout } = await run(['-i', orders, '-o', 'ndjson', ...flags, `${apl} | project n`])
    return rows(stdout)
  }
  const flag = '--source-fields'
  expect(await found("where * contains 'orders'", flag)).toEqual([{ n: 3 }])
  expect(await found("search 'gateway' or '2'", flag)).toEqual([{ n: 1 }])
  expect(await found("where * !contains 'ndjson'", flag)).toEqual([{ n: 1 }, { n: 3 }])
  expect(await found("where _file contains 'orders' and _line == 2", flag)).toEqual([{ n: 3 }])
  // Without the flag, a field of this name is like any other.
  const own = file('own.ndjson', '{"n":1,"_file":"orders.c"}\n')
  const { stdout } = await run(['-i', own, '-o', 'ndjson', "where * contains 'orders' | project n"])
  expect(rows(stdout)).toEqual([{ n: 1 }])
})

describe('a query that starts with an operator', () => {
  it('reads the events of standard input, with the formats of ingest', async () => {
    const ended = await run(["where level == 'error' | summarize count() by logger"], LOG)
    expect(rows(ended.stdout)).toEqual([{ logger: 'com.x.Foo', count_: 2 }])
    expect(ended.stderr).toContain('1 row, 3 events examined')
    expect(ended.status).toBe(0)
  })

  it('reads files and patterns of files, compressed or not, in their order', async () => {
    const first = file('many/b.ndjson', '{"n":3}\n{"n":1}\n')
    file('many/a.gz', gzipSync('{"n":2}\n'))
    const pattern = join(scratch, 'many/{a,b}*')
    const ended = await run(['-i', first, '-i', pattern, 'project n'])
    expect(rows(ended.stdout)).toEqual([3, 1, 2, 3, 1].map((n) => ({ n })))
    expect(ended.status).toBe(0)
  })

  it.each([
    ['plain', (text: string) => text],
    ['compressed', gzipSync],
  ])('reads many small files, %s, whatever their last line is', async (kind, packed) => {
    const ends = ['\n', '', '\n\n \n', '\r\n']
    const texts = Array.from({ length: 40 }, (_, i) => {
      const lines = Array.from({ length: i % 7 }, (_, n) => `{"file":${i},"n":${n}}`)
      return lines.join('\n') + ends[i % ends.length]
    })
    // The only values of this type and of this field are in one of the files.
    texts[33] = '\uFEFF{"file":33,"n":"text"}\n{"file":33,"late":true}'
    for (const [i, text] of texts.entries()) {
      file(`small-${kind}/${String(i).padStart(2, '0')}.ndjson`, packed(text))
    }
    const events = texts.flatMap((text) => rows(text.replace(/[\uFEFF\r ]/g, '')))
    const pattern = join(scratch, `small-${kind}/*`)
    const all = await run(['-i', pattern, 'project file, n, late'])
    expect(rows(all.stdout)).toEqual(
      events.map(({ file, n = null, late = null }) => ({ file, n, late })),
    )
    const counted = await run(['-i', pattern, 'summarize count(), sum(file), countif(late)'])
    const sum = events.reduce((total, event) => total + event.file, 0)
    expect(rows(counted.stdout)).toEqual([
      { count_: events.length, sum_file: sum, countif_late: 1 },
    ])
    // A scan of several files is only used when all of them fit.
    const last = await run(['-i', pattern, '-i', file('broken.ndjson', '{"file":'), 'count'])
    expect([rows(last.stdout), last.status]).toEqual([[{ Count: events.length }], 3])
  })

  it('reads a log that is so long that another thread converts it', async () => {
    const numbers = Array.from({ length: 150_000 }, (_, n) => n)
    const lines = numbers.map(
      (n) =>
        `2026-11-20 10:00:00,000 ${n % 1000 === 7 ? 'ERROR' : 'INFO'} [main] com.x.Foo - ${'x'.repeat(40)} ${n}\n`,
    )
    const log = file('long.log', lines.join(''))
    const printed = await run(['-i', log, "where level == 'error' | project message"])
    expect(rows(printed.stdout).map(({ message }) => Number(message.slice(41)))).toEqual(
      numbers.filter((n) => n % 1000 === 7),
    )
    const counted = await run(['-i', log, 'summarize count(), dcount(message) by level'])
    expect(
      rows(counted.stdout)
        .map(({ count_ }) => count_)
        .sort(),
    ).toEqual([149_850, 150])
  })

  it('takes the flags of ingest', async () => {
    const csv = file('table.csv', '1;2026-02-01 10:00\n')
    const flags = ['--input-format', 'csv', '--delimiter', ';', '--csv-fields', 'a,at']
    const time = ['--timestamp-field', 'at', '--timestamp-format', '2006-01-02 15:04']
    const ended = await run([
      '-i',
      csv,
      ...flags,
      ...time,
      '-l',
      'host=x',
      'project _time, a, host',
    ])
    expect(rows(ended.stdout)).toEqual([{ _time: '2026-02-01T10:00:00Z', a: 1, host: 'x' }])
  })

  it('explains how to convert events that are not UTF-8', async () => {
    const path = join(scratch, 'latin1.ndjson')
    writeFileSync(path, Buffer.from('{"name":"caf\xe9"}\n{"name":"th\xe9"}\n', 'latin1'))
    const { stderr, status } = await run(['-i', path, 'count'])
    const advice = '`iconv -f latin1 -t utf-8` converts a file in Latin-1 to UTF-8.'
    expect(stderr).toContain(`${path}:1: not UTF-8\n${path}:2: not UTF-8\n${advice}\n`)
    expect(status).toBe(3)
  })

  it('explains a layout of times that is missing or wrong', async () => {
    const csv = file('days.csv', 'day,n\n31.01.2026,1\n')
    const missing = await run(['-i', csv, '--timestamp-field', 'day', 'count'])
    expect(missing.stderr).toContain('`--timestamp-format` sets the layout of times')
    expect(missing.status).toBe(3)
    const wrong = await run(['-i', csv, '--timestamp-format', 'dd.mm', 'count'])
    expect(wrong.stderr).toMatch(/^evq: `--timestamp-format` is "dd.mm", which has no year\./)
    expect(wrong.status).toBe(2)
  })

  it.each(['limit 2', 'summarize count() by bin(_time, 1h)'])(
    'tells once about dates that can be read in two orders: %s',
    async (query) => {
      const path = file('orders.log', '03/04/2026 10:00:00 a\n05/06/2026 11:00:00 b\n')
      const notice = `\`${path}\`: \`03/04/2026 10:00:00\` may be day/month/year or month/day/year`
      const told = await run(['-i', path, query])
      expect(told.stderr.split(notice)).toHaveLength(2)
      const layout = ['--timestamp-format', '02/01/2006 15:04:05']
      const read = await run(['-i', path, ...layout, '-o', 'ndjson', 'project _time'])
      expect(read.stderr).not.toContain('may be')
      expect(rows(read.stdout)[0]).toEqual({ _time: '2026-04-03T10:00:00Z' })
    },
  )

  it('tells once about events and lines without a time, as `ingest` does', async () => {
    const csv = file('orders.csv', 'timestamp,n\n03/04/2026 10:00:00,1\n05/06/2026 11:00:00,2\n')
    const hint =
      '`_time`. Events without one get the time of arrival. To use `timestamp`: `--timestamp-field timestamp`'
    expect((await run(['-i', csv, 'count'])).stderr.split(hint)).toHaveLength(2)
    const layout = ['--timestamp-field', 'timestamp', '--timestamp-format', '02/01/2006 15:04:05']
    expect((await run(['-i', csv, ...layout, 'count'])).stderr).not.toContain('time of arrival')
    const paths = ['a', 'b'].map((name) => file(`${name}.log`, 'started it\nstopped it\n'))
    const logs = await run([...paths.flatMap((path) => ['-i', path]), 'count'])
    const told = `\`${paths[0]}\`: no time at the beginning of the lines, so events get the time of arrival\n`
    expect(logs.stderr).toContain(told)
    expect(logs.stderr.split('no time at')).toHaveLength(2)
  })

  it('may follow statements', async () => {
    const ended = await run(
      ['let least = 2; where n >= least | count'],
      '{"n":1}\n{"n":2}\n{"n":3}\n',
    )
    expect(rows(ended.stdout)).toEqual([{ Count: 2 }])
  })

  it('keeps the order of the input unless it sorts', async () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => {
      const second = (n * 7919) % 3_000
      return `{"_time":${JSON.stringify(new Date(1.7e12 + second * 1000))},"n":${n}}\n`
    }).join('')
    const kept = await run(['extend m = n + 1 | project m', '-n', '3000'], lines)
    expect(rows(kept.stdout).map(({ m }) => m)).toEqual(
      Array.from({ length: 3_000 }, (_, n) => n + 1),
    )
    const sorted = await run(['sort by _time asc | project n', '-n', '2'], lines)
    // 7919 * 1679 = 4432 * 3000 + 1.
    expect(rows(sorted.stdout)).toEqual([{ n: 0 }, { n: 1679 }])
  })

  it('counts what it can not read, names the first three, and exits with 3', async () => {
    const bad = file('bad.ndjson', '{"n":1}\nx\n{"n":2}\n{\n[]\n7\n')
    const ended = await run(['-i', bad, 'summarize sum(n)', '--strict-input'])
    expect(rows(ended.stdout)).toEqual([{ sum_n: 3 }])
    expect(ended.status).toBe(3)
    const named = ended.stderr.split('\n').filter((line) => line.startsWith(bad))
    expect(named.map((line) => line.slice(bad.length, bad.length + 3))).toEqual([
      ':2:',
      ':4:',
      ':5:',
    ])
    expect(ended.stderr).toContain(
      '4 of 6 events could not be read and are missing from the result.',
    )
  })

  it.each(['top 1 by n', 'summarize max(n)'])(
    'names a line far from the start: %s',
    async (apl) => {
      const good = Array.from({ length: 1_500 }, (_, n) => `{"n":${n}}\n\n`).join('')
      const far = file('far.ndjson', `${good}{x\n{"n":7}\n`)
      const ended = await run(['-i', far, apl])
      expect(ended.stderr).toContain(`${far}:3001: not JSON`)
      expect(ended.stderr).toContain('1 of 1,502 events could not be read and is missing')
      expect(ended.stdout).toContain('1499')
    },
  )

  it('reads the other files when one can not be read', async () => {
    const good = file('good.ndjson', '{"n":1}\n')
    const missing = join(scratch, 'missing.ndjson')
    const ended = await run(['-i', missing, '-i', good, 'count'])
    expect([rows(ended.stdout), ended.status]).toEqual([[{ Count: 1 }], 3])
    expect(ended.stderr).toContain(`\`${missing}\` can't be read: there is no such file.`)
    expect((await run(['-i', missing, 'count'])).status).toBe(1)
    const withoutColumns = await run(['-i', missing, 'project-away _time'])
    expect([withoutColumns.status, withoutColumns.stderr]).toEqual([
      1,
      `evq: \`${missing}\` can't be read: there is no such file.\n`,
    ])
    const none = await run(['-i', join(scratch, 'missing*'), 'count'])
    expect([none.status, none.stderr]).toEqual([
      1,
      `evq: No file matches \`${scratch}/missing*\`.\n`,
    ])
  })

  it('has the result of no events for an empty input, whatever fields it names', async () => {
    const ended = await run(['where status >= 500 and geo.city == "x" | summarize count()'], '')
    expect([rows(ended.stdout), ended.status]).toEqual([[{ count_: 0 }], 0])
  })

  it('reports a field that no event has', async () => {
    const ended = await run(['summarize sum(statsu)'], '{"status":1}\n')
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain(
      '1 | summarize sum(statsu)\n  |               ^^^^^^ close to `status`',
    )
  })

  it.each(['csv', 'ndjson', 'json'])(
    'prints no rows of a file, each of which lacks a field: %s',
    async (format) => {
      const path = file('lacking.ndjson', '{"status":1}\n'.repeat(200_000))
      const ended = await run(['-i', path, '-o', format, 'project status, statsu'])
      expect([ended.stdout, ended.status]).toEqual(['', 2])
      expect(ended.stderr).toContain('close to `status`')
    },
  )

  it('warns of a field that no event has when it has printed the first rows', async () => {
    const path = file('first.ndjson', '{"status":1}\n'.repeat(3))
    for (const args of [['-i', path], []]) {
      const ended = await run([...args, 'project statsu | take 2'], '{"status":1}\n'.repeat(3))
      expect([ended.stdout, ended.status]).toEqual(['{"statsu":null}\n'.repeat(2), 0])
      expect(ended.stderr).toContain(
        'No event that was read has the field `statsu`; fields here: _time, status.\n',
      )
    }
  })

  it('prints the rows of a file whose last event is the first with a field', async () => {
    const path = file('late.ndjson', `${'{"n":1}\n'.repeat(200_000)}{"n":1,"late":2}\n`)
    const { stdout, status } = await run(['-i', path, 'project n, late'])
    const expected = `${'{"n":1,"late":null}\n'.repeat(200_000)}{"n":1,"late":2}\n`
    expect([stdout === expected, status]).toEqual([true, 0])
  })

  it('reports a mistake before it reads', async () => {
    const { ended, stdin } = start(['query', 'where a >'], { directory: absent, env })
    expect((await ended).status).toBe(2)
    stdin.end()
  })

  it('is local also when a deployment is configured', async () => {
    const ended = await run(['count'], '{"n":1}\n', { EVQ_URL: 'http://127.0.0.1:1' })
    expect([rows(ended.stdout), ended.status]).toEqual([[{ Count: 1 }], 0])
  })

  it.each([['{"level":"error"}\n'], ['Starting checkout\n2026-12-01 10:00:00 INFO ready\n']])(
    'is explained to be missing when its events are in its place: %j',
    async (events) => {
      const hint = 'Standard input is the query if no query is given.'
      const ended = await evqInProcess(['query'], { directory: empty, env, stdin: events })
      expect(ended).toMatchObject({ status: 2, stderr: expect.stringContaining(hint) })
      expect((await run(['limit'], events)).stderr).not.toContain(hint)
    },
  )

  it('can not be read from the same standard input as its events', async () => {
    const both = await run(['-f', '-'], 'count')
    expect(both.status).toBe(2)
    expect(both.stderr).toContain('Standard input is the query, so no events can be read from it.')
    const given = await run(['-f', '-', '-i', file('one.ndjson', '{"n":1}\n')], 'count')
    expect(rows(given.stdout)).toEqual([{ Count: 1 }])
  })

  it('is checked and explained', async () => {
    const checked = await run(['--check', 'project n, s'], '{"n":1,"s":"x"}\n')
    expect(rows(checked.stdout)).toEqual([
      { name: 'n', type: 'integer' },
      { name: 's', type: 'string' },
    ])
    const explained = await run(['--explain', 'where n>1 | count'], '{"n":1}\n')
    expect(explained.stdout).toMatch(/^where n > 1\n\| count\n\nSELECT/)
  })

  it('has the events around its matches, in the order of the input', async () => {
    const numbers = Array.from({ length: 9 }, (_, n) => `{"n":${n},"host":"${n % 2 ? 'a' : 'b'}"}`)
    const input = `${numbers.join('\n')}\n`
    const around = async (...args: string[]) => {
      const ended = await run(args, input)
      expect(ended.status).toBe(0)
      return rows(ended.stdout).map(({ n, _match }) => `${_match ? '>' : ''}${n}`)
    }
    expect(await around('where n == 3 or n == 4 | project n', '-C', '1')).toEqual([
      ...['2', '>3', '>4', '5'],
    ])
    expect(await around('where n in (0, 8)', '-B', '2')).toEqual(['>0', '6', '7', '>8'])
    expect(await around('where n == 4', '-C', '1', '--context-by', 'host')).toEqual([
      '2',
      '>4',
      '6',
    ])
    expect(await around('where n > 1', '-n', '1', '-A', '2')).toEqual(['>2', '3', '4'])
    const csv = ['-i', file('numbers.ndjson', input), 'where n == 7', '-C', '1', '-o', 'csv']
    const ended = await run([...csv, '--columns', 'n'])
    expect(ended.stdout).toBe('n,_match\n6,false\n7,true\n8,false\n')
    const sorted = await run(['top 1 by n', '-C', '1'], input)
    expect([sorted.status, sorted.stdout]).toEqual([2, ''])
    expect(sorted.stderr).toContain(
      'can only filter events, select columns and `sort by _time asc`',
    )
  })

  it('has the events around its matches by time, also of several files', async () => {
    const event = (n: number) => `{"_time":"${new Date(n * 1_000).toISOString()}","n":${n}}\n`
    const all = Array.from({ length: 45_000 }, (_, n) => n)
    const even = all.filter((n) => n % 2 === 0)
    const odd = all.filter((n) => n % 2 === 1).toReversed()
    const files = ['-i', file('even.ndjson', even.map(event).join('')), '-i']
    files.push(file('odd.ndjson', odd.map(event).join('')))
    const around = async (...args: string[]) => {
      const ended = await run([...files, ...args])
      expect([ended.status, ended.stderr]).toEqual([0, expect.anything()])
      return rows(ended.stdout).map(({ n, _match }) => `${_match ? '>' : ''}${n}`)
    }
    // The events are read in pages of 20,000.
    expect(
      await around('where n in (7, 19999, 40000, 44999) | sort by _time asc', '-C', '1'),
    ).toEqual([
      ...['6', '>7', '8', '19998', '>19999', '20000', '39999', '>40000', '40001'],
      ...['44998', '>44999'],
    ])
    expect(
      await around('where n == 8 | sort by _time asc | project n', '-B', '2', '-n', '5'),
    ).toEqual(['6', '7', '>8'])
    const wrong = await run([...files, 'where m == 8 | sort by _time asc', '-C', '1'])
    expect([wrong.status, wrong.stdout]).toEqual([2, ''])
    expect(wrong.stderr).toContain('There is no field `m`')
  })

  it('has all events that a filter finds, in each format', async () => {
    const input = Array.from({ length: 1_500 }, (_, n) => `{"n":${n}}\n`).join('')
    const csv = await run(['-i', file('many.ndjson', input), 'where n >= 100', '-o', 'csv'])
    expect(csv.stdout.trimEnd().split('\n')).toHaveLength(1 + 1_400)
    const path = join(scratch, 'many.parquet')
    await run(['where n >= 100', '-O', path], input)
    const counted = await run(['-i', path, 'count'])
    expect(rows(counted.stdout)).toEqual([{ Count: 1_400 }])
    const sorted = await run(['sort by n desc'], input)
    expect(rows(sorted.stdout)).toHaveLength(1_000)
    expect(sorted.stderr).toContain('`-n` sets the limit of the request.\n')
  })

  it('reports events whose detected time is no time', async () => {
    const rows = ['01.02.2026 10:00:00', '31.02.2026 10:00:00', '', '02.02.2026 10:00:00']
    const stdin = ['time,n', ...rows.map((row) => `${row},1`)].join('\n')
    const valid = '03.02.2026 10:00:00,1\n'.repeat(60)
    const { stdout, stderr } = await run(['-i', '-', 'count'], `${stdin}\n${valid}`)
    expect(stdout).toBe('{"Count":64}\n')
    expect(stderr).toContain(
      'standard input:3: `time` is not a time. This event gets the time of arrival.\n',
    )
  })

  it('explains why its result is empty', async () => {
    const { stderr } = await run(['--why', 'where n > 7'], '{"n":1}\n{"n":2}\n')
    expect(stderr).toContain('`n > 7`: 0 of 2')
  })

  it('can not be given files when it starts with a dataset', async () => {
    const ended = await run(['-i', file('other.ndjson', '{}\n'), "['logs'] | count"])
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain('this one starts with a dataset')
  })

  it('explains how to run a query that is in a file', async () => {
    const path = file('errors.apl', 'print 1\n')
    const { stderr } = await evqInProcess(['query', `['${path}']`], { directory: empty, env })
    expect(stderr).toContain(`\`evq query -f ${path}\` runs the query in it.\n`)
  })

  it('explains how to read a file that is given in place of a dataset', async () => {
    const path = file('placed.ndjson', '{"n":1}\n')
    for (const args of [
      [`'${path}' | count`],
      ['count', path],
      [`print n = 1 | lookup ['${path}'] on n`],
    ]) {
      const { status, stderr } = await evqInProcess(['query', ...args], { directory: empty, env })
      expect(stderr).toContain(
        args.length === 1
          ? `\`${path}\` is a file. \`evq query -i ${path}\` reads it, as does \`file('${path}')\` in a query, and \`evq view -f ${path}\` follows it.\n`
          : "Files are read by `evq query -i app.log`, and by `file('app.log')` in a query.\n",
      )
      expect(status).toBe(2)
    }
    for (const args of [
      ['count', 'placed'],
      ['-i', path, 'where', 'n', '==', '1'],
    ]) {
      expect((await run(args)).stderr).toContain(
        'A query is one argument in quotes, with `|` between its operators.',
      )
    }
    expect((await run(['-i', path, path, 'where n == 1'])).stderr).toContain(
      "`-i` takes one file or, in quotes, a pattern such as `-i 'logs/*.gz'`, and can be repeated.",
    )
    const { stderr } = await run(['-i', path, '“where', 'n', '==', '1”'])
    expect(stderr).toContain('`“` does not quote in a shell. Use `\'` or `"`.')
  })

  it.each([
    ['| count', 'starts with an operator, without `|` in front of it.'],
    ['select n from logs', 'This looks like SQL; queries are written in APL.'],
  ])('reports a mistake at its beginning: %s', async (apl, message) => {
    const ended = await run(['-i', file('begun.ndjson', '{}\n'), apl])
    expect(ended.stderr).toContain(message)
    expect(ended.status).toBe(2)
  })
})

describe('file(…)', () => {
  const users = file('users.csv', 'id,name\n1,ann\n2,bob\n')
  const access = file(
    'access.log',
    '{"user":1,"path":"/a"}\n{"user":3,"path":"/b"}\n{"user":1,"path":"/c"}\n',
  )

  it('is a source, in joins, unions and subqueries too', async () => {
    const joined = await run([
      `file('${users}') | join kind=inner (file('${access}')) on $left.id == $right.user | project name, path | sort by path asc`,
    ])
    expect(rows(joined.stdout)).toEqual([
      { name: 'ann', path: '/a' },
      { name: 'ann', path: '/c' },
    ])
    const united = await run([
      `union withsource=source file('${users}'), file('${access}') | summarize count() by source | sort by source asc`,
    ])
    expect(rows(united.stdout)).toEqual([
      { source: 'access.log', count_: 3 },
      { source: 'users.csv', count_: 2 },
    ])
    const filtered = await run(
      [`where id in ((file('${access}') | project user)) | project name`],
      '{"id":1,"name":"ann"}\n{"id":2,"name":"bob"}\n',
    )
    expect(rows(filtered.stdout)).toEqual([{ name: 'ann' }])
    const named = await run([`let hits = file('${access}'); hits | where user == 3 | project path`])
    expect(rows(named.stdout)).toEqual([{ path: '/b' }])
  })

  it('takes patterns and `-`', async () => {
    const all = await run([`file('${scratch}/[au][cs]*.{csv,log}') | count`])
    expect(rows(all.stdout)).toEqual([{ Count: 5 }])
    const piped = await run([`file('-') | count`], '{"n":1}\n')
    expect(rows(piped.stdout)).toEqual([{ Count: 1 }])
    const shared = await run([`where n in ((file('-') | project n)) | count`], '{"n":1}\n')
    expect(shared.stderr).toContain(
      "standard input, and so is `file('-')`, but it can be read only once",
    )
    expect(shared.status).toBe(2)
  })

  it('is combined with datasets of the data directory, served or not', async () => {
    const directory = join(scratch, 'data')
    const local = (args: readonly string[]) => evqInProcess(args, { directory, env })
    await local(['ingest', 'people', users])
    const apl = `['people'] | join kind=leftouter (file('${access}') | summarize hits = count() by user) on $left.id == $right.user | project name, hits | sort by name asc`
    const expected = [
      { name: 'ann', hits: 2 },
      { name: 'bob', hits: null },
    ]
    expect(rows((await local(['query', apl])).stdout)).toEqual(expected)
    const serving = start(['serve', '--listen', '127.0.0.1:0'], { directory, env })
    await until(() => serving.err.text().includes('Serving'), 'the service listens')
    expect(rows((await local(['query', apl])).stdout)).toEqual(expected)
    await serving.kill()
  })

  it('is not combined with a part of a dataset when the copy of it cannot be written', async () => {
    const directory = join(scratch, 'large')
    const value = Array.from({ length: 3_000 }, (_, n) => `{"n":${n},"s":"${n % 7}-${n * n}"}\n`)
    await evqInProcess(['ingest', 'large'], { directory, env, stdin: value.join('') })
    const apl = `file('${access}') | join kind=inner (['large']) on $left.user == $right.n | count`
    // A file may have 64 KiB: less than the events, and more than the files of the engine.
    const script = `trap '' XFSZ; ulimit -f 128; exec "$@"`
    const command = [process.execPath, binary, 'query', apl, '--data-dir', directory]
    const child = spawnSync('sh', ['-c', script, 'sh', ...command], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
    expect(child.stderr).toMatch(/dataset-0\.ndjson` can't be written: .*too large\./)
    expect([child.stdout, child.status]).toEqual(['', 1])
  })

  it('is not combined with datasets of a deployment', async () => {
    const url = 'http://127.0.0.1:1'
    const ended = await run([`['users'] | join (file('${access}')) on user`], '', { EVQ_URL: url })
    expect(ended.status).toBe(1)
    expect(ended.stderr).toContain(`\`['users']\` is a dataset at \`${url}\``)
    expect(ended.stderr).toContain("use `file('users.ndjson')` in its place")
  })
})

it('a query of 3 MB is refused with a remedy', async () => {
  const path = file('long.apl', `logs | where n in (${'1,'.repeat(1_500_000)}1)`)
  const { status, stderr } = await evqInProcess(['query', '-f', path], {
    directory: join(scratch, 'long'),
    env,
  })
  expect(status).toBe(1)
  expect(stderr).toContain('is longer than 2 MiB. Store a long list as a dataset')
})

describe('temporary data', () => {
  /** Returns the directories of commands. */
  const directories = () =>
    readdirSync(temporary).flatMap((folder) =>
      readdirSync(join(temporary, folder)).map((name) => join(temporary, folder, name)),
    )

  it('is deleted on Ctrl-C', async () => {
    const { child, stdin, ended } = start(['query', 'count'], { directory: absent, env })
    stdin.write('{"n":1}\n'.repeat(100_000))
    await until(() => readdirSync(temporary).length > 0, 'a temporary directory exists')
    child.kill('SIGINT')
    expect((await ended).signal).toBe('SIGINT')
  })

  it('of a killed command is deleted by the next one', async () => {
    const { stdin, kill } = start(['query', 'count'], { directory: absent, env })
    stdin.write('{"n":1}\n'.repeat(100_000))
    await until(
      () => directories().some((path) => readdirSync(path).includes('engine')),
      'the engine is open',
    )
    await kill()
    const [left, ...none] = directories()
    expect(none).toEqual([])
    const running = start(['query', 'count'], { directory: absent, env })
    await until(() => {
      const [path, ...others] = directories()
      if (path === undefined || path === left || others.length > 0) return false
      return readdirSync(path).includes('engine')
    }, 'the directory is another one')
    expect((await run(['count'], '{"n":1}\n')).stdout).toBe('{"Count":1}\n')
    expect(directories()).toHaveLength(1)
    running.stdin.end('{"n":2}\n')
    expect((await running.ended).stdout).toBe('{"Count":1}\n')
  })
})
