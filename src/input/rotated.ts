import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** The files beside a log that hold what was in it before, by their names: the oldest first. */
export async function rotatedFiles(path: string): Promise<readonly string[]> {
  const folder = dirname(path)
  const base = basename(path)
  const names = await readdir(folder).catch(() => [])
  // `app.log.1`, `app.log-20260131`, `app.log.2026-01-31T10:00`
  const rotated = names.filter(
    (name) => name.startsWith(base) && /^[.-]\d[\dT:.-]*$/.test(name.slice(base.length)),
  )
  const dated = await Promise.all(
    rotated.map(async (name) => {
      const file = join(folder, name)
      const stats = await stat(file).catch(() => undefined)
      return stats?.isFile() ? { file, writtenAt: stats.mtimeMs } : undefined
    }),
  )
  return dated
    .flatMap((one) => one ?? [])
    .sort((one, other) => one.writtenAt - other.writtenAt)
    .map(({ file }) => file)
}
