import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { type Reply, scriptedService, stored } from '../client/scripted-service.js'
import { tabular } from '../support/canned-service.js'
import { fakeIo } from '../support/fake-io.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
/** No six characters of it occur in numbers in hexadecimal, such as batch ids. */
const TOKEN = 'xapt-0b/9c+41=k7w2m8s6'

/** The token of the request header in every encoding. */
const ECHOES: readonly ((authorization: string) => string)[] = [
  (header) => header,
  (header) => encodeURIComponent(header),
  (header) => Buffer.from(header).toString('base64'),
  (header) => Buffer.from(`> ${header}`).toString('base64url'),
  (header) => Buffer.from(`>> ${header}`).toString('base64'),
  (header) => header.replaceAll('/', '\\u002f'),
]

const COMMANDS = [
  ['ingest', 'logs', '--no-checkpoint'],
  ['query', "['logs']"],
  ['query', "['logs']", '--assert', 'a'],
  ['query', '--legacy', 'logs'],
  ['page', "['logs']"],
  ['tail', 'logs'],
  ['dataset', 'list'],
  ['dataset', 'trim', 'logs', '--before', '1d', '--yes'],
  ['starred', 'list'],
  ['starred', 'run', 'x'],
]

describe('a token that a service repeats', () => {
  it.each(COMMANDS)('is not printed by `evq %s %s`', async (...words) => {
    for (const status of [301, 400, 403, 422, 501]) {
      for (const flags of [['-vv'], ['--json-errors'], ['--debug']]) {
        const { err, out } = await run([...words, ...flags], echoing(status))
        expect(leaks(err + out)).toEqual([])
      }
    }
  })

  it.each([400, 403, 422, 200, 413])(
    'is not written into a rejects file with status %s',
    async (status) => {
      const rejects = join(scratch, `${status}.ndjson`)
      const receipt = join(scratch, `${status}.json`)
      const args = ['ingest', 'logs', '--rejects', rejects, '--receipt', receipt]
      const { err } = await run(args, echoing(status), '{"n":1}\n{"n":2}\n')
      const written = readFileSync(rejects, 'utf8')
      expect(written).toContain('…')
      expect(leaks(written + readFileSync(receipt, 'utf8') + err)).toEqual([])
    },
  )

  it('is not printed in a message about a result', async () => {
    const { err } = await run(['query', "['logs']"], (response, { headers }) => {
      const messages = ECHOES.map((echo, index) => ({
        ...{ priority: 'info', code: `c${index}`, count: 1 },
        msg: `You sent ${echo(headers.authorization ?? '')}.`,
      }))
      response.end(tabular([{ name: 'a', type: 'string', values: '["x"]' }], { messages }))
    })
    expect(err).toContain('You sent Bearer ….')
    expect(leaks(err)).toEqual([])
  })

  it('is kept in the rows of a result, which are data', async () => {
    const { out } = await run(['query', "['logs']", '-o', 'ndjson'], (response) => {
      const values = JSON.stringify([`seen: ${TOKEN}`])
      response.end(tabular([{ name: 'a', type: 'string', values }]))
    })
    expect(out).toBe(`{"a":"seen: ${TOKEN}"}\n`)
  })

  it('leaves the rest of the message as it is', async () => {
    const { err } = await run(['query', "['logs']"], echoing(403))
    expect(err).toMatch(/^evq: No\. You sent Bearer …/)
  })
})

describe('the password of a proxy', () => {
  it('is not printed when the proxy repeats it', async () => {
    const reply: Reply = (response, { headers }) => {
      const header = headers['proxy-authorization'] ?? ''
      const [, pair = ''] = header.split(' ')
      const clear = Buffer.from(pair, 'base64').toString()
      response.writeHead(403, { 'x-sent': header })
      response.end(JSON.stringify({ message: `You sent ${header}, that is ${clear}.` }))
    }
    const proxy = await scriptedService(reply)
    const { host } = new URL(proxy.url)
    const io = fakeIo({ env: { EVQ_URL: 'http://logs.test', EVQ_TOKEN: TOKEN } })
    await main(['query', "['logs']", '-vv', '--proxy', `http://ann:hunter2%2Fx@${host}`], io)
    expect(proxy.received[0]?.headers['proxy-authorization']).toBe(
      `Basic ${Buffer.from('ann:hunter2/x').toString('base64')}`,
    )
    expect(io.err()).toContain('that is ann:….')
    expect(io.err()).not.toMatch(/hunter2|aHVudGVyM|h1bnRlcj|odW50ZXIy/)
  })

  it('is not printed when the address of the proxy is wrong', async () => {
    for (const address of ['socks5://ann:hunter2@127.0.0.1:1', 'ann:hunter2@127.0.0.1:1']) {
      const io = fakeIo({ env: { EVQ_URL: 'http://127.0.0.1:1', EVQ_TOKEN: TOKEN } })
      expect(await main(['query', 'x', '--proxy', address], io)).toBe(2)
      expect(io.err()).toContain('127.0.0.1:1')
      expect(io.err()).not.toContain('hunter2')
    }
  })

  it('is not printed when `HTTP_PROXY` is no address', async () => {
    const HTTP_PROXY = 'http://ann:hunter2@[::1:1'
    const io = fakeIo({ env: { EVQ_URL: 'http://logs.test', EVQ_TOKEN: TOKEN, HTTP_PROXY } })
    expect(await main(['query', 'x'], io)).toBe(2)
    expect(io.err()).toBe(
      'evq: `HTTP_PROXY` is not the address of a proxy. An address looks like `http://host:3128`.\n',
    )
  })
})

describe('rejects files, receipts and manifests', () => {
  it('are created with mode 0600', async () => {
    const before = process.umask(0)
    try {
      const [rejects, receipt, manifest] = ['r', 'p', 'm'].map((name) => join(scratch, name))
      const account = ['--rejects', rejects!, '--receipt', receipt!]
      await run(['ingest', 'logs', ...account], echoing(400), '{"n":1}\n')
      await run(
        ['page', "['logs']", '--until', '2026-01-01', '--manifest', manifest!],
        (response) => response.end(tabular([{ name: '_time', type: 'datetime', values: '[]' }])),
      )
      expect([rejects, receipt, manifest].map((path) => modeOf(path!))).toEqual(
        Array(3).fill('600'),
      )
    } finally {
      process.umask(before)
    }
  })

  it('keep their mode when they exist', async () => {
    const receipt = join(scratch, 'shared.json')
    writeFileSync(receipt, '')
    chmodSync(receipt, 0o640)
    await run(['ingest', 'logs', '--receipt', receipt], stored, '{"n":1}\n')
    expect(modeOf(receipt)).toBe('640')
  })
})

describe('a token sent over plain HTTP', () => {
  it('causes one warning', async () => {
    const proxy = await scriptedService(stored)
    const env = { EVQ_URL: 'http://logs.test', EVQ_TOKEN: TOKEN, HTTP_PROXY: proxy.url }
    const io = fakeIo({ env, stdin: '{"n":1}\n{"n":2}\n' })
    expect(await main(['ingest', 'logs', '-q', '--batch-size', '1'], io)).toBe(0)
    expect(proxy.received).toHaveLength(2)
    expect(io.err()).toBe(
      'The token is sent to `http://logs.test` unencrypted: others on the network can read it. Use `https://`.\n',
    )
  })

  it.each([
    ['no token', { EVQ_TOKEN: '' }, ''],
    ['loopback', {}, ''],
    ['a proxy on another host', {}, 'http://proxy.test:3128'],
  ])('causes a warning only over a network: %s', async (_, more, proxy) => {
    const service = await scriptedService(stored)
    const io = fakeIo({
      env: { EVQ_URL: service.url, EVQ_TOKEN: TOKEN, ...more },
      stdin: '',
    })
    const flags = proxy === '' ? [] : ['--proxy', proxy]
    expect(await main(['ingest', 'logs', '-q', ...flags], io)).toBe(0)
    expect(io.err().includes('unencrypted')).toBe(proxy !== '')
  })
})

/** Responds with the token in every form, in the body, its headers and the reasons of failures. */
function echoing(status: number): Reply {
  return (response, { headers, body }) => {
    const header = headers.authorization ?? ''
    const message = `No. You sent ${ECHOES.map((echo) => echo(header)).join(' and ')}`
    const failed = body.toString().split('\n').length - 1
    const failures = Array.from({ length: failed }, (_, index) => ({ index, error: message }))
    response.writeHead(status, {
      'x-echo': ECHOES.map((echo) => echo(header)).join(' '),
      'x-request-id': `of-${header}`,
      location: `http://127.0.0.1/?sent=${encodeURIComponent(header)}`,
    })
    response.end(JSON.stringify({ code: status, message, ingested: 0, failed, failures }))
  }
}

async function run(args: readonly string[], reply: Reply, stdin = '{"n":1}\n') {
  const service = await scriptedService(reply)
  const io = fakeIo({ env: { EVQ_URL: service.url, EVQ_TOKEN: TOKEN }, stdin })
  await main(args, io)
  expect(service.received[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`)
  return { err: io.err(), out: io.out() }
}

/** Parts of the token that a text reveals, in any encoding. */
function leaks(text: string): readonly string[] {
  const forms = ECHOES.map((echo) => echo(TOKEN)).concat(
    ['', 'a', 'ab'].flatMap((before) => {
      const encoded = Buffer.from(before + TOKEN)
        .toString('base64')
        .slice(4, -8)
      return [encoded, encoded.replaceAll('+', '-').replaceAll('/', '_')]
    }),
  )
  return forms.flatMap((form) =>
    Array.from({ length: form.length - 5 }, (_, at) => form.slice(at, at + 6)).filter((piece) =>
      text.includes(piece),
    ),
  )
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}
