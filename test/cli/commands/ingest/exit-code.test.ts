import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { json, type Reply, scriptedService, stored } from '../../../client/scripted-service.js'
import { evq, start } from '../../../support/evq.js'
import { roughService } from '../../../support/rough-service.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { until } from '../../../support/until.js'

const directory = temporaryDirectory()
const two = '{"n":1}\n{"n":2}\n'
const oneBatchEach = ['--batch-size', '1', '--concurrency', '1']

describe('the exit code', () => {
  it('is 0 when everything was stored', async () => {
    expect(await ended(stored, two)).toBe(0)
  })

  it('is 1 when nothing was stored', async () => {
    expect(await ended(json({ message: 'No such dataset.' }, 404), two)).toBe(1)
  })

  it('is 1 when a file can not be read, after the others were sent', async () => {
    const { url, received } = await scriptedService(stored)
    const good = join(directory, 'good.ndjson')
    writeFileSync(good, two)
    const args = ['ingest', 'logs', join(directory, 'missing'), good]
    const { status } = await evq(args, { directory, stdin: '', env: { EVQ_URL: url } })
    expect(status).toBe(1)
    expect(received.length).toBe(1)
  })

  it('is 2 for a wrong command line', async () => {
    expect(await ended(stored, two, ['--max-errors', 'many'])).toBe(2)
    expect(await ended(stored, two, ['--label', 'host'])).toBe(2)
  })

  it('is 3 when events were rejected or the run ended early', async () => {
    const rejecting = json({ ingested: 1, failed: 1, failures: [{ index: 1, error: 'bad' }] })
    expect(await ended(rejecting, two)).toBe(3)
    expect(await ended(failingFromTheSecondOn(404), two, oneBatchEach)).toBe(3)
  })

  it('is 4 when the token is denied', async () => {
    expect(await ended(json({ message: 'Denied.' }, 403), two)).toBe(4)
    expect(await ended(json({ message: 'Denied.' }, 401), two)).toBe(4)
  })

  it('is 5 when more events were rejected than --max-errors allows', async () => {
    const rejecting = json({ ingested: 0, failed: 1, failures: [{ index: 0, error: 'bad' }] })
    expect(await ended(rejecting, two, [...oneBatchEach, '--max-errors', '0'])).toBe(5)
  })
})

describe('Ctrl-C', () => {
  it('writes the rejects file and the receipt while the service is unreachable', async () => {
    const { url, received } = await scriptedService(failingFromTheSecondOn(503))
    const rejects = join(directory, 'rejects.ndjson')
    const receipt = join(directory, 'receipt.json')
    const args = ['ingest', 'logs', ...oneBatchEach, '--rejects', rejects, '--receipt', receipt]
    const running = start(args, { directory, stdin: two, env: { EVQ_URL: url } })
    await until(() => received.length >= 2, 'a second request is received')
    running.child.kill('SIGINT')
    const { signal, stderr } = await running.ended
    expect(signal).toBe('SIGINT')
    expect(stderr).toMatch(/logs: 1 event stored, 1 not sent/)
    expect(JSON.parse(readFileSync(rejects, 'utf8'))).toMatchObject({ line: 2, event: '{"n":2}' })
    expect(JSON.parse(readFileSync(receipt, 'utf8'))).toMatchObject({
      files: [{ read: 2, accepted: 1, unsent: 1 }],
      complete: false,
    })
  })

  it('keeps the events of --retry that were not stored yet', async () => {
    const service = await roughService({ mishap: (request) => (request === 0 ? 'none' : '503') })
    const path = join(directory, 'again.ndjson')
    const record = (line: number) =>
      `${JSON.stringify({ file: 'a', line, offset: line * 8, reason: 'old', event: `{"n":${line}}` })}\n`
    writeFileSync(path, record(1) + record(2) + record(3))
    const args = ['ingest', 'logs', ...oneBatchEach, '--retry', path]
    const running = start(args, { directory, stdin: '', env: { EVQ_URL: service.url } })
    await until(() => service.requests >= 2, 'a second request is received')
    running.child.kill('SIGTERM')
    expect((await running.ended).signal).toBe('SIGTERM')
    expect(service.events).toEqual(['{"n":1}'])
    expect(readFileSync(path, 'utf8')).toBe(record(2) + record(3))
  })
})

function failingFromTheSecondOn(status: number): Reply {
  let count = 0
  return (response, request) => {
    count += 1
    const reply = count === 1 ? stored : json({ message: 'Not now.' }, status)
    reply(response, request)
  }
}

async function ended(reply: Reply, stdin: string, flags: readonly string[] = []) {
  const { url } = await scriptedService(reply)
  const args = ['ingest', 'logs', ...flags]
  return (await evq(args, { directory, stdin, env: { EVQ_URL: url } })).status
}
