import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programIn } from '../support/program-in.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const { run } = programIn(join(scratch, 'data'))

describe('two fields with date and time', () => {
  it('are detected in tables, whose cells stay as they are', async () => {
    const files = [
      file('hdfs.csv', 'n,Date,Time,Pid\n1,081109,203615,148\n2,081110,000001,9007199254740993\n'),
      file(
        'zookeeper.csv',
        'n,Date,Time\n3,2015-07-29,"17:41:44,747"\n4,2015-07-30,"00:00:00,001"\n',
      ),
      file('spark.csv', 'n,Date,Time\n5,17/06/09,20:10:40\n'),
      file('cloudfront.tsv', 'date\ttime\tn\tpath\n2026-01-02\t03:04:05\t6\t"/a"\n'),
      file('fields.ndjson', '{"log_date":"2026-01-02","log_time":"03:04:06.5","n":7}\n'),
      file('firewall.log', 'n=8 date=2026-01-02 time=03:04:07 msg="a b"\n'),
    ]
    const sent = await run(['ingest', 'pairs', ...files])
    const assumed = '(no zone, UTC assumed)\n'
    expect(sent.stderr).toContain(`${files[0]}: time from \`Date\` and \`Time\` ${assumed}`)
    expect(sent.stderr).toContain(`${files[5]}: time from \`date\` and \`time\` ${assumed}`)
    expect(await timesOf('pairs')).toEqual([
      ...['2008-11-09T20:36:15Z', '2008-11-10T00:00:01Z'],
      ...['2015-07-29T17:41:44.747Z', '2015-07-30T00:00:00.001Z', '2017-06-09T20:10:40Z'],
      ...['2026-01-02T03:04:05Z', '2026-01-02T03:04:06.5Z', '2026-01-02T03:04:07Z'],
    ])
    const { stdout } = await run(['query', "['pairs'] | where n == 2 | project Date, Time, Pid"])
    expect(stdout).toBe('{"Date":"081110","Time":"000001","Pid":9007199254740993}\n')
    const tsv = await run(['query', "['pairs'] | where n == 6 | project date, time, path"])
    expect(tsv.stdout).toBe('{"date":"2026-01-02","time":"03:04:05","path":"/a"}\n')
  })

  it('are not used when one of them is the whole time', async () => {
    const table = file('whole.csv', 'n,date,time\n1,2026-01-05,2026-01-02T03:04:05Z\n')
    const sent = await run(['ingest', 'whole', table])
    expect(sent.stderr).toContain('time from `time`\n')
    expect(await timesOf('whole')).toEqual(['2026-01-02T03:04:05Z'])
  })

  it('can be named, with their format', async () => {
    const table = file('named.csv', 'day;clock;n\n02/01/2026;03:04;1\n03/01/2026;03:05;2\n')
    const format = ['--timestamp-format', '02/01/2006 15:04']
    const args = [table, '--delimiter', ';', '--timestamp-field', 'day,clock']
    await run(['ingest', 'named', ...args, ...format])
    expect(await timesOf('named')).toEqual(['2026-01-02T03:04:00Z', '2026-01-03T03:05:00Z'])
    const wrong = await run(['ingest', 'wrong', ...args])
    expect(wrong.stderr).toContain(
      '`day` and `clock` of the first events do not form a time in a known layout. `--timestamp-format` sets the layout of both with a space between them.\n',
    )
    expect(wrong.status).toBe(1)
    const three = await run(['ingest', 'wrong', table, '--timestamp-field', 'a,b,c'])
    expect(three.stderr).toContain('takes one field, or two as in `Date,Time`, not `a,b,c`.')
    expect(three.status).toBe(2)
  })

  it.each([
    ['time', 'in one field'],
    ['log.time', 'in a field with a dot in its name'],
    ['Date,Time', 'in two fields'],
  ])('are reported when they are no times, %s, %s', async (names) => {
    const cells = (date: string, clock: string) =>
      [date, clock].join(names.includes(',') ? ',' : ' ')
    const rows = Array.from(
      { length: 30_000 },
      (_, n) => `${n},info,${cells('13.01.2026', '03:04:05')}\n`,
    )
    rows[19_998] = `19998,info,${names.includes(',') ? ',' : ''}\n`
    rows[19_999] = `19999,WARN,${cells('13.13.2026', '03:04:05')}\n`
    rows[29_999] = `29999,info,${cells('13.01.2026', 'later')}\n`
    const path = file('invalid.csv', `n,level,${names}\n${rows.join('')}`)
    const note = `${path}:20001: \`${names}\` is not a time. 2 such events get the time of arrival.\n`
    const dataset = `invalid-${names.length}`
    const { stderr } = await run(['ingest', dataset, path])
    expect(stderr).toContain(note)
    const untimed =
      'where _time > datetime(2026-01-13T03:04:05Z) | summarize count(), min(n), max(n)'
    const stored = await run(['query', `['${dataset}'] | ${untimed}`])
    expect(JSON.parse(stored.stdout)).toEqual({ count_: 3, min_n: 19_998, max_n: 29_999 })
  })

  it('are rejected when `_time` is no time, without a note about the time of arrival', async () => {
    const rows = [...Array<string>(20).fill('13.01.2026 03:04:05'), 'later']
    const path = file('rejected.csv', `_time,n\n${rows.map((time) => `${time},1\n`).join('')}`)
    const { stderr, status } = await run(['ingest', 'rejected', path])
    expect(stderr).toContain(`${path}:22: \`_time\` is not a time`)
    expect(stderr).toContain('rejected: 20 events stored, 1 rejected')
    expect(stderr).not.toContain('time of arrival')
    expect(status).toBe(3)
  })

  it('lose no row that has no time; a row with too many cells is rejected, as in other tables', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => `${n},2026-01-02,03:04:05\n`)
    const path = file(
      'odd.csv',
      `n,Date,Time\n${rows.join('')}20,,\n21,2026-01-02,03:04:05,"x\ny"\n`,
    )
    const rejects = join(scratch, 'odd.rejects')
    const sent = await run(['ingest', 'odd', path, '--rejects', rejects])
    expect(sent.status).toBe(3)
    expect(sent.stderr).toContain(`${path}:23: it has 4 cells, the header has 3\n`)
    expect(sent.stderr).toContain('odd: 21 events stored, 1 rejected')
    const { stdout } = await run(['query', "['odd'] | count"])
    expect(JSON.parse(stdout)).toEqual({ Count: 21 })
    const row = '21,2026-01-02,03:04:05,"x\ny"'
    const kept = { line: 23, reason: 'it has 4 cells, the header has 3', header: 'n,Date,Time' }
    expect(JSON.parse(readFileSync(rejects, 'utf8'))).toMatchObject({ ...kept, event: row })
    // The row can be corrected in the file.
    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace(',\\"x\\ny\\"', ''))
    const again = await run(['ingest', 'odd', '--retry', rejects])
    expect(again.stderr).toContain('odd: 1 event stored')
    const fixed = await run(['query', "['odd'] | where n == 21 | project _time"])
    expect(JSON.parse(fixed.stdout)).toEqual({ _time: '2026-01-02T03:04:05Z' })
  })

  it('are the same for the rest of a file and for rejected rows', async () => {
    const path = file('grows.csv', 'n,Date,Time\n1,2026-01-02,03:04:05\n')
    await run(['ingest', 'grows', path])
    writeFileSync(path, 'n,Date,Time\n1,2026-01-02,03:04:05\n2,2026-01-02,03:04:06\n')
    await run(['ingest', 'grows', path])
    const rejects = join(scratch, 'rejects.ndjson')
    const bad = Buffer.from('n,Date,Time,x\n3,2026-01-02,03:04:07,\xff\n', 'latin1')
    const refused = await run(['ingest', 'grows', '-i', 'csv', '--rejects', rejects], bad)
    expect(refused.stderr).toContain('2: not UTF-8\n`iconv -f latin1 -t utf-8` converts a file')
    const { eventBase64, ...reject } = JSON.parse(readFileSync(rejects, 'utf8'))
    const event =
      '{"_time":"2026-01-02T03:04:07Z","n":3,"Date":"2026-01-02","Time":"03:04:07","x":"'
    expect(Buffer.from(eventBase64, 'base64').toString('latin1')).toBe(`${event}\xff"}`)
    expect(reject).toMatchObject({ line: 2, reason: 'not UTF-8' })
    writeFileSync(rejects, `${JSON.stringify({ ...reject, event: `${event}y"}` })}\n`)
    await run(['ingest', 'grows', '--retry', rejects])
    expect(await timesOf('grows')).toEqual([
      ...['2026-01-02T03:04:05Z', '2026-01-02T03:04:06Z', '2026-01-02T03:04:07Z'],
    ])
  })
})

async function timesOf(dataset: string): Promise<unknown[]> {
  const apl = `['${dataset}'] | sort by n asc | project t = tostring(_time)`
  const { stdout, stderr } = await run(['query', apl, '-o', 'ndjson'])
  if (stdout === '') throw new Error(stderr)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).t)
}

function file(name: string, text: string): string {
  const path = join(scratch, name)
  writeFileSync(path, text)
  return path
}

describe('a number since another moment than 1970', () => {
  // 2026-01-02T03:04:05 is 1,767,323,045 s after 1970, and 1970 is 11,644,473,600 s after 1601, 62,135,596,800 s after
  // the year 1; 2001 is 978,307,200 s after 1970.
  it('is a time when the name of its field says so', async () => {
    const files = [
      file('filetime.ndjson', '{"n":1,"EventFileTime":"134117966450000000"}\n'),
      file('ticks.ndjson', '{"n":2,"data":{"Ticks":639029198451234567}}\n'),
      file('webkit.ndjson', '{"n":3,"webkit_timestamp":13411796647000001}\n'),
      file('apple.ndjson', '{"n":4,"CFAbsoluteTime":789015848.5}\n'),
      file('filetime.csv', 'n,file_time,name\n5,134117966490000000,x\n'),
      file(
        'banner.log',
        'Report 1\nn,ntTime,bytes,x\n6,134117966500000000,5,1\n7,134117966510000000,5,1\n',
      ),
    ]
    const sent = await run(['ingest', 'counts', ...files])
    expect(sent.stderr).toContain(`${files[0]}: time from \`EventFileTime\`\n`)
    // The banner has the time of arrival.
    expect((await timesOf('counts')).slice(1)).toEqual([
      ...['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.1234567Z', '2026-01-02T03:04:07.000001Z'],
      ...['2026-01-02T03:04:08.5Z', '2026-01-02T03:04:09Z'],
      ...['2026-01-02T03:04:10Z', '2026-01-02T03:04:11Z'],
    ])
  })

  it('is no time elsewhere, or when it would not be one of an event', async () => {
    const events = [
      '{"n":1,"pwdLastSet":"134117966450000000","clock_ticks":639029198451234567}',
      '{"n":2,"filetime":"5","idle_ticks":7}',
    ]
    const sent = await run(['ingest', 'others', file('others.ndjson', `${events.join('\n')}\n`)])
    expect(sent.stderr).not.toContain('time from')
  })
})
