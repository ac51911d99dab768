import { lstat, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

/**
 * Returns one name of each file: a link, if there is one, because it may refer to another file later. `dropped` is called with each other
 * name, unless it is the same path.
 */
export async function distinctFiles(
  files: readonly string[],
  dropped: (name: string, kept: string) => void,
): Promise<readonly string[]> {
  const kept = new Map<string, string>()
  const found = await Promise.all(files.map(identified))
  for (const { file, key } of found.toSorted((a, b) => Number(b.isLink) - Number(a.isLink))) {
    const other = kept.get(key)
    if (other === undefined) kept.set(key, file)
    else if (resolve(other) !== resolve(file)) dropped(file, other)
  }
  return [...kept.values()]
}

async function identified(file: string) {
  const stats = await stat(file).catch(() => undefined)
  const own = await lstat(file).catch(() => undefined)
  const key = stats?.isFile() ? `${stats.dev} ${stats.ino}` : resolve(file)
  return { file, key, isLink: own?.isSymbolicLink() === true }
}
