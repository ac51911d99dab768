import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDataDirectory } from '../../src/local/open-directory.js'
import { type RunningService, serve, serveLocally } from '../../src/local/serve.js'
import { tokenFile } from '../../src/local/token-file.js'
import { openTokens } from '../../src/service/auth/tokens.js'
import { removeDirectory } from '../support/remove-directory.js'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'evq-serve-'))
})

afterEach(async () => {
  vi.useRealTimers()
  await removeDirectory(directory)
})

const now = () => 1_767_268_800_000_000_000n

/** Stops the clock by which a service counts failures and waits for a lock: the machine may be slow. */
const stopClock = () => vi.useFakeTimers({ toFake: ['performance'] })

function start(port = 0): Promise<RunningService> {
  return serve({ directory, host: '127.0.0.1', port, now })
}

describe('a service for processes of this account', () => {
  it('leaves the directory when it can not be offered to others, or not be withdrawn', async () => {
    const offer = join(directory, 'offered-by')
    const blocked = async () => {
      await mkdir(join(offer, 'taken'), { recursive: true })
    }
    const expectFree = async () => {
      const owned = await openDataDirectory({ directory, now })
      expect(owned).toBeDefined()
      await owned?.close()
    }
    await blocked()
    await expect(serveLocally({ directory, now })).rejects.toThrow('EISDIR')
    await expectFree()
    await rm(offer, { recursive: true })
    const { close } = await serveLocally({ directory, now })
    await rm(offer)
    await blocked()
    await expect(close()).rejects.toThrow('offered-by')
    await expectFree()
  })
})

describe('evq serve', () => {
  it('creates tokens on the first start, which later starts accept', async () => {
    const { token, apiToken, close } = await start()
    expect(token).toMatch(/^xapt-/)
    expect(apiToken).toMatch(/^xaat-/)
    await close()
    const second = await start()
    expect([second.token, second.apiToken]).toEqual([undefined, undefined])
    const statusOf = async (sent: string | undefined, path: string, body?: string) => {
      const headers = { authorization: `Bearer ${sent}`, 'content-type': 'application/json' }
      const init = body === undefined ? { headers } : { headers, method: 'POST', body }
      return (await fetch(`${second.url}${path}`, init)).status
    }
    expect(await statusOf(token, '/nowhere')).toBe(404)
    // The API token permits events, queries and saved queries of everything, but no management.
    expect(await statusOf(apiToken, '/v1/ingest/any', '[{}]')).toBe(200)
    expect(await statusOf(apiToken, '/v1/query/_apl?format=legacy', '{"apl":"any"}')).toBe(200)
    expect(await statusOf(apiToken, '/v2/apl-starred-queries')).toBe(200)
    expect(await statusOf(apiToken, '/v2/datasets', '{"name":"new"}')).toBe(403)
    expect(await statusOf(token, '/v2/datasets', '{"name":"new"}')).toBe(200)
    await second.close()
  })

  it('requires a token on TCP, except for health checks', async () => {
    const serving = await start()
    expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const statusOf = async (path: string) => (await fetch(`${serving.url}${path}`)).status
    expect(await statusOf('/nowhere')).toBe(403)
    expect(await statusOf('/healthz')).toBe(200)
    expect(await statusOf('/readyz')).toBe(200)
    await serving.close()
  })

  it('stores events and runs queries', async () => {
    const serving = await start()
    const headers = { authorization: `Bearer ${serving.token}`, 'content-type': 'application/json' }
    const post = async (path: string, body: unknown) => {
      const response = await fetch(`${serving.url}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return response.json()
    }
    expect(await post('/v1/ingest/logs', [{ a: 1 }, { a: 2 }])).toMatchObject({ ingested: 2 })
    const query = { apl: "['logs'] | summarize sum(a)" }
    const result = await post('/v1/datasets/_apl?format=tabular', query)
    expect(result).toMatchObject({ tables: [{ columns: [[3]] }] })
    await serving.close()
  })

  it('creates another token when none is in force any more', async () => {
    const tokens = openTokens(tokenFile(directory), now)
    const ended = '2026-01-01T12:00:00.000Z'
    const old = await tokens.create({ name: 'old', personal: true, expires: ended })
    const serving = await serve({ directory, host: '0.0.0.0', port: 0, now })
    expect(serving.token).toMatch(/^xapt-/)
    const { port } = new URL(serving.url)
    const statusOf = async (token: string | undefined) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(`http://127.0.0.1:${port}/nowhere`, { headers })).status
    }
    expect([await statusOf(old), await statusOf(serving.token)]).toEqual([403, 404])
    await serving.close()
  })

  it.each([
    ['127.0.0.1', 200, 200],
    ['0.0.0.0', 403, 403],
  ])(
    'responds at %s to metrics requests without a token with %i, with an API token with %i',
    async (...expected) => {
      const [host, unknown, restricted] = expected
      const tokens = openTokens(tokenFile(directory), now)
      const personal = await tokens.create({ name: 'me', personal: true })
      const api = await tokens.create({ name: 'api', personal: false, query: ['*'] })
      const serving = await serve({ directory, host, port: 0, now })
      const statusWith = async (token?: string) => {
        const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
        const { port } = new URL(serving.url)
        return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).status
      }
      expect(await statusWith()).toBe(unknown)
      expect(await statusWith(api)).toBe(restricted)
      expect(await statusWith(personal)).toBe(200)
      await serving.close()
    },
  )

  it('responds to HEAD like GET, without the body', async () => {
    const serving = await start()
    const response = await fetch(`${serving.url}/healthz`, { method: 'HEAD' })
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json',
    ])
    expect(await response.text()).toBe('')
    expect((await fetch(`${serving.url}/v1/datasets`, { method: 'HEAD' })).status).toBe(403)
    await serving.close()
  })

  it('refuses metrics requests from pages of other sites', async () => {
    const serving = await start()
    const { port } = new URL(serving.url)
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { host }
        get({ host: '127.0.0.1', port, path: '/metrics', headers }, (incoming) => {
          incoming.resume()
          resolve(incoming.statusCode)
        }).on('error', reject)
      })
    expect(await statusFor(`localhost:${port}`)).toBe(200)
    expect(await statusFor(`rebound.example:${port}`)).toBe(403)
    await serving.close()
  })

  it('delays callers with invalid tokens, and no others', async () => {
    const serving = await start()
    stopClock()
    const statusOf = async (token: string | undefined) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(`${serving.url}/nowhere`, { headers })).status
    }
    const order: string[] = []
    // Enough that the last ones get the maximum delay.
    const wrong = Array.from({ length: 60 }, (_, i) => statusOf(`xapt-${i}`))
    const all = Promise.all(wrong).then((statuses) => {
      order.push('wrong')
      return statuses
    })
    // Once the first have their responses, the others are waiting.
    await Promise.race(wrong)
    expect(await statusOf(serving.token)).toBe(404)
    order.push('right')
    expect(new Set(await all)).toEqual(new Set([403]))
    expect(order).toEqual(['right', 'wrong'])
    await serving.close()
  })

  it('releases everything when it stops', async () => {
    const serving = await start()
    await serving.close()
    await expect(fetch(`${serving.url}/healthz`)).rejects.toThrow('fetch failed')
    const owned = await openDataDirectory({ directory, now })
    expect(owned).toBeDefined()
    await owned?.close()
  })

  it('releases the directory when its port is in use', async () => {
    const other = createServer()
    await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready))
    const { port } = other.address() as AddressInfo
    await expect(start(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    other.close()
    const serving = await start()
    expect(serving.token).toBeDefined()
    await serving.close()
  })

  it('leaves no token in force that was never shown', async () => {
    let isBroken = true
    const clock = () => {
      if (!isBroken || !existsSync(join(directory, 'tokens.json'))) return now()
      isBroken = false
      throw new Error('no time')
    }
    const options = { directory, host: '127.0.0.1', port: 0, now: clock }
    await expect(serve(options)).rejects.toThrow('no time')
    const serving = await start()
    expect(serving.token).toBeDefined()
    await serving.close()
  })

  it('waits for a command that is about to end', async () => {
    const owned = await openDataDirectory({ directory, now })
    stopClock()
    const starting = start()
    await owned?.close()
    await (await starting).close()
  })

  it('fails when another process keeps the directory locked', async () => {
    const owned = await openDataDirectory({ directory, now })
    await expect(start()).rejects.toMatchObject({
      name: 'DirectoryError',
      message: `Another evq process (${process.pid}) uses the data directory \`${directory}\`. Stop that process, or choose another directory with \`--data-dir\`.`,
    })
    await owned?.close()
  })
})
