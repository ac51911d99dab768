// A response is believed only when it is what was asked for: a proxy, another service or a broken one may answer 200.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { json, type Reply, scriptedService } from '../client/scripted-service.js'
import { start } from '../support/evq.js'
import { fakeIo } from '../support/fake-io.js'
import { needsLinux } from '../support/needs.js'
import { peakMemory } from '../support/peak-memory.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const out = join(scratch, 'out.ndjson')

async function run(args: readonly string[], reply: Reply, { isTerminal = false, stdin = '' } = {}) {
  const { url, received } = await scriptedService(reply)
  const io = fakeIo({ env: { EVQ_URL: url }, isTerminal, columns: 400, stdin })
  const status = await main(args, io)
  return { status, out: io.out(), err: io.err(), received }
}

const text =
  (body: string): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }

const WITHOUT_TABLES = [
  ...['{}', '{"status":"ok"}', '{"error":"backend down"}', '{"format":"tabular","status":{}}'],
  ...['null', '[]', '"ok"', 'ok', ''],
]

describe('200 without tables is an error', () => {
  it.each(WITHOUT_TABLES)('%s', async (body) => {
    for (const args of [
      ['query', "['logs']"],
      ['query', "['logs']", '-o', 'csv'],
      ['query', "['logs']", '-o', 'raw'],
      ['query', "['logs']", '--stats'],
      ['query', '--legacy', 'logs'],
      ['query', "['logs']", '--format', 'legacy', '-o', 'raw'],
      ['query', "['logs']", '-O', out],
      ['page', "['logs']", '-O', out],
      ['page', "['logs']", '-O', out, '--checkpoint', join(scratch, 'state')],
      ['diff', "['logs'] | count", '--since', '1h', '--against', '1d'],
      ['tail', 'logs'],
      ['dataset', 'sample', 'logs'],
    ]) {
      for (const isTerminal of [false, true]) {
        const ended = await run(args, text(body), { isTerminal })
        const told = body === '' ? 'It is empty.' : `The service returned \`${body}\`.`
        expect([ended.status, ended.err], args.join(' ')).toEqual([
          1,
          expect.stringContaining(told),
        ])
        expect(ended.err).toContain('Unexpected response: ')
        if (!args.includes('raw')) expect(ended.out).toBe('')
      }
    }
    expect(existsSync(out)).toBe(false)
  })

  it('which leaves the file of an earlier export alone', async () => {
    const file = join(scratch, 'earlier.ndjson')
    writeFileSync(file, 'rows\n')
    for (const command of ['query', 'page'])
      expect((await run([command, "['logs']", '-O', file], json({}))).status).toBe(1)
    expect(readFileSync(file, 'utf8')).toBe('rows\n')
  })
})

const COUNTS: readonly string[] = [
  '{"ingested":2,"failed":7,"failures":[]}',
  '{"ingested":1000,"failed":0,"failures":[]}',
  '{"ingested":1e400,"failed":0,"failures":[]}',
  '{"ingested":1.5,"failed":0.5,"failures":[]}',
  '{"ingested":-2,"failed":4,"failures":[]}',
  '{"ingested":2,"failed":-1,"failures":[]}',
  '{"ingested":2,"failed":1e400,"failures":[]}',
  '{"ingested":2,"failed":"none","failures":[]}',
  '{"ingested":"2","failed":0,"failures":[]}',
  '{"ingested":2,"failed":0,"failures":[{"error":"no"}]}',
  '{"ingested":9007199254740993,"failed":0,"failures":[]}',
  '{"failed":0,"failures":[]}',
  ...WITHOUT_TABLES,
]

describe('counts of ingest that do not add up are an unknown outcome', () => {
  it.each(COUNTS)('%s', async (body) => {
    const rejects = join(scratch, `rejects-${COUNTS.indexOf(body)}`)
    const args = ['ingest', 'logs', '-i', 'ndjson', '--rejects', rejects]
    const ended = await run(args, text(body), { stdin: '{"n":1}\n{"n":2}\n' })
    expect(ended.status, ended.err).toBe(1)
    expect(ended.err).toContain('Unexpected response: ')
    expect(ended.err).not.toMatch(/[12] events? stored/)
    expect(readFileSync(rejects, 'utf8')).toContain('Unexpected response: ')
    // A service without batch ids would store them twice.
    expect(ended.received).toHaveLength(1)
  })

  it('too few are not counted as stored', async () => {
    const ended = await run(
      ['ingest', 'logs', '-i', 'ndjson'],
      json({ ingested: 1, failed: 0, failures: [] }),
      { stdin: '{"n":1}\n{"n":2}\n' },
    )
    expect(ended.status).toBe(3)
    expect(ended.err).toMatch(/logs: 1 event stored/)
  })
})

/** Begins a response and then sends one byte after the other, for ever. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}

describe('a response that drips', () => {
  it.each([
    [['query', "['logs']"], ''],
    [['query', '--legacy', 'logs'], ''],
    [['page', "['logs']"], ''],
    [['starred', 'list'], ''],
    [['ingest', 'logs', '-i', 'ndjson'], '{"n":1}\n'],
  ])('ends with the timeout: %j', async (args, stdin) => {
    const ended = await run([...args, '--timeout', '200ms'], drip, { stdin })
    expect(ended.status).toBe(1)
    expect(ended.err).toMatch(
      /stopped in the middle of a response: it sent less than 4 KiB within 0\.2 s\./,
    )
  })
})

describe('an endless response', needsLinux, () => {
  it.each([16, 65_536])('in pieces of %d bytes ends near the limit', async (bytes) => {
    const piece = Buffer.from(`${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`)
    const many = Buffer.concat(
      Array.from({ length: Math.ceil(65_536 / piece.length) }, () => piece),
    )
    const { url } = await scriptedService((response) => {
      const { socket } = response
      socket?.on('error', () => {})
      socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const more = () => {
        while (socket?.destroyed === false && socket.write(many)) {}
      }
      socket?.on('drain', more)
      more()
    })
    // Lists of saved queries have a lower limit than rows, which makes the test cheap.
    const running = start(['starred', 'list'], {
      directory: join(scratch, 'data'),
      env: { EVQ_URL: url },
    })
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, peakMemory(running.child.pid ?? 0))
    }, 20)
    const { status, stderr } = await running.ended.finally(() => clearInterval(watch))
    expect([status, stderr]).toEqual([1, expect.stringContaining('it is longer than 64 MiB')])
    expect(peak).toBeLessThan(400 * 1024 * 1024)
  })
})
