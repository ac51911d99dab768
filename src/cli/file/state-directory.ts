import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where evq keeps what it remembers from one run to the next, and could do without: checkpoints, for one. */
export function stateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const home = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local/state')
  return join(home, 'evq')
}
