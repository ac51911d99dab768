import { userInfo } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../error/usage-error.js'

/** Returns the user's home directory. Throws a `UsageError` when it is unknown. */
export function homeDirectory(env: Readonly<Record<string, string | undefined>>): string {
  if (env.HOME) return env.HOME
  try {
    return userInfo().homedir
  } catch {
    // A container may run with any user id.
    throw new UsageError(
      'The home directory is unknown: `HOME` is not set, and this user has no account. Set `HOME` to a directory for the configuration and data of evq.',
    )
  }
}

/** Returns a path in which `~/` at the beginning stands for the home directory, as in shells. */
export function expandTilde(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return path.startsWith('~/') ? join(homeDirectory(env), path.slice(2)) : path
}

/** Returns the directory for state that is kept between runs but may be lost, such as checkpoints. */
export function stateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const home = env.XDG_STATE_HOME || join(homeDirectory(env), '.local/state')
  return join(home, 'evq')
}
