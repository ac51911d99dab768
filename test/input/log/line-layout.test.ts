import { describe, expect, it } from 'vitest'
import { findLayout, inferLayout, LineTimes } from '../../../src/input/log/line-layout.js'
import { parseTimestamp } from '../../../src/wire/time/timestamp.js'
import { NOW, read } from './support.js'

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
]

describe('the time at the beginning of a line', () => {
  it.each(SAMPLES)('of %s is the event time', async (_, line, time) => {
    const { events } = await read(`${line}\r\n${line}\n`, { format: 'text' })
    const found = events.map((text) => JSON.parse(text))
    expect(found.map(({ _time }) => _time)).toEqual([time, time])
    expect(found.every(({ message }) => line.endsWith(message))).toBe(true)
  })

  it('has the layout that most lines allow; others keep the time of arrival', async () => {
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
      { message: lines[0] },
      {
        _time: '2026-02-03T04:05:06.007Z',
        level: 'error',
        message: ['failed', lines[2], lines[3]].join('\n'),
      },
      { message: lines[4] },
      { _time: '2026-02-03T04:05:07.008Z', level: 'info', message: 'recovered' },
    ])
  })

  it.each([
    ['prose', 'The quick brown fox\njumps over 2026-02-03 04:05:06\nthe lazy dog\n'],
    ['numbers', '1234567890 apples\n17 pears\n1234567891 plums\n'],
    ['a date without a clock', '2026-02-03 started\n'],
    ['a date that does not exist', '2026-02-30 04:05:06 started\n'],
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
    })
    expect(times(['03/04/2025 10:00:00 a', '13/04/2025 10:00:00 b'])).toEqual([
      '2025-04-03T10:00:00Z',
      '2025-04-13T10:00:00Z',
    ])
    expect(times(['03/04/2025 10:00:00 a', '03/14/2025 10:00:00 b'])).toEqual([
      '2025-03-04T10:00:00Z',
      '2025-03-14T10:00:00Z',
    ])
    // As month and day it would be in December 2026, in the future.
    expect(times(['12/01/2026 10:00:00 a'])).toEqual(['2026-01-12T10:00:00Z'])
    // As year, month and day it would be in 2031.
    expect(times(['31/12/25 10:00:00 a'])).toEqual(['2025-12-31T10:00:00Z'])
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
      expect(events.filter((event) => event.includes('_time')).length).toBe(6)
    }
  })

  it('is not found in long lines of short words', () => {
    const lines = Array.from({ length: 200 }, () => `${'a '.repeat(250)}${'1'.repeat(300)}`)
    expect(inferLayout(lines, NOW)).toBe(undefined)
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
  return inferLayout(lines, NOW)
}

/** Returns the times of lines; undefined when no layout is found. */
function times(lines: readonly string[]): readonly (string | undefined)[] | undefined {
  const found = infer(lines)
  if (found?.kind !== 'found') return undefined
  const reader = new LineTimes(found.layout, parseTimestamp('2026-03-01T12:00:00Z')!)
  return lines.map((line) => reader.read(line))
}
