import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../../../../src/main.js'
import { json, scriptedService } from '../../../../client/scripted-service.js'
import { type FakeIoOptions, fakeIo } from '../../../../support/fake-io.js'
import { temporaryDirectory } from '../../../../support/temporary.js'

const scratch = temporaryDirectory()
const data = join(scratch, 'data')
const answer = json({ ingested: 1, failed: 0, failures: [] })

describe('`--dry-run`', () => {
  it('prints the requests without the token and sends none', async () => {
    const { url, received } = await scriptedService(answer)
    const lines = file('app.ndjson', '{"n":1}\n{"n":2}\n{"n":3}\n')
    const table = file('b.csv', 'n,m\n1,2\n')
    const args = [lines, table, '--batch-size', '2', '--timestamp-field', 'ts', '-l', 'env=prod']
    const env = { EVQ_URL: url, EVQ_TOKEN: 'xaat-secret' }
    const dry = await ingest([...args, '--dry-run'], { env })
    expect(received).toEqual([])
    expect(dry.exitCode).toBe(0)
    expect(dry.err).toBe('logs: 4 events in 3 batches, none would be rejected, nothing was sent\n')
    expect(dry.out).not.toContain('secret')
    expect(dry.records.filter(({ kind }) => kind === 'file')).toMatchObject([
      fileRecord(lines, 'NDJSON', {
        batches: 2,
        events: 3,
        bytes: 24,
        sentBytes: 24,
        firstEvent: '{"n":1}',
      }),
      fileRecord(table, 'CSV', {
        batches: 1,
        events: 1,
        bytes: 4,
        sentBytes: 8,
        firstEvent: '1,2',
      }),
    ])

    // The run itself sends just these.
    await ingest(args, { env })
    const requests = dry.records.filter(({ kind }) => kind === 'request')
    expect(requests).toHaveLength(2)
    for (const { headers, url: address, method } of requests) {
      const {
        authorization,
        'x-service-batch-id': _,
        ...others
      } = headers as Record<string, string>
      expect(authorization).toBe('Bearer …')
      const sent = received.find((one) => one.headers['content-type'] === others['content-type'])
      expect(sent?.headers).toMatchObject(others)
      expect({ method: sent?.method, url: `${url}${sent?.url}` }).toEqual({ method, url: address })
    }
  })

  it('shows batches of up to 20,000 events without a deployment, and of 10,000 with one', async () => {
    const { url } = await scriptedService(answer)
    const lines = file('many.ndjson', '{"n":1}\n'.repeat(20_001))
    const batches = async (args: readonly string[], env = {}) => {
      const { records } = await ingest([lines, '--dry-run', ...args], { env })
      return records.find(({ kind }) => kind === 'file')?.batches
    }
    expect(await batches([])).toBe(2)
    expect(await batches([], { EVQ_URL: url })).toBe(3)
    expect(await batches(['--batch-size', '20000'], { EVQ_URL: url })).toBe(3)
  })

  it('does not open the data directory', async () => {
    const { out, exitCode } = await ingest([file('one.ndjson', '{"n":1}\n'), '--dry-run'], {
      isTerminal: true,
    })
    expect(out).toContain(`POST /v1/ingest/logs in the data directory \`${data}\`\n`)
    expect(exitCode).toBe(0)
    expect(existsSync(data)).toBe(false)
  })

  it('cuts a long event to the width of the terminal', async () => {
    const path = file('long.ndjson', `{"text":"${'日本'.repeat(100_000)}\u009b"}\n`)
    const { out } = await ingest([path, '--dry-run'], { isTerminal: true, columns: 40 })
    expect(out).toMatch(/\n {2}\{"text":"(?:日本)+日?…\n/)
  })

  it('reports unreadable files and exits with 1', async () => {
    const { err, exitCode } = await ingest(['missing', '--dry-run'])
    expect(err).toMatch(/`missing` can't be read: there is no such file\.\n/)
    expect(exitCode).toBe(1)
  })

  it('reports the events that would be rejected, as `--check` does, and exits with 3', async () => {
    const path = file('bad.ndjson', '{"n":1}\n{"_time":"never"}\n')
    const dry = await ingest([path, '--dry-run'])
    const check = await ingest([path, '--check'])
    expect(check.records).not.toEqual([])
    expect(dry.records.filter(({ kind }) => kind !== 'request')).toMatchObject(check.records)
    expect(dry.err).toBe('logs: 2 events in 1 batch, 1 would be rejected, nothing was sent\n')
    expect([dry.exitCode, check.exitCode]).toEqual([3, 3])
  })

  it.each(['--rejects', '--receipt'])('does not go with %s', async (flag) => {
    const other = join(scratch, 'other')
    const { err, exitCode } = await ingest([file('x.ndjson', '{}\n'), '--dry-run', flag, other])
    expect(err).toContain("sends nothing, so it can't be used with")
    expect(exitCode).toBe(2)
  })
})

async function ingest(args: readonly string[], options: FakeIoOptions = {}) {
  const fake = fakeIo({
    ...options,
    env: { EVQ_DATA_DIR: data, XDG_STATE_HOME: scratch, ...options.env },
  })
  const exitCode = await main(['ingest', 'logs', ...args], fake)
  const out = fake.out()
  const lines = options.isTerminal ? [] : out.split('\n').filter((line) => line !== '')
  const records: Record<string, unknown>[] = lines.map((line) => JSON.parse(line))
  return { exitCode, records, out, err: fake.err() }
}

function fileRecord(path: string, format: string, rest: object) {
  return { kind: 'file', file: path, format, ...rest }
}

function file(name: string, content: string): string {
  const path = join(scratch, name)
  writeFileSync(path, content)
  return path
}
