import { join } from 'node:path'
import { homeDirectory } from './home-directory.js'

/** Returns the directory for state that is kept between runs but may be lost, such as checkpoints. */
export function stateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const home = env.XDG_STATE_HOME || join(homeDirectory(env), '.local/state')
  return join(home, 'evq')
}
