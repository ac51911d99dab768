import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventChunks, eventLine } from '../support/events.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { temporaryDirectory } from '../support/temporary.js'

// Files of NDJSON are scanned, in threads when they are large, and not stored. The result must be the one of stored events, as
// those of queries with another input are.

const scratch = temporaryDirectory()
const directory = join(scratch, 'absent')

/** More than 32 MiB, which are scanned in threads. */
const EVENTS = 120_000
const large = join(scratch, 'large.ndjson')
const file = openSync(large, 'w')
for (const chunk of eventChunks(EVENTS)) writeSync(file, chunk)
closeSync(file)

interface WebEvent {
  readonly service: string
  readonly status: number
  readonly duration_ms: number
  readonly client: { readonly country: string }
}

const events: readonly WebEvent[] = Array.from({ length: EVENTS }, (_, i) =>
  JSON.parse(eventLine(i)),
)

async function rowsOf(apl: string, ...args: readonly string[]) {
  const { stdout, stderr, status } = await evqInProcess(['query', '-q', apl, ...args], {
    directory,
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('a large file', () => {
  it('is counted by a field', async () => {
    const counts = new Map<string, number>()
    for (const { service } of events) counts.set(service, (counts.get(service) ?? 0) + 1)
    const rows = await rowsOf('summarize n = count() by service', '-i', large)
    expect(new Map(rows.map(({ service, n }) => [service, n]))).toEqual(counts)
  })

  it('is filtered by conditions, also of nested fields', async () => {
    const matching = events.filter((one) => one.status >= 500 && one.client.country === 'JP')
    const apl = 'where status >= 500 and client.country == "JP" | summarize n = count()'
    expect(await rowsOf(apl, '-i', large)).toEqual([{ n: matching.length }])
  })

  it('is sorted', async () => {
    const slowest = events
      .map(({ service, duration_ms }) => ({ service, duration_ms }))
      .sort((one, other) => other.duration_ms - one.duration_ms)
    const rows = await rowsOf('top 20 by duration_ms | project service, duration_ms', '-i', large)
    expect(rows.map(({ duration_ms }) => duration_ms)).toEqual(
      slowest.slice(0, 20).map(({ duration_ms }) => duration_ms),
    )
  })

  it('keeps the order of its events', async () => {
    const rows = await rowsOf('extend one = 1 | limit 3 | project service, one', '-i', large)
    expect(rows).toEqual(events.slice(0, 3).map(({ service }) => ({ service, one: 1 })))
  })

  it('has times', async () => {
    const apl = 'summarize first = min(_time), last = max(_time), n = count()'
    const bounds = ['--start-time', '2026-01-01T00:00:01Z', '--end-time', '2026-01-01T00:01:00Z']
    const [row] = await rowsOf(apl, '-i', large, ...bounds)
    expect(row).toEqual({
      first: '2026-01-01T00:00:01Z',
      last: '2026-01-01T00:00:59.99Z',
      n: 5_900,
    })
  })

  it('is read again when its last line is no event', async () => {
    const broken = join(scratch, 'broken.ndjson')
    writeFileSync(broken, `${[...eventChunks(EVENTS)].join('')}{"service":"api","status":}\n`)
    const args = ['query', 'summarize count()', '-i', broken]
    const { stdout, stderr, status } = await evqInProcess(args, { directory })
    expect(JSON.parse(stdout)).toEqual({ count_: EVENTS })
    expect(stderr).toContain(`broken.ndjson:${EVENTS + 1}: not JSON`)
    expect(stderr).toContain(
      '1 of 120,001 events could not be read and is missing from the result.',
    )
    expect(status).toBe(3)
  })

  it('is stored in part where some of its events do not fit', async () => {
    const broken = join(scratch, 'broken-later.ndjson')
    const chunks = [...eventChunks(EVENTS)].join('')
    const odd = '{"service":"odd","status":599,"retries":[{"after":1}]}\n{"service":\n'
    const middle = chunks.indexOf('\n', chunks.length / 2) + 1
    writeFileSync(broken, `${chunks.slice(0, middle)}${odd}${chunks.slice(middle)}`)
    const line = chunks.slice(0, middle).split('\n').length + 1
    const args = ['query', 'where status == 599 or status == 503', '-i', broken]
    const { stdout, stderr, status } = await evqInProcess(args, { directory })
    const rows: readonly WebEvent[] = stdout
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row))
    const expected = events.filter((one) => one.status === 503)
    expect(rows.filter((one) => one.status === 503).map((one) => one.duration_ms)).toEqual(
      expected.map((one) => one.duration_ms),
    )
    expect(rows.filter((one) => one.status === 599)).toMatchObject([
      { service: 'odd', retries: [{ after: 1 }] },
    ])
    expect(stderr).toContain(`broken-later.ndjson:${line}: not JSON`)
    expect(status).toBe(3)
  })

  it('is read again when a later value has another type', async () => {
    const mixed = join(scratch, 'mixed.ndjson')
    writeFileSync(mixed, `${[...eventChunks(5_000)].join('')}{"status":"500"}\n`)
    const rows = await rowsOf('summarize n = count() by type = gettype(status)', '-i', mixed)
    expect(rows).toEqual([
      { type: 'long', n: 5_000 },
      { type: 'string', n: 1 },
    ])
  })
})

it('reads a named pipe once, also when its later events do not fit', async () => {
  const pipe = join(scratch, 'pipe')
  execFileSync('mkfifo', [pipe])
  const text = `${'{"a":1}\n'.repeat(2_000)}{"a":"x"}\n`
  const written = writeFile(pipe, text)
  const rows = await rowsOf('summarize n = count() by type = gettype(a) | sort by n', '-i', pipe)
  await written
  expect(rows).toEqual([
    { type: 'long', n: 2_000 },
    { type: 'string', n: 1 },
  ])
})

describe('a query of files', () => {
  it('names the format of a file once, also when the file is read again', async () => {
    const log = join(scratch, 'again.log')
    writeFileSync(log, 'Jan  1 10:00:00 h sshd[1]: started\nJan  1 10:00:01 h sshd[1]: stopped\n')
    const { stderr } = await evqInProcess(['query', '-i', log, 'summarize count() by status'], {
      directory,
    })
    expect(stderr.match(/Reading/g)).toHaveLength(1)
    expect(stderr).toContain('There is no field `status`')
  })

  const first = join(scratch, 'first.ndjson')
  const second = join(scratch, 'second.ndjson')
  const line = (i: number) =>
    `{"ts":"2026-01-01T00:00:${String(i % 60).padStart(2, '0')}Z","a":{"b":${i},"c":"${'é'.repeat(i % 5)}\\n"},"r":${i / 4},"on":${i % 3 === 0},"x":[${i}]}`
  const lines = Array.from({ length: 2_500 }, (_, i) => line(i))
  writeFileSync(first, `\ufeff${lines.slice(0, 1_200).join('\r\n')}`)
  writeFileSync(second, `\n${lines.slice(1_200).join('\n')}\n\n`)

  it.each([
    'summarize n = count(), sum(a.b), max(r), dcount(a.c) by on | sort by on asc',
    'summarize count() by bin(_time, 30s) | sort by _time asc',
    'where a.c has "é" | summarize total = sum(r), make_list(a.b, 5)',
    'extend s = strcat(a.c, tostring(r)) | summarize max(s), countif(on)',
    'sort by r desc | project a.b, r, on | limit 7',
    'summarize arg_max(a.b, r, on, _time)',
    'extend c = a.c | distinct c | sort by c asc',
    'summarize t = count() by gettype(r), gettype(on), gettype(a.b)',
    'make-series n = count() on _time from datetime(2026-01-01) to datetime(2026-01-01T00:01:00Z) step 20s',
    'count',
  ])('has the result of stored events: %s', async (apl) => {
    const empty = join(scratch, 'empty.ndjson')
    writeFileSync(empty, '')
    const resultOf = async (before: string) => {
      const args = ['query', '-i', first, '-i', second, `${before}${apl}`]
      const { stdout, stderr, status } = await evqInProcess(args, { directory })
      return { stdout, stderr: stderr.replace(/ in [\d.]+ m?s/, ''), status }
    }
    const scanned = await resultOf('')
    expect(scanned).toEqual(await resultOf(`let unused = file('${empty}'); `))
    expect(scanned.stdout).not.toBe('')
    expect(scanned.status).toBe(0)
  })
})

it('gives fields the same types and values, however many other events there are', async () => {
  const lines = ['{"i":7,"m":1,"s":"7","o":{"p":3}}', '{"i":-7,"m":2.5,"s":"b","o":{"p":4}}']
  const few = join(scratch, 'few.ndjson')
  const diluted = join(scratch, 'diluted.ndjson')
  writeFileSync(few, lines.join('\n'))
  writeFileSync(diluted, `${lines.join('\n')}\n${'{"other":1}\n'.repeat(2_000)}{"m":0}\n`)
  const apl =
    'where isnotnull(i) | project i / 2, m / 2, strcat(i, s), gettype(i), o.p / 2, s < "a"'
  const expected = [
    [3, 0.5, '77', 'long', 1, true],
    [-3, 1.25, '-7b', 'long', 2, false],
  ]
  expect((await rowsOf(apl, '-i', few)).map(Object.values)).toEqual(expected)
  expect((await rowsOf(apl, '-i', diluted)).map(Object.values)).toEqual(expected)
})

it('reads nothing but the files in directories with --recursive', async () => {
  const root = join(scratch, 'below')
  mkdirSync(join(root, 'deep'), { recursive: true })
  const ask = (stdin: string) =>
    evqInProcess(['query', '-i', root, '-r', 'where isnotnull(n) | project n'], {
      directory,
      stdin,
    })
  const none = await ask('{"n":0}\n')
  expect(none).toMatchObject({ stdout: '', status: 0 })
  for (const n of [1, 2, 3]) writeFileSync(join(root, 'deep', `${n}.ndjson`), `{"n":${n}}\n`)
  const { stdout, stderr } = await ask('')
  expect(stdout).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
  expect(stderr).toMatch(/^Reading 3 files in `.*below`\.\n3 rows, 3 events examined/)
})
