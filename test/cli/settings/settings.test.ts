import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { httpAddress } from '../../../src/cli/connection/connect.js'
import type { Flags } from '../../../src/cli/context.js'
import type { ProfileKey } from '../../../src/cli/settings/config.js'
import { type Settings, settings } from '../../../src/cli/settings/settings.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { CERTIFICATE_FILE } from '../../support/tls.js'

const scratch = temporaryDirectory()
const TOKEN_FILE = join(scratch, 'token-2')
writeFileSync(TOKEN_FILE, 'xaat-2\n')

const TWO = `default = "prod"

[profiles.prod]
url = "https://prod.test"
ingest_url = "https://edge.test"
org_id = "acme"
org_header = "X-Axiom-Org-Id"
token = "xaat-prod"
timeout = "30s"

[profiles.staging]
url = "https://staging.test"
`

/** A configuration directory with a file of this text. */
function configured(text: string, mode = 0o600): Record<string, string> {
  const home = mkdtempSync(join(scratch, 'config-'))
  mkdirSync(join(home, 'evq'))
  writeFileSync(join(home, 'evq/config.toml'), text)
  chmodSync(join(home, 'evq/config.toml'), mode)
  return { XDG_CONFIG_HOME: home }
}

function settingsOf(flags: Flags, env: Record<string, string>): Promise<Settings> {
  return settings(flags, env)
}

describe('the address of the deployment', () => {
  const env = configured(TWO)
  const nothing = configured('')

  it.each([
    ['the data directory when nothing is said', {}, nothing, undefined],
    ['the default profile', {}, env, 'https://prod.test'],
    ['a profile of the flags', { profile: 'staging' }, env, 'https://staging.test'],
    [
      'a profile of the environment',
      {},
      { ...env, EVQ_PROFILE: 'staging' },
      'https://staging.test',
    ],
    [
      'an address of the environment',
      {},
      { ...env, EVQ_URL: 'https://env.test' },
      'https://env.test',
    ],
    [
      'an address with spaces around it',
      {},
      { ...env, EVQ_URL: ' https://env.test ' },
      'https://env.test',
    ],
    [
      'an address of the flags',
      { url: 'https://flag.test' },
      { ...env, EVQ_URL: 'https://env.test' },
      'https://flag.test',
    ],
    [
      'an address beside a profile',
      { url: 'https://flag.test', profile: 'prod' },
      env,
      'https://flag.test',
    ],
    [
      'a profile of the flags before an address of the environment',
      { profile: 'staging' },
      { ...env, EVQ_URL: 'https://env.test' },
      'https://staging.test',
    ],
    ['a data directory of the flags', { dataDir: '/d' }, env, undefined],
    ['a data directory of the environment', {}, { ...env, EVQ_DATA_DIR: '/d' }, undefined],
    ['`local`', { profile: 'local' }, env, undefined],
  ])('is %s', async (_, flags, environment, url) => {
    const result = await settingsOf(flags, environment)
    expect(result.url).toBe(url)
  })

  it('comes with the other settings of the profile', async () => {
    const result = await settingsOf({}, env)
    expect(result).toMatchObject({
      url: 'https://prod.test',
      ingestUrl: 'https://edge.test',
      organizationId: 'acme',
      headerNames: { organization: 'x-axiom-org-id' },
      token: { text: 'xaat-prod' },
      timeoutMs: 30_000,
    })
  })

  it.each([
    ['--token-file', { tokenFile: TOKEN_FILE }],
    ['--org-id', { orgId: 'acme', profile: 'local' }],
  ])('is needed for `%s`', async (flag, flags) => {
    await expect(settingsOf(flags, nothing)).rejects.toThrow(
      `\`${flag}\` is for a deployment. Name the deployment with \`--url\` or \`--profile\`.`,
    )
  })

  it('never gets the token of a profile when another source sets the address', async () => {
    expect((await settingsOf({ url: 'https://other.test' }, env)).token).toBeUndefined()
    const elsewhere = { ...env, EVQ_URL: 'https://other.test' }
    expect((await settingsOf({}, elsewhere)).token).toBeUndefined()
  })

  it('is shown with the profile that it comes from', async () => {
    const nameOf = async (flags: Flags, env: Record<string, string>) => {
      const { url = '', ...others } = await settingsOf(flags, env)
      return httpAddress({ ...others, url }).name
    }
    expect(await nameOf({}, env)).toBe('`https://prod.test` (profile `prod`)')
    expect(await nameOf({ url: 'https://a.test' }, env)).toBe('`https://a.test`')
    expect(await nameOf({}, { ...env, EVQ_URL: 'https://a.test' })).toBe('`https://a.test`')
  })

  it('is shown without the token', async () => {
    const { origins } = await settingsOf({ profile: 'prod' }, env)
    expect(origins).toContain('The url `https://prod.test` comes from profile `prod`.')
    expect(origins).toContain('The token comes from `token` of profile `prod`.')
    expect(origins.join()).not.toContain('xaat-prod')
    const local = await settingsOf({}, { ...env, EVQ_DATA_DIR: '/d' })
    expect(local.origins).toEqual(['The data directory `/d` comes from `EVQ_DATA_DIR`.'])
  })
})

/** A value of each key of a profile, and the settings that it makes. */
const KEYS: Readonly<Record<ProfileKey, readonly [value: string, made: object]>> = {
  url: ['https://a.test/', { url: 'https://a.test/' }],
  ingest_url: ['https://edge.test', { ingestUrl: 'https://edge.test' }],
  org_id: ['acme', { organizationId: 'acme' }],
  ca_file: [CERTIFICATE_FILE, { ca: readFileSync(CERTIFICATE_FILE, 'utf8') }],
  proxy: ['http://proxy.test:3128', { proxy: 'http://proxy.test:3128' }],
  timeout: ['1m30s', { timeoutMs: 90_000 }],
  token: ['xaat-1', { token: { text: 'xaat-1' } }],
  token_file: [TOKEN_FILE, { token: { text: 'xaat-2' } }],
  token_command: ['echo xaat-3', { token: { text: 'xaat-3' } }],
  org_header: ['X-Org', { headerNames: { organization: 'x-org' } }],
  labels_header: ['X-Labels', { headerNames: { eventLabels: 'x-labels' } }],
  csv_fields_header: ['X-Fields', { headerNames: { csvFields: 'x-fields' } }],
  batch_id_header: ['X-Batch', { headerNames: { batchId: 'x-batch' } }],
  trace_id_header: ['X-Trace', { headerNames: { traceId: 'x-trace' } }],
}

describe('a key of a profile', () => {
  it.each(Object.entries(KEYS))('makes a setting: %s', async (key, [value, made]) => {
    const others = key === 'url' ? '' : 'url = "https://b.test"\n'
    const env = configured(`default = "a"\n[profiles.a]\n${others}${key} = "${value}"\n`)
    const found = await settingsOf({}, env)
    expect({ ...found, proxy: found.proxyTo('https://b.test') }).toMatchObject(made)
  })
})

describe('a token', () => {
  it('comes from the environment before the profile', async () => {
    const env = { ...configured(TWO), EVQ_TOKEN: 'xaat-env\n' }
    expect((await settingsOf({}, env)).token?.text).toBe('xaat-env')
    // `--profile` selects the token of the profile, not one left in the environment.
    expect((await settingsOf({ profile: 'prod' }, env)).token?.text).toBe('xaat-prod')
    expect((await settingsOf({ profile: 'staging' }, env)).token?.text).toBe('xaat-env')
  })

  it('comes from a file that a profile names', async () => {
    const file = join(scratch, 'token')
    writeFileSync(file, 'xaat-file\n')
    const env = configured(`[profiles.a]\nurl = "https://a.test"\ntoken_file = "${file}"\n`)
    expect((await settingsOf({ profile: 'a' }, env)).token?.text).toBe('xaat-file')
  })

  it('comes from a command that a profile names', async () => {
    const env = configured(
      `[profiles.a]\nurl = "https://a.test"\ntoken_command = "printf 'xaat-%s' made"\n`,
    )
    expect((await settingsOf({ profile: 'a' }, env)).token?.text).toBe('xaat-made')
  })

  it('is reported as missing when the command fails', async () => {
    const env = configured(
      `[profiles.a]\nurl = "https://a.test"\ntoken_command = "echo locked >&2; exit 3"\n`,
    )
    await expect(settingsOf({ profile: 'a' }, env)).rejects.toThrow(
      'No token: `token_command` of profile `a` ended with 3: locked.',
    )
  })

  it.each([0o644, 0o640, 0o604])('is not taken from a file of mode %o', async (mode) => {
    await expect(settingsOf({}, configured(TWO, mode))).rejects.toThrow(/chmod 600/)
  })

  it('does not restrict the mode of a file without one', async () => {
    const env = configured('[profiles.a]\nurl = "https://a.test"\n', 0o644)
    expect((await settingsOf({ profile: 'a' }, env)).url).toBe('https://a.test')
  })
})

describe('an invalid setting', () => {
  it.each([
    ['in TOML', 'default = prod', /config\.toml:1` is not TOML/],
    ['in a key', 'defualt = "prod"', /`defualt`.*Did you mean `default`\?/],
    ['in a key of a profile', '[profiles.a]\nuri = "x"', /`uri`.*Did you mean `url`\?/],
    ['in a type', '[profiles.a]\nurl = 5', /`url` of `\[profiles\.a\]`.* is not a string/],
    [
      'of two tokens',
      '[profiles.a]\nurl = "https://a.test"\ntoken = "t"\ntoken_file = "f"',
      /`token` and `token_file`/,
    ],
    [
      'in the default',
      'default = "prd"\n[profiles.prod]\nurl = "https://a.test"',
      /Did you mean `prod`\?/,
    ],
    [
      'in an address',
      'default = "a"\n[profiles.a]\nurl = "a.test"',
      /`a\.test` from profile `a` is not an address\./,
    ],
    [
      'in the parameters of an address',
      'default = "a"\n[profiles.a]\nurl = "https://a.test/?x=1"',
      /profile `a` must end before `\?`: paths are added to it\./,
    ],
    ['of no address', 'default = "a"\n[profiles.a]\norg_id = "o"', /has no `url`/],
    [
      'in a time',
      'default = "a"\n[profiles.a]\nurl = "https://a.test"\ntimeout = "soon"',
      /takes a duration such as `30s`.*, not `soon`/,
    ],
    [
      'in a header',
      'default = "a"\n[profiles.a]\nurl = "https://a.test"\norg_header = "a b"',
      /`a b` is not a valid header name/,
    ],
  ])('%s is reported', async (_, text, message) => {
    await expect(settingsOf({}, configured(text))).rejects.toThrow(message)
  })

  it('is reported without the line of TOML, which may contain a token', async () => {
    const text = '[profiles.a]\ntoken = "xaat-secret\n'
    const error = await settingsOf({}, configured(text)).catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect((error as Error).message).not.toContain('xaat-secret')
  })

  it.each(['https://a.test/in?token=secret', 'https://a.test/#secret', 'a.test?token=secret'])(
    'is reported without the parameters of an address, which may contain a token: %s',
    async (url) => {
      const text = `default = "a"\n[profiles.a]\nurl = "${url}"`
      const error = await settingsOf({}, configured(text)).catch((thrown: Error) => thrown)
      expect(error).toBeInstanceOf(Error)
      expect((error as Error).message).not.toContain('secret')
    },
  )

  it('is reported for a CA file', async () => {
    const missing = { url: 'https://a.test', caFile: join(scratch, 'missing.pem') }
    await expect(settingsOf(missing, {})).rejects.toThrow(/does not exist/)
    const file = join(scratch, 'not.pem')
    const truncated = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
    for (const text of ['text', truncated]) {
      writeFileSync(file, text)
      await expect(settingsOf({ url: 'https://a.test', caFile: file }, {})).rejects.toThrow(
        /contains no certificate/,
      )
    }
  })
})

describe('a proxy', () => {
  const env = { HTTPS_PROXY: 'http://proxy.test:3128', HTTP_PROXY: 'plain.test' }
  const proxyOf = async (target: string, flags: Flags, more: Record<string, string> = {}) =>
    (await settingsOf({ url: 'https://a.test', ...flags }, { ...env, ...more })).proxyTo(target)

  it.each([
    ['https://a.test', '', 'http://proxy.test:3128'],
    // Only IP addresses are loopback because of their first number.
    ['https://127.example.test', '', 'http://proxy.test:3128'],
    ['http://a.test', '', 'http://plain.test'],
    ['https://localhost:4600', '', undefined],
    ['https://127.0.0.1:4600', '', undefined],
    ['https://[::1]:4600', '', undefined],
    ['https://a.test', '*', undefined],
    ['https://a.test', 'a.test', undefined],
    ['https://a.test', 'b.test, a.test', undefined],
    ['https://sub.a.test', '.a.test', undefined],
    ['https://sub.a.test', 'a.test', undefined],
    ['https://nota.test', 'a.test', 'http://proxy.test:3128'],
    ['https://a.test', 'a.test:443', undefined],
    ['https://a.test:8443', 'a.test:443', 'http://proxy.test:3128'],
    ['https://10.1.2.3', '10.0.0.0/8', undefined],
    ['https://11.1.2.3', '10.0.0.0/8', 'http://proxy.test:3128'],
  ])('to %s, with NO_PROXY=%s, is %s', async (target, exceptions, proxy) => {
    expect(await proxyOf(target, {}, { NO_PROXY: exceptions })).toBe(proxy)
  })

  it('is used for every address when a flag sets it', async () => {
    const flags = { proxy: 'http://chosen.test:1' }
    expect(await proxyOf('http://127.0.0.1:4600', flags)).toBe('http://chosen.test:1')
  })

  it('is preferred from the variable in lower case', async () => {
    const proxy = await proxyOf('https://a.test', {}, { https_proxy: 'http://lower.test' })
    expect(proxy).toBe('http://lower.test')
  })
})
