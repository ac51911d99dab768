import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isGlobPath } from '../engine/spool.js'
import { errorCode, systemErrorText } from '../text/system-error.js'
import { DirectoryError } from './directory-error.js'
import { type Lock, lock, lockPath } from './file-lock.js'

/** A directory for the data of one command. */
export interface TemporaryDirectory {
  readonly path: string
  /** Deletes the directory, also files in it that are still open. */
  remove(): void
}

// Not `userInfo()`, which throws for a user without a name, as in a container that runs with any user id.
const USER = process.getuid?.() ?? -1
/** The name contains the user's id: the directory of temporary files is shared by all users. */
const FOLDER = `evq-query-${USER}`
const PREFIX = `${FOLDER}-`

/**
 * Deletes the directories of killed processes, and creates a new one. Throws a `DirectoryError` when `parent` can't be used, or
 * the engine can't use its path.
 */
export async function openTemporaryDirectory(parent = tmpdir()): Promise<TemporaryDirectory> {
  try {
    for (;;) {
      const opened = await openIn(await realpath(parent))
      if (opened !== undefined) return opened
    }
  } catch (error) {
    const reason = systemErrorText(error)
    throw reason === undefined ? error : unusable(parent, `: ${reason}`, { cause: error })
  }
}

/** Creates and locks a directory; returns undefined when another process deleted it meanwhile. */
async function openIn(parent: string): Promise<TemporaryDirectory | undefined> {
  if (isGlobPath(parent)) {
    throw unusable(parent, ', since the engine expands `*`, `?`, `{`, `}` and `,` in paths')
  }
  const path = await create(parent)
  const held = path === undefined ? undefined : await lockNew(path)
  if (path === undefined || held === undefined) return undefined
  return {
    path,
    remove() {
      removeTree(path)
      held.release()
      removeEmpty(join(parent, FOLDER))
    },
  }
}

/** Returns the user's folder, which is fast to list however many files other users have in `parent`; otherwise `parent`. */
function folderIn(parent: string): string {
  const path = join(parent, FOLDER)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
  // Another user may have created a file or a folder of this name.
  return isOwnDirectory(path) ? path : parent
}

/** Creates a directory; returns undefined when another process deleted the empty folder meanwhile. */
async function create(parent: string): Promise<string | undefined> {
  // Outside of `try`: some file systems, such as `/proc`, refuse new directories with the same code.
  const folder = folderIn(parent)
  try {
    await removeLeftovers(folder)
    return await mkdtemp(join(folder, PREFIX))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
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
 * False for a file, a link, or a folder that another user has created: the lock in it, which is overwritten, could be a link to
 * any file of this user.
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

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Another command has its directory in it.
  }
}

function unusable(path: string, why: string, options?: ErrorOptions): DirectoryError {
  const message = `The directory for temporary files, \`${path}\`, can't be used${why}. Set \`TMPDIR\` to another directory.`
  return new DirectoryError(message, options)
}
