import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../../src/main.js'
import { evq, start } from '../../support/evq.js'
import { brokenOutput, fakeIo } from '../../support/fake-io.js'
import { needsRoot } from '../../support/needs.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()

/** A data directory, and `evq token` for it at noon of 2026-01-31. */
function owner(env: Readonly<Record<string, string>> = {}) {
  const directory = join(mkdtempSync(join(scratch, 'home-')), 'data')
  const token = async (...args: readonly string[]) => {
    const io = fakeIo({ stdin: '', env: { EVQ_DATA_DIR: directory, ...env } })
    const exitCode = await main(['token', ...args], io)
    return { exitCode, out: io.out(), err: io.err() }
  }
  return { directory, token }
}

describe('evq token create', () => {
  it('prints only the token on standard output, and its permissions on standard error', async () => {
    const { token } = owner()
    const args = [
      '--ingest',
      'logs',
      '--query',
      'logs',
      '--query',
      'web',
      '--starred',
      'update,read',
    ]
    const { exitCode, out, err } = await token('create', 'ci', ...args, '--expires', '30d')
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^xaat-[\w-]{32}\n$/)
    expect(err).toBe(
      'ci: allows ingest logs; query logs, web; starred read, update, expires 2026-03-02T12:00:00.000Z; shown only once\n',
    )
  })

  it(
    'as root leaves the tokens to the user of the directory, who serves it',
    needsRoot,
    async () => {
      const { directory, token } = owner()
      const user = 54_321
      mkdirSync(directory)
      chownSync(directory, user, user)
      for (const name of ['first', 'second'])
        expect((await token('create', name, '--query', 'logs')).exitCode).toBe(0)
      for (const file of ['tokens.json', 'tokens.json.lock'])
        expect(statSync(join(directory, file))).toMatchObject({ uid: user, gid: user })
    },
  )

  it('as root does not give the file that a link leads to away', needsRoot, async () => {
    const { directory, token } = owner()
    const file = `${directory}.root`
    writeFileSync(file, '')
    mkdirSync(directory)
    chownSync(directory, 54_321, 54_321)
    symlinkSync(file, join(directory, 'tokens.json.lock'))
    expect((await token('create', 'ci', '--query', 'logs')).exitCode).toBe(0)
    expect(statSync(file)).toMatchObject({ uid: 0, gid: 0 })
  })

  it('creates a personal token, for an organization when one is named', async () => {
    const plain = owner()
    expect((await plain.token('create', 'me', '--personal')).out).toMatch(/^xapt-/)
    const acme = owner({ EVQ_ORG_ID: 'acme-1' })
    expect((await acme.token('create', 'me', '--personal', '-q')).err).toBe('')
    expect((await acme.token('create', 'you', '--personal', '--org-id', 'b')).err).toContain(
      ' as b,',
    )
    expect(readFileSync(join(acme.directory, 'tokens.json'), 'utf8')).toContain('"acme-1"')
  })

  it.each(['ENOSPC', 'EPIPE'] as const)(
    'stores no token when %s prevents printing it',
    async (code) => {
      const { directory, token } = owner()
      const io = { ...fakeIo({ env: { EVQ_DATA_DIR: directory } }), stdout: brokenOutput(code) }
      expect(await main(['token', 'create', 'lost', '--personal'], io)).toBe(
        code === 'EPIPE' ? 0 : 1,
      )
      expect((await token('list')).err).toBe('0 tokens\n')
    },
  )

  it('rejects a name that is in use, until its token is revoked', async () => {
    const { token } = owner()
    await token('create', 'ci', '--ingest', '*')
    const again = await token('create', 'ci', '--ingest', '*')
    expect(again).toMatchObject({ exitCode: 1, out: '' })
    expect(again.err).toContain('A token with the name `ci` exists already.')
    await token('revoke', 'ci')
    expect((await token('create', 'ci', '--ingest', '*')).exitCode).toBe(0)
  })

  it.each([
    [['x'], /would allow nothing/],
    [['x', '--ingest', 'a b'], /`--ingest` takes the name of a dataset or `\*`, not `a b`/],
    [['x', '--query', ''], /`--query` takes/],
    [['x', '--starred', 'read,write'], /`--starred` takes .* not `write`/],
    [['x', '--personal', '--query', 'a'], /can't be combined with/],
    [
      ['x', '--query', 'a', '--expires', 'soon'],
      /`--expires` takes a duration such as `30s` or `1h30m` \(units: ns, us, ms, s, m, h, d, w\), not `soon`/,
    ],
    [['x', '--query', 'a', '--expires', '0s'], /above zero/],
    [['x', '--query', 'a', '--expires', '9999999999d'], /before the year 10000/],
    [['x', '--personal', '--url', 'http://logs.test'], /^evq: `--url` selects a deployment/],
    [['', '--personal'], /has 1 to 100 characters/],
    [[' x', '--personal'], /has 1 to 100 characters/],
    [['a\u001b[2Jb', '--personal'], /has 1 to 100 characters/],
    [['x'.repeat(101), '--personal'], /has 1 to 100 characters/],
  ])('refuses %j and creates no directory', async (args, message) => {
    const { directory, token } = owner()
    const { exitCode, out, err } = await token('create', ...args)
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toMatch(message)
    expect(existsSync(directory)).toBe(false)
  })

  it.each([
    [{ EVQ_URL: 'http://127.0.0.1:4600' }, '`EVQ_URL`'],
    [{ EVQ_INGEST_URL: 'http://127.0.0.1:4600' }, '`EVQ_INGEST_URL`'],
    [{ EVQ_PROFILE: 'prod' }, 'The profile `prod`'],
    [{ EVQ_DATA_DIR: '' }, 'The profile `prod`'],
  ])('refuses to act when commands are for a deployment: %j', async (env, selector) => {
    const config = mkdtempSync(join(scratch, 'config-'))
    mkdirSync(join(config, 'evq'))
    const profiles = 'default = "prod"\n\n[profiles.prod]\nurl = "http://127.0.0.1:4600"\n'
    writeFileSync(join(config, 'evq', 'config.toml'), profiles, { mode: 0o600 })
    const { directory, token } = owner({ XDG_CONFIG_HOME: config, ...env })
    for (const args of [['create', 'ci', '--query', '*'], ['list'], ['revoke', 'ci']]) {
      const { exitCode, out, err } = await token(...args)
      expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
      expect(err).toContain(`${selector} selects a deployment`)
    }
    expect(existsSync(directory)).toBe(false)
    const chosen = ['create', 'ci', '--query', '*', '--data-dir', directory]
    expect((await token(...chosen)).exitCode).toBe(0)
  })

  it('never prints the token given as a name', async () => {
    const { token } = owner()
    for (const args of [
      ['create', 'xaat-secret', '--personal'],
      ['revoke', 'xapt-secret'],
    ]) {
      const { exitCode, err } = await token(...args)
      expect(exitCode).toBe(2)
      expect(err).not.toContain('secret')
    }
  })
})

describe('evq token list', () => {
  it('prints a row per token without the token itself', async () => {
    const { token } = owner()
    const output = await token('create', 'b', '--ingest', '*', '--starred', '*', '--expires', '1h')
    await token('create', 'a', '--personal')
    const { out, err } = await token('list')
    const [a, b] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const id = expect.stringMatching(/^[0-9a-f]{12}$/)
    const created = '2026-01-31T12:00:00.000Z'
    const permissions = 'ingest *; starred read, create, update, delete'
    const expires = '2026-01-31T13:00:00.000Z'
    expect(a).toEqual({
      name: 'a',
      kind: 'personal',
      permissions: 'everything',
      created,
      expires: null,
      id,
    })
    expect(b).toEqual({ name: 'b', kind: 'api', permissions, created, expires, id })
    expect(err).toBe('2 tokens\n')
    expect(out).not.toContain(output.out.trim().slice('xaat-'.length))
  })

  it('prints nothing, and creates no directory, when there are no tokens', async () => {
    const { directory, token } = owner()
    expect(await token('list')).toEqual({ exitCode: 0, out: '', err: '0 tokens\n' })
    expect(existsSync(directory)).toBe(false)
  })
})

describe('evq token revoke', () => {
  it('accepts the name or the id', async () => {
    const { token } = owner()
    for (const name of ['a', 'b']) await token('create', name, '--personal')
    const [, b] = (await token('list')).out.trim().split('\n')
    expect((await token('revoke', 'a')).err).toMatch(/^a: revoked \([0-9a-f]{12}\)\n$/)
    expect((await token('revoke', JSON.parse(b ?? '').id)).err).toMatch(/^b: revoked/)
    expect(await token('revoke', 'a')).toMatchObject({ exitCode: 1, out: '' })
  })
})

describe('tokens while a service runs', () => {
  it('are accepted and rejected by it immediately', async () => {
    const directory = join(scratch, 'served')
    const serving = start(['serve', '--listen', '127.0.0.1:0'], { directory })
    const [, url = ''] = await serving.err.until(/on (http:\S+)\. /)
    const output = await evq(['token', 'create', 'ci', '--ingest', 'logs', '-q'], { directory })
    expect(output).toMatchObject({ status: 0, stderr: '' })
    const token = output.stdout.trim()
    const env = { EVQ_URL: url, EVQ_TOKEN: token }
    const ingest = (dataset: string) =>
      evq(['ingest', dataset], { directory: join(scratch, 'none'), env, stdin: '{"n":1}\n' })

    expect((await ingest('logs')).status).toBe(0)
    const other = await ingest('other')
    expect(other.status).toBe(4)
    expect(other.stderr).toContain('The token `ci` does not allow ingest into `other`.')
    const query = await evq(['query', "['logs']"], { directory: join(scratch, 'none'), env })
    expect(query.status).toBe(4)

    expect((await evq(['token', 'revoke', 'ci'], { directory })).status).toBe(0)
    const ended = await ingest('logs')
    expect(ended.status).toBe(4)
    expect(ended.stderr).toContain('The token is unknown to this service.')

    serving.child.kill('SIGTERM')
    const { status, stderr } = await serving.ended
    expect(status).toBe(0)
    const refused = stderr
      .split('\n')
      .filter((line) => line.includes('"msg":"refused"'))
      .map((line) => JSON.parse(line))
    expect(refused).toMatchObject([
      { path: '/v1/ingest/other', token: 'ci', remoteAddress: '127.0.0.1', level: 'warn' },
      { path: '/v1/datasets/_apl', token: 'ci', reason: 'The token `ci` does not allow queries.' },
      { path: '/v1/ingest/logs', reason: 'The token is unknown to this service.' },
    ])
    expect(stderr).not.toContain(token)
  })
})
