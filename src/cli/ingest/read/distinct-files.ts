import { lstat, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

/**
 * Returns one name of each file. Of several names, it is the first one that is a link, because a link may refer to another file later,
 * or else the first one. `dropped` is called with each other name, unless it is the same path.
 */
export async function distinctFiles(
  files: readonly string[],
  dropped: (name: string, kept: string) => void,
): Promise<readonly string[]> {
  const names = new Map<string, string[]>()
  const seen = new Set<string>()
  for (const file of files) {
    const path = resolve(file)
    if (seen.has(path)) continue
    seen.add(path)
    const stats = await stat(path).catch(() => undefined)
    const key = stats?.isFile() ? `${stats.dev} ${stats.ino}` : path
    names.set(key, [...(names.get(key) ?? []), file])
  }
  const distinct: string[] = []
  for (const same of names.values()) {
    const links = await Promise.all(same.map(isLink))
    const kept = same[Math.max(0, links.indexOf(true))] ?? ''
    for (const name of same) if (name !== kept) dropped(name, kept)
    distinct.push(kept)
  }
  return distinct
}

async function isLink(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isSymbolicLink() === true
}
