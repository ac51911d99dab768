import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The regular files below a directory, by name; hidden ones are left out. A directory that two links lead to
 * is walked once. One that can't be read is listed in place of its files: opening it tells why.
 */
export async function filesBelow(directory: string): Promise<readonly string[]> {
  const found: string[] = []
  await walk(directory, { found, seen: new Set() })
  return found
}

/** Whether a path leads to a directory; what can't be looked at is for opening to tell of. */
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

/** What a path leads to, over links; a link to nothing is `other`. */
async function kindOf(path: string): Promise<'file' | 'directory' | 'other'> {
  try {
    const stats = await stat(path)
    return stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other'
  } catch {
    return 'other'
  }
}
