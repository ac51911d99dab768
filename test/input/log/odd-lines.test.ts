import { expect, it } from 'vitest'
import { eventsOf } from './sample-events.js'

const line = (second: number, message: string) =>
  `2026-11-20 10:00:0${second}.000 [main] INFO  com.example.App - ${message}\n`

it('keeps a message of 1 MB whole', async () => {
  const long = 'word '.repeat(200_000).trim()
  const events = await eventsOf(Buffer.from(line(0, 'one') + line(1, long) + line(2, 'three')))
  expect(events.map(({ fields }) => fields.message)).toEqual(['one', long, 'three'])
  expect(events[1]!.fields).toMatchObject({ _time: '2026-11-20T10:00:01.000Z', level: 'info' })
})

it('reads the events around a line of binary data, which continues the one in front of it', async () => {
  const garbage = Buffer.from([0x80, 0xff, 0x00, 0x1b, 0x5b, 0x7f, 0xfe, 0xc3, 0x28, 0x0a])
  const log = Buffer.concat([Buffer.from(line(0, 'one')), garbage, Buffer.from(line(1, 'two'))])
  const events = await eventsOf(Buffer.concat([log, log]))
  expect(events.map(({ fields }) => fields)).toMatchObject([
    { _time: '2026-11-20T10:00:00.000Z', message: 'one\n\u0080ÿ\u0000\u001b[\u007fþÃ(' },
    { _time: '2026-11-20T10:00:01.000Z', message: 'two' },
    { _time: '2026-11-20T10:00:00.000Z', message: 'one\n\u0080ÿ\u0000\u001b[\u007fþÃ(' },
    { _time: '2026-11-20T10:00:01.000Z', message: 'two' },
  ])
})

it('recognizes the log of apt by its first line, although few of its lines have a time', async () => {
  const unpacked = Array.from({ length: 200 }, (_, n) => `Unpacking p${n} ...`).join('\n')
  const log = `\nLog started: 2026-11-19  06:25:01\n${unpacked}\nLog ended: 2026-11-19  06:25:09\n`
  const events = await eventsOf(Buffer.from(log))
  expect(events.map(({ fields }) => fields)).toEqual([
    { _time: '2026-11-19T06:25:01Z', message: `Log started\n${unpacked}` },
    { _time: '2026-11-19T06:25:09Z', message: 'Log ended' },
  ])
})

it('recognizes the slow log of MariaDB, although few of its events have a time', async () => {
  const query = (number: number) => [
    '# User@Host: app[app] @ localhost []',
    `# Thread_id: ${number}  Schema:   QC_hit: No`,
    '# Query_time: 2.5  Lock_time: 0.0  Rows_sent: 1  Rows_examined: 7',
    '# Rows_affected: 0  Bytes_sent: 66',
    'SET timestamp=1795168800;',
    'SELECT 1;',
  ]
  const numbers = Array.from({ length: 60 }, (_, index) => index + 1)
  const log = [
    'mariadbd, Version: 10.11.18-MariaDB-log. started with:',
    'Tcp port: 3306  Unix socket: /run/mysqld/mysqld.sock',
    'Time\t\t    Id Command\tArgument',
    '# Time: 261120 10:00:00',
    ...numbers.flatMap(query),
  ]
  const [start, ...events] = await eventsOf(Buffer.from(`${log.join('\n')}\n`))
  expect(start!.fields).toMatchObject({ message: log.slice(0, 3).join('\n') })
  expect(events.map(({ fields }) => fields)).toEqual(
    numbers.map((number) => ({
      _time: '2026-11-20T10:00:00Z',
      user: 'app',
      effective_user: 'app',
      remote_host: 'localhost',
      thread_id: number,
      qc_hit: 'No',
      query_time: 2.5,
      lock_time: 0,
      rows_sent: 1,
      rows_examined: 7,
      rows_affected: 0,
      bytes_sent: 66,
      message: 'SET timestamp=1795168800;\nSELECT 1;',
    })),
  )
})

it('reads lines without a time as messages of the last event, unless they begin with a level', async () => {
  const log = [line(0, 'one'), line(1, 'two'), 'other\nplain\n', line(2, 'three')].join('')
  const events = await eventsOf(Buffer.from(`${log}WARNING: other\nplain\n`))
  expect(events.map(({ fields }) => fields.message)).toEqual([
    'one',
    'two\nother\nplain',
    'three',
    'WARNING: other',
    'plain',
  ])
})

it('ends lines at carriage returns where files have no line feeds', async () => {
  const log = 'INFO one\rERROR two\r  at x\rINFO three\r'.replace(/^|\r(?=[IE])/g, (end) => {
    return `${end}2026-11-20 10:00:00 `
  })
  const events = await eventsOf(Buffer.from(log))
  expect(events.map(({ fields: { level, message } }) => [level, message])).toEqual([
    ['info', 'one'],
    ['error', 'two\n  at x'],
    ['info', 'three'],
  ])
})

it('reads each state of a progress report that a terminal would overwrite', async () => {
  const events = await eventsOf(Buffer.from('start\n10 %\r 50 %\r75 %\r99 %\r100 %\r\ndone\n'))
  expect(events.map(({ fields }) => fields.message)).toEqual([
    'start',
    '10 %\n 50 %',
    '75 %',
    '99 %',
    '100 %',
    'done',
  ])
})

it('keeps carriage returns within lines that end with line feeds', async () => {
  const events = await eventsOf(Buffer.from(`${line(0, 'a\rb')}${line(1, 'c\r')}${line(2, 'd')}`))
  expect(events.map(({ fields }) => fields.message)).toEqual(['a\rb', 'c', 'd'])
})

it('does not begin an event at a single line with another kind of time', async () => {
  const log = [line(0, 'one'), 'Fri Nov 20 10:00:00 UTC 2026 x\n', line(1, 'two')].join('')
  const events = await eventsOf(Buffer.from(log))
  expect(events.map(({ fields }) => fields.message)).toEqual([
    'one\nFri Nov 20 10:00:00 UTC 2026 x',
    'two',
  ])
})

it('reads indented syslog, in which only lines with a greater indentation continue an event', async () => {
  const log = [
    '\tNov 20 10:00:00 web1 sshd[900]: Accepted publickey for bob',
    '\tNov 20 10:00:01 web1 app[17]: failed',
    '\t  at main (app.js:1:2)',
    '\tNov 20 10:00:02 web1 sshd[900]: Disconnected',
  ]
  const events = await eventsOf(Buffer.from(`${log.join('\n')}\n`))
  expect(events.map(({ fields: { host, app, message } }) => [host, app, message])).toEqual([
    ['web1', 'sshd', 'Accepted publickey for bob'],
    ['web1', 'app', 'failed\n\t  at main (app.js:1:2)'],
    ['web1', 'sshd', 'Disconnected'],
  ])
  expect(events.map(({ fields }) => String(fields._time).slice(4))).toEqual([
    '-11-20T10:00:00Z',
    '-11-20T10:00:01Z',
    '-11-20T10:00:02Z',
  ])
})

it('reads usual levels like other levels, after times with and without brackets', async () => {
  const lines = [
    ['  INFO  ', 'started', 'info'],
    [' WARN ', '"disk" low', 'warn'],
    [' ERROR ', '[db] closed', 'error'],
    [' ERROR: ', 'lost', 'error'],
    [' DEBUG - ', 'found', 'debug'],
    [' [NOTICE] ', 'renamed', 'notice'],
  ]
  for (const time of ['2026-11-20T10:00:00Z', '[2026-11-20 10:00:00]', '<2026-11-20 10:00:00>']) {
    const log = lines.map(([level, message]) => `${time}${level}${message}\n`).join('')
    const events = await eventsOf(Buffer.from(log))
    expect(events.map(({ fields }) => [fields._time, fields.level, fields.message])).toEqual(
      lines.map(([, message, level]) => ['2026-11-20T10:00:00Z', level, message]),
    )
  }
})

it('reads the levels of C# among lines without a level', async () => {
  const log = 'Program.cs(12,5): error CS0103: no name\nf(1): done\nBuild (2) ended\n'
  const events = await eventsOf(Buffer.from(log))
  expect(events.map(({ fields }) => fields.level)).toEqual(['error', undefined, undefined])
})

it('reads usual lines of log4j like lines with other threads and loggers', async () => {
  const time = '2026-11-20 10:00:00,123'
  const log = [
    `${time} INFO  [main] com.example.App - started - now`,
    `[${time}] ERROR [ exec-1] App - failed`,
    `${time} WARN  [pool [a]] com.example.App - low`,
    `${time} INFO  [com.example.App] [main] App - read`,
    `${time} DEBUG [main] com.example.App (App.java:12) - found`,
  ].join('\n')
  const events = await eventsOf(Buffer.from(log))
  const usual = { _time: '2026-11-20T10:00:00.123Z', logger: 'com.example.App', thread: 'main' }
  expect(events.map(({ fields }) => fields)).toMatchObject([
    { ...usual, level: 'info', message: 'started - now' },
    { ...usual, level: 'error', thread: 'exec-1', logger: 'App', message: 'failed' },
    { ...usual, level: 'warn', thread: 'pool [a]', message: 'low' },
    { level: 'info' },
    { ...usual, level: 'debug', file: 'App.java', line: 12, message: 'found' },
  ])
})

it('reads times and levels with tildes between them', async () => {
  const read = async (log: string) => (await eventsOf(Buffer.from(log))).map(({ fields }) => fields)
  const time = (second: number) => `2026-11-20 10:00:0${second}`
  expect(await read(`${time(0)} ~ INFO ~ a ~ b\n${time(1)} ~ ERROR ~ c\n`)).toEqual([
    { _time: '2026-11-20T10:00:00Z', level: 'info', message: 'a ~ b' },
    { _time: '2026-11-20T10:00:01Z', level: 'error', message: 'c' },
  ])
  expect(await read(`INFO ~ ${time(0)} ~ a ~ b\nERROR ~ ${time(1)} ~ c\n`)).toEqual([
    { _time: '2026-11-20T10:00:00Z', level: 'info', message: 'a ~ b' },
    { _time: '2026-11-20T10:00:01Z', level: 'error', message: 'c' },
  ])
})

it('reads the time of the first line in front of many lines of other programs', async () => {
  const log = [
    '2026-11-20T10:00:00Z INFO Starting server on 192.168.1.100:8080',
    'GET https://api.example.com/v1/users?id=42 took 35ms',
    'user=alice email=alice@example.com',
    'WARN disk usage at 91.5% on /var/lib/data',
    'sshd[4242]: Accepted publickey for root',
    'ERROR Connection refused: "retry in 5s" null',
    '12/31/2026 23:59:59 job finished true',
    'pointer 0xDEADBEEF seen near {"level":"info","count":7}',
    'peer 2001:db8::ff00:42:8329 handshake ok',
    'java.io.IOException: pipe closed',
  ]
  const [first] = await eventsOf(Buffer.from(log.join('\n')))
  expect(first!.fields).toMatchObject({ _time: '2026-11-20T10:00:00Z', level: 'info' })
  expect(first!.fields.message).toMatch(/^Starting server on 192\.168\.1\.100:8080\nGET /)
})

it('keeps a value that is too long for the expressions of its format as a message', async () => {
  const event = (second: number, value: string) =>
    `[2026/11/20 10:00:0${second}.123 +00:00] [INFO] [server.rs:10] ["started"] [who="${value}"]\n`
  const long = 'x'.repeat(45_000_000)
  const events = await eventsOf(Buffer.from(event(0, 'a b') + event(1, long) + event(2, 'c d')))
  expect(events.map(({ fields }) => fields.who)).toEqual(['a b', undefined, 'c d'])
  expect(events[1]!.fields.message === event(1, long).trimEnd()).toBe(true)
})
