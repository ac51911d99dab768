import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inTurn, json, scriptedService, stored } from '../../../client/scripted-service.js'
import { runToEnd } from '../../../support/ingest-run.js'
import { needs } from '../../../support/needs.js'
import { roughService } from '../../../support/rough-service.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const scratch = temporaryDirectory()
const isBad = (event: string) => event.includes('bad')

describe('the receipt', () => {
  it('has the outcomes of the events of each file', async () => {
    const a = file(
      'a.ndjson',
      '{"_time":"2026-01-31T10:00:00+01:00","n":1}\nbad\n{"_time":1769850000123,"n":3}\n',
    )
    const b = file('b.csv', 'n,_time\n1,2026-02-01\n2,2026-02-02\n')
    const c = file('c.json', '[]')
    const service = await roughService({ isBad })
    const { receipt, exitCode } = await run(service.url, [a, b, c])
    expect(receipt).toEqual({
      dataset: 'logs',
      files: [
        {
          file: a,
          read: 3,
          accepted: 2,
          rejected: 1,
          skipped: 0,
          bytes: 78,
          firstTime: '2026-01-31T09:00:00Z',
          lastTime: '2026-01-31T09:00:00.123Z',
        },
        {
          file: b,
          read: 2,
          accepted: 2,
          rejected: 0,
          skipped: 0,
          bytes: 26,
          firstTime: '2026-02-01T00:00:00Z',
          lastTime: '2026-02-02T00:00:00Z',
        },
        {
          file: c,
          read: 0,
          accepted: 0,
          rejected: 0,
          skipped: 0,
          bytes: 0,
          firstTime: null,
          lastTime: null,
        },
      ],
      batches: 2,
      retries: 0,
      complete: true,
    })
    expect(exitCode).toBe(3)
  })

  it('counts repeated requests', async () => {
    const { url } = await scriptedService(
      inTurn(
        json({}, 429, { 'retry-after': '0.01' }),
        json({}, 503, { 'retry-after': '0' }),
        stored,
      ),
    )
    const { receipt, exitCode } = await run(url, [file('again.ndjson', '{"n":1}\n')])
    expect(receipt).toMatchObject({ batches: 1, retries: 2, complete: true })
    expect(exitCode).toBe(0)
  })

  it('has the events that were not sent when a run failed', async () => {
    const { url } = await scriptedService((response, request) =>
      (request.body.includes('1') ? stored : json({ message: 'gone' }, 404))(response, request),
    )
    const path = file('short.ndjson', '{"n":1}\n{"n":2}\n')
    const { receipt, exitCode } = await run(url, [path], { 'batch-size': '1', concurrency: '1' })
    expect(receipt).toMatchObject({
      files: [{ read: 2, accepted: 1, rejected: 0, unsent: 1 }],
      complete: false,
    })
    expect(exitCode).toBe(3)
  })

  it('has unconfirmed events when a response does not cover all', async () => {
    const { url } = await scriptedService(json({ ingested: 1, failed: 0, failures: [] }))
    const { receipt, exitCode } = await run(url, [file('left.ndjson', '{"n":1}\n{"n":2}\n')])
    expect(receipt).toMatchObject({
      files: [{ read: 2, accepted: 1, unconfirmed: 1 }],
      complete: false,
    })
    expect(exitCode).toBe(3)
  })

  it(
    'has the events of a batch whose rejects could not be written',
    needs(existsSync('/dev/full'), '/dev/full'),
    async () => {
      const service = await roughService({ isBad })
      const path = file('rejected.ndjson', '{"n":1}\nbad\n')
      const { receipt, exitCode } = await run(service.url, [path], { rejects: '/dev/full' })
      expect(receipt).toMatchObject({
        files: [{ read: 2, accepted: 1, rejected: 1 }],
        complete: false,
      })
      expect(exitCode).toBe(1)
    },
  )

  it('is not complete when a file can not be read', async () => {
    const service = await roughService()
    const files = [join(scratch, 'missing'), file('there.ndjson', '{"n":1}\n')]
    const { receipt, exitCode } = await run(service.url, files)
    expect(receipt).toMatchObject({ files: [{ accepted: 1 }], complete: false })
    expect(exitCode).toBe(1)
  })
})

it.each([
  ['no such folder', join(scratch, 'no', 'receipt.json'), 'no such file or directory'],
  ['a folder', scratch, 'is a directory'],
  ['no name for a file', join(scratch, 'x'.repeat(300)), 'name too long'],
])(
  'of a place where nothing can be written is said before anything is sent: %s',
  async (...place) => {
    const [, receipt, words] = place
    const service = await roughService()
    const ended = await runToEnd({ url: service.url, stdin: '{"n":1}\n', args: { receipt } })
    expect(ended.err).toBe(`evq: \`${receipt}\` can't be written: ${words}.\n`)
    expect(ended.exitCode).toBe(1)
    expect(service.requests).toBe(0)
  },
)

it('the receipt parses times like the service', async () => {
  const service = await roughService()
  const path = file('times.csv', 'at,"n"\n"31.01.2026 10:00",1\n01.02.2026 11:30,2')
  const args = { 'timestamp-field': 'at', 'timestamp-format': '02.01.2006 15:04' }
  const { receipt } = await run(service.url, [path], args)
  expect(receipt).toMatchObject({
    files: [{ firstTime: '2026-01-31T10:00:00Z', lastTime: '2026-02-01T11:30:00Z' }],
  })
})

async function run(
  url: string,
  files: readonly string[],
  args: Readonly<Record<string, string>> = {},
) {
  const path = join(scratch, 'receipt.json')
  const ended = await runToEnd({ url, files, args: { ...args, receipt: path } })
  return { ...ended, receipt: JSON.parse(readFileSync(path, 'utf8')) }
}

function file(name: string, content: string): string {
  const path = join(scratch, name)
  writeFileSync(path, content)
  return path
}
