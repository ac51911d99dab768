import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../../src/main.js'
import { evq, start } from '../../support/evq.js'
import { fakeIo } from '../../support/fake-io.js'
import { needsLinux } from '../../support/needs.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()
let directories = 0

function dataDirectory(): string {
  directories += 1
  return join(scratch, `data-${directories}`)
}

function statusOf(url: string, token?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const outgoing = request(`${url}/v1/ingest/logs`, { method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    outgoing.on('error', reject)
    outgoing.end('[{"n":1}]')
  })
}

/** Returns the name of a thread; an empty string when it has ended. */
function nameOf(thread: string): string {
  try {
    return readFileSync(`${thread}/comm`, 'utf8')
  } catch {
    return ''
  }
}

describe('the address to listen on', () => {
  it.each([
    '4600',
    'localhost',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '::1:80',
    'http://localhost:1',
    '',
  ])('is not %j', async (listen) => {
    const io = fakeIo()
    expect(await main(['serve', '--listen', listen], io)).toBe(2)
    expect(io.err()).toBe(
      `evq: \`--listen\` takes a host and a port such as \`127.0.0.1:4600\`, not \`${listen}\`.\n`,
    )
  })

  it('is reported when it is in use', async () => {
    const occupied = createServer()
    await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', resolve))
    const address = occupied.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const args = ['serve', '--listen', `127.0.0.1:${port}`]
    const ended = await evq(args, { directory: dataDirectory() })
    occupied.close()
    expect(ended).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `evq: \`127.0.0.1:${port}\` is in use by another program. \`--listen 127.0.0.1:0\` picks a free port.\n`,
    })
  })
})

describe('the service', () => {
  it('has enough threads for slow queries and files', needsLinux, async () => {
    const args = ['serve', '--listen', '127.0.0.1:0']
    const service = start(args, { directory: dataDirectory() })
    await service.err.until(/ on http/)
    const threads = `/proc/${service.child.pid}/task`
    // The engine names its threads; the others are a few of V8 and the 16 of the pool.
    const names = readdirSync(threads).map((id) => nameOf(`${threads}/${id}`))
    service.child.kill('SIGTERM')
    await service.ended
    expect(names.filter((name) => /^(node|libuv)/.test(name)).length).toBeGreaterThan(16)
  })

  it.each([
    ['SIGTERM', { status: 0, signal: null }],
    ['SIGINT', { status: null, signal: 'SIGINT' }],
  ] as const)('serves until %s, and ends as %j', async (signal, end) => {
    const portFile = join(scratch, `port-${signal}`)
    const args = ['serve', '--listen', '127.0.0.1:0', '--port-file', portFile]
    const service = start(args, { directory: dataDirectory() })
    const url = (await service.err.until(/on (http:\/\/127\.0\.0\.1:\d+)\. /))[1]!
    const token = (await service.err.until(/shown only once: (xapt-\S+)\n/))[1]!
    expect(readFileSync(portFile, 'utf8')).toBe(`${new URL(url).port}\n`)
    expect(await statusOf(url)).toBe(403)
    expect(await statusOf(url, token)).toBe(200)
    service.child.kill(signal)
    expect(await service.ended).toMatchObject({ ...end, stdout: '' })
  })

  it('stores events after the directory in which it was started has been deleted', async () => {
    const cwd = join(scratch, 'release')
    mkdirSync(cwd)
    const args = ['serve', '--listen', '127.0.0.1:0']
    const service = start(args, { directory: dataDirectory(), spawn: { cwd } })
    const url = (await service.err.until(/on (http:\/\/127\.0\.0\.1:\d+)\. /))[1]!
    const token = (await service.err.until(/shown only once: (xapt-\S+)\n/))[1]!
    rmdirSync(cwd)
    expect(await statusOf(url, token)).toBe(200)
    service.child.kill('SIGTERM')
    expect((await service.ended).status).toBe(0)
  })

  it('opens no inspector on SIGUSR1', async () => {
    const service = start(['serve', '--listen', ':0', '-q'], { directory: dataDirectory() })
    const url = (await service.err.until(/on (http:\/\/127\.0\.0\.1:\d+)\. /))[1]!
    service.child.kill('SIGUSR1')
    expect(await statusOf(url)).toBe(403)
    service.child.kill('SIGTERM')
    const { status, stderr } = await service.ended
    expect(status).toBe(0)
    expect(stderr).not.toContain('Debugger')
  })

  it('writes its port to the target of a link', async () => {
    const [link, target] = [join(scratch, 'port-link'), join(scratch, 'port-target')]
    writeFileSync(target, '')
    symlinkSync(target, link)
    const args = ['serve', '--listen', '127.0.0.1:0', '--port-file', link]
    const service = start(args, { directory: dataDirectory() })
    const port = (await service.err.until(/on http:\/\/127\.0\.0\.1:(\d+)\. /))[1]!
    await service.err.until(/Press Ctrl-C to stop\.\n/)
    expect(readFileSync(target, 'utf8')).toBe(`${port}\n`)
    expect(readlinkSync(link)).toBe(target)
    service.child.kill('SIGTERM')
    await service.ended
  })

  it('says that there are tokens when it starts for the first time with a token made before', async () => {
    const directory = dataDirectory()
    const made = fakeIo({ env: { EVQ_DATA_DIR: directory } })
    expect(await main(['token', 'create', 'anna', '--personal'], made)).toBe(0)
    const service = start(['serve', '--listen', '127.0.0.1:0'], { directory })
    await service.err.until(
      /Existing tokens are valid: `evq token list` lists them, `evq token create` creates more\.\n/,
    )
    service.child.kill('SIGTERM')
    expect((await service.ended).stderr).not.toContain('shown only once')
  })

  it('shows its first token only when it starts for the first time', async () => {
    const directory = dataDirectory()
    for (const isFirst of [true, false]) {
      const service = start(['serve', '--listen', ':0', '-q'], { directory })
      await service.err.until(/Press Ctrl-C to stop\.\n/)
      service.child.kill('SIGTERM')
      const { status, stderr } = await service.ended
      const shown = [...stderr.matchAll(/^The first .*, shown only once: (xa[ap]t)-\S+$/gm)]
      expect({ status, kinds: shown.map(([, kind]) => kind) }).toEqual({
        status: 0,
        kinds: isFirst ? ['xapt', 'xaat'] : [],
      })
    }
  })

  it('does not start when its port file cannot be written', async () => {
    const file = join(scratch, 'plain')
    writeFileSync(file, '')
    const args = ['serve', '--listen', '127.0.0.1:0', '--port-file', join(file, 'port')]
    const ended = await evq(args, { directory: dataDirectory() })
    expect(ended).toMatchObject({ status: 1, stdout: '' })
    // From now on there is a token, and later starts do not print one.
    const [message, api, error] = ended.stderr.split('\n')
    expect(message).toMatch(/^The first token, shown only once: xapt-\S+$/)
    expect(api).toMatch(/^The first API token, for SDKs and shippers, shown only once: xaat-\S+$/)
    expect(error).toBe(`evq: \`${join(file, 'port')}\` can't be written: not a directory.`)
  })
})

describe('the allowed origins', () => {
  it.each(['example.com', 'https://a.b/path', 'https://u@a.b', 'https://', ''])(
    'are not %j',
    async (origin) => {
      const io = fakeIo()
      expect(await main(['serve', '--allow-origin', origin], io)).toBe(2)
      expect(io.err()).toMatch(/^evq: `--allow-origin` takes an origin such as /)
    },
  )

  it('may send events, and no other', async () => {
    const origins = ['--allow-origin', 'https://App.example:443/', '--allow-origin', 'http://b:1']
    const service = start(['serve', '--listen', ':0', ...origins], { directory: dataDirectory() })
    const url = (await service.err.until(/on (http:\/\/127\.0\.0\.1:\d+)\. /))[1]!
    const preflight = async (origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' }
      const response = await fetch(`${url}/v1/ingest/web`, { method: 'OPTIONS', headers })
      return [response.status, response.headers.get('access-control-allow-origin')]
    }
    expect(await preflight('https://app.example')).toEqual([204, 'https://app.example'])
    expect(await preflight('http://b:1')).toEqual([204, 'http://b:1'])
    expect(await preflight('http://b')).toEqual([403, null])
    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ status: 0 })
  })
})

describe('the default dataset', () => {
  it('has a valid name', async () => {
    const io = fakeIo()
    expect(await main(['serve', '--default-dataset', 'a b'], io)).toBe(2)
    expect(io.err()).toMatch(/^evq: `--default-dataset`: `a b` is not a valid dataset name\. /)
  })
})
