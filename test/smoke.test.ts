// The first test of each subject of the second stage: see `support/stages.ts`.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ask, store, type Target } from './hostile/requests.js'
import { KillableService } from './kill/service.js'
import { needsServers, startServers } from './support/clickhouse-server.js'
import { start } from './support/evq.js'
import { evqInProcess } from './support/evq-in-process.js'
import { needsReplicas, startReplicas } from './support/replicas/replicas.js'
import { count, ingest, openService, range, run } from './support/replicas/service.js'
import { temporaryDirectory } from './support/temporary.js'
import { until } from './support/until.js'

const scratch = temporaryDirectory()
const root = join(import.meta.dirname, '..')
const COUNT = ['query', 'logs | summarize count(), dcount(n)', '-o', 'csv', '--since', '2000-01-01']

function linesOf(events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('')
}

it('runs without the sources, other packages or a compiled form, as when it is installed', () => {
  const place = join(scratch, 'installed')
  for (const part of ['bin', 'dist/bundle', 'package.json'])
    cpSync(join(root, part), join(place, part), {
      recursive: true,
      filter: (file) => !/\.cache(?:\.\d+)?$/.test(file),
    })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const args = [join(place, 'bin/evq.js'), '--version']
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe(`${version}\n`)
})

describe('a service in a process of its own', () => {
  let service: KillableService
  let target: Target

  beforeAll(async () => {
    service = await KillableService.start(join(scratch, 'data'))
    target = { url: service.env.EVQ_URL!, token: service.env.EVQ_TOKEN! }
  })
  afterAll(() => service.stop())

  it('stores each event once when it is killed while it receives events', async () => {
    const options = { directory: scratch, env: service.env }
    const ingest = start(['ingest', 'logs', '--batch-size', '100'], options)
    ingest.stdin.write(linesOf(range(0, 5_000)))
    // Of ten batches, the client knows that the first is stored: it then waits for a service that is away.
    const hasSome = async () => /\n\d{4,},/.test((await evqInProcess(COUNT, options)).stdout)
    await until(hasSome, 'ten batches are stored')
    await service.kill()
    ingest.stdin.end(linesOf(range(5_000, 5_000)))
    service.restart()
    expect(await ingest.ended).toMatchObject({ status: 0 })
    const counted = await evqInProcess(COUNT, options)
    expect(counted).toMatchObject({ stdout: 'count_,dcount_n\n10000,10000\n' })
  })

  it('answers whoever sends it what is hostile, and responds to others afterwards', async () => {
    const wide = range(0, 3_000).map(({ n }) => `"f${n}":${n}`)
    const statuses = [
      await store(target, 'wide', `{${wide.join(',')}}\n`),
      await store(target, 'deep', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}\n`),
      await ask(target, `print a = ${'('.repeat(100_000)}1${')'.repeat(100_000)}`),
      await ask(target, `wide | where ${'f1 == 1 or '.repeat(5_000)} true`),
    ]
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect((await fetch(`${target.url}/healthz`)).status).toBe(200)
  })
})

it(
  'stores events in a ClickHouse server and queries them, after a restart too',
  needsServers,
  async () => {
    const servers = await startServers(1)
    onTestFinished(() => servers.stop())
    const directory = join(scratch, 'remote')
    const flags = ['serve', '--listen', '127.0.0.1:0', '--clickhouse', servers.servers[0]!.url]
    const answers = []
    for (const [args, stdin] of [
      [['ingest', 'logs', '-q'], linesOf(range(0, 1_000))],
      [COUNT, ''],
    ] as const) {
      const service = start(flags, { directory })
      await service.err.until(/ on http/)
      answers.push(await evqInProcess(args, { directory, stdin }))
      service.child.kill('SIGTERM')
      expect(await service.ended).toMatchObject({ status: 0 })
    }
    expect(answers).toMatchObject([{ status: 0 }, { stdout: 'count_,dcount_n\n1000,1000\n' }])
  },
)

it('keeps what was stored when one of two replicas loses its disk', needsReplicas, async () => {
  const replicas = await startReplicas({ shards: 1, replicas: 2 })
  onTestFinished(() => replicas.stop())
  const service = await openService(replicas.urls)
  onTestFinished(async () => void (await service.store.close()))
  expect(await ingest(service, range(0, 1_000))).toBe(1_000)
  for (const server of replicas.servers)
    expect(await run(server, 'SELECT uniqExact(`n:int`) FROM datasets_shard.logs')).toBe('1000')
  await replicas.servers[0]!.loseDisk()
  expect(await count(service)).toBe(1_000)
})
