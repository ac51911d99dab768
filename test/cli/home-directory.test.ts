import { chmod } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { expandTilde, homeDirectory } from '../../src/cli/file/home-directory.js'
import { evq } from '../support/evq.js'
import { needsRoot } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'

/** The id of a user without an account. */
const UNKNOWN_USER = 54_321
const UNKNOWN_HOME =
  'evq: The home directory is unknown: `HOME` is not set, and this user has no account. Set `HOME` to a directory for the configuration and data of evq.\n'

describe('a user without an account and `HOME`', needsRoot, () => {
  const spawn = { uid: UNKNOWN_USER, gid: UNKNOWN_USER, cwd: '/' }

  it.each<[string, readonly string[], Record<string, string>]>([
    ['the configuration', ['profile', 'list'], {}],
    ['the data', ['token', 'list'], { EVQ_DATA_DIR: '', XDG_CONFIG_HOME: '/nowhere' }],
    [
      'the checkpoints',
      ['ingest', 'logs', '/etc/hosts'],
      { XDG_STATE_HOME: '', XDG_CONFIG_HOME: '/nowhere' },
    ],
    [
      'the file of a token',
      ['query', 'logs | count', '--url', 'http://localhost:1', '--token-file', '~/token'],
      { XDG_CONFIG_HOME: '/nowhere' },
    ],
  ])('is asked for a home directory when %s would be in it', async (_, args, env) => {
    const directory = temporaryDirectory()
    await chmod(directory, 0o777)
    const ended = await evq(args, { directory, env, spawn })
    expect(ended).toMatchObject({ status: 2, stdout: '', stderr: UNKNOWN_HOME })
  })
})

it('is that of the account when `HOME` is empty, not the working directory', () => {
  vi.stubEnv('HOME', '')
  expect(homeDirectory(process.env)).toBe(userInfo().homedir)
  vi.unstubAllEnvs()
})

it('is `~/` at the beginning of a path, but not in it', () => {
  const env = { HOME: '/home/user' }
  const paths = ['~/rows.csv', '~rows.csv', 'a/~/rows.csv', '/tmp/rows.csv']
  expect(paths.map((path) => expandTilde(path, env))).toEqual([
    '/home/user/rows.csv',
    ...paths.slice(1),
  ])
})
