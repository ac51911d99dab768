import { describe, expect, it } from 'vitest'
import { type DetectedFormat, detectFormat } from '../../src/input/format.js'
import { cut } from './support.js'

const log4j = `[2026-11-20 15:16:47,163] INFO Rolled segment [orders,0] in 3 ms
[2026-11-20 15:16:48,163] INFO Rolled segment [orders,1] in 4 ms
[2026-11-20 15:16:49,163] WARN Rolled segment [orders,2] in 5 ms
`
const spark = `17/06/09 20:10:40 INFO executor.CoarseGrainedExecutorBackend: Registered signal handlers for [TERM, HUP, INT]
17/06/09 20:10:41 INFO spark.SecurityManager: Changing view acls to: yarn, curi, spark
`
const proxifier = `[10.30 16:49:06] chrome.exe - proxy.cse.cuhk.edu.hk:5070 open through proxy proxy.cse.cuhk.edu.hk:5070 HTTPS, direct
[10.30 16:49:06] chrome.exe - proxy.cse.cuhk.edu.hk:5070 close, 0 bytes sent
[10.30 16:49:07] chrome.exe - proxy.cse.cuhk.edu.hk:5070 close, 425 bytes sent
`
const python = `2026-11-20 15:16:47,163 - root - WARNING - disk is almost full
2026-11-20 15:16:48,004 - root - ERROR - disk is full
`

describe('detectFormat', () => {
  it.each<[string, DetectedFormat]>([
    ['{"a":1}\n', 'ndjson'],
    ['  \n {"a":1}', 'ndjson'],
    ['{}', 'ndjson'],
    ['[{"a":1}]', 'json array'],
    ['\n\t[\n', 'json array'],
    ['{\n  "a": 1\n}\n', 'json sequence'],
    ['{ \r\n', 'json sequence'],
    ['{\n  "a": 1\n}\nnull\n3\n', 'json sequence'],
    ['{\n  "a": 1\n}\nstarted\n{\n  "a": 2\n}\n', 'json sequence'],
    [`{\n  "a": 1\n}\n${python}`, 'text'],
    ['{"a":"},"},\n{"a":2},\n', 'json sequence'],
    ['{"a":1}\n,{"a":2}\n', 'json sequence'],
    ['{"a":1} {"a":2}\n', 'json sequence'],
    ['{"a":"},"}\n{"a":2},\n', 'ndjson'],
    ['{"a":1}, said the server\n', 'ndjson'],
    ['a,b\n1,2\n', 'csv'],
    ['"a","b"\n', 'csv'],
    ['broken\n{"a":1}\n', 'ndjson'],
    ['> app@1.0.0 start\n> node app.js\n\n{"a":1}\n', 'ndjson'],
    ['16T10:00:00Z","n":0}\n{"n":1}\n', 'ndjson'],
    ['2026-01-02 03:04:05 sent\n{"a":1}\n2026-01-02 03:04:06 done\n', 'text'],
    ['> run\n{"a":1}\n ok 1\n ok 2\n', 'text'],
    ['{"a":1}\nbroken\n{"a":2}\n{"a":3}\nbroken\n', 'ndjson'],
    [`${'step\n'.repeat(100)}{"a":1}\n`, 'text'],
    ['[true, 1]', 'json array'],
    ['[]', 'json array'],
    ['[ ] Initializing inetd mode configuration\n', 'text'],
    ['[12]\n', 'json array'],
    ['[12] starting\n[12] done\n', 'text'],
    ['[2026-01-02 03:04:05] starting\n', 'text'],
    ['[info] it works\n', 'text'],
    ['a\tb\n1\t2\n', 'tsv'],
    ['k1\t{"a":1}\nk2\t{"a":2}\n', 'text'],
    ['key:1795168800123\tb\nkey:1795168801123\tc\n', 'text'],
    ['a,b\n', 'csv'],
    ['a,b\n1\n"x\ny",2\n3,4\n', 'csv'],
    ['time;level;message\n2026-11-20 10:00:00;error;x\n2026-11-20 10:00:01;info;y\n', 'csv'],
    ['Zeit;Stufe;Meldung\n20.11.2026 10:00:00;INFO;x\n20.11.2026 10:00:01;INFO;y\n', 'csv'],
    ['name|port|state\nweb|80|up\ndb|5432|down\n', 'csv'],
    ['started;x;y\n2026-11-20 10:00:00;error;x\n2026-11-20 10:00:01;info;y\n', 'text'],
    ['red;green;blue\nyellow\n', 'text'],
    ['api|started|ok\ndb|stopped|bad\nweb|started|fine\n', 'text'],
    ['a | b\nc | d\ne | f\n', 'text'],
    ['Hello, world\n', 'text'],
    ['Hello, world\nbye, world\n', 'text'],
    ['one, two, three\nfour\n', 'text'],
    ['1,2\n3,4\n', 'text'],
    ['a,a\n1,2\n', 'text'],
    ['hello world\n', 'text'],
    ['127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1\n', 'clf'],
    ['<34>Oct 11 22:14:15 mymachine su: a, b\n<34>Oct 11 22:14:16 m su: c, d\n', 'syslog'],
    ['Oct  1 22:14:15 host app[1]: started\n-- more --\nOct  1 22:14:16 h a: b\n', 'syslog'],
    ['2026-01-02T03:04:05.678+01:00 host app[12]: started\n', 'syslog'],
    ['2026-01-02T03:04:05Z INFO main: started\n', 'text'],
    ['2026-01-02T03:04:05Z 0123456789ab a: b\n2026-01-02T03:04:06Z 0123456789ab a: c\n', 'syslog'],
    ['2026-01-02T03:04:05Z 5010d5ab cli: x\n2026-01-02T03:04:06Z 3a7272b5 docs: y\n', 'text'],
    ['16 <1>1 - - - - - -', 'syslog'],
    ['level=info msg="a, b"\nlevel=info msg="c, d"\n', 'logfmt'],
    ['x=1\n', 'text'],
    [
      'date=2026-11-20,devname="fw 1",action=ok\ndate=2026-11-20,devname="fw 2",action=ok\n',
      'logfmt',
    ],
    ['LEEF:1.0|A|B|1|2|src=1\tdst=2\nLEEF:1.0|A|B|1|2|src=1\tdst=3\n', 'text'],
    ['id: 1, user: ann\nid: 2, user: bob\n', 'text'],
    ['ann,login,ok\nbob,login,ok\nann,logout,failed\n', 'text'],
    ['name,type\nage,int\ntype,string\n', 'csv'],
    ['dc:title,dc:date\nname,1\ndc:title,dc:date\n', 'csv'],
    ['Date,Time,Level\n2026-11-20,10:00:00,INFO\n', 'csv'],
    ['level,message\nINFO,"a, b"\n', 'csv'],
    ['Error,Warning,Info\n1,2,3\n', 'csv'],
    ['id,items[0].name,Price (EUR)\n1,a,2\n', 'csv'],
  ])('detects that an input beginning with %j is %s', (text, format) => {
    expect(found(text)).toBe(format)
  })

  it.each([
    ['log4j', log4j],
    ['Spark', spark],
    ['Proxifier', proxifier],
    ['Python', python],
    ['a level first', 'INFO Rolled segment [orders,0]\nWARN Rolled segment [orders,1]\n'],
    ['a banner first', 'Starting,port 80\n2026-11-20 10:00:00 a, b\n2026-11-20 10:00:01 done\n'],
    ['a sentence first', 'host connected [a,b]\nhost connected [c,d]\n'],
    ['a line with very many', `10:00:00 got [${'"a",'.repeat(100_001)}]\n10:00:01 done\n`],
  ])('does not take log lines with commas for CSV: %s', (_, text) => {
    expect(found(text)).toBe('text')
  })

  it('uses the file name when the content is ambiguous', () => {
    expect(found('n\n1\n', 'one-column.csv')).toBe('csv')
    expect(found('n\n1\n', 'one-column.CSV.gz')).toBe('csv')
    expect(found('broken\n', 'app.jsonl')).toBe('ndjson')
    expect(found('n\n1\n', 'one-column.tsv.zst')).toBe('tsv')
  })

  it('waits for more bytes while the format is undecided', () => {
    for (const text of ['', ' ', '{', '{ ', 'na', '\n\n', '[', '[12', 'a,b\n', 'level=i'])
      expect(found(text, 'x', { isWhole: false })).toBe(undefined)
  })

  it('waits for a second line only after a line that may be a header', () => {
    const start = (line: string) => found(`${line}\n`, 'x', { isWhole: false })
    for (const line of ['a,b', 'a\tb', '"a","b"', 'a,"b', '"a']) expect(start(line)).toBe(undefined)
    expect(start('2026-01-31 09:00:05,000 INFO [main] com.shop.Api - one line')).toBe('text')
    expect(start('listening on port 80, press Ctrl-C to stop')).toBe('text')
    expect(start('\tat A.b(A.java:1)')).toBe('text')
  })

  it('rejects an input as JSON that does not begin like JSON', () => {
    expect(() => detectFormat('json', beginning('a,b\n'))).toThrow(/begins with neither/)
  })

  it('returns a requested format unchecked', () => {
    expect(detectFormat('csv', beginning('{"a":1}\n'))).toBe('csv')
    expect(detectFormat('ndjson', beginning('[1]\n[2]\n'))).toBe('ndjson')
    expect(detectFormat('json', beginning('{"a":1}\n{"a":2}'))).toBe('json sequence')
  })
})

describe('a CSV header without an end', () => {
  it('is rejected without reading the whole input', async () => {
    const endless = `"a,b\n${'1,2\n'.repeat(600_000)}`
    await expect(cut(endless, { format: 'csv' })).rejects.toThrow(/is longer than 1 MiB/)
  })
})

function found(text: string, name = 'input', { isWhole } = { isWhole: true }) {
  return detectFormat('auto', beginning(text, name, isWhole))
}

function beginning(text: string, name = 'input', isWhole = true) {
  return { name, head: Buffer.from(text), isWhole }
}

// A test of the beginning that starts again at each byte would take hours for these.
describe('a long beginning', () => {
  it.each([
    ['an array on one line that begins with a scalar', `[null${',[1]'.repeat(250_000)}`, undefined],
    ['blank lines', `x\n${'\n'.repeat(1_000_000)}y\n`, 'text'],
  ])('is recognized in linear time: %s', (_, text, format) => {
    const beginning = { name: 'standard input', head: Buffer.from(text), isWhole: false }
    expect(detectFormat('auto', beginning)).toBe(format)
    expect(detectFormat('auto', { ...beginning, isWhole: true })).toBe(format ?? 'json array')
  })

  it('of carriage returns is read in linear time', async () => {
    expect(await cut('\r'.repeat(1_000_000))).toEqual([])
  })
})
