import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { programIn } from '../support/program-in.js'
import { temporaryDirectory } from '../support/temporary.js'
import { ZSTD } from '../support/zstd.js'

const scratch = temporaryDirectory()
const { run } = programIn(join(scratch, 'data'))

describe('evq ingest', () => {
  it('ingests files of every format at once, and lines that do not match become messages', async () => {
    const files = [
      file('access.log', '1.2.3.4 - - [01/Feb/2026:03:04:05 +0000] "GET /é HTTP/1.1" 200 5\n'),
      file(
        'sys.log',
        '<34>1 2026-02-01T03:04:06.000000007Z h su - - - a, b\nnot one\n<34>1 - - - - - -\n',
      ),
      file('app.log', 'ts=2026-02-01T03:04:07+01:00 level=info n=9007199254740993\n'),
      file('table.tsv', 'b\tc\n007\t"x\n\ty"\n'),
      file('two.zst', ZSTD.two),
      file('plain.txt', 'just text, with a comma\n'),
      file('values.ndjson', '{"_time":"2026-02-01T03:04:08Z"}\n[3]\n'),
    ]
    const ingested = await run(['ingest', 'mixed', ...files])
    expect(ingested.stderr).toContain('mixed: 11 events stored')
    expect(ingested.stderr).toContain(
      `${files[1]}: 1 line can't be read as syslog and is stored as \`message\`. Line 2: it begins with neither a priority nor a time: not one`,
    )
    expect(ingested.stderr).toContain(
      `${files[6]}: 1 event without a JSON object is stored as \`message\`; \`--strict-input\` rejects such lines. Line 2: [3]`,
    )
    expect(ingested.stderr).toContain(`Reading \`${files[0]}\` as a web server log`)
    expect(ingested.stderr).not.toContain(`Reading \`${files[3]}\``)
    expect(ingested.status).toBe(0)
    const { stdout } = await run(['query', "['mixed'] | project-away _sysTime"])
    const rows = stdout.trim().split('\n').map(present)
    expect(rows).toContainEqual({
      _time: '2026-02-01T03:04:05Z',
      remote_addr: '1.2.3.4',
      method: 'GET',
      path: '/é',
      protocol: 'HTTP/1.1',
      status: '200',
      bytes: '5',
    })
    expect(rows).toContainEqual({
      _time: '2026-02-01T03:04:06.000000007Z',
      priority: '34',
      facility: 'auth',
      severity: 'crit',
      level: 'critical',
      host: 'h',
      app: 'su',
      message: 'a, b',
    })
    expect(rows).toContainEqual({
      _time: '2026-02-01T02:04:07Z',
      level: 'info',
      n: '9007199254740993',
    })
    expect(rows).toContainEqual(expect.objectContaining({ b: '007', c: 'x\n\ty' }))
    expect(rows).toContainEqual(expect.objectContaining({ message: 'not one' }))
    expect(rows).toContainEqual(expect.objectContaining({ message: 'just text, with a comma' }))
  })

  it('reads the time at the beginning of lines', async () => {
    const stdin =
      '[2026-11-20 15:16:47,163] INFO Rolled segment [orders,0] in 3 ms\n[2026-11-20 15:16:48,163] WARN Rolled segment [orders,1] in 4 ms\n'
    const ingested = await run(['ingest', 'kafka'], stdin)
    expect(ingested.stderr).toContain(
      'standard input: time 2026-11-20 15:16:47,163 (no zone, UTC assumed)\n',
    )
    const { stdout } = await run([
      'query',
      "['kafka'] | sort by _time asc | project _time, message",
    ])
    expect(stdout.split('\n')[0]).toBe(
      '{"_time":"2026-11-20T15:16:47.163Z","message":"Rolled segment [orders,0] in 3 ms"}',
    )
  })

  it('takes the year of lines without one from the modification time of their file', async () => {
    const path = file('old.log', 'Dec 31 23:59:59 a\nJan  1 00:00:00 b\n')
    utimesSync(path, new Date('2014-01-02T00:00:00Z'), new Date('2014-01-02T00:00:00Z'))
    const ingested = await run(['ingest', 'old', path])
    expect(ingested.stderr).toContain(
      `${path}: time Dec 31 23:59:59 (no year, 2013 to 2014 assumed; no zone, UTC assumed)\n`,
    )
    const { stdout } = await run(['query', "['old'] | sort by _time asc | project _time"])
    expect(stdout).toBe('{"_time":"2013-12-31T23:59:59Z"}\n{"_time":"2014-01-01T00:00:00Z"}\n')
  })

  it('says that a time since the boot is not a time', async () => {
    const stdin = '[    0.000000] Linux version 6.8\n[12345.678901] usb 1-1: new device\n'
    const { stderr } = await run(['ingest', 'kernel'], stdin)
    expect(stderr).toContain(
      'standard input: dmesg; uptime; `[    0.000000]` is a time since the boot, so events get the time of arrival. `dmesg -T` prints dates.\n',
    )
    expect(stderr).toContain('Reading standard input as `dmesg`; `-i` sets another format.')
  })

  it('reports events of a log that begin with no time', async () => {
    const lines = ['2026-11-20 10:00:01 INFO a', '2026-11-20 10:00:02 WARN b']
    const path = file('head.log', `cut off\n${lines.join('\n')}\n`)
    const { stderr } = await run(['ingest', 'head', path])
    expect(stderr).toContain(
      `${path}: 1 event without a time at the beginning is stored with the time before, or the first time after. Line 1: cut off\n`,
    )
    const again = await run(['ingest', 'head', path, '-z', 'Europe/Berlin', '--replace'])
    expect(again.status).toBe(0)
    const without = await run(['ingest', 'head', path])
    expect(without.stderr).toContain(
      'was sent with `--timezone Europe/Berlin` before, and now without it.',
    )
  })

  it.each([
    ['time', '2026-05-01T10:00:00Z', '2026-05-01T10:00:00Z'],
    ['time', 'Fri May  1 10:00:00 UTC 2026', '2026-05-01T10:00:00Z'],
    ['time', '2026-05-01T10:00:00+02:00', '2026-05-01T08:00:00Z'],
    ['time', '1777600000', '2026-05-01T01:46:40Z'],
    ['time', '2026-05-01 10:00:00', '2026-05-01T01:00:00Z'],
    ['_time', '2026-05-01T10:00:00.5', '2026-05-01T01:00:00.5Z'],
    ['time', '01.05.2026 10:00:00', '2026-05-01T01:00:00Z'],
    ['at', '2026-05-01 10:00:00', '2026-05-01T01:00:00Z', '--timestamp-field', 'at'],
    ['at', '2026-05-01 10:00:00Z', '2026-05-01T10:00:00Z', '--timestamp-field', 'at'],
    ['event.at', '2026-05-01 10:00:00', '2026-05-01T01:00:00Z', '--timestamp-field', 'event.at'],
  ])('applies -z to times without a zone: %s, %s', async (name, known, expected, ...flags) => {
    const event = name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), known)
    const stdin = `${JSON.stringify(event)}\n`.repeat(30)
    const { stderr } = await run(['ingest', 'zoned', '-z', 'Asia/Tokyo', ...flags], stdin)
    const isAssumed = expected.startsWith('2026-05-01T01:00:00')
    expect(stderr.includes('(no zone, Asia/Tokyo assumed)')).toBe(isAssumed)
    const { stdout } = await run(['query', 'zoned | summarize by _time'])
    expect(stdout).toBe(`${JSON.stringify({ _time: expected })}\n`)
    await run(['dataset', 'delete', 'zoned', '--yes'])
  })

  it.each([
    ['logfmt', 'time="2026-05-01 10:00:00" level=info msg=a\n'],
    ['LTSV', 'time:2026-05-01 10:00:00\tlevel:info\tmsg:a\n'],
    ['lines of a container', 'web-1  | {"time":"2026-05-01 10:00:00","msg":"a"}\n'],
    ['a table', '2026-05-01 10:00:00  a     1\n', 'TIME                 NAME  N\n'],
    ['CSV', '2026-05-01 10:00:00,1\n', 'time,n\n'],
  ])('applies -z to times without a zone in %s', async (_, line, header = '') => {
    await run(['ingest', 'zoned', '-z', 'Asia/Tokyo'], header + line.repeat(30))
    const { stdout } = await run(['query', 'zoned | summarize by _time'])
    expect(stdout).toBe('{"_time":"2026-05-01T01:00:00Z"}\n')
    await run(['dataset', 'delete', 'zoned', '--yes'])
  })

  it.each([[[]], [['--timestamp-field', 'Date,Time']]])(
    'applies -z to a date and a time in two fields, %j',
    async (flags) => {
      const path = file('two.csv', 'Date,Time,n\n2026-02-03,04:05:06,1\n2026-02-03,04:05:07,2\n')
      const dataset = `two${flags.length}`
      await run(['ingest', dataset, path, '-z', 'Asia/Tokyo', ...flags])
      const { stdout } = await run(['query', `${dataset} | sort by _time asc | project _time`])
      expect(stdout).toBe('{"_time":"2026-02-02T19:05:06Z"}\n{"_time":"2026-02-02T19:05:07Z"}\n')
    },
  )

  it('says that lines without a year are of more than a year', async () => {
    // Times without a year are in the year before now, so that the second one is eight months before the first.
    const times = [10, 250, 10].map((days) => `${monthAndDay(Date.now() - days * DAY_MS)} 10:00:00`)
    const stdin = times.map((time) => `${time} started\n`).join('')
    const { stderr } = await run(['ingest', 'years'], stdin)
    expect(stderr).toMatch(
      /no year, \d{4}(?: to \d{4})? assumed, but the lines are out of order or of more than a year; no zone/,
    )
  })

  it.each([
    [['--year', '26'], '`--year` takes a year from 1970 to 2261, not `26`.'],
    [['-z', 'Europe/Berlim'], 'Unknown time zone `Europe/Berlim`. Did you mean `Europe/Berlin`?'],
    [
      ['-z', 'UTC', '--timestamp-format', 'rfc822'],
      "`--timezone` completes times whose layout is detected, so it can't be used with `--timestamp-format`.",
    ],
    [
      ['--year', '2026', '--timestamp-field', 'ts'],
      "`--year` completes times whose layout is detected, so it can't be used with `--timestamp-field`.",
    ],
  ])('rejects the flags %j', async (flags, message) => {
    const { stderr, status } = await run(['ingest', 'none', ...flags], 'x\n')
    expect(stderr).toContain(message)
    expect(status).toBe(2)
  })

  it('reads the day and month of dates in the order of --timestamp-format', async () => {
    const stdin = '03/04/2026 10:00:00 started\n'
    const ingested = await run(['ingest', 'dates'], stdin)
    expect(ingested.stderr).toContain(
      'standard input: `03/04/2026 10:00:00` may be day/month/year or month/day/year, so events get the time of arrival. `--timestamp-format` decides.\n',
    )
    await run(['ingest', 'decided', '--timestamp-format', '02/01/2006 15:04:05'], stdin)
    const { stdout } = await run(['query', "['decided'] | project _time, message"])
    expect(stdout).toBe(
      '{"_time":"2026-04-03T10:00:00Z","message":"03/04/2026 10:00:00 started"}\n',
    )
  })

  it('uses the given columns and delimiter', async () => {
    const stdin = '1;"a;b"\n2;\n'
    const flags = ['--csv-fields', 'n,ä', '--delimiter', ';']
    const ingested = await run(['ingest', 'named', ...flags, '--batch-size', '1'], stdin)
    expect(ingested.stderr).toMatch(/^named: 2 events stored/)
    const { stdout } = await run(['query', "['named'] | sort by n asc | project n, ['ä']"])
    expect(stdout).toBe('{"n":1,"ä":"a;b"}\n{"n":2,"ä":null}\n')
  })

  it('ingests the output of journalctl', async () => {
    const stdin = '{"__REALTIME_TIMESTAMP":"1767323045123456","MESSAGE":"x"}\n'
    await run(['ingest', 'journal', '--timestamp-field', '__REALTIME_TIMESTAMP'], stdin)
    const { stdout } = await run(['query', "['journal'] | project _time"])
    expect(stdout).toBe('{"_time":"2026-01-02T03:04:05.123456Z"}\n')
  })

  it('reads the files in a directory with --recursive', async () => {
    const root = join(scratch, 'below')
    mkdirSync(join(root, 'deep'), { recursive: true })
    writeFileSync(join(root, 'deep', 'a.ndjson'), '{"n":1}\n')
    writeFileSync(join(root, 'b.csv'), 'n\n2\n')
    writeFileSync(join(root, '.hidden'), '{"n":3}\n')
    const ingested = await run(['ingest', 'below', '-r', root])
    expect(ingested.stderr).toMatch(/^Reading 2 files in `.*below`\.\nbelow: 2 events stored/)
    expect((await run(['ingest', 'below', root])).stderr).toMatch(
      /below` is a directory\. Name the files in it, such as `.*below\/\*\.ndjson`, or read all of them with `-r`\.$/m,
    )
  })

  it.each([
    [['--delimiter', ';;'], '`--delimiter` takes one ASCII character'],
    [['--csv-fields', 'a,,b'], '`--csv-fields` takes names separated by commas'],
    [['--csv-fields', 'a,b,a'], '`--csv-fields` names `a` twice.'],
  ])('refuses %j', async (flags, words) => {
    const { status, stderr } = await run(['ingest', 'named', ...flags], '1\n')
    expect(stderr).toContain(words)
    expect(status).toBe(2)
  })

  it.each([
    [
      'a PDF document',
      Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'),
      'is not text.',
    ],
    ['a compressed archive of JSON lines', gzipSync(archive('{"n":1}\n')), 'is a tar archive'],
    ['a program', Buffer.from('7f454c46020101000000000000000000', 'hex'), 'is not text'],
    [
      'bytes without a zero',
      Buffer.from(Array.from({ length: 999 }, (_, n) => 1 + ((n * 97) % 255))),
      'is not text',
    ],
    ['a header with a name twice', Buffer.from('a,b,a\n1,2,3\n'), 'names the field `a` twice'],
  ])('refuses %s', async (_, stdin, words) => {
    const { status, stderr } = await run(
      ['ingest', 'named', ...(/twice|column/.test(words) ? ['-i', 'csv'] : [])],
      stdin,
    )
    expect(stderr).toContain(words)
    expect(status).toBe(1)
  })

  it.each([
    ['little-endian', (text: string) => Buffer.from(text, 'utf16le')],
    ['big-endian', (text: string) => Buffer.from(text, 'utf16le').swap16()],
    ['compressed', (text: string) => gzipSync(Buffer.from(text, 'utf16le'))],
  ])('reads UTF-16 with a byte order mark, %s', async (order, encoded) => {
    const path = file(`windows-${order}.log`, encoded('\ufeff{"n":1,"s":"é😀"}\r\n'))
    const first = await run(['ingest', order, path])
    expect(first.stderr).toContain(`${order}: 1 event stored`)
    // The position is in the decoded text.
    appendFileSync(path, encoded('{"n":2}\r\n'))
    const second = await run(['ingest', order, path])
    expect(second.stderr).toContain(`${order}: 1 event stored`)
    const { stdout } = await run(['query', `['${order}'] | project n, s | sort by n asc`])
    expect(stdout).toBe('{"n":1,"s":"é😀"}\n{"n":2,"s":null}\n')
  })

  it.each([
    ['little-endian', (text: Buffer) => text],
    ['big-endian', (text: Buffer) => text.swap16()],
  ])('reads UTF-16 without a byte order mark, %s', async (order, ordered) => {
    const lines = '2026-02-01 03:04:01 WARN größer 表\r\n2026-02-01 03:04:02 INFO done\r\n'
    const path = file(`unmarked-${order}.log`, ordered(Buffer.from(lines, 'utf16le')))
    const { stderr } = await run(['ingest', `unmarked-${order}`, path])
    expect(stderr).toContain(`unmarked-${order}: 2 events stored`)
    const { stdout } = await run([
      'query',
      `['unmarked-${order}'] | sort by _time asc | project level, message`,
    ])
    expect(stdout).toBe(
      '{"level":"warn","message":"größer 表"}\n{"level":"info","message":"done"}\n',
    )
  })

  it.each([',', '\t', ';'])(
    'normalizes the levels in a column of a table, separated by %j',
    async (comma) => {
      const rows = [
        'time,Severity,message',
        `2026-11-20T12:00:00Z,Information,a`,
        `2026-11-20T12:00:00Z,ERROR,"b ""c"""`,
      ]
      const path = file('levels.csv', `${rows.join('\n').replaceAll(',', comma)}\n`)
      const name = `levels-${comma.charCodeAt(0)}`
      expect((await run(['ingest', name, path])).stderr).toContain('level from `Severity`')
      const { stdout } = await run([
        'query',
        `['${name}'] | sort by message asc | project Severity, level, message`,
      ])
      expect(stdout).toBe(
        '{"Severity":"Information","level":"info","message":"a"}\n{"Severity":"ERROR","level":"error","message":"b \\"c\\""}\n',
      )
    },
  )

  it('rejects a row that does not match the header of a table with levels', async () => {
    const path = file('uneven.csv', 'level,message\nINFO,a\nERROR,b,c\nWARN,d\n')
    const rejects = join(scratch, 'uneven.rejects')
    const { status, stderr } = await run(['ingest', 'uneven', path, '--rejects', rejects])
    expect(status).toBe(3)
    expect(stderr).toContain(`${path}:3: it has 3 cells, the header has 2\n`)
    const { stdout } = await run(['query', "['uneven'] | sort by message asc | project level"])
    expect(stdout).toBe('{"level":"info"}\n{"level":"warn"}\n')
    const checked = await run(['ingest', 'uneven', path, '--check', '--no-checkpoint'])
    expect(checked.stdout).toContain('"problem":"not-a-row","events":1')
    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('b,c', 'b'))
    await run(['ingest', 'uneven', '--retry', rejects])
    const retried = await run(['query', "['uneven'] | where message == 'b' | project level"])
    expect(retried.stdout).toBe('{"level":"error"}\n')
  })

  it.each([
    ['at the beginning', 100_000, 0],
    ['between lines', 0, 3000],
  ])('skips zeros %s', async (_, first, middle) => {
    const zeros = Buffer.alloc(middle)
    const line = (second: number) => `2026-02-01 03:04:0${second} WARN disk ${second}\n`
    const log = [Buffer.alloc(first), line(1), zeros, line(2)]
    const json = [Buffer.alloc(first), '{"n":1}\n', zeros, '{"n":2}\n']
    const paths = [log, json].map((parts, at) =>
      file(`zeros-${first}-${at}`, Buffer.concat(parts.map((part) => Buffer.from(part)))),
    )
    const name = `zeros-${first}`
    const { stderr, status } = await run(['ingest', name, ...paths, '--source-fields'])
    expect(stderr).toContain(`${name}: 4 events stored`)
    expect(status).toBe(0)
    const { stdout } = await run([
      'query',
      `['${name}'] | where isnotnull(n) or level == 'warn' | sort by _file asc, _line asc | project message, n, _line, _offset`,
    ])
    expect(
      stdout
        .trim()
        .split('\n')
        .map((row) => JSON.parse(row)),
    ).toEqual([
      { message: 'disk 1', n: null, _line: 1, _offset: first },
      { message: 'disk 2', n: null, _line: 2, _offset: first + line(1).length },
      { message: null, n: 1, _line: 1, _offset: first },
      { message: null, n: 2, _line: 2, _offset: first + 8 },
    ])
  })

  it.each([
    ['text', ['2026-02-01 03:04:05 WARN disk', '  at a.b', '2026-02-01 03:04:06 INFO x']],
    ['pairs', ['a=1 b=2', 'a=3 b=4']],
    ['ndjson', ['{"a":1}', '{"a":2}']],
  ])('skips the byte order marks of files that were joined: %s', async (name, lines) => {
    const part = `${lines.join('\n')}\n`
    const rows = async (input: string) => {
      const asked = ['query', '-q', '-i', file(`${name}.joined`, input), 'project-away _time']
      return (await run(asked)).stdout
    }
    expect(await rows(`\ufeff${part}\ufeff${part}`)).toBe(await rows(part + part))
  })

  it('rejects an object with zeros inside, beside lines that are not JSON', async () => {
    const path = file('inside.ndjson', '{"a":1}\nstarted\n{"a":"x\0\0\0\0y"}\n')
    const { stderr, status } = await run(['ingest', 'inside', path])
    expect(stderr).toContain(`${path}:3: not JSON`)
    expect(stderr).toContain('inside: 2 events stored, 1 rejected')
    expect(status).toBe(3)
  })

  it('skips zeros in place of the last lines, which a crash leaves', async () => {
    const line = '2026-02-01 03:04:05 WARN disk\n'
    const zeros = '\0'.repeat(20)
    const path = file('crash.log', `${line}${zeros}\n${line}${zeros}`)
    await run(['ingest', 'crash', path])
    const { stdout } = await run(['query', "['crash'] | project message"])
    expect(stdout).toBe('{"message":"disk"}\n'.repeat(2))
  })

  it.each([
    ['semicolons', ';', ';'],
    ['bars', '|', '|'],
    ['tabs', '\t', '\\t'],
  ])(
    'reads a CSV file with %s, as its header has them and no commas',
    async (name, sign, shown) => {
      const rows = [
        ['id', 'amount', 'note'],
        ['1', '3,50', `"a${sign}b"`],
        ['2', '', 'c'],
      ]
      const path = file(`${name}.csv`, rows.map((row) => `${row.join(sign)}\r\n`).join(''))
      const { stderr } = await run(['ingest', name, path])
      expect(stderr).toContain(
        `Reading \`${path}\` as CSV with the delimiter \`${shown}\`; \`--delimiter\` sets another delimiter.`,
      )
      const { stdout } = await run([
        'query',
        `['${name}'] | project id, amount, note | sort by id asc`,
      ])
      expect(stdout).toBe(
        `{"id":1,"amount":"3,50","note":${JSON.stringify(`a${sign}b`)}}\n{"id":2,"amount":null,"note":"c"}\n`,
      )
      const whole = await run(['ingest', `${name}-whole`, path, '--delimiter', ','])
      expect(whole.stderr).toContain(`${path}:2: it has 2 cells, the header has 1`)
    },
  )

  it.each([
    [
      'powershell-type',
      '#TYPE Selected.System.Diagnostics.EventLogEntry\r\n"a","b"\r\n"1","x\r\ny"\r\n',
    ],
    ['sep', 'sep=;\r\na;b\r\n1;"x\r\ny"\r\n'],
    ['quoted-sep', '"sep=,"\na,b\n1,"x\r\ny"\n'],
    ['quoted-semicolons', '"a";"b"\n"1";"x\r\ny"\n'],
  ])('reads the header of a CSV file: %s', async (name, text) => {
    const long = ['2', '3', '4'].join(text.includes(';') ? ';' : ',')
    const { stderr } = await run(['ingest', name, file(`${name}.csv`, `${text}${long}\n`)])
    // The line is counted from the beginning of the file.
    const line = text.split('\n').length
    expect(stderr).toContain(`${name}.csv:${line}: it has 3 cells, the header has 2`)
    const { stdout } = await run(['query', `['${name}'] | project a = tostring(a), b`])
    expect(stdout).toBe('{"a":"1","b":"x\\r\\ny"}\n')
  })

  it('keeps a line that looks like the note of a table when another format is named', async () => {
    const path = file('sep.log', 'sep=;\nmsg=a;b\n')
    await run(['ingest', 'sep-lines', path, '-i', 'logfmt'])
    const { stdout } = await run([
      'query',
      "['sep-lines'] | summarize count() by sep | sort by sep",
    ])
    expect(stdout).toContain('{"sep":";","count_":1}')
  })

  it('refuses a CSV file without a header, whose first row would be lost', async () => {
    const path = file('rows.csv', '2026-11-20,10,a\n2026-11-21,11,b\n')
    const { status, stderr } = await run(['ingest', 'rows', path])
    expect(stderr).toContain(
      'has no header: its first row is `2026-11-20,10,a`. `--csv-fields a,b,c` names the columns; `--input-format csv` reads the row as a header.',
    )
    expect(status).toBe(1)
    const named = await run(['ingest', 'rows', path, '--csv-fields', 'day,n,name'])
    expect(named.stderr).toContain('rows: 2 events stored')
    const header = await run(['ingest', 'years', path, '-i', 'csv'])
    expect(header.stderr).toContain('years: 1 event stored')
  })

  it('refuses a TSV file without a header, and reads its columns by the names that the user gives', async () => {
    const path = file('rows.tsv', '12\t2026-11-20T10:00:00Z\t2026-11-20T10:00:00Z\ta,b\n')
    const { stderr } = await run(['ingest', 'tsv-rows', path])
    expect(stderr).toContain('has no header')
    expect(stderr).toContain('`--input-format tsv` reads the row as a header.')
    const fields = ['--csv-fields', 'id,timestamp,received,message']
    await run(['ingest', 'tsv-rows', path, ...fields])
    const { stdout } = await run(['query', "['tsv-rows'] | project _time, id, message"])
    expect(stdout).toBe('{"_time":"2026-11-20T10:00:00Z","id":12,"message":"a,b"}\n')
  })

  it('reads an archive of Papertrail, which has no header, by its name of a table', async () => {
    const row = '1\t2026-11-20T10:00:00Z\t2026-11-20T10:00:00Z\t2\tweb\t10.0.0.1\tUser\tInfo\tapi\t'
    await run(['ingest', 'papertrail', file('2026-11-20.tsv', `${row}a\n${row}b\n`)])
    const { stdout } = await run([
      'query',
      "['papertrail'] | project message | sort by message asc",
    ])
    expect(stdout).toBe('{"message":"a"}\n{"message":"b"}\n')
  })

  it.each([
    ['pandas', ',time,v\n0,2026-11-20 10:00:00,x\n1,2026-11-20 10:00:01,y\n', 'column_1'],
    [
      'R',
      '"","time","v"\n"0","2026-11-20 10:00:00","x"\n"1","2026-11-20 10:00:01","y"\n',
      'column_1',
    ],
    [
      'a spreadsheet',
      '\r\ntime;v;\r\n2026-11-20 10:00:00;x;0\r\n2026-11-20 10:00:01;y;1\r\n',
      'column_3',
    ],
  ])('names a column without a name by its position: %s', async (_, text, column) => {
    const dataset = column + text.length
    await run(['ingest', dataset, file(`${dataset}.csv`, text)])
    const { stdout } = await run([
      'query',
      `['${dataset}'] | project _time, n = toint(${column}), v | sort by _time asc`,
    ])
    expect(stdout).toBe(
      '{"_time":"2026-11-20T10:00:00Z","n":0,"v":"x"}\n{"_time":"2026-11-20T10:00:01Z","n":1,"v":"y"}\n',
    )
  })

  it('recognizes the CSV of pandas, whose first column has no name, in standard input', async () => {
    const text = ',time,v\n0,2026-11-20 10:00:00,x\n1,2026-11-20 10:00:01,y\n'
    const { stdout } = await run(['ingest', 'x', '--check'], Buffer.from(text))
    expect(stdout).toContain('"field":"column_1","events":2')
  })

  it("names the messages of Event Viewer's CSV, whose header does not", async () => {
    const header = 'Level,Date and Time,Source,Event ID,Task Category'
    const row = (message: string) => `Error,11/20/2026 9:59:00 AM,disk,11,None,${message}\r\n`
    const text = `${header}\r\n${row('"The disk, at last,\r\nfailed."')}${row('It is back.')}`
    const { stdout, stderr } = await run(['ingest', 'x', file('events.csv', text), '--check'])
    expect(stderr).toContain('2 events, none would be rejected')
    expect(stdout).toContain('"field":"message","events":2')
    expect(stdout).toContain('"firstTime":"2026-11-20T09:59:00Z"')
    const piped = await run(['ingest', 'x', '--check'], Buffer.from(text))
    expect(piped.stdout).toContain('"field":"message","events":2')
    const other = file('other.csv', `Kind,${header}\r\nA,${row('more')}`)
    expect((await run(['ingest', 'x', other, '--check'])).stderr).toContain('would be rejected')
  })

  it.each([
    ['Ebene,Datum und Uhrzeit,Quelle,Ereignis-ID,Aufgabenkategorie', '20.11.2026 09:59:00'],
    ['Niveau,Date et heure,Source,ID de l’événement,Catégorie de la tâche', '20/11/2026 09:59:00'],
    ['Nivel,Fecha y hora,Origen,Id. del evento,Categoría de la tarea', '20/11/2026 9:59:00'],
    ['Nível,Data e Hora,Fonte,Identificação do Evento,Categoria da Tarefa', '20/11/2026 09:59:00'],
    ['Уровень,Дата и время,Источник,Код события,Категория задачи', '20.11.2026 9:59:00'],
    ['レベル,日付と時刻,ソース,イベント ID,タスクのカテゴリ', '2026/11/20 9:59:00'],
    ['级别,日期和时间,来源,事件 ID,任务类别', '2026/11/20 9:59:00'],
  ])('names the messages of Event Viewer in other languages: %s', async (header, time) => {
    const row = `x,${time},disk,11,x,"The disk, at last,\r\nfailed."\r\n`
    const { stdout } = await run(['ingest', 'x', '--check'], Buffer.from(`${header}\r\n${row}`))
    expect(stdout).toContain('"field":"message","events":1')
    expect(stdout).toContain(`"field":"${header.split(',')[4]}","events":1`)
    expect(stdout).toContain('"firstTime":"2026-11-20T09:59:00Z"')
  })

  it.each([
    ['Datum;Uhrzeit;Meldung', '20.11.2026;09:59:00;x'],
    ['Datum/Zeit;Meldung', '20.11.2026 09:59:00;x'],
    ['Data/Ora,Evento', '20/11/2026 09:59:00,x'],
    ['Date & Time,Event', '2026-11-20 09:59:00,x'],
    ['Date,Heure,Message', '20/11/2026,09:59:00,x'],
    ['Fecha;Hora;Mensaje', '20/11/2026;9:59:00;x'],
    ['Дата;Время;Сообщение', '20.11.2026;09:59:00;x'],
    ['日期,时间,消息', '2026-11-20,09:59:00,x'],
  ])('finds the time of CSV in the columns of %s', async (header, row) => {
    const { stdout } = await run(['ingest', 'x', '--check'], Buffer.from(`${header}\n${row}\n`))
    expect(stdout).toContain('"firstTime":"2026-11-20T09:59:00Z"')
  })

  it('finds the time of CSV in a column with a Chinese name', async () => {
    const text = '时间,用户\n2026-11-20 09:59:00,张三\n2026-11-20 10:00:00,李四\n'
    const { stdout } = await run(['ingest', 'x', '--check'], Buffer.from(text))
    expect(stdout).toContain('"firstTime":"2026-11-20T09:59:00Z"')
  })
})

const DAY_MS = 86_400_000

/** Formats a day as syslog does: `Nov 20`. */
function monthAndDay(ms: number): string {
  const [, day = '', month = ''] = /(\d+) (\w+)/.exec(new Date(ms).toUTCString()) ?? []
  return `${month} ${String(Number(day)).padStart(2)}`
}

function file(name: string, content: string | Buffer): string {
  const path = join(scratch, name)
  writeFileSync(path, content)
  return path
}

/** A tar archive of a file, as POSIX defines its header. */
function archive(content: string): Buffer {
  const header = Buffer.alloc(512)
  header.write('events.ndjson', 0)
  header.write(content.length.toString(8).padStart(11, '0'), 124)
  header.write('ustar\x0000', 257)
  return Buffer.concat([header, Buffer.from(content.padEnd(512, '\0')), Buffer.alloc(1024)])
}

/** The fields of a row; numbers as strings, because some exceed those of JavaScript. */
function present(line: string): Record<string, unknown> {
  const row: Record<string, unknown> = JSON.parse(line.replace(/:(\d+)(?=[,}])/g, ':"$1"'))
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}
