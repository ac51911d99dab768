import { describe, expect, it } from 'vitest'
import { WRAPPERS } from '../../../../src/input/log/wrapper/wrappers.js'
import { read } from '../support.js'

/** Returns the events of lines. */
async function eventsOf(...lines: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { events } = await read(lines.map((line) => `${line}\n`).join(''), {})
  return events.map((event) => JSON.parse(event))
}

const A = '{"time":"2026-02-20T10:00:00.123Z","level":"WARN","msg":"slow"}'
const B = '{"time":"2026-02-20T10:00:01.123Z","level":"INFO","msg":"done"}'
const LOG4J = '2026-02-20 10:00:02,500 ERROR [main] com.example.App - Failed'
const ACCESS = '10.0.0.1 - - [20/Feb/2026:10:00:03 +0000] "GET / HTTP/1.1" 200 615 "-" "curl/8.0"'

describe('a wrapper', () => {
  it('of names is not seen in keys whose values are times', async () => {
    const keys = ['Created: 2026-02-20 10:00:00', 'Updated: 2026-02-20 10:00:01']
    expect((await eventsOf(...keys)).map(({ message }) => message)).toEqual(keys)
  })

  it('of quotes is not seen in rows of values', async () => {
    const rows = ['"2026-02-20 10:00:00","x"', '"2026-02-20 10:00:01","y"']
    expect((await eventsOf(...rows)).map(({ message }) => message)).toEqual([',"x"', ',"y"'])
  })

  it('of line numbers is not seen in processes, which need not ascend', async () => {
    expect(
      await eventsOf('12:2026-02-20 10:00:00 started', '9:2026-02-20 10:00:01 stopped'),
    ).toMatchObject([{ pid: 12 }, { pid: 9 }])
  })

  it.each<[string, readonly string[]]>([
    ['Java', ['java.io.IOException: closed', '\tat com.example.App.run(App.java:1)']],
    [
      'Python',
      [
        'ERROR closed',
        'Traceback (most recent call last):',
        '  File "a.py", line 1',
        'ValueError: x',
      ],
    ],
    ['Node.js', ['Error: closed', '    at run (/app/a.js:1:2)', '    at main (/app/a.js:9:1)']],
    ['Go', ['panic: closed', '', 'goroutine 1 [running]:', 'main.main()', '\t/app/a.go:5 +0x1d']],
    ['Ruby', ["a.rb:2:in `run': closed (IOError)", "\tfrom a.rb:5:in `<main>'"]],
  ])('of times is seen when each line of a trace has one: %s', async (_, trace) => {
    const lines = ['Listening on port 3000', ...trace, 'GET /orders 200']
    const events = await eventsOf(
      ...lines.map((line, second) => `2026-02-20T10:00:0${second}.123456789Z ${line}`),
    )
    const last = {
      _time: `2026-02-20T10:00:0${lines.length - 1}.123456789Z`,
      message: lines.at(-1),
    }
    expect(events.at(0)).toMatchObject({ _time: '2026-02-20T10:00:00.123456789Z' })
    expect(events.at(-1)).toMatchObject(last)
    expect(events.at(-2)?.message).toContain(trace.at(-1))
    expect(events.length).toBe(3)
  })

  it.each(WRAPPERS.map(({ name, example, parse }) => ({ name, example, parse })))(
    '$name is in its example',
    ({ example, parse }) => {
      expect(parse(example)?.text).toMatch(/^(?:started|\{"message":"started"\})$/)
    },
  )

  it.each<[string, readonly string[], readonly object[]]>([
    [
      'docker compose',
      [
        `api-1  | ${A}`,
        `db-1   | ${LOG4J}`,
        'db-1   | \tat com.example.App.run(App.java:1)',
        `api-1  | ${B}`,
      ],
      [
        {
          container: 'api-1',
          service: 'api',
          _time: '2026-02-20T10:00:00.123Z',
          level: 'warn',
          msg: 'slow',
        },
        {
          service: 'db',
          _time: '2026-02-20T10:00:02.500Z',
          level: 'error',
          logger: 'com.example.App',
          message: 'Failed\n\tat com.example.App.run(App.java:1)',
        },
        { service: 'api', _time: '2026-02-20T10:00:01.123Z', level: 'info', msg: 'done' },
      ],
    ],
    [
      'docker compose with times and colors',
      [
        `\x1b[36mapi-1  | \x1b[0m2026-02-20T10:00:09.123456789Z ${A}`,
        `\x1b[33mweb-1  | \x1b[0m2026-02-20T10:00:10.123456789Z ${ACCESS}`,
      ],
      [
        { service: 'api', _time: '2026-02-20T10:00:09.123456789Z', msg: 'slow' },
        {
          service: 'web',
          _time: '2026-02-20T10:00:10.123456789Z',
          remote_addr: '10.0.0.1',
          status: 200,
        },
      ],
    ],
    [
      'Docker, with colors in its lines',
      [
        '{"log":"\\u001b[31mERROR\\u001b[0m failed\\n","stream":"stderr","time":"2026-02-20T10:00:01.1Z"}',
      ],
      [{ stream: 'stderr', _time: '2026-02-20T10:00:01.1Z', level: 'error', message: 'failed' }],
    ],
    [
      'lines in quotes, with escaped colors in them',
      [
        '"\\u001b[2m2026-02-20T10:00:01Z\\u001b[0m \\u001b[31mERROR\\u001b[0m failed"',
        '"\\u001b[2m2026-02-20T10:00:02Z\\u001b[0m \\u001b[32mINFO\\u001b[0m done"',
      ],
      [
        { _time: '2026-02-20T10:00:01Z', level: 'error', message: 'failed' },
        { _time: '2026-02-20T10:00:02Z', level: 'info', message: 'done' },
      ],
    ],
    [
      "Kafka's console consumer",
      [
        `CreateTime:1771581600123\tPartition:3\tOffset:17\tk{1\t${A}`,
        `CreateTime:1771581601123\tPartition:0\tOffset:18\tnull\t${B}`,
        'CreateTime:1771581602123\tk2\tplain text',
      ],
      [
        { _time: '2026-02-20T10:00:00.123Z', partition: '3', offset: '17', message: `k{1\t${A}` },
        { _time: '2026-02-20T10:00:01.123Z', partition: '0', offset: '18', msg: 'done' },
        { _time: '2026-02-20T10:00:02.123Z', message: 'k2\tplain text' },
      ],
    ],
    [
      'logcli, whose labels may have quotes and a level',
      [
        `2026-02-20T10:00:05Z {app="api", level="error"}   ${A}`,
        '2026-02-20T10:00:06.5+01:00 {app="web", path="a\\"b\\\\"} lost the connection',
      ],
      [
        { _time: '2026-02-20T10:00:05Z', app: 'api', logcli_level: 'error', level: 'warn' },
        {
          _time: '2026-02-20T10:00:06.5+01:00',
          app: 'web',
          path: 'a"b\\',
          message: 'lost the connection',
        },
      ],
    ],
    [
      'kubectl logs --prefix --timestamps',
      [`[pod/web-7d4b9c6f5-x2x9z/app] 2026-02-20T10:00:09.1Z ${A}`],
      [
        {
          pod: 'web-7d4b9c6f5-x2x9z',
          container: 'app',
          _time: '2026-02-20T10:00:09.1Z',
          msg: 'slow',
        },
      ],
    ],
    [
      'stern',
      [
        'web-7d4b9c6f5-x2x9z app level=info msg="it works" n=1',
        'web-7d4b9c6f5-x2x9z app level=warn msg=x n=2',
      ],
      [
        { pod: 'web-7d4b9c6f5-x2x9z', container: 'app', level: 'info', msg: 'it works', n: 1 },
        { pod: 'web-7d4b9c6f5-x2x9z', level: 'warn', msg: 'x', n: 2 },
      ],
    ],
    [
      'Heroku',
      [
        '2026-02-20T10:00:00.123456+00:00 heroku[router]: at=info method=GET path="/" status=200',
        `2026-02-20T10:00:01.123456+00:00 app[web.1]: ${A}`,
      ],
      [
        {
          _time: '2026-02-20T10:00:00.123456+00:00',
          app: 'heroku',
          dyno: 'router',
          method: 'GET',
          status: 200,
        },
        {
          _time: '2026-02-20T10:00:01.123456+00:00',
          app: 'app',
          dyno: 'web.1',
          level: 'warn',
          msg: 'slow',
        },
      ],
    ],
    [
      'syslog with its time, and objects that have one themselves',
      [
        `Feb 20 10:00:00 web1 api[12]: ${A}`,
        'Feb 20 10:00:01 web1 sshd[12]: Invalid user x from 10.0.0.1',
      ],
      [
        {
          host: 'web1',
          app: 'api',
          pid: 12,
          _time: '2026-02-20T10:00:00.123Z',
          level: 'warn',
          msg: 'slow',
        },
        { host: 'web1', app: 'sshd', user: 'x', _time: '2026-02-20T10:00:01Z' },
      ],
    ],
    [
      'RFC 5424, whose host an object has too',
      ['<34>1 2026-02-20T10:00:00.003Z web1 api 12 - - {"host":"inner","level":"info","msg":"x"}'],
      [
        {
          syslog_host: 'web1',
          host: 'inner',
          _time: '2026-02-20T10:00:00.003Z',
          level: 'info',
          syslog_level: 'critical',
        },
      ],
    ],
    [
      'CRI around compose around colors',
      [`2026-02-20T10:00:09Z stdout F api-1  | \x1b[32m${A}\x1b[0m`],
      [
        {
          stream: 'stdout',
          service: 'api',
          _time: '2026-02-20T10:00:09Z',
          level: 'warn',
          msg: 'slow',
        },
      ],
    ],
    [
      'what a tool says between the lines of programs',
      [
        `api-1  | ${A}`,
        `api-1  | ${B}`,
        `api-1  | ${B}`,
        `api-1  | ${B}`,
        `api-1  | ${B}`,
        'api-1 exited with code 1',
      ],
      [...[A, B, B, B, B].map(() => ({ service: 'api' })), { message: 'api-1 exited with code 1' }],
    ],
    [
      'grep -n',
      [`9:${LOG4J}`, '10:\tat com.example.App.run(App.java:1)', `12:${A}`],
      [
        {
          line: '9',
          _time: '2026-02-20T10:00:02.500Z',
          level: 'error',
          thread: 'main',
          message: 'Failed\n\tat com.example.App.run(App.java:1)',
        },
        { line: '12', _time: '2026-02-20T10:00:00.123Z', level: 'warn', msg: 'slow' },
      ],
    ],
    [
      'grep -n -C 1 in several files',
      [
        `logs/app-2026-02-20.log-7-${LOG4J}`,
        `logs/app-2026-02-20.log:8:${LOG4J}`,
        '--',
        `/var/log/web-3:${ACCESS}`,
        `C:\\logs\\web:1:${ACCESS}`,
      ],
      [
        { file: 'logs/app-2026-02-20.log', line: '7', level: 'error', message: 'Failed' },
        { file: 'logs/app-2026-02-20.log', line: '8', level: 'error', message: 'Failed' },
        { message: '--' },
        { file: '/var/log/web-3', remote_addr: '10.0.0.1', status: 200 },
        { file: 'C:\\logs\\web', line: '1', remote_addr: '10.0.0.1' },
      ],
    ],
    [
      'grep -A 1 without numbers',
      [`app.log:${LOG4J}`, `app.log-${LOG4J}`],
      [
        { file: 'app.log', level: 'error', message: 'Failed' },
        { file: 'app.log', level: 'error', message: 'Failed' },
      ],
    ],
    [
      'quotes, as of strings of JSON and of a column of CSV',
      [
        JSON.stringify(A),
        JSON.stringify(`${LOG4J} \u00e9\n\tat x`).replace('\u00e9', '\\u00e9'),
        `'${B}'`,
        `"${B.replaceAll('"', '""')}"`,
      ],
      [
        { _time: '2026-02-20T10:00:00.123Z', level: 'warn', msg: 'slow' },
        { level: 'error', message: 'Failed \u00e9\n\tat x' },
        { level: 'info', msg: 'done' },
        { level: 'info', msg: 'done' },
      ],
    ],
    [
      'the signs of a mail, or of a list',
      [`> ${LOG4J}`, '> \tat com.example.App.run(App.java:1)', `> > ${LOG4J}`, `- ${LOG4J}`],
      [
        { level: 'error', message: 'Failed\n\tat com.example.App.run(App.java:1)' },
        { thread: 'main', message: 'Failed' },
        { thread: 'main', message: 'Failed' },
      ],
    ],
    [
      'names with colons',
      [`web:dev: started`, `api:dev: ${A}`, `[build : unit] ${B}`],
      [
        { source: 'web:dev', message: 'started' },
        { source: 'api:dev', level: 'warn', msg: 'slow' },
        { source: 'build : unit', level: 'info', msg: 'done' },
      ],
    ],
    [
      'cat -n',
      [`     9\t${LOG4J}`, '    10\t\tat com.example.App.run(App.java:1)', `    11\t${LOG4J}`],
      [
        { line: '9', level: 'error', message: 'Failed\n\tat com.example.App.run(App.java:1)' },
        { line: '11', level: 'error', message: 'Failed' },
      ],
    ],
    [
      'names in brackets, in front of objects and of pairs',
      [`[api] ${A}`, '[db-0] time="2026-02-20T10:00:05Z" level=info msg="ok then"', `[api] ${B}`],
      [
        { source: 'api', _time: '2026-02-20T10:00:00.123Z', level: 'warn', msg: 'slow' },
        { source: 'db-0', _time: '2026-02-20T10:00:05Z', level: 'info', msg: 'ok then' },
        { source: 'api', _time: '2026-02-20T10:00:01.123Z', level: 'info', msg: 'done' },
      ],
    ],
    [
      'hosts in front of colons',
      [`web1: ${LOG4J}`, `web2: ${LOG4J}`],
      [
        { source: 'web1', _time: '2026-02-20T10:00:02.500Z', level: 'error', thread: 'main' },
        { source: 'web2', level: 'error', message: 'Failed' },
      ],
    ],
  ])('comes off: %s', async (_, lines, expected) => {
    expect(await eventsOf(...lines)).toMatchObject(expected)
  })

  it.each([
    ['levels in front of bars', ['INFO  | started', 'WARN  | slow', 'INFO  | done']],
    ['names that are different in each line', ['a | x', 'b | x', 'c | x', 'd | x']],
    ['dates', ['2026-03-01 disk is full', '2026-03-02 disk is full']],
    ['sentences in quotes', ['"one"', '"two"', '"three"']],
    ['numbers in front of dates', ['17 2026-03-01 disk is full', '18 2026-03-02 disk is full']],
    ['numbers in lists', ['1: one', '2: two', '3: three']],
    ['threads in brackets', ['[http-nio-8080-exec-1] x', '[http-nio-8080-exec-2] y']],
  ])('is not seen in %s', async (_, lines) => {
    const events = await eventsOf(...lines)
    expect(events.map(({ message }) => message)).toHaveLength(lines.length)
    for (const event of events) {
      expect(Object.keys(event).filter((key) => !['message', 'level'].includes(key))).toEqual([])
    }
  })
})
