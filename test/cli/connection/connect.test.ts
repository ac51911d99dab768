import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { connect } from '../../../src/cli/connection/connect.js'
import { connectLocal } from '../../../src/cli/connection/local.js'
import { dataDirectory, settings } from '../../../src/cli/settings/settings.js'
import type { Connection, HttpRequest } from '../../../src/client/connection.js'
import { managedDatasets } from '../../../src/client/datasets.js'
import { query } from '../../../src/client/query.js'
import { starredQueries } from '../../../src/client/starred.js'
import { lock } from '../../../src/local/file-lock.js'
import { main } from '../../../src/main.js'
import { json, type Reply, scriptedService, stored } from '../../client/scripted-service.js'
import { fakeIo } from '../../support/fake-io.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()
const health: HttpRequest = { method: 'GET', path: '/healthz', purpose: 'query' }

describe('settings', () => {
  it('prefer a flag to the environment', async () => {
    const env = { EVQ_URL: 'http://env', EVQ_ORG_ID: 'env', EVQ_INGEST_URL: 'http://env-edge' }
    expect(await settings({ url: 'http://flag' }, env)).toMatchObject({
      url: 'http://flag',
      organizationId: 'env',
      ingestUrl: 'http://env-edge',
    })
    const none = await settings({}, { EVQ_URL: '', EVQ_ORG_ID: '', EVQ_TOKEN: '', HOME: '/h' })
    expect(none).toMatchObject({ dataDirectory: '/h/.local/share/evq' })
    expect(none).not.toHaveProperty('url')
  })

  it('find the data directory', () => {
    const home = { HOME: '/home/x' }
    expect(dataDirectory({}, home)).toBe('/home/x/.local/share/evq')
    expect(dataDirectory({}, { ...home, XDG_DATA_HOME: '/data' })).toBe('/data/evq')
    expect(dataDirectory({}, { ...home, EVQ_DATA_DIR: '/env' })).toBe('/env')
    expect(dataDirectory({ dataDir: '/flag' }, { ...home, EVQ_DATA_DIR: '/env' })).toBe('/flag')
  })

  it('read a token from a file, without its line end', async () => {
    const path = join(scratch, 'token')
    writeFileSync(path, 'xapt-1\n')
    const url = 'http://flag'
    const { token } = await settings({ url, tokenFile: path }, { EVQ_TOKEN: 'other' })
    expect(token).toMatchObject({ text: 'xapt-1' })
    await expect(settings({ url, tokenFile: `${path}-missing` }, {})).rejects.toThrow(
      /token-missing`: it does not exist/,
    )
  })
})

describe('a configured deployment', () => {
  it('receives the requests, with the token', async () => {
    const service = await scriptedService(json({}))
    const io = fakeIo({ env: { EVQ_URL: service.url, EVQ_TOKEN: 'xapt-1', EVQ_ORG_ID: 'acme' } })
    const connection = connect(await settings({}, io.env), {
      io,
      flags: () => ({}),
      debug: () => {},
      warn: () => {},
      hide: () => {},
    })
    await connection.send(health)
    await connection.close()
    expect(service.received[0]?.headers).toMatchObject({
      authorization: 'Bearer xapt-1',
      'x-service-org-id': 'acme',
    })
  })

  it('receives the version as `User-Agent`', async () => {
    const service = await scriptedService(stored)
    const io = fakeIo({ env: { EVQ_URL: service.url }, stdin: '{"n":1}\n' })
    const manifest = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')
    await main(['ingest', 'logs'], io)
    expect(service.received.map(({ headers }) => headers['user-agent'])).toEqual([
      `evq/${JSON.parse(manifest).version}`,
    ])
  })
})

describe('the local service', () => {
  it('is opened by the first request', async () => {
    const directory = join(scratch, 'lazy', 'data')
    await using(directory, async (local) => {
      await local.close()
      expect(existsSync(directory)).toBe(false)
      expect(await local.send(health)).toMatchObject({ status: 200 })
    })
  })

  it('serves all processes, regardless of which one opened it', async () => {
    const directory = join(scratch, 'shared')
    const several = Array.from({ length: 5 }, () => local(directory))
    const responses = await Promise.all(several.map((one) => one.send(health)))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    for (const one of several) await one.close()
  })

  it('continues when its owner ends', async () => {
    const directory = join(scratch, 'left')
    const owner = local(directory)
    const other = local(directory)
    await owner.send(health)
    await other.send(health)
    await owner.close()
    expect(await other.send(health)).toMatchObject({ status: 200 })
    await other.close()
  })

  it('is awaited while it starts or ends', async () => {
    const directory = join(scratch, 'starting')
    mkdirSync(directory)
    const fileLock = await lock(join(directory, 'lock'))
    setTimeout(() => fileLock?.release(), 100)
    await using(directory, async (local) => {
      expect(await local.send(health)).toMatchObject({ status: 200 })
    })
  })

  it('is reported with its process id when the wait becomes long', async () => {
    const directory = join(scratch, 'long')
    mkdirSync(directory)
    const fileLock = await lock(join(directory, 'lock'))
    const notes: string[] = []
    function note(text: string): void {
      notes.push(text)
      fileLock?.release()
    }
    const connection = connectLocal({ directory, now: () => 0n, warn: note })
    expect(await connection.send(health)).toMatchObject({ status: 200 })
    expect(notes).toEqual([
      `Waiting for another evq (process ${process.pid}), which holds the data directory \`${directory}\` and does not respond yet.`,
    ])
    await connection.close()
  })

  it('fails after the timeout when it neither starts nor ends', async () => {
    const directory = join(scratch, 'stuck')
    mkdirSync(directory)
    const fileLock = await lock(join(directory, 'lock'))
    const connection = connectLocal({ directory, now: () => 0n, timeoutMs: 30 })
    await expect(connection.send(health)).rejects.toThrow(/Another evq process holds .*stuck/)
    const onRetry = vi.fn()
    const retry = { attempts: 4, firstDelayMs: 1, maxDelayMs: 1, maxWaitMs: 0, onRetry }
    await expect(query(connection, { apl: 't' }, { retry })).rejects.toThrow('does not respond')
    expect(onRetry).not.toHaveBeenCalled()
    await fileLock?.release()
    await connection.close()
  })

  it.each<[string, Reply]>([
    ['breaks off', (response) => response.socket?.destroy()],
    ['says that it is leaving', json({ code: 503, message: 'Stopping.' }, 503)],
  ])('is restarted when its owner %s and ends', async (leaves, reply) => {
    const directory = join(scratch, `leaving-${leaves}`)
    mkdirSync(directory)
    const path = join(directory, 'evq.sock')
    const leaving = await scriptedService((response, request) => {
      leaving.stopListening()
      reply(response, request)
    }, path)
    await using(directory, async (local) => {
      expect(await local.send(health)).toMatchObject({ status: 200 })
      expect(leaving.received.length).toBe(1)
    })
  })

  it('receives a change again when its owner breaks off, which may have made it', async () => {
    const directory = join(scratch, 'cut-changes')
    const signal = new AbortController().signal
    await using(directory, async (local) => {
      for (const name of ['kept', 'renamed']) {
        await local.send({
          ...{ method: 'POST', path: '/v1/datasets', purpose: 'manage' },
          body: JSON.stringify({ name }),
        })
      }
    })
    const record = {
      kind: 'apl',
      ...{ name: 'errors', who: 'all', metadata: {} },
      query: { apl: 'kept | count' },
    } as const
    const changes: readonly ((local: Connection) => Promise<unknown>)[] = [
      (local) => starredQueries(local, signal).create(record),
      // Made already by an owner that could not say so.
      (local) => managedDatasets(local, signal).remove('deleted'),
      (local) => managedDatasets(local, signal).rename('former', 'renamed'),
      (local) => managedDatasets(local, signal).retain('kept', '30d'),
      (local) => managedDatasets(local, signal).trim('kept', '2026-01-01T00:00:00Z'),
    ]
    for (const change of changes) {
      const leaving = await scriptedService(
        (response) => {
          leaving.stopListening()
          response.socket?.destroy()
        },
        join(directory, 'evq.sock'),
      )
      await using(directory, change as (local: Connection) => Promise<void>)
      expect(leaving.received).toHaveLength(1)
    }
    await using(directory, async (local) => {
      expect(await starredQueries(local, signal).list({})).toHaveLength(1)
      // Without a lost connection, a dataset that does not exist is an error.
      await expect(managedDatasets(local, signal).remove('deleted')).rejects.toThrow('`deleted`')
    })
  })

  it('is busy when its owner says when to retry', async () => {
    const directory = join(scratch, 'busy')
    mkdirSync(directory)
    const busy = json({ code: 503, message: 'Too many events.' }, 503, { 'retry-after': '1' })
    const owner = await scriptedService(busy, join(directory, 'evq.sock'))
    await using(directory, async (local) => {
      expect(await local.send(health)).toMatchObject({ status: 503 })
      expect(owner.received).toHaveLength(1)
    })
  })

  it('is found below a path that is too long for a socket', async () => {
    const directory = join(scratch, 'long'.repeat(40))
    const owner = local(directory)
    const other = local(directory)
    await owner.send(health)
    expect(await other.send(health)).toMatchObject({ status: 200 })
    await other.close()
    await owner.close()
  })

  it('reports each time why it cannot be opened', async () => {
    const file = join(scratch, 'file')
    writeFileSync(file, '')
    await using(join(file, 'data'), async (local) => {
      await expect(local.send(health)).rejects.toThrow(/file\/data/)
      await expect(local.send(health)).rejects.toThrow(/file\/data/)
    })
  })
})

function local(directory: string): Connection {
  return connectLocal({ directory, now: () => BigInt(Date.now()) * 1_000_000n })
}

async function using(directory: string, use: (connection: Connection) => Promise<void>) {
  const connection = local(directory)
  try {
    await use(connection)
  } finally {
    await connection.close()
  }
}
