import { describe, expect, it } from 'vitest'
import { findLayout, inferTimes } from '../../../../src/input/log/time/line-layout.js'
import { LineTimes } from '../../../../src/input/log/time/line-times.js'
import { parseTimestamp } from '../../../../src/wire/time/timestamp.js'
import { NOW, read } from '../support.js'

/** Lines as the programs write them, with the times worked out by hand. `NOW` is 2026-03-01T12:00:00Z. */
const SAMPLES: readonly (readonly [program: string, line: string, time: string])[] = [
  [
    'log4j',
    '[2025-11-20 15:16:47,163] INFO Rolled segment [orders,0] in 3 ms',
    '2025-11-20T15:16:47.163Z',
  ],
  [
    'Hadoop',
    '2015-10-18 18:01:47,978 INFO [main] org.apache.hadoop.mapreduce.v2.app.MRAppMaster: Created MRAppMaster for application appattempt_1445144423722_0020_000001',
    '2015-10-18T18:01:47.978Z',
  ],
  [
    'ZooKeeper',
    '2015-07-29 17:41:44,747 - INFO  [QuorumPeer[myid=1]/0:0:0:0:0:0:0:0:2181:FastLeaderElection@774] - Notification time out: 3200',
    '2015-07-29T17:41:44.747Z',
  ],
  [
    'OpenStack',
    'nova-api.log.1.2017-05-16_13:53:08 2017-05-16 00:00:00.008 25746 INFO nova.osapi_compute.wsgi.server [req-38101a0b] 10.11.10.1 "GET /v2 HTTP/1.1" status: 200',
    '2017-05-16T00:00:00.008Z',
  ],
  [
    'Windows CBS',
    '2016-09-28 04:30:30, Info                  CBS    Loaded Servicing Stack v6.1.7601.23505',
    '2016-09-28T04:30:30Z',
  ],
  ['a zone', '2026-02-03T04:05:06.000000007+01:00 INFO started', '2026-02-03T03:05:06.000000007Z'],
  ['an offset after a space', '2026-02-03 04:05:06 -0530 started', '2026-02-03T09:35:06Z'],
  [
    'PostgreSQL',
    '2026-02-03 04:05:06.789 UTC [4711] LOG:  checkpoint starting: time',
    '2026-02-03T04:05:06.789Z',
  ],
  ['Monit', '[PST Feb  3 04:05:06] info     : started', '2026-02-03T12:05:06Z'],
  [
    'PostgreSQL in Paris',
    '2026-02-03 04:05:06.789 CET [4711] LOG:  ready',
    '2026-02-03T03:05:06.789Z',
  ],
  [
    'Ruby Logger',
    'E, [2026-02-03T04:05:06.123456 #812] ERROR -- : no route',
    '2026-02-03T04:05:06.123456Z',
  ],
  [
    'a level first',
    'INFO  [2026-02-03 04:05:06,007] org.eclipse.jetty: started',
    '2026-02-03T04:05:06.007Z',
  ],
  [
    'a JVM',
    '2016-12-19T18:02:22.123+0000: 0.324: [GC (Allocation Failure)',
    '2016-12-19T18:02:22.123Z',
  ],
  ['Go log', '2026/03/01 00:00:00 listening on :8080', '2026-03-01T00:00:00Z'],
  [
    'Go log with microseconds',
    '2026/03/01 00:00:00.000250 a.go:7: x',
    '2026-03-01T00:00:00.000250Z',
  ],
  [
    'nginx errors',
    '2026/02/28 23:59:59 [error] 31#31: *1 open() "/x" failed (2: No such file or directory)',
    '2026-02-28T23:59:59Z',
  ],
  [
    'Spark',
    '17/06/09 20:10:40 INFO executor.CoarseGrainedExecutorBackend: Registered signal handlers for [TERM, HUP, INT]',
    '2017-06-09T20:10:40Z',
  ],
  [
    'HDFS',
    '081109 203615 148 INFO dfs.DataNode$PacketResponder: PacketResponder 1 for block blk_38865049064139660 terminating',
    '2008-11-09T20:36:15Z',
  ],
  [
    'HealthApp',
    '20171223-22:15:29:606|Step_LSC|30002312|onStandStepChanged 3579',
    '2017-12-23T22:15:29.606Z',
  ],
  [
    'HealthApp with short numbers',
    '20171224-0:7:20:55|Step_LSC|30002312|x',
    '2017-12-24T00:07:20.055Z',
  ],
  ['an access log', '[01/Mar/2026:10:00:00 +0100] GET /x 200', '2026-03-01T09:00:00Z'],
  [
    'Apache errors',
    '[Sun Dec 04 04:47:44 2005] [notice] workerEnv.init() ok /etc/httpd/conf/workers2.properties',
    '2005-12-04T04:47:44Z',
  ],
  [
    'Apache 2.4 errors',
    '[Wed Oct 11 14:32:52.123456 2017] [core:error] [pid 35708:tid 4328636416] [client 72.15.99.187] File does not exist',
    '2017-10-11T14:32:52.123456Z',
  ],
  ['a month without a year', 'Mar  1 10:00:00 started', '2026-03-01T10:00:00Z'],
  ['a month of last year', 'Nov 20 10:00:00 started', '2025-11-20T10:00:00Z'],
  ['RouterOS', 'nov/20 10:00:00 dhcp,warning lease failed', '2025-11-20T10:00:00Z'],
  ['a leap day', 'Feb 29 10:00:00 started', '2024-02-29T10:00:00Z'],
  [
    'Android',
    '03-17 16:13:38.811  1702  2395 D WindowManager: printFreezingDisplayLogsopening app wtoken',
    '2025-03-17T16:13:38.811Z',
  ],
  [
    'Proxifier',
    '[10.30 16:49:06] chrome.exe - proxy.cse.cuhk.edu.hk:5070 open through proxy proxy.cse.cuhk.edu.hk:5070 HTTPS',
    '2025-10-30T16:49:06Z',
  ],
  [
    'Redis',
    '1:M 20 Nov 2025 10:00:00.123 * Ready to accept connections',
    '2025-11-20T10:00:00.123Z',
  ],
  [
    'Tomcat',
    '20-Nov-2025 10:00:00.123 INFO [main] org.apache.catalina: up',
    '2025-11-20T10:00:00.123Z',
  ],
  ['java.util.logging', 'Nov 20, 2025 3:16:47 PM org.example.Main run', '2025-11-20T15:16:47Z'],
  ['klog', 'I1120 10:00:00.123456   17 main.go:12] started', '2025-11-20T10:00:00.123456Z'],
  [
    'BGL',
    '- 1117838570 2005.06.03 R02-M1-N0-C:J12-U11 2005-06-03-15.42.50.363779 R02-M1-N0-C:J12-U11 RAS KERNEL INFO instruction cache parity error corrected',
    '2005-06-03T22:42:50Z',
  ],
  [
    'seconds with a fraction',
    '1157689312.049 5006 10.105.21.199 TCP_MISS/200 19763',
    '2006-09-08T04:21:52.049Z',
  ],
  ['milliseconds', '1767323045123 started', '2026-01-02T03:04:05.123Z'],
  ['microseconds', '1767323045123456 started', '2026-01-02T03:04:05.123456Z'],
  ['nanoseconds', '1767323045123456789 started', '2026-01-02T03:04:05.123456789Z'],
  ['a day above 12 first', '13/04/2025 10:00:00 started', '2025-04-13T10:00:00Z'],
  ['a day above 12 second', '04/13/2025 10:00:00 PM started', '2025-04-13T22:00:00Z'],
  ['a dotted date', '20.11.2025 10:00:00 gestartet', '2025-11-20T10:00:00Z'],
  ['a short dotted date', '20.11.25 10:00:00 gestartet', '2025-11-20T10:00:00Z'],
  ['the basic format of ISO 8601', '20251120T101500Z started', '2025-11-20T10:15:00Z'],
  ['the basic format with a zone', '20251120T101500,25+0100 up', '2025-11-20T09:15:00.25Z'],
  ['digits only', '20251120101500 started', '2025-11-20T10:15:00Z'],
  ['digits only with milliseconds', '20251120101500123 up', '2025-11-20T10:15:00.123Z'],
  ['ISO 8601 without seconds', '2025-11-20 10:15 started', '2025-11-20T10:15:00Z'],
  ['ISO 8601 without seconds with a zone', '2025-11-20T10:15+01:00 up', '2025-11-20T09:15:00Z'],
  ['DB2', '2025-11-20-15.42.50.363779 I27826E1234 LEVEL: Info', '2025-11-20T15:42:50.363779Z'],
  ['IIS', '2025-11-20 10:00:00 10.0.0.1 GET /index.html - 80', '2025-11-20T10:00:00Z'],
  ['CloudFront', '2025-11-20\t10:00:00\tFRA2\t1045\t192.0.2.1', '2025-11-20T10:00:00Z'],
  ['apt', 'Start-Date: 2025-11-20  10:00:00', '2025-11-20T10:00:00Z'],
  ['short numbers', '2025-1-5 9:05:03 started', '2025-01-05T09:05:03Z'],
  ['Unreal Engine', '[2025.11.20-10.00.00:123][  0]LogInit: x', '2025-11-20T10:00:00.123Z'],
  ['a tenth of a second', '2025/11/20 10:00:00.5 started', '2025-11-20T10:00:00.5Z'],
  ['WebSphere', '[6/13/08 10:59:41:123 EDT] 0000000a WsServer A', '2008-06-13T14:59:41.123Z'],
  ['WebSphere at night', '[6/13/08, 22:59:41:007 CEST] 0000000a x', '2008-06-13T20:59:41.007Z'],
  ['a short date with PM', '11/20/25 10:16:47 PM started', '2025-11-20T22:16:47Z'],
  ['.NET', '11/20/2025 3:16:47 PM started', '2025-11-20T15:16:47Z'],
  ['a browser', '11/20/2025, 3:16:47 AM - started', '2025-11-20T03:16:47Z'],
  ['Windows in Mexico', '20/11/2025 03:16:47 p. m. started', '2025-11-20T15:16:47Z'],
  ['a browser in Spanish', '20/11/2025, 12:16:47\u202fa.\u00a0m. up', '2025-11-20T00:16:47Z'],
  ['PM in Spanish after a short date', '20/11/25 3:16:47 p.m. up', '2025-11-20T15:16:47Z'],
  ['Windows in Greek', '20/11/2025 3:16:47 μμ started', '2025-11-20T15:16:47Z'],
  ['PM in Arabic', '20/11/2025 03:16:47 م started', '2025-11-20T15:16:47Z'],
  ['an Arabic word with the letter of PM', '20/11/2025 03:16:47 مرحبا', '2025-11-20T03:16:47Z'],
  ['Windows in Taiwan', '2025/11/20 下午 03:16:47 started', '2025-11-20T15:16:47Z'],
  ['Windows in Korea', '2025-11-20 오전 12:16:47 started', '2025-11-20T00:16:47Z'],
  ['a browser in Korean', '2025. 11. 20. 오후 3:16:47 up', '2025-11-20T15:16:47Z'],
  ['Japanese', '2025年11月20日 午後3:16:47 started', '2025-11-20T15:16:47Z'],
  ['Suricata', '11/20/2025-10:00:00.123456  [**] [1:2:3] x', '2025-11-20T10:00:00.123456Z'],
  ['Snort', '11/20-10:00:00.123456  [**] [1:2:3] x', '2025-11-20T10:00:00.123456Z'],
  ['a month and a day', '11/20 10:00:00 started', '2025-11-20T10:00:00Z'],
  ['glog with a year', 'W20251120 10:00:00.123456   17 a.cc:12] x', '2025-11-20T10:00:00.123456Z'],
  ['PHP', '[20-Nov-2025 10:00:00 UTC] PHP Warning:  x', '2025-11-20T10:00:00Z'],
  ['PHP in Berlin', '[20-Jul-2025 10:00:00 Europe/Berlin] PHP x', '2025-07-20T08:00:00Z'],
  ['RabbitMQ', '=INFO REPORT==== 20-Nov-2025::10:00:00 ===', '2025-11-20T10:00:00Z'],
  ['an Oracle listener', '20-NOV-2025 10:00:00 * (CONNECT_DATA=(SID=x))', '2025-11-20T10:00:00Z'],
  ['Oracle', '20-NOV-25 10.00.00.123456 PM started', '2025-11-20T22:00:00.123456Z'],
  ['Boost', '[2025-Nov-20 10:00:00.123456]: started', '2025-11-20T10:00:00.123456Z'],
  ['Cisco ASA', 'Nov 20 2025 10:00:00: %ASA-6-302013: Built', '2025-11-20T10:00:00Z'],
  ['Cisco IOS', '*Nov 20 10:00:00.123 UTC: %SYS-5-CONFIG_I: x', '2025-11-20T10:00:00.123Z'],
  ['dmesg -T', '[Thu Nov 20 10:00:00 2025] usb 1-1: new device', '2025-11-20T10:00:00Z'],
  ['date', 'Thu Nov 20 10:00:00 CET 2025 starting', '2025-11-20T09:00:00Z'],
  ['date with 12 hours', 'Thu Nov 20 10:00:00 PM UTC 2025 starting', '2025-11-20T22:00:00Z'],
  ['date with the day first', 'Thu 20 Nov 2025 12:00:00 AM CET done', '2025-11-19T23:00:00Z'],
  ['RFC 2822', 'Thu, 20 Nov 2025 10:00:00 -0500 sent', '2025-11-20T15:00:00Z'],
  ['RFC 850', 'Thursday, 20-Nov-25 10:00:00 GMT sent', '2025-11-20T10:00:00Z'],
  ['full names', 'Thursday, November 20, 2025 10:00:00 PM up', '2025-11-20T22:00:00Z'],
  ['MongoDB 2', 'Thu Nov 20 10:00:00.123 [conn1] end', '2025-11-20T10:00:00.123Z'],
  ['journalctl -o short-full', 'Thu 2025-11-20 10:00:00 UTC web a[1]: x', '2025-11-20T10:00:00Z'],
  ['MySQL 5.5', '251120  9:07:03 [Note] Event Scheduler: Loaded', '2025-11-20T09:07:03Z'],
  ['GlassFish', '[#|2025-11-20T10:00:00.123+0100|INFO|x|', '2025-11-20T09:00:00.123Z'],
  ['grep', 'app.log:17:2025-11-20 10:00:00 started', '2025-11-20T10:00:00Z'],
  ['Python logging', 'INFO:2025-11-20 10:00:00,123:root:started', '2025-11-20T10:00:00.123Z'],
  ['a level in brackets', '[INFO][2025-11-20 10:00:00] started', '2025-11-20T10:00:00Z'],
  ['docker compose', 'web-1  | 2025-11-20T10:00:00.5Z started', '2025-11-20T10:00:00.5Z'],
  ['kubectl', '[pod/web-1/app] 2025-11-20T10:00:00.5Z started', '2025-11-20T10:00:00.5Z'],
  ['parentheses', '(2025-11-20 10:00:00) started', '2025-11-20T10:00:00Z'],
  ['quotes', '"2025-11-20 10:00:00.123" "started"', '2025-11-20T10:00:00.123Z'],
  ['angle brackets', '<2025-11-20 10:00:00> started', '2025-11-20T10:00:00Z'],
  ['ELB', 'https 2025-11-20T10:00:00.123456Z app/lb/1 192.0.2.1:1', '2025-11-20T10:00:00.123456Z'],
  ['Nagios', '[1763632800] SERVICE ALERT: web;HTTP;CRITICAL', '2025-11-20T10:00:00Z'],
  ['auditd', 'type=SYSCALL msg=audit(1763632800.243:24287): arch=c000', '2025-11-20T10:00:00.243Z'],
  [
    'VPC flow logs, which end the interval later',
    '2 123456789010 eni-1235b8ca 172.31.16.139 172.31.16.21 20641 22 6 20 4249 1763632800 1763632860 ACCEPT OK',
    '2025-11-20T10:00:00Z',
  ],
  ['an unknown zone', '2025-11-20 10:00:00 IST started', '2025-11-20T10:00:00Z'],
  ['a zone after UTC', '2025-11-20 10:00:00 UTC+5:30 started', '2025-11-20T04:30:00Z'],
  [
    'java.util.logging since Java 20',
    'Nov 20, 2025 3:16:47\u202fPM a.Main run',
    '2025-11-20T15:16:47Z',
  ],
  ['a leap second', '2016-12-31 23:59:60 inserted', '2017-01-01T00:00:00Z'],
  ['the end of a day', '2025-11-20 24:00:00 rotated', '2025-11-21T00:00:00Z'],
  ['the last year of nanoseconds', '2262-04-11 23:47:16 x', '2262-04-11T23:47:16Z'],
  ['the beginning of 1970', '1970-01-01 00:00:00.000 x', '1970-01-01T00:00:00.000Z'],
]

describe('the time at the beginning of a line', () => {
  it.each(SAMPLES)('of %s is the event time', async (_, line, time) => {
    const { events } = await read(`${line}\r\n${line}\n`, { format: 'text' })
    const found = events.map((text) => JSON.parse(text))
    expect(found.map(({ _time }) => _time)).toEqual([time, time])
    expect(found.every(({ message = '' }) => line.includes(message))).toBe(true)
  })

  it('has the layout that most lines allow; others get the time of the line in front', async () => {
    const lines = [
      'Starting version 2 on 2020-01-01 00:00:00',
      '2026-02-03 04:05:06,007 ERROR failed',
      'java.lang.IllegalStateException: 17/06/09 20:10:40',
      '\tat org.example.Main.run(Main.java:12)',
      '2026-02-03 25:05:06,007 ERROR no such hour',
      '2026-02-03 04:05:07,008 INFO recovered',
    ]
    const { events } = await read(lines.join('\n'), { format: 'text' })
    expect(events.map((text) => JSON.parse(text))).toEqual([
      { _time: '2026-02-03T04:05:06.007Z', message: lines[0] },
      {
        _time: '2026-02-03T04:05:06.007Z',
        level: 'error',
        message: ['failed', lines[2], lines[3]].join('\n'),
      },
      { _time: '2026-02-03T04:05:06.007Z', level: 'error', message: lines[4] },
      { _time: '2026-02-03T04:05:07.008Z', level: 'info', message: 'recovered' },
    ])
  })

  it.each([
    ['prose', 'The quick brown fox\njumps over 2026-02-03 04:05:06\nthe lazy dog\n'],
    ['numbers', '1234567890 apples\n17 pears\n1234567891 plums\n'],
    ['a date without a clock', '2026-02-03 started\n'],
    ['a date that does not exist', '2026-02-30 04:05:06 started\n'],
    ['a leap day in another year', '2025-02-29 04:05:06 started\n'],
    ['an hour after midnight at the end of a day', '2025-02-20 24:00:01 started\n'],
    ['a year after 2262', '2263-01-01 00:00:00 started\n'],
    ['seconds since boot', '[12345.678901] usb 1-1: new device\n[12346.000001] usb 1-2\n'],
    ['numbers in the future', '1999999999 apples\n1999999998 pears\n'],
    ['a phone number', '4915112345 called\n4915112346 called\n'],
    ['numbers of eleven digits', '17636328001 a\n17636328002 b\n'],
    ['clocks without a date', '10:00:00.123 [main] INFO a\n10:00:01.123 [main] INFO b\n'],
    ['versions', '1.2.3.4 10:00 a\n10.11.12 b\n'],
  ])('is not found in %s', async (_, text) => {
    const { events } = await read(text, { format: 'text' })
    expect(events.filter((event) => event.includes('_time'))).toEqual([])
  })

  it('is not looked for when a field is named as the event time', async () => {
    const options = { format: 'text', findsTime: false } as const
    expect((await read('2026-02-03 04:05:06 x\n', options)).events).toEqual([
      '{"time":"2026-02-03 04:05:06","message":"x"}',
    ])
  })

  it('is read in one order of the date for all lines', () => {
    expect(infer(['03/04/2025 10:00:00 a', '04/04/2025 10:00:00 b'])).toEqual({
      kind: 'ambiguous',
      orders: ['day/month/year', 'month/day/year'],
      example: '03/04/2025 10:00:00',
      layout: 'start:day/month/year',
    })
    expect(times(['03/04/2025 10:00:00 a', '13/04/2025 10:00:00 b'])).toEqual([
      '2025-04-03T10:00:00Z',
      '2025-04-13T10:00:00Z',
    ])
    expect(times(['03/04/2025 10:00:00 a', '03/14/2025 10:00:00 b'])).toEqual([
      '2025-03-04T10:00:00Z',
      '2025-03-14T10:00:00Z',
    ])
    // As year, month and day it would be in 2003, while both other orders are recent.
    expect(infer(['03/04/25 10:00:00 a', '03/04/25 10:00:01 b'])).toMatchObject({
      kind: 'ambiguous',
      orders: ['day/month/year', 'month/day/year'],
    })
    // All orders are years ago.
    expect(times(['03/04/11 10:00:00 a'])).toEqual(['2003-04-11T10:00:00Z'])
    // Only one of the orders is less than two years ago, but they are months apart.
    expect(infer(['02/06/2024 10:00:00 a', '02/06/2024 10:00:01 b'])).toMatchObject({
      kind: 'ambiguous',
      orders: ['day/month/year', 'month/day/year'],
    })
    // As month and day it would be in December 2026, in the future.
    expect(times(['12/01/2026 10:00:00 a'])).toEqual(['2026-01-12T10:00:00Z'])
    // As year, month and day it would be in 2031.
    expect(times(['31/12/25 10:00:00 a'])).toEqual(['2025-12-31T10:00:00Z'])
  })

  it('has the order of the date that keeps the lines in order', () => {
    // As day and month: 2 January, 3 January, 1 February; as month and day: 1 February, 1 March, 2 January.
    expect(
      times(['02/01/2025 10:00:00 a', '03/01/2025 10:00:00 b', '01/02/2025 10:00:00 c']),
    ).toEqual(['2025-01-02T10:00:00Z', '2025-01-03T10:00:00Z', '2025-02-01T10:00:00Z'])
    // As month and day: 12 November, 1 December, 2 January. In other orders the second or the third line is earlier.
    expect(times(['11/12/25 10:00:00 a', '12/01/25 10:00:00 b', '01/02/26 10:00:00 c'])).toEqual([
      '2025-11-12T10:00:00Z',
      '2025-12-01T10:00:00Z',
      '2026-01-02T10:00:00Z',
    ])
  })

  it('has the order of the date in which midnight is between two lines', () => {
    expect(times(['03/04/2025 23:59:58 a', '04/04/2025 00:00:01 b'])).toEqual([
      '2025-04-03T23:59:58Z',
      '2025-04-04T00:00:01Z',
    ])
    expect(times(['03/04/2025 23:59:58 a', '03/05/2025 00:00:01 b'])).toEqual([
      '2025-03-04T23:59:58Z',
      '2025-03-05T00:00:01Z',
    ])
  })

  it('has an order although some dates do not exist in it', () => {
    expect(
      times(['13/04/2025 10:00:00 a', '99/99/2025 10:00:00 b', '14/04/2025 10:00:00 c']),
    ).toEqual(['2025-04-13T10:00:00Z', undefined, '2025-04-14T10:00:00Z'])
  })

  it('is the one with a zone, then the one with more digits, of several in the same lines', () => {
    expect(
      times([
        'Feb  3 04:05:06 web app: 2026-02-03T03:05:06.123Z a',
        'Feb  3 04:05:07 web app: 2026-02-03T03:05:06.999Z b',
      ]),
    ).toEqual(['2026-02-03T03:05:06.123Z', '2026-02-03T03:05:06.999Z'])
    expect(
      times(['2026-02-03 04:05:06 x 2026-02-03 04:05:06.789 a', '2026-02-03 04:05:07 x no']),
    ).toEqual(['2026-02-03T04:05:06Z', '2026-02-03T04:05:07Z'])
    // The second is the end of something.
    expect(
      times([
        '2026-02-03 04:05:06 lease until 2026-02-03 04:15:06.000Z',
        '2026-02-03 04:05:07 lease until 2026-02-03 05:05:00.000Z',
      ]),
    ).toEqual(['2026-02-03T04:05:06Z', '2026-02-03T04:05:07Z'])
  })

  it('of a line does not depend on the lines before it', () => {
    const all = [
      '2026-02-03 04:05:06,007 INFO a',
      '2026-02-03 04:05:06,008 INFO b',
      '2026-02-03 04:05:06,0089 INFO c',
      '2026-02-03 04:05:06,00 INFO d',
      '2026-02-03 04:05:06 INFO e',
      '2026-02-03 04:05:06,009 IST f',
      '2026-02-03 04:05:06,010 +0100 g',
      '2026-02-03 04:05:06,011 CET h',
      '2026-02-03 04:05:06,012Z i',
      '2026-02-03 04:05:06,013+01 j',
      '2026-02-03 04:05:06,1234567890123 INFO k',
      '2026-02-03 04:05:06,1234567899999 INFO l',
      '2026-02-03 04:05:06,x14 INFO m',
      '2026-02-03 04:05:06,015 - n',
      '2026-02-03 04:05:06,016 -0100 o',
      '2026-02-03 04:05:06] p',
      '2026-02-03 04:05:06.5] q',
      '2026-02-03 23:59:59,017 WARN r',
      '2026-02-03 24:00:00,018 ERROR s',
      '2026-02-03 24:00:01,018 ERROR s',
      '2026-02-03 04:05:60,019 INFO t',
      '2026-02-03 04:60:06,020 INFO u',
      '2026-02-03 4:05:06,021 INFO v',
      '2026-02-03 04:05:07,022 WET w',
      '2026-02-03 04:05:07,022 WEST w',
      '2026-02-03 04:05:08,023 Europe/Berlin x',
      '2026-02-03 04:05:09,024',
      '2026-02-03 04.05.10,025 INFO y',
      '2026-02-04 04:05:11,026 PM z',
    ]
    const [first] = times([all[0]!])!
    expect(first).toBe('2026-02-03T04:05:06.007Z')
    const alone = all.map((line) => times([all[0]!, line])![1])
    expect(alone.slice(4, 11)).toEqual([
      '2026-02-03T04:05:06Z',
      '2026-02-03T04:05:06.009Z',
      '2026-02-03T03:05:06.010Z',
      '2026-02-03T03:05:06.011Z',
      '2026-02-03T04:05:06.012Z',
      '2026-02-03T03:05:06.013Z',
      '2026-02-03T04:05:06.123456789Z',
    ])
    for (const before of all) {
      for (const [index, line] of all.entries()) {
        expect(times([all[0]!, before, line])?.[2], `${before}, then ${line}`).toBe(fresh(line))
        expect(alone[index]).toBe(fresh(line))
      }
    }
  })

  it('keeps its layout for the rest of the input, whatever the batches', async () => {
    const text = 'banner\n2026-02-03 04:05:06 a\n2026-02-03 04:05:07 b\n'.repeat(3)
    for (const maxEvents of [1, 2, 100]) {
      const { events } = await read(text, { format: 'text', maxEvents })
      // The first banner is an event with the first time; later banners continue the event in front of them.
      expect(events.map((event) => JSON.parse(event)._time)).toEqual(
        [6, 6, 7, 6, 7, 6, 7].map((second) => `2026-02-03T04:05:0${second}Z`),
      )
    }
  })

  it('is not found in long lines of short words', () => {
    const lines = Array.from({ length: 200 }, () => `${'a '.repeat(250)}${'1'.repeat(300)}`)
    expect(inferTimes(lines, { now: NOW })).toBe(undefined)
  })
})

describe('a layout that an earlier run has found', () => {
  it('is used from the first line on, without inference', async () => {
    const options = { format: 'text', layout: { time: 'start:month/day/year' } } as const
    expect((await read('03/04/2025 10:00:00 a\n', options)).events).toEqual([
      '{"_time":"2025-03-04T10:00:00Z","message":"03/04/2025 10:00:00 a"}',
    ])
  })
})

/** Returns the time of a line, read without any other. */
function fresh(line: string): string | undefined {
  return new LineTimes(findLayout('start:iso')!, NOW).read(line)
}

function infer(lines: readonly string[]) {
  return inferTimes(lines, { now: NOW })
}

/** Returns the times of lines; undefined when no layout is found. */
function times(lines: readonly string[]): readonly (string | undefined)[] | undefined {
  const found = infer(lines)
  if (found?.kind !== 'found') return undefined
  const reader = new LineTimes(found.layout, parseTimestamp('2026-03-01T12:00:00Z')!)
  return lines.map((line) => reader.read(line))
}
