import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { json, scriptedService } from '../../../client/scripted-service.js'
import { runToEnd } from '../../../support/ingest-run.js'
import { roughService } from '../../../support/rough-service.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const scratch = temporaryDirectory()
const isBad = (event: string) => event.includes('bad')

describe('--retry', () => {
  it('removes stored events and keeps the others with their position and new reason', async () => {
    const service = await roughService({ isBad })
    const path = rejects([
      {
        file: 'a.ndjson',
        line: 3,
        offset: 9,
        reason: 'old',
        requestId: 'r1',
        event: '{"n":9007199254740993}',
      },
      { file: 'a.ndjson', line: 5, offset: 45, reason: 'old', requestId: 'r2', event: 'bad' },
      { file: 'b.ndjson', line: 1, offset: 0, reason: 'too long' },
      { file: 'b.json', offset: 1, reason: 'old', unconfirmed: true, event: '{"b":\n[2]}' },
    ])
    const { exitCode, err } = await retry(service.url, path)
    expect(service.events).toEqual(['{"n":9007199254740993}', '{"b": [2]}'])
    expect(lines(path)).toEqual([
      { file: 'a.ndjson', line: 5, offset: 45, reason: 'it is bad', event: 'bad' },
      { file: 'b.ndjson', line: 1, offset: 0, reason: 'too long' },
    ])
    expect(err).toContain(`${path}:2: it is bad`)
    expect(err).toMatch(/logs: 2 events stored, 1 rejected/)
    expect(exitCode).toBe(3)
  })

  it('sends CSV rows with their original headers', async () => {
    const service = await roughService({ isBad })
    const path = rejects([
      { file: 'a.csv', line: 2, offset: 4, reason: 'old', header: 'a,b', event: '1,"x\ny"' },
      { file: 'b.csv', line: 2, offset: 4, reason: 'old', header: 'c', event: 'bad' },
      { file: 'd.csv', line: 2, offset: 4, reason: 'old', header: 'a;b', event: '5;6' },
      {
        file: 'c.tsv',
        line: 2,
        offset: 4,
        reason: 'old',
        header: 'a\tb',
        delimiter: '\t',
        event: '3\t4',
      },
      { file: 'a.csv', line: 4, offset: 9, reason: 'old', header: 'a,b', event: '2,z' },
    ])
    await retry(service.url, path)
    expect(service.heads).toEqual(new Set(['a,b', 'c', 'a;b', 'a\tb']))
    expect(service.events).toEqual(['1,"x\ny"', '2,z', '5;6', '3\t4'])
    expect(service.urls.at(-1)).toBe('/v1/ingest/logs?csv-delimiter=%09')
    expect(lines(path)).toEqual([
      { file: 'b.csv', line: 2, offset: 4, reason: 'it is bad', header: 'c', event: 'bad' },
    ])
  })

  it('leaves the file unchanged when nothing is sent', async () => {
    const { url } = await scriptedService(json({ message: 'gone' }, 404))
    const path = rejects([{ file: 'a', line: 1, offset: 0, reason: 'old', event: '{"n":1}' }])
    const before = readFileSync(path, 'utf8')
    expect((await retry(url, path)).exitCode).toBe(1)
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  it('empties the file when every event is stored', async () => {
    const service = await roughService()
    const events = Array.from({ length: 5000 }, (_, n) => `{"n":${n}}`)
    const path = rejects(
      events.map((event, n) => ({ file: 'a', line: n + 1, offset: 0, reason: 'old', event })),
    )
    const { exitCode } = await retry(service.url, path, { 'batch-size': '700' })
    expect(exitCode).toBe(0)
    expect(new Set(service.events)).toEqual(new Set(events))
    expect(readFileSync(path, 'utf8')).toBe('')
    expect(readdirSync(scratch).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('keeps all candidates when the service does not say which events failed', async () => {
    const service = await roughService({ isBad, refuses: 'each, without place' })
    const path = rejects([
      { file: 'a', line: 1, offset: 0, reason: 'old', event: '{"n":1}' },
      { file: 'a', line: 2, offset: 8, reason: 'old', event: 'bad' },
    ])
    await retry(service.url, path)
    expect(lines(path)).toEqual([
      { file: 'a', line: 1, offset: 0, reason: 'it is bad', unconfirmed: true, event: '{"n":1}' },
      { file: 'a', line: 2, offset: 8, reason: 'it is bad', unconfirmed: true, event: 'bad' },
    ])
  })

  it('sends an event once when it has two records', async () => {
    const service = await roughService({ isBad })
    const old = { file: 'a.ndjson', line: 1, offset: 0 }
    const path = rejects([
      { ...old, reason: 'old', requestId: 'r1', event: '{"n":1}' },
      { ...old, line: 2, offset: 8, reason: 'old', event: '{"bad":2}' },
      { ...old, reason: 'the connection was lost', unconfirmed: true, event: '{"n":1}' },
      { ...old, line: 2, offset: 8, reason: 'old', event: '{"bad":2}' },
      { ...old, line: 3, offset: 18, reason: 'old', event: '{"n":1}' },
      { ...old, file: 'b.ndjson', reason: 'old', event: '{"n":1}' },
    ])
    const { err } = await retry(service.url, path)
    expect(service.events).toEqual(['{"n":1}', '{"n":1}', '{"n":1}'])
    expect(lines(path)).toEqual([
      { ...old, line: 2, offset: 8, reason: 'it is bad', event: '{"bad":2}' },
    ])
    expect(err).toContain(`\`${path}\` has 2 duplicate records; each event is sent once.`)
  })

  it('sends equal events of standard input once per record', async () => {
    const service = await roughService()
    const record = { file: 'standard input', line: 1, offset: 0, reason: 'old', event: '{"n":1}' }
    await retry(service.url, rejects([record, record]))
    expect(service.events).toEqual(['{"n":1}', '{"n":1}'])
  })

  it('keeps both records of an event that was not stored', async () => {
    const { url } = await scriptedService(json({ message: 'gone' }, 404))
    const record = { file: 'a', line: 1, offset: 0, reason: 'old', event: '{"n":1}' }
    const path = rejects([record, record])
    await retry(url, path)
    expect(lines(path)).toEqual([record, record])
  })

  it.each([
    ['at the end', (torn: string, whole: string) => `${whole}\n${torn}`],
    ['in a line of its own', (torn: string, whole: string) => `${torn}\n${whole}\n`],
  ])('passes over a record that was cut off, and keeps it: %s', async (_, text) => {
    const record = (n: number) => ({
      ...{ file: 'a "b"', line: n, offset: n, reason: 'old', event: `{"file":${n}}` },
    })
    const cut = JSON.stringify(record(1))
    for (const length of [1, 7, 8, 9, 20, cut.length - 1]) {
      const service = await roughService()
      const torn = cut.slice(0, length)
      const path = rejects([])
      writeFileSync(path, text(torn, JSON.stringify(record(2))))
      const { exitCode, err } = await retry(service.url, path)
      expect([exitCode, service.events]).toEqual([0, ['{"file":2}']])
      expect(readFileSync(path, 'utf8').trim()).toBe(torn)
      expect(err).toMatch(/has 1 record truncated by a full disk or a kill, first in line [12]\./)
    }
  })

  it('sends each event once after a full disk truncated the file', async () => {
    const service = await roughService({ isBad })
    const path = join(scratch, 'full.ndjson')
    const input = join(scratch, 'input.ndjson')
    const events = Array.from({ length: 3000 }, (_, n) => `{"bad":${n},"text":"é${n}"}`)
    writeFileSync(input, events.map((event) => `${event}\n`).join(''))
    // One batch after the other, so that the limit cuts off the same record each time.
    const batches = ['--batch-size', '1000', '--concurrency', '1']
    const run = (blocks: string) =>
      limited(['logs', input, '--rejects', path, ...batches], { service, blocks })
    // The limit of a file's size cuts a write off where it is reached, as a full disk does.
    const full = await run('300')
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining(path)])
    expect(readFileSync(path, 'utf8')).not.toMatch(/\n$/)
    expect((await run('unlimited')).code).toBe(3)
    const records = readFileSync(path, 'utf8').trimEnd().split('\n').map(eventOf)
    expect(new Set(records)).toEqual(new Set([...events, 'cut off']))
    expect(records.length).toBeGreaterThan(events.length + 1)
    const good = await roughService()
    await retry(good.url, path)
    expect(good.events.toSorted()).toEqual(events.toSorted())
    expect(readFileSync(path, 'utf8').trimEnd().split('\n').map(eventOf)).toEqual(['cut off'])
  })

  it('refuses a pipe, which can neither be read twice nor be replaced', async () => {
    const path = join(scratch, 'pipe')
    execFileSync('mkfifo', [path])
    const { exitCode, err } = await retry('http://127.0.0.1:1', path)
    expect(exitCode).toBe(1)
    expect(err).toBe(`evq: \`${path}\` is a device or a pipe. \`--retry\` takes a rejects file.\n`)
  })

  it('sends nothing when the file is not a rejects file', async () => {
    const service = await roughService()
    const path = join(scratch, 'other.ndjson')
    writeFileSync(path, '{"n":1}\n')
    const { exitCode, err } = await retry(service.url, path)
    expect(exitCode).toBe(1)
    expect(err).toBe(`evq: \`${path}\` is not a rejects file: line 1 is not a record.\n`)
    const missing = await retry(service.url, join(scratch, 'missing'))
    expect(missing.err).toContain("can't be read: there is no such file.")
    expect(service.requests).toBe(0)
  })
})

function rejects(records: readonly object[]): string {
  const path = join(scratch, `${Math.random()}.ndjson`)
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return path
}

/** Runs `evq ingest` with a limit of the size of each file that it writes, in blocks of 512 bytes. */
function limited(
  args: readonly string[],
  { service, blocks }: { readonly service: { readonly url: string }; readonly blocks: string },
): Promise<{ readonly code: unknown; readonly stderr: string }> {
  const binary = join(import.meta.dirname, '../../../../bin/evq.js')
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`
  const words = ['-c', script, 'sh', process.execPath, binary, 'ingest', ...args]
  const env = { PATH: process.env.PATH, XDG_STATE_HOME: scratch, EVQ_URL: service.url }
  return new Promise((resolve) => {
    execFile('/bin/sh', words, { env }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    )
  })
}

/** The event of a line of a rejects file. */
function eventOf(line: string): string {
  try {
    return JSON.parse(line).event
  } catch {
    return 'cut off'
  }
}

function lines(path: string): readonly unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

function retry(url: string, path: string, args: Readonly<Record<string, string>> = {}) {
  return runToEnd({ url, args: { ...args, retry: path, concurrency: '1' } })
}
