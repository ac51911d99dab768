import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { cannedService, tabular } from '../support/canned-service.js'
import { start } from '../support/evq.js'
import { type FakeIoOptions, fakeIo } from '../support/fake-io.js'
import { temporaryDirectory } from '../support/temporary.js'

const service = await cannedService()
const scratch = temporaryDirectory()
const APL = "['logs'] | summarize count() by service"

const COUNTS = tabular([
  { name: 'service', type: 'string', values: '["checkout","cart"]' },
  { name: 'count_', type: 'integer', values: '[9007199254740993,7]' },
])
const CSV = 'service,count_\ncheckout,9007199254740993\ncart,7\n'

let folder = ''
let number = 0

beforeEach(() => {
  service.received.length = 0
  service.respondWith({ body: COUNTS })
  folder = join(scratch, String(number++))
  mkdirSync(folder)
})

async function run(args: readonly string[], options: FakeIoOptions = {}) {
  const io = fakeIo({ ...options, env: { EVQ_URL: service.url, ...options.env } })
  const exitCode = await main(['query', APL, ...args], io)
  return { exitCode, out: io.out(), err: io.err() }
}

describe('JSON', () => {
  it('is one array with the selected columns of the rows of all tables', async () => {
    const [table] = JSON.parse(COUNTS).tables
    const other = { ...table, fields: [{ name: 'service', type: 'string' }], columns: [['é\n']] }
    const empty = { ...table, columns: [[], []] }
    service.respondWith({
      body: { ...JSON.parse(tabular([])), tables: [empty, table, other, empty] },
    })
    const rows = ['{"service":"checkout"}', '{"service":"cart"}', '{"service":"é\\n"}']
    for (const isTerminal of [false, true]) {
      const args = ['-o', 'json', '--columns', 'service', '--no-pager', '--since', '1d']
      expect((await run(args, { isTerminal })).out).toBe(`[\n${rows.join(',\n')}\n]\n`)
    }
    service.respondWith({ body: { ...JSON.parse(tabular([])), tables: [empty] } })
    expect((await run(['-o', 'json'])).out).toBe('[]\n')
  })

  it('contains integers exactly', async () => {
    expect((await run(['-o', 'json'])).out).toBe(
      '[\n{"service":"checkout","count_":9007199254740993},\n{"service":"cart","count_":7}\n]\n',
    )
  })
})

describe('CSV and TSV', () => {
  it('have a heading for tables with other columns than the one above', async () => {
    const [counts] = JSON.parse(COUNTS).tables
    const table = {
      ...counts,
      columns: [
        ['checkout', 'cart'],
        [12, 7],
      ],
    }
    const other = { ...table, fields: [{ name: 'service', type: 'string' }], columns: [['é,']] }
    service.respondWith({
      body: { ...JSON.parse(tabular([])), tables: [table, table, other, table] },
    })
    const rows = 'checkout,12\ncart,7\n'
    expect((await run(['-o', 'csv'])).out).toBe(
      `service,count_\n${rows}${rows}service\n"é,"\nservice,count_\n${rows}`,
    )
    expect((await run(['-o', 'csv', '--no-header'])).out).toBe(`${rows}${rows}"é,"\n${rows}`)
    expect((await run(['-o', 'tsv', '--columns', 'service'])).out).toBe(
      'service\ncheckout\ncart\ncheckout\ncart\né,\ncheckout\ncart\n',
    )
    // Times are converted, so the rows are not copied.
    expect((await run(['-o', 'csv', '--timezone', 'Asia/Tokyo'])).out).toBe(
      `service,count_\n${rows}${rows}service\n"é,"\nservice,count_\n${rows}`,
    )
  })
})

describe('a terminal', () => {
  it('gets a table when its width is unknown, which terminals report as 0', async () => {
    const { out, err } = await run(['--no-pager'], { isTerminal: true, columns: 0 })
    expect(out).toContain('9007199254740993')
    expect(out).toContain('│')
    expect(err).not.toContain('do not fit')
  })
})

describe('a file', () => {
  it.each([
    ['counts.csv', CSV],
    ['counts.TSV', 'service\tcount_\ncheckout\t9007199254740993\ncart\t7\n'],
    [
      'counts.jsonl',
      '{"service":"checkout","count_":9007199254740993}\n{"service":"cart","count_":7}\n',
    ],
    [
      'counts.md',
      '| service | count_ |\n| :------ | -----: |\n| checkout | 9007199254740993 |\n| cart | 7 |\n',
    ],
  ])('named %s has the format of its extension', async (name, text) => {
    const file = join(folder, name)
    expect(await run(['-O', file], { isTerminal: true })).toMatchObject({ exitCode: 0, out: '' })
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(folder)).toEqual([name])
  })

  it('has the requested format, whatever its name', async () => {
    const file = join(folder, 'counts')
    expect((await run(['-O', file, '-o', 'csv'])).exitCode).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(CSV)
  })

  it('is rejected before the query runs when its extension is unknown', async () => {
    const { exitCode, err } = await run(['-O', join(folder, 'counts.xlsx')])
    expect(exitCode).toBe(2)
    expect(err).toContain('Set one with `-o`')
    expect(service.received).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })

  it('is checked for writability before the query runs', async () => {
    const { exitCode, err } = await run(['-O', join(folder, 'missing', 'counts.csv')])
    expect(exitCode).toBe(1)
    expect(err).toContain("can't be written: no such file or directory")
    expect((await run(['-O', folder, '-o', 'csv'])).err).toContain('is a directory')
    expect(service.received).toEqual([])
  })

  it('is unchanged when the query fails', async () => {
    const file = join(folder, 'counts.csv')
    writeFileSync(file, 'before')
    service.respondWith({ status: 400, body: { code: 400, message: 'No.' } })
    expect((await run(['-O', file])).exitCode).toBe(2)
    service.respondWith({ body: '{"format":"tabular","status":{},"tables":[{"fields":' })
    expect((await run(['-O', file])).exitCode).toBe(1)
    service.respondWith({ body: COUNTS })
    expect((await run(['-O', file, '--columns', 'nothing'])).exitCode).toBe(2)
    expect(readFileSync(file, 'utf8')).toBe('before')
    expect(readdirSync(folder)).toEqual(['counts.csv'])
  })

  it('keeps its permissions and links when it is replaced', async () => {
    const file = join(folder, 'counts.csv')
    const link = join(folder, 'link.csv')
    writeFileSync(file, 'before')
    chmodSync(file, 0o640)
    symlinkSync(file, link)
    expect((await run(['-O', link])).exitCode).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(CSV)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readFileSync(link, 'utf8')).toBe(CSV)
  })

  it('is created where a link leads to', async () => {
    const [file, link] = [join(folder, 'counts.csv'), join(folder, 'link.csv')]
    symlinkSync('counts.csv', link)
    expect((await run(['-O', link])).exitCode).toBe(0)
    expect([readlinkSync(link), readFileSync(file, 'utf8')]).toEqual(['counts.csv', CSV])
  })

  it('is not written where a link leads to no directory', async () => {
    const link = join(folder, 'link.csv')
    symlinkSync('absent/counts.csv', link)
    expect(await run(['-O', link])).toMatchObject({
      exitCode: 1,
      err: `evq: \`${link}\` can't be written: no such file or directory.\n`,
    })
    expect(readlinkSync(link)).toBe('absent/counts.csv')
  })

  it('is unchanged when the command is interrupted', async () => {
    const file = join(folder, 'counts.csv')
    writeFileSync(file, 'before')
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const connected = once(silent, 'connection')
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const args = ['query', APL, '-O', file]
    const query = start(args, { directory: scratch, env: { EVQ_URL: url } })
    const [socket] = await connected
    await once(socket, 'data')
    query.child.kill('SIGINT')
    expect(await query.ended).toMatchObject({
      signal: 'SIGINT',
      stdout: '',
      stderr: 'Query canceled.\n',
    })
    silent.close()
    expect(readFileSync(file, 'utf8')).toBe('before')
    expect(readdirSync(folder)).toEqual(['counts.csv'])
  })

  it('has colors only with the flag', async () => {
    const file = join(folder, 'counts.txt')
    await run(['-O', file], { isTerminal: true, env: { FORCE_COLOR: '1' } })
    expect(readFileSync(file, 'utf8')).toContain('│ checkout │ 9007199254740993 │')
    await run(['-O', file, '--color', 'always'])
    expect(readFileSync(file, 'utf8')).toContain('\u001b[1mservice\u001b[22m')
  })

  it('may be a device', async () => {
    expect((await run(['-O', '/dev/null', '-o', 'csv'])).exitCode).toBe(0)
  })

  it('covers all of time, unlike the default on a terminal', async () => {
    await run(['-O', join(folder, 'counts.csv')], { isTerminal: true })
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({ apl: APL })
  })

  it('is empty, or only has a header, without rows', async () => {
    service.respondWith({ body: tabular([{ name: 'a', type: 'string', values: '[]' }]) })
    await run(['-O', join(folder, 'a.csv')])
    await run(['-O', join(folder, 'a.ndjson')])
    expect(readFileSync(join(folder, 'a.csv'), 'utf8')).toBe('a\n')
    expect(readFileSync(join(folder, 'a.ndjson'), 'utf8')).toBe('')
  })
})

describe('raw output', () => {
  it('is the response with a line feed at its end', async () => {
    const { exitCode, out, err } = await run(['-o', 'raw'])
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: `${COUNTS}\n` })
    expect(err).toContain('2 rows')
  })

  it('has one line feed at its end when the response has one', async () => {
    service.respondWith({ body: `${COUNTS}\n` })
    expect((await run(['-o', 'raw'])).out).toBe(`${COUNTS}\n`)
    expect((await run(['-o', 'raw'], { isTerminal: true })).out).toBe(`${COUNTS}\n`)
  })
})

describe('a timezone', () => {
  const times = tabular([
    { name: '_time', type: 'datetime', values: '["2026-07-01T22:00:00.000000001Z",null]' },
  ])

  it('applies to times in the result', async () => {
    service.respondWith({ body: times })
    expect((await run(['-z', 'Europe/Berlin', '-o', 'csv'])).out).toBe(
      '_time\n2026-07-02T00:00:00.000000001+02:00\n\n',
    )
    expect((await run(['-z', '+05:30'])).out).toBe(
      '{"_time":"2026-07-02T03:30:00.000000001+05:30"}\n{"_time":null}\n',
    )
  })

  it('applies to times in flags, in either order', async () => {
    const now = Date.UTC(2026, 6, 1, 22, 30)
    await run(['--since', 'today', '-z', 'Europe/Berlin', '--until', '2026-07-02T10:00'], { now })
    expect(JSON.parse(service.received[0]?.body ?? '')).toMatchObject({
      startTime: '2026-07-01T22:00:00Z',
      endTime: '2026-07-02T08:00:00Z',
    })
  })

  it('is rejected with a suggestion when it does not exist', async () => {
    expect(await run(['-z', 'Europe/Berln'])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('`Europe/Berlin`'),
    })
  })
})
