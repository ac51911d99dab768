import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { type FakeIoOptions, fakeIo } from '../support/fake-io.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const data = join(scratch, 'data')

describe('`--check`', () => {
  it('parses event times with --timestamp-format', async () => {
    const path = file('days.ndjson', '{"_time":"02/01/2026"}\n{"_time":"2026-01-03T00:00:00Z"}\n')
    const { records, exitCode } = await check([path, '--timestamp-format', '02/01/2006'])
    const time = '2026-01-02T00:00:00Z'
    expect(records[0]).toMatchObject({ events: 2, refused: 1, firstTime: time, lastTime: time })
    expect(exitCode).toBe(3)
    const wrong = await check([path, '--timestamp-format', 'dd/mm'])
    expect(wrong.err).toContain('`--timestamp-format` is "dd/mm", which has no year.')
    expect(wrong.exitCode).toBe(2)
  })

  it('prints a record for each file, each field and each event that would be rejected', async () => {
    const path = file(
      'app.ndjson',
      [
        '{"_time":"2026-01-01T00:00:02Z","status":200,"geo":{"city":"Köln"}}',
        '{"_time":"2026-01-01T00:00:01.5Z","status":"500"}',
        '',
        '{"status":404,"geo":null}',
        '{"status":',
      ].join('\n'),
    )
    const { records, exitCode, err } = await check([path])
    expect(records).toEqual([
      {
        kind: 'file',
        file: path,
        format: 'NDJSON',
        events: 4,
        refused: 1,
        bytes: 156,
        firstTime: '2026-01-01T00:00:01.5Z',
        lastTime: '2026-01-01T00:00:02Z',
        withoutTime: 1,
        timestampField: '_time',
      },
      field('_time', 2, [['string', 2, `${path}:1`]]),
      field('status', 3, [
        ['integer', 2, `${path}:1`],
        ['string', 1, `${path}:2`],
      ]),
      field('geo.city', 1, [['string', 1, `${path}:1`]]),
      {
        kind: 'refused',
        problem: 'not-json',
        events: 1,
        first: [
          {
            at: `${path}:5`,
            reason: 'not JSON: a value expected, the end of the line found at column 11',
          },
        ],
      },
    ])
    expect(err).toBe('logs: 4 events, 1 would be rejected, nothing was sent\n')
    expect(exitCode).toBe(3)
    expect(existsSync(data)).toBe(false)
  })

  it('reports values that would be stored differently from how they are written', async () => {
    const lines = [
      '{"a":1,"a":2,"b":{"x":1},"b":{"y":2},"n":0.5}',
      '{"n":1e-400}',
      '{"n":-0}',
      '{"n":0.12345678901234567891}',
      // Doubles represent these exactly.
      '{"n":-0.0}',
      '{"n":1.50e3}',
      '{"n":0.1234567890123456}',
      '{"n":123456789012345678}',
    ]
    const path = file('altered.ndjson', lines.join('\n'))
    const { records, exitCode } = await check([path])
    expect(records.filter(({ kind }) => kind === 'altered')).toEqual([
      {
        kind: 'altered',
        problem: 'repeated-key',
        events: 2,
        first: [
          { at: `${path}:1`, reason: '`a` is dropped: repeated key' },
          { at: `${path}:1`, reason: '`b.y` is dropped: repeated key' },
        ],
      },
      {
        kind: 'altered',
        problem: 'rounded',
        events: 3,
        first: [
          { at: `${path}:2`, reason: '`n` holds 1e-400, stored as 0' },
          { at: `${path}:3`, reason: '`n` holds -0, stored as 0' },
          {
            at: `${path}:4`,
            reason: '`n` holds 0.12345678901234567891, stored as 0.12345678901234568',
          },
        ],
      },
    ])
    expect(exitCode).toBe(0)
  })

  it('reports drift for unrelated types, but not among number types', async () => {
    const lines = ['{"a":1,"n":1,"o":{"x":1}}', '{"a":[1],"n":1.5,"o":true}', '{"a":null,"n":2}']
    const { records } = await check([file('drift.ndjson', lines.join('\n'))])
    const drifted = records.filter(({ drift }) => drift === true).map(({ field }) => field)
    expect(drifted).toEqual(['a', 'o'])
  })

  it('shows the first events of a log next to their lines, and how many have its format', async () => {
    const path = file(
      'app.log',
      [
        '2026-02-03 04:05:06,007 ERROR [main] com.example.App - Failed',
        '\tat com.example.App.run(App.java:12)',
        '2026-02-03 04:05:07,007 INFO [main] com.example.App - Done',
        '',
      ].join('\n'),
    )
    const { records, err } = await check([path])
    expect(records[0]).toMatchObject({ kind: 'file', events: 2, matching: 2 })
    expect(records.filter((record) => record.kind === 'example')).toEqual([
      {
        kind: 'example',
        file: path,
        line: 1,
        text: '2026-02-03 04:05:06,007 ERROR [main] com.example.App - Failed\n\tat com.example.App.run(App.java:12)',
        fields: {
          _time: '2026-02-03T04:05:06.007Z',
          level: 'error',
          thread: 'main',
          logger: 'com.example.App',
          message: 'Failed\n\tat com.example.App.run(App.java:12)',
        },
      },
      expect.objectContaining({ line: 3 }),
    ])
    expect(err).toContain(
      `${path}: log4j; time 2026-02-03 04:05:06,007 (no zone, UTC assumed), level, thread, logger; 1 event of several lines`,
    )
  })

  it('shows events of JSON with a mapped time, and no line that is not JSON', async () => {
    const objects = [
      '{"ts":1767326645.5,"lvl":"WRN","msg":"a"}',
      '{"ts":1767326646.5,"lvl":"INF","msg":"b"}',
      '',
    ]
    const path = file('mixed.ndjson', ['Starting up', ...objects].join('\n'))
    const { records, exitCode } = await check([path, '--strict-input'])
    const examples = records.filter((record) => record.kind === 'example')
    expect(examples).toMatchObject([
      { line: 2, fields: { lvl: 'WRN', level: 'warn' } },
      { line: 3, fields: { lvl: 'INF', level: 'info' } },
    ])
    expect(records[0]).toMatchObject({ events: 3, refused: 1 })
    expect(exitCode).toBe(3)
  })

  it.each([
    ['objects.log', '{"n":1}\n{"n":2}\n', 'ndjson', 'text'],
    ['array.json', '[{"n":1},\n{"n":2}]\n', 'json', 'text'],
    [
      'docker.log',
      '{"log":"a\\n","stream":"stdout","time":"2026-01-01T00:00:00Z"}\n',
      'docker',
      'ndjson',
    ],
  ])('names the format of %s and the next one', async (name, text, format, next) => {
    const path = file(name, text)
    const { out } = await check([path], { isTerminal: true, columns: 250 })
    expect(out).toContain(`${path}: format \`${format}\`; the next one is \`${next}\`\n`)
  })

  it('says on a terminal of 80 columns how a format is chosen', async () => {
    const path = file('bars.log', '2026-11-20 10:00:00.1234|INFO|Acme.Program|Starting\n')
    const hint = '\n`-i <format>` chooses a format, `evq ingest --formats` lists all\n'
    const { out } = await check([path], { isTerminal: true, columns: 80 })
    expect(out).toContain(`format \`bars\`; the next one is \`text\`${hint}`)
    const objects = await check([file('one.ndjson', '{"n":1}\n')], {
      isTerminal: true,
      columns: 80,
    })
    expect(objects.out).toContain(hint)
  })

  it('prints a table that fits the terminal', async () => {
    const path = file('wide.csv', `id,${'long_'.repeat(30)}name\n1,x\n2,7\n`)
    const { out, exitCode, err } = await check([path], { isTerminal: true, columns: 60 })
    expect(err).toMatch(/2 events, none would be rejected/)
    expect(exitCode).toBe(0)
    const table = out.split('\n').filter((line) => /^[┌│├└]/.test(line))
    expect(table.length).toBe(6)
    expect(table.map((line) => line.length).filter((length) => length > 60)).toEqual([])
    expect(out).toContain('string 1, integer 1')
    expect(out).toMatch(
      /Fields whose type changes:\n {2}long_.*: string \(from .*:2\), integer \(first at .*:3\)/,
    )
  })

  it('reads compressed files, arrays and standard input', async () => {
    const packed = file('a.gz', gzipSync('{"n":1}\n{"n":2}\n'))
    const array = file('a.json', '[{"n":1},\n{"n":[]},\n7]')
    const { records } = await check([packed, array, '-'], { stdin: 'a,b\n3,4\n' })
    const shapes = records
      .filter(({ kind }) => kind === 'file')
      .map(({ format, events, refused }) => [format, events, refused])
    expect(shapes).toEqual([
      ['NDJSON', 2, 0],
      ['JSON', 3, 1],
      ['CSV', 1, 0],
    ])
    expect(JSON.stringify(records)).toContain(`"at":"${array}, event 3"`)
  })

  it('names the format of log lines', async () => {
    const files = [
      file('access.log', '10.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5\n'),
      file('messages', '<34>Jan  1 00:00:00 web1 sshd[7]: Failed password\n'),
      file('app.logfmt', 'ts=2026-01-01T00:00:00Z level=info msg=ready\n'),
      file('plain.log', 'ready\n'),
    ]
    const { records } = await check(files)
    const formats = records.filter(({ kind }) => kind === 'file').map(({ format }) => format)
    expect(formats).toEqual(['web server log', 'syslog', 'logfmt', 'text'])
  })

  it('reads CSV with the given columns and delimiter', async () => {
    const path = file('plain.txt', '1;2\n3;x\n')
    const args = [path, '-i', 'csv', '--delimiter', ';', '--csv-fields', 'a,b']
    const { records, exitCode } = await check(args)
    expect(records.slice(1)).toEqual([
      field('a', 2, [['integer', 2, `${path}:1`]]),
      field('b', 2, [
        ['integer', 1, `${path}:1`],
        ['string', 1, `${path}:2`],
      ]),
    ])
    expect(exitCode).toBe(0)
  })

  it('suggests a field for the event time when none was found', async () => {
    const path = file('at.ndjson', '{"read_at":"2026-01-01T00:00:00Z"}\n')
    const plain = await check([path], { isTerminal: true })
    expect(plain.out).toContain('`--timestamp-field read_at`')
    const report = await check([path, '--timestamp-field', 'read_at'])
    expect(report.records[0]).toMatchObject({ firstTime: '2026-01-01T00:00:00Z', withoutTime: 0 })
  })

  it('has a width on a terminal that does not tell its own', async () => {
    const path = file('a.log', '2026-01-01T00:00:00Z INFO started\n')
    const { out } = await check([path], { isTerminal: true, columns: 0 })
    expect(out).toContain('1 | 2026-01-01T00:00:00Z INFO started')
  })

  it('detects the field of the event time in each file', async () => {
    const late = '{"ts":"soon"}\n{"ts":1767225601}\n'
    const one = file('one.ndjson', '{"ts":1767225600}\n'.repeat(30) + late)
    const other = file('other.csv', 'time,n\n2026-01-02T00:00:00Z,1\n')
    const { records, err } = await check([one, other])
    expect(records[0]).toMatchObject({
      ...{ timestampField: 'ts', refused: 0, withoutTime: 1 },
      ...{ firstTime: '2026-01-01T00:00:00Z', lastTime: '2026-01-01T00:00:01Z' },
    })
    expect(records[1]).toMatchObject({ timestampField: 'time', withoutTime: 0 })
    expect(err).toContain(`${one}: time from \`ts\`\n${other}: time from \`time\`\n`)
    const none = await check([one, '--timestamp-field', 'none'])
    expect(none.records[0]).toMatchObject({ timestampField: '_time', withoutTime: 32 })
  })

  it('reports events that only hosted services reject, and exits with 0', async () => {
    const long = `{"${'n'.repeat(201)}":1,"v":"${'x'.repeat(1_000_001)}"}`
    const { records, exitCode } = await check([file('long.ndjson', long)])
    const limits = records.filter(({ kind }) => kind === 'hosted-limit')
    expect(limits.map(({ problem }) => problem)).toEqual(['value-too-long', 'name-too-long'])
    expect(exitCode).toBe(0)
  })

  it('lists the first ten problems of a kind and counts the rest', async () => {
    const path = file('many.ndjson', '{"a":1}\n'.concat('{nonsense\n'.repeat(25)))
    const { out } = await check([path], { isTerminal: true })
    expect(out.match(/many\.ndjson:\d+: not JSON/g)).toHaveLength(10)
    expect(out).toContain('… and 15 more')
  })

  it('checks the other files when one is missing, and exits with 1', async () => {
    const { records, err, exitCode } = await check([file('one.ndjson', '{"n":1}'), 'missing'])
    expect(records).toHaveLength(2)
    expect(err).toContain("`missing` can't be read: there is no such file.")
    expect(exitCode).toBe(1)
  })

  it('reports the same reasons as the service', async () => {
    const lines = [
      '{"n":9223372036854775807}',
      '{"n":18446744073709551615}',
      '{"n":18446744073709551616}',
      '{"n":1e400}',
      '{"n":1,"n":2}',
      '{"s":"\\ud83d\\ude00"}',
      '{"s":"\\ud83d"}',
      '{"":1}',
      '{"a":{"":1}}',
      '"text"',
      '{"n":1}{"n":2}',
      '{"_time":"1899-01-01T00:00:00Z"}',
      '{"_time":{"a":1}}',
      '{"_time":"2026-02-30T00:00:00Z"}',
      '{"_time":null}',
      '\u00a0',
      `${'['.repeat(2000)}`,
      `{"a":${'['.repeat(1200)}${']'.repeat(1200)}}`,
      '{"a":\u00001}',
    ]
    const broken = Buffer.concat([
      Buffer.from(`${lines.join('\n')}\n{"s":"`),
      Buffer.from([0xff, 0x22, 0x7d, 0x0a]),
    ])
    const files = [
      file('hard.ndjson', broken),
      file('hard.csv', 'a,b\n1,2\n1,2,3\n"x"y,1\n,\n'),
      file('hard.json', '[{"n":1}, {"n":}, 4, "x", {"a":[]}]'),
    ]
    const { records } = await check([...files, '--strict-input'])
    const expected = records
      .filter(({ kind }) => kind === 'refused')
      .flatMap(({ first }) => first as { at: string; reason: string }[])
      .map(({ at, reason }) => `${at}: ${reason}`)
    const reasons = []
    for (const path of files) {
      const stored = await evqInProcess(['ingest', 'logs', path, '--strict-input'], {
        directory: join(scratch, 'served'),
      })
      reasons.push(...stored.stderr.split('\n').filter((line) => line.startsWith(path)))
      const { refused } = records.find((record) => record.file === path)!
      const rest = Number(/… and (\d+) more rejected/.exec(stored.stderr)?.[1] ?? 0)
      expect(reasons.filter((line) => line.startsWith(path)).length + rest).toBe(refused)
    }
    expect(reasons.length).toBeGreaterThan(12)
    expect(expected).toEqual(expect.arrayContaining(reasons))
  })

  it('counts lines of non-ASCII white space as events, as the service does', async () => {
    const path = file('blank.ndjson', '{"n":1}\n\u00a0\n \t\r\n\u0000\u0000\n\f\n')
    const { err } = await check([path, '--strict-input'])
    expect(err).toBe('logs: 4 events, 3 would be rejected, nothing was sent\n')
    const { stderr } = await evqInProcess(['ingest', 'logs', path, '--strict-input'], {
      directory: join(scratch, 'served'),
    })
    expect(stderr).toContain('logs: 1 event stored, 3 rejected')
    expect(stderr).toContain('blank.ndjson:4: not JSON')
  })
})

async function check(args: readonly string[], options: FakeIoOptions = {}) {
  const fake = fakeIo({ ...options, env: { EVQ_DATA_DIR: data, XDG_STATE_HOME: scratch } })
  const exitCode = await main(['ingest', 'logs', ...args, '--check'], fake)
  const out = fake.out()
  const records: Record<string, unknown>[] = options.isTerminal
    ? []
    : out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
  return { exitCode, records, out, err: fake.err() }
}

function field(name: string, events: number, types: [string, number, string][]) {
  return {
    kind: 'field',
    field: name,
    events,
    drift: types.length > 1,
    types: types.map(([type, count, first]) => ({ type, events: count, first })),
  }
}

function file(name: string, content: string | Buffer): string {
  const path = join(scratch, name)
  writeFileSync(path, content)
  return path
}
