import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cannedService, tabular } from '../support/canned-service.js'
import { evq } from '../support/evq.js'
import { forwardProxy } from '../support/proxy.js'
import { temporaryDirectory } from '../support/temporary.js'
import { CERTIFICATE_FILE, secureServer, tlsBefore } from '../support/tls.js'

const directory = temporaryDirectory()
const TOKEN = 'xaat-0123456789secret'
const ANSWER = tabular([{ name: 'n', type: 'integer', values: '[7]' }])
const port = await secureServer((request, response) => {
  const isAllowed = request.headers.authorization === `Bearer ${TOKEN}`
  response.writeHead(isAllowed ? 200 : 403, { 'content-type': 'application/json' })
  response.end(isAllowed ? ANSWER : '{"code":403,"message":"no"}')
})
const query = (args: readonly string[], env: Record<string, string>) =>
  evq(['query', "['logs']", '-q', '-o', 'ndjson', ...args], {
    directory,
    env: { EVQ_TOKEN: TOKEN, ...env },
  })

describe('a deployment with its own certificate', () => {
  const url = `https://localhost:${port}`

  it('is not trusted by default', async () => {
    const { status, stderr } = await query(['--url', url], {})
    expect(status).toBe(1)
    expect(stderr).toMatch(/certificate/)
  })

  it('is for other names than the address', async () => {
    const proxy = await forwardProxy(port)
    const args = ['--url', 'https://other.test', '--ca-file', CERTIFICATE_FILE]
    const { status, stderr } = await query(args, { HTTPS_PROXY: proxy.url })
    expect(status).toBe(1)
    expect(stderr).toContain(
      'its certificate is for another name: DNS:localhost, DNS:logs.test, IP Address:127.0.0.1. Use a host name that the certificate contains.\n',
    )
  })

  it('of an authority that is not among those of --ca-file is not trusted', async () => {
    const at = await tlsBefore(port)
    const address = `https://localhost:${at}`
    const { status, stderr } = await query(['--url', address, '--ca-file', CERTIFICATE_FILE], {})
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /certificate (is not trusted|in its chain is self-signed)\. `--ca-file` names certificates to trust\.\n$/,
    )
  })

  it('is trusted with --ca-file', async () => {
    const ended = await query(['--url', url, '--ca-file', CERTIFICATE_FILE], {})
    expect(ended).toMatchObject({ status: 0, stdout: '{"n":7}\n' })
  })
})

describe('a proxy', () => {
  it('tunnels to a host that only it can resolve', async () => {
    const proxy = await forwardProxy(port)
    const env = { HTTPS_PROXY: proxy.url.replace('//', '//me:pass%20word@') }
    const args = ['--url', 'https://logs.test', '--ca-file', CERTIFICATE_FILE]
    expect(await query(args, env)).toMatchObject({ status: 0, stdout: '{"n":7}\n' })
    expect(proxy.requests).toEqual([
      {
        target: 'logs.test:443',
        authorization: `Basic ${Buffer.from('me:pass word').toString('base64')}`,
      },
    ])
  })

  it('forwards unencrypted requests', async () => {
    const service = await cannedService()
    service.respondWith({ body: ANSWER })
    const proxy = await forwardProxy(Number(new URL(service.url).port))
    const ended = await query(['--url', 'http://logs.test'], { http_proxy: proxy.url })
    expect(ended).toMatchObject({ status: 0, stdout: '{"n":7}\n' })
    expect(proxy.requests[0]?.target).toBe('http://logs.test/v1/datasets/_apl?format=tabular')
  })

  it('is not used for loopback unless requested', async () => {
    const service = await cannedService()
    service.respondWith({ body: ANSWER })
    const proxy = await forwardProxy(Number(new URL(service.url).port))
    const args = ['--url', service.url]
    expect((await query(args, { HTTP_PROXY: proxy.url })).status).toBe(0)
    expect(proxy.requests).toEqual([])
    expect((await query([...args, '--proxy', proxy.url], {})).status).toBe(0)
    expect(proxy.requests).toHaveLength(1)
  })
})

describe('a timeout', () => {
  it('ends the wait for a response', async () => {
    const silent = await secureServer(() => {})
    const args = ['--url', `https://localhost:${silent}`, '--ca-file', CERTIFICATE_FILE]
    const { status, stderr } = await query([...args, '--timeout', '100ms'], {})
    expect(status).toBe(1)
    expect(stderr).toMatch(/100 ms|0\.1 s/)
  })
})

describe('a token', () => {
  it('appears in no output, whatever fails', async () => {
    const home = join(directory, 'config')
    mkdirSync(join(home, 'evq'), { recursive: true })
    writeFileSync(
      join(home, 'evq/config.toml'),
      `default = "p"\n[profiles.p]\nurl = "https://localhost:${port}"\ntoken = "${TOKEN}-wrong"\nca_file = "${CERTIFICATE_FILE}"\n`,
      { mode: 0o600 },
    )
    const env = { XDG_CONFIG_HOME: home, EVQ_DATA_DIR: '', EVQ_TOKEN: '' }
    const runs = [
      query(['-vv'], env),
      query(['--debug', '-vv', '-P', 'p'], env),
      query(['--json-errors', '-P', 'q'], env),
      query(['-vv', '--url', 'https://localhost:1'], {}),
      query(['-vv', '--url', `http://localhost:${port}`], {}),
      evq(['profile', 'list', '-vv'], { directory, env }),
    ]
    for (const { stdout, stderr } of await Promise.all(runs)) {
      expect(stdout + stderr).not.toBe('')
      expect(stdout + stderr).not.toContain(TOKEN)
    }
    expect((await query(['-P', 'p'], env)).status).toBe(4)
  })

  it('is named by its origin when it is rejected', async () => {
    const args = ['--url', `https://localhost:${port}`, '--ca-file', CERTIFICATE_FILE]
    const { stderr } = await query(args, { EVQ_TOKEN: 'xaat-other' })
    expect(stderr).toContain('The token from `EVQ_TOKEN` does not allow this')
  })
})
