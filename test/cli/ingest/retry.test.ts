import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { json, scriptedService } from '../../client/scripted-service.js'
import { runToEnd } from '../../support/ingest-run.js'
import { roughService } from '../../support/rough-service.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()
const isBad = (event: string) => event.includes('bad')

describe('--retry', () => {
  it('lets what passes leave the file, and keeps the rest with its place and its new reason', async () => {
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

  it('sends rows of CSV under the headers that they had', async () => {
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

  it('reads lines of a log as what they were, messages of several lines too', async () => {
    const service = await roughService()
    const old = { file: 'a.log', line: 1, offset: 0, reason: 'old' }
    const path = rejects([
      { ...old, format: 'text', event: 'no {"json":1}' },
      { ...old, format: 'logfmt', event: 'level=info n=1' },
      { ...old, format: 'clf', event: 'nothing of the kind' },
      { ...old, format: 'syslog', event: '<13>1 2026-01-02T03:04:05Z h a 7 - - one\ntwo' },
      { ...old, event: '{"n":1}' },
    ])
    const { err } = await retry(service.url, path)
    const texts = service.events.map((event) => JSON.parse(event))
    expect(texts).toMatchObject([
      { message: 'no {"json":1}' },
      { level: 'info' },
      { _time: '2026-01-02T03:04:05Z', app: 'a', message: 'one\ntwo' },
      { n: 1 },
    ])
    expect(err).toContain(`${path}:3: it has no \`[time] "request"\``)
    expect(lines(path)).toMatchObject([{ format: 'clf', event: 'nothing of the kind' }])
  })

  it('leaves the file as it is when nothing gets through', async () => {
    const { url } = await scriptedService(json({ message: 'gone' }, 404))
    const path = rejects([{ file: 'a', line: 1, offset: 0, reason: 'old', event: '{"n":1}' }])
    const before = readFileSync(path, 'utf8')
    expect((await retry(url, path)).exitCode).toBe(1)
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  it('empties the file when all passes', async () => {
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

  it('keeps all that may be meant when the service does not tell which', async () => {
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

  it('of a file that is none sends nothing', async () => {
    const service = await roughService()
    const path = join(scratch, 'other.ndjson')
    writeFileSync(path, '{"n":1}\n')
    const { exitCode, err } = await retry(service.url, path)
    expect(exitCode).toBe(1)
    expect(err).toBe(`evq: \`${path}\` is no rejects file: line 1 is no record of one.\n`)
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

function lines(path: string): readonly unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

function retry(url: string, path: string, args: Readonly<Record<string, string>> = {}) {
  return runToEnd({ url, args: { ...args, retry: path, concurrency: '1' } })
}
