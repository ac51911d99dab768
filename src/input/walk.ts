import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../text/system-error.js'

/**
 * Returns the regular files below a directory, sorted by name, without hidden files. A directory that two links lead to is
 * listed once. The result contains unreadable directories and files, so that opening them reports the error.
 */
export async function filesBelow(directory: string): Promise<readonly string[]> {
  const found: string[] = []
  await walk(directory, { found, seen: new Set() })
  return found
}

/** True when a path leads to a directory; false for errors, which opening reports. */
export async function isDirectory(path: string): Promise<boolean> {
  return (await kindOf(path)) === 'directory'
}

interface Walk {
  readonly found: string[]
  /** Directories by their real paths. */
  readonly seen: Set<string>
}

async function walk(directory: string, { found, seen }: Walk): Promise<void> {
  let names: string[]
  try {
    const real = await realpath(directory)
    if (seen.has(real)) return
    seen.add(real)
    names = await readdir(directory)
  } catch {
    found.push(directory)
    return
  }
  for (const name of names.filter((name) => !name.startsWith('.')).sort()) {
    const path = join(directory, name)
    const kind = await kindOf(path)
    if (kind === 'directory') await walk(path, { found, seen })
    else if (kind === 'file') found.push(path)
  }
}

/** Returns the type of the file that a path leads to, following links; `other` for broken links, and `file` after other errors. */
async function kindOf(path: string): Promise<'file' | 'directory' | 'other'> {
  try {
    const stats = await stat(path)
    return stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other'
  } catch (error) {
    // A name that is not UTF-8 can't be opened by this path.
    const isBroken = errorCode(error) === 'ENOENT' && !path.includes('\uFFFD')
    return isBroken || errorCode(error) === 'ELOOP' ? 'other' : 'file'
  }
}
