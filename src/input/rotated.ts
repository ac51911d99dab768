import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type FileIdentity, identityOf } from './open.js'

/** A rotated log file. */
export interface RotatedFile {
  readonly path: string
  readonly file: FileIdentity
}

/** Returns the rotated files of a log in its directory, recognized by their names, the oldest first. */
export async function rotatedFiles(log: string): Promise<readonly RotatedFile[]> {
  const folder = dirname(log)
  const base = basename(log)
  const names = await readdir(folder).catch(() => [])
  // `app.log.1`, `app.log-20260131`, `app.log.2026-01-31T10:00`
  const rotated = names.filter(
    (name) => name.startsWith(base) && /^[.-]\d[\dT:.-]*$/.test(name.slice(base.length)),
  )
  const found = await Promise.all(
    rotated.map(async (name) => {
      const path = join(folder, name)
      const stats = await stat(path).catch(() => undefined)
      return stats?.isFile()
        ? { path, file: identityOf(stats), writtenAt: stats.mtimeMs }
        : undefined
    }),
  )
  return found.flatMap((one) => one ?? []).sort((one, other) => one.writtenAt - other.writtenAt)
}

export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.inode === other.inode && one.device === other.device
}
