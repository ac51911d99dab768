import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { type FakeIoOptions, fakeIo } from '../support/fake-io.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()

/** A person's configuration, and `evq profile` on it. */
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
  it('adds the first profile as the default, in a file that nobody else reads', async () => {
    const { path, profile, text } = person()
    const added = await profile(['add', 'prod', '--url', 'https://prod.test', '--timeout', '90s'])
    expect(added).toEqual({ exitCode: 0, out: '', err: 'prod: added, and the default\n' })
    expect(text()).toBe(
      'default = "prod"\n\n[profiles.prod]\nurl = "https://prod.test"\ntimeout = "90s"\n',
    )
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  })

  it('lists profiles with where their tokens come from, and no token', async () => {
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

  it('says which variable goes before the profile that is chosen', async () => {
    const { profile } = person()
    const env = { EVQ_DATA_DIR: '/d' }
    const before = '`EVQ_DATA_DIR` is set, and goes before the default profile.\n'
    const first = await profile(['add', 'prod', '--url', 'https://prod.test'], { env })
    expect(first.err).toBe(`${before}prod: added, and the default\n`)
    const second = await profile(['add', 'dev', '--url', 'https://dev.test'], { env })
    expect(second.err).not.toContain('EVQ_DATA_DIR')
    const used = await profile(['use', 'dev'], { env })
    expect(used.err).toBe(`${before}dev: the default\n`)
  })

  it('keeps comments, and what else stands in the file', async () => {
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

  it.each([
    [['add', 'prod'], /give `--url`/],
    [['add', 'local', '--url', 'https://a.test'], /`local` always stands for the data directory/],
    [['add', 'a b', '--url', 'https://a.test'], /can't name a profile/],
    [['add', 'a', '--url', 'a.test'], /`--url` is not an address/],
    [['use', 'none'], /There is no profile `none`/],
    [['remove', 'none'], /There is no profile `none`/],
    [['add', 'a', '--url', 'https://a.test', '--token-stdin', '--token-command', 'x'], /is enough/],
    [['ad'], /Near: `add`/],
  ])('refuses %j', async (args, message) => {
    const { profile } = person()
    const { exitCode, err } = await profile(args, { stdin: 't' })
    expect(exitCode).toBe(2)
    expect(err).toMatch(message)
  })
})
