import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isGlobPath } from '../engine/spool.js'
import { errorCode } from '../text/system-error.js'
import { DirectoryError } from './directory-error.js'
import { type Lock, lock, lockPath } from './file-lock.js'

/** A directory for the data of one command. */
export interface TemporaryDirectory {
  readonly path: string
  /** Deletes the directory. Also after a failure to close what is in it: open files are deleted with it. */
  remove(): void
}

const USER = userInfo().uid
/** The folder name contains the user's id: the directory of temporary files is shared by all users. */
const PREFIX = `evq-query-${USER}-`

/**
 * Creates a directory, after it has deleted those of killed processes. Throws a `DirectoryError` when the engine can't use its
 * path.
 */
export async function openTemporaryDirectory(parent = tmpdir()): Promise<TemporaryDirectory> {
  const real = await realpath(parent)
  if (isGlobPath(real)) throw globError(real)
  await removeLeftovers(real)
  for (;;) {
    const path = await mkdtemp(join(real, PREFIX))
    const held = await lockNew(path)
    if (held === undefined) continue
    return {
      path,
      remove() {
        removeTree(path)
        held.release()
      },
    }
  }
}

/** Locks a new directory; returns undefined when another process took it for a leftover before it was locked. */
async function lockNew(path: string): Promise<Lock | undefined> {
  try {
    return await lock(lockPath(path))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    removeTree(path)
    throw error
  }
}

/** Deletes the directories whose lock no process holds. The lock ends with its process, however that ends. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(parent, name)
    if (!isOwnDirectory(path)) continue
    const held = await lock(lockPath(path)).catch(() => undefined)
    if (held === undefined) continue
    removeTree(path)
    held.release()
  }
}

/**
 * False for what another user has put there under such a name: its lock, which is overwritten, could be a link to any file of
 * this user.
 */
function isOwnDirectory(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && stats.uid === USER
}

function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // The engine may create a file meanwhile. The next start deletes the rest.
  }
}

function globError(path: string): DirectoryError {
  return new DirectoryError(
    'failed',
    `The directory for temporary files, \`${path}\`, can't be used, since the engine expands \`*\`, \`?\`, \`{\`, \`}\` and \`,\` in paths. Set \`TMPDIR\` to another one.`,
  )
}
