import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { main } from '../../../src/main.js'
import { type FakeIoOptions, fakeIo } from '../../support/fake-io.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()

/** A configuration of a user, and `evq profile` for it. */
function person() {
  const home = mkdtempSync(join(scratch, 'home-'))
  const path = join(home, 'evq/config.toml')
  const profile = async (args: readonly string[], options: FakeIoOptions = {}) => {
    const io = fakeIo({ ...options, env: { XDG_CONFIG_HOME: home, ...options.env } })
    const exitCode = await main(['profile', ...args], io)
    return { exitCode, out: io.out(), err: io.err() }
  }
  return { path, profile, text: () => readFileSync(path, 'utf8') }
}

describe('evq profile', () => {
  it('adds the first profile as the default, in a file that only its owner can read', async () => {
    const { path, profile, text } = person()
    const added = await profile(['add', 'prod', '--url', 'https://prod.test', '--timeout', '90s'])
    expect(added).toEqual({ exitCode: 0, out: '', err: 'prod: added, and the default\n' })
    expect(text()).toBe(
      'default = "prod"\n\n[profiles.prod]\nurl = "https://prod.test"\ntimeout = "90s"\n',
    )
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  })

  it('keeps paths as absolute ones, because commands run in other directories', async () => {
    const { profile, text } = person()
    const flags = ['--token-file', 'secret', '--ca-file', '/etc/ca.pem']
    expect((await profile(['add', 'prod', '--url', 'https://prod.test', ...flags])).exitCode).toBe(
      0,
    )
    expect(parse(text())).toMatchObject({
      profiles: { prod: { token_file: join(process.cwd(), 'secret'), ca_file: '/etc/ca.pem' } },
    })
  })

  it('lists profiles in a format', async () => {
    const { profile } = person()
    expect(await profile(['list', '-o', 'json'])).toMatchObject({ exitCode: 0, out: '[]\n' })
    await profile(['add', 'prod', '--url', 'https://prod.test'])
    const { out } = await profile(['list', '-o', 'csv', '--columns', 'name,url'])
    expect(out).toBe('name,url\nprod,https://prod.test\n')
  })

  it('lists profiles with the origin of their tokens, without any token', async () => {
    const { profile } = person()
    await profile(['add', 'prod', '--url', 'https://prod.test', '--token-stdin'], {
      stdin: 'xaat-secret\n',
    })
    await profile(['add', 'dev', '--url', 'https://dev.test', '--token-command', 'pass evq'])
    const { out } = await profile(['list'], { stdin: '' })
    expect(out).not.toContain('xaat-secret')
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { name: 'dev', default: false, url: 'https://dev.test', org_id: null, token: 'pass evq' },
      {
        name: 'prod',
        default: true,
        url: 'https://prod.test',
        org_id: null,
        token: 'in the configuration',
      },
    ])
  })

  it('names the variable that overrides the default profile', async () => {
    const { profile } = person()
    const env = { EVQ_DATA_DIR: '/d' }
    const before = '`EVQ_DATA_DIR` is set and overrides the default profile.\n'
    const first = await profile(['add', 'prod', '--url', 'https://prod.test'], { env })
    expect(first.err).toBe(`${before}prod: added, and the default\n`)
    const second = await profile(['add', 'dev', '--url', 'https://dev.test'], { env })
    expect(second.err).not.toContain('EVQ_DATA_DIR')
    const used = await profile(['use', 'dev'], { env })
    expect(used.err).toBe(`${before}dev: now the default\n`)
  })

  it('keeps comments and unknown settings of the file', async () => {
    const { path, profile, text } = person()
    await profile(['add', 'prod', '--url', 'https://prod.test'])
    writeFileSync(
      path,
      `# mine\n${text()}\n# beside\n[profiles.dev]\nurl = "https://dev.test" # d\n`,
    )
    await profile(['use', 'dev'])
    await profile(['add', 'third', '--url', 'https://third.test'])
    expect(text()).toContain('# mine')
    expect(text()).toContain('url = "https://dev.test" # d')
    expect(text()).toMatch(/^default = "dev"$/m)
    await profile(['remove', 'dev'])
    expect(text()).not.toContain('dev')
    expect(text()).toContain('[profiles.third]')
  })

  it('replaces a profile of the same name', async () => {
    const { profile, text } = person()
    await profile(['add', 'prod', '--url', 'https://one.test', '--org-id', 'a'])
    await profile(['add', 'prod', '--url', 'https://two.test'])
    expect(text()).toBe('default = "prod"\n\n[profiles.prod]\nurl = "https://two.test"\n')
  })

  it('keeps the profiles of commands that run at once', async () => {
    const { path, profile, text } = person()
    const names = ['a', 'b', 'c', 'd', 'e']
    const added = names.map((name) => profile(['add', name, '--url', `https://${name}.test`]))
    expect((await Promise.all(added)).map(({ exitCode }) => exitCode)).toEqual(names.map(() => 0))
    expect(Object.keys(parse(text()).profiles ?? {}).sort()).toEqual(names)
    expect(readdirSync(dirname(path))).toEqual(['config.toml'])
  })

  it('accepts names that every object of JavaScript has', async () => {
    const { profile, text } = person()
    await profile(['add', 'constructor', '--url', 'https://one.test'])
    await profile(['add', 'prod', '--url', 'https://two.test'])
    expect(text()).toContain('[profiles.constructor]\nurl = "https://one.test"\n')
    await profile(['remove', 'constructor'])
    expect(text()).not.toContain('constructor')
    expect(text()).toContain('[profiles.prod]\nurl = "https://two.test"\n')
  })

  it('keeps the token setting of a replaced profile and reports it', async () => {
    const { profile, text } = person()
    const token = ['--token-command', 'pass evq']
    await profile(['add', 'prod', '--url', 'https://one.test', '--org-id', 'a', ...token])
    const { err } = await profile(['add', 'prod', '--url', 'https://two.test'])
    expect(text()).toBe(
      'default = "prod"\n\n[profiles.prod]\nurl = "https://two.test"\ntoken_command = "pass evq"\n',
    )
    expect(err).toBe(
      [
        '`prod` keeps its `token_command`, which now goes to `https://two.test`. To drop it, run `evq profile remove prod` first.',
        '`prod` no longer has `org_id`.',
        'prod: replaced, and the default',
        '',
      ].join('\n'),
    )
  })

  it('replaces the token setting by a new one', async () => {
    const { profile, text } = person()
    const url = ['--url', 'https://one.test']
    await profile(['add', 'prod', ...url, '--token-command', 'pass evq'])
    await profile(['add', 'prod', ...url, '--token-stdin'], { stdin: 'xapt-1' })
    expect(text()).toContain('token = "xapt-1"\n')
    expect(text()).not.toContain('token_command')
  })

  it('changes the token of a profile without its address and keeps the other settings', async () => {
    const { profile, text } = person()
    const org = ['--org-id', 'a']
    await profile([
      'add',
      'prod',
      '--url',
      'https://one.test',
      ...org,
      '--token-command',
      'pass evq',
    ])
    const { err } = await profile(['add', 'prod', '--token-stdin'], { stdin: 'xapt-1' })
    expect(parse(text()).profiles).toEqual({
      prod: { url: 'https://one.test', org_id: 'a', token: 'xapt-1' },
    })
    expect(err).toBe('prod: changed, and the default\n')
  })

  it('changes a setting of a profile without its address and keeps the token', async () => {
    const { profile, text } = person()
    await profile(['add', 'prod', '--url', 'https://one.test', '--token-command', 'pass evq'])
    await profile(['add', 'prod', '--org-id', 'b'])
    expect(parse(text()).profiles).toEqual({
      prod: { url: 'https://one.test', org_id: 'b', token_command: 'pass evq' },
    })
  })

  it.each([
    [['add', 'prod'], /set `--url`/],
    [['add', 'local', '--url', 'https://a.test'], /`local` is reserved for the data directory/],
    [['add', 'a b', '--url', 'https://a.test'], /is not a valid name for a profile/],
    [['add', 'a', '--url', 'a.test'], /`a\.test` from `--url` is not an address\./],
    [['use', 'none'], /There is no profile `none`/],
    [['remove', 'none'], /There is no profile `none`/],
    [
      ['add', 'a', '--url', 'https://a.test', '--token-stdin', '--token-command', 'x'],
      /can't be combined/,
    ],
    [['ad'], /Did you mean `add`/],
  ])('refuses %j', async (args, message) => {
    const { profile } = person()
    const { exitCode, err } = await profile(args, { stdin: 't' })
    expect(exitCode).toBe(2)
    expect(err).toMatch(message)
  })
})

/** Ways to write the profiles `q` and `r` and a default, with a comment. */
const WRITTEN: readonly (readonly [name: string, text: string])[] = [
  [
    'sections',
    '# c\ndefault = "q"\n[profiles.q]\nurl = "Q"\ntoken = "T"\n[profiles.r]\nurl = "R"\n',
  ],
  [
    'quoted keys',
    `# c\ndefault = 'q'\n["profiles"."q"]\n"url" = "Q"\n[ profiles . 'r' ]\nurl = "R"\n`,
  ],
  [
    'escaped keys',
    '# c\n"def\\u0061ult" = "q"\n["profil\\U00000065s".q]\nurl="Q"\n[profiles.r]\nurl="R"',
  ],
  [
    'line ends of Windows',
    '# c\r\ndefault = "q"\r\n\r\n[profiles.q]\r\nurl = "Q"\r\n[profiles.r]\r\nurl = "R"\r\n',
  ],
]

/** Ways to write them that are not edited. */
const UNEDITED: typeof WRITTEN = [
  [
    'inline tables',
    '# c\ndefault = "q"\n[profiles]\nq = {url = "Q", token = "}]#,"}\nr = {url = "R"} # r\n',
  ],
  ['one inline table', '# c\ndefault = "q"\nprofiles = {q = {url = "Q, {"}, "r" = {url = "R"}}\n'],
  [
    'dotted keys in it',
    '# c\ndefault = "q"\nprofiles = { r.url = "R", q.url = "Q", q.token = "T" }',
  ],
  [
    'dotted keys',
    '# c\ndefault = "q"\nprofiles.q.url = "Q"\nprofiles . r . url = "R"\nprofiles.q.token = "T"\n',
  ],
  ['dotted keys in a table', '# c\ndefault = "q"\n[profiles]\nq.url = "Q"\nr.url = "R"\n'],
  [
    'long strings',
    '# c\ndefault = "q"\n[profiles.q]\nurl = """Q\n[profiles.r]\n"""\n[profiles.r]\nurl = \'\'\'R\'\'\'\n',
  ],
]

describe('a configuration written by hand', () => {
  function written(text: string) {
    const one = person()
    mkdirSync(join(one.path, '..'), { recursive: true })
    writeFileSync(one.path, text, { mode: 0o600 })
    return one
  }

  it.each(WRITTEN)('contains no removed profile: %s', async (_, text) => {
    const one = written(text)
    expect(await one.profile(['remove', 'q'])).toMatchObject({ exitCode: 0, err: 'q: removed\n' })
    expect(parse(one.text())).toEqual({ profiles: { r: { url: 'R' } } })
    expect(one.text()).toContain('# c')
    expect(await one.profile(['remove', 'r'])).toMatchObject({ exitCode: 0 })
    expect((await one.profile(['list'])).err).toMatch(/^There are no profiles/)
  })

  it.each(WRITTEN)('contains an added, replaced and chosen profile: %s', async (_, text) => {
    const one = written(text)
    for (const name of ['new', 'r']) {
      const added = await one.profile(['add', name, '--url', 'https://a.test'])
      expect(added).toMatchObject({ exitCode: 0 })
    }
    expect(await one.profile(['use', 'new'])).toMatchObject({ exitCode: 0 })
    const url = 'https://a.test'
    expect(parse(one.text())).toMatchObject({
      default: 'new',
      profiles: { new: { url }, r: { url } },
    })
    expect(one.text()).toContain('# c')
  })

  it.each(UNEDITED)('stays unchanged when it cannot be edited: %s', async (_, text) => {
    const one = written(text)
    const { exitCode, err } = await one.profile(['remove', 'q'])
    expect([exitCode, err]).toEqual([
      1,
      `evq: \`${one.path}\` can't be edited automatically and was not changed. Edit it by hand.\n`,
    ])
    expect(one.text()).toBe(text)
  })
})
