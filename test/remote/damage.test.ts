import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ClickHouseServers,
  needsServers,
  serveFlags,
  startServers,
} from '../support/clickhouse-server.js'
import { evq, start } from '../support/evq.js'
import { needsReplicas, type Replicas, startReplicas } from '../support/replicas/replicas.js'
import { areConnected, run as runOn } from '../support/replicas/service.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

// A server detaches a part that it can't load when it starts. No result may lack its events without saying so.

const scratch = temporaryDirectory()
const BATCHES = 4
const EVENTS = 5

interface Part {
  readonly name: string
  readonly path: string
}

describe('a damaged part on a server', needsServers, () => {
  const directory = join(scratch, 'of-server')
  let servers: ClickHouseServers
  let service: ReturnType<typeof start>

  const run = (...args: string[]) => evq(args, { directory })

  async function serve(): Promise<void> {
    const urls = servers.servers.map(({ url }) => url)
    const flags = serveFlags(urls, scratch)
    service = start(['serve', '--listen', '127.0.0.1:0', ...flags], { directory })
    await service.err.until(/on http:/)
  }

  async function stop(): Promise<void> {
    service.child.kill('SIGTERM')
    await service.ended
  }

  async function ask(url: string, statement: string): Promise<string> {
    const response = await fetch(url, { method: 'POST', body: statement })
    const text = await response.text()
    expect(response.ok, text).toBe(true)
    return text.trim()
  }

  beforeAll(async () => {
    servers = await startServers(1)
    await serve()
    for (const dataset of ['logs', 'other']) {
      for (let batch = 0; batch < BATCHES; batch++) {
        const lines = Array.from({ length: EVENTS }, (_, i) => `{"n":${batch * EVENTS + i}}\n`)
        const { status } = await evq(['ingest', dataset, '-q', '-'], {
          directory,
          stdin: lines.join(''),
        })
        expect(status).toBe(0)
        // Each part then is a batch. Merges are stopped in tables that exist, and the first batch creates them.
        for (const { url } of servers.servers) await ask(url, 'SYSTEM STOP MERGES')
      }
    }
    await stop()
    const statement = `
      SELECT name, path FROM system.parts
      WHERE active AND table = 'logs' AND database LIKE 'datasets%' ORDER BY name LIMIT 1
      FORMAT JSONEachRow`
    const part: Part = JSON.parse(await ask(servers.servers[0]!.url, statement))
    for (const server of servers.servers) await server.kill()
    writeFileSync(join(part.path, 'count.txt'), '')
    await Promise.all(servers.servers.map((server) => server.start()))
    await serve()
  })

  afterAll(async () => {
    await service.kill()
    await servers.stop()
  })

  it('is named by everything that reads it until its loss is accepted', async () => {
    const left = (BATCHES - 1) * EVENTS
    const message = 'Files of the dataset `logs` are damaged: some of its events may be missing.'
    const counted = await run('query', "['logs'] | count")
    expect(counted).toMatchObject({ status: 3, stdout: `{"Count":${left}}\n` })
    expect(counted.stderr.replace(/\s+/g, ' ')).toContain(message)
    const paged = await run('page', "['logs'] | project _time, n", '-o', 'ndjson')
    expect({ status: paged.status, lines: paged.stdout.trim().split('\n').length }).toEqual({
      status: 3,
      lines: left,
    })
    expect((await run('query', "['other'] | count")).status).toBe(0)
    const address = /on (http:\/\/[\d.]+:\d+)/.exec(service.err.text())?.[1]
    expect((await fetch(`${address}/readyz`)).status).toBe(503)
    const shown = await run('dataset', 'show', 'logs')
    expect(shown.stderr.replace(/\s+/g, ' ')).toMatch(
      /logs: part `all_\d+_\d+_\d+` is damaged: an unknown number of events missing from all results/,
    )

    const accepted = await run('dataset', 'accept-loss', 'logs', '--yes')
    expect(accepted).toMatchObject({ status: 0 })
    const complete = { status: 0, stdout: `{"Count":${left}}\n` }
    expect(await run('query', "['logs'] | count")).toMatchObject(complete)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    // The loss stays accepted.
    await stop()
    await serve()
    expect(await run('query', "['logs'] | count")).toMatchObject(complete)
  })
})

describe('a part that all replicas have lost', needsReplicas, () => {
  const directory = join(scratch, 'of-replicas')
  let replicas: Replicas
  let service: ReturnType<typeof start>

  const run = (...args: string[]) => evq(args, { directory })

  async function serve(): Promise<void> {
    const flags = serveFlags(replicas.urls, scratch)
    service = start(['serve', '--listen', '127.0.0.1:0', ...flags], { directory })
    await service.err.until(/on http:/)
  }

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 1, replicas: 2 })
    await serve()
    for (let batch = 0; batch < BATCHES; batch++) {
      const lines = Array.from({ length: EVENTS }, (_, i) => `{"n":${batch * EVENTS + i}}\n`)
      const stdin = lines.join('')
      const { status } = await evq(['ingest', 'logs', '-q', '-'], { directory, stdin })
      expect(status).toBe(0)
      for (const server of replicas.servers) await runOn(server, 'SYSTEM STOP MERGES')
    }
    const statement = `
      SELECT name, path FROM system.parts WHERE active AND table = 'logs' AND name LIKE 'all_1_1_0%'
        AND database = 'datasets_shard' FORMAT JSONEachRow`
    const parts = await Promise.all(
      replicas.servers.map(
        async (server): Promise<Part> =>
          JSON.parse(await until(() => runOn(server, statement), 'the replica has the part')),
      ),
    )
    for (const server of replicas.servers) await server.kill()
    for (const { path } of parts) writeFileSync(join(path, 'count.txt'), '')
    for (const server of replicas.servers) await server.start()
    for (const server of replicas.servers) await areConnected(server)
  })

  afterAll(async () => {
    await service.kill()
    await replicas.stop()
  })

  it('is named by results until its loss is accepted', async () => {
    const [first] = replicas.servers
    const losses = "SELECT sum(lost_part_count) FROM system.replicas WHERE table = 'logs'"
    await until(async () => (await runOn(first!, losses)) === '1', 'the loss is noticed')
    const left = (BATCHES - 1) * EVENTS
    const counted = await until(async () => {
      const result = await run('query', "['logs'] | count")
      return result.status === 3 && result
    }, 'the result is partial')
    expect(counted.stdout).toBe(`{"Count":${left}}\n`)
    expect(counted.stderr.replace(/\s+/g, ' ')).toContain(
      'Files of the dataset `logs` are damaged: some of its events may be missing.',
    )
    expect((await run('dataset', 'show', 'logs')).stderr.replace(/\s+/g, ' ')).toContain(
      'logs: part `1 that shard 1 lost` is damaged: an unknown number of events missing from all results',
    )
    expect(await run('dataset', 'accept-loss', 'logs', '--yes')).toMatchObject({ status: 0 })
    const complete = { status: 0, stdout: `{"Count":${left}}\n` }
    expect(await run('query', "['logs'] | count")).toMatchObject(complete)
    // The loss stays accepted.
    service.child.kill('SIGTERM')
    await service.ended
    await serve()
    expect(await run('query', "['logs'] | count")).toMatchObject(complete)
  })
})
