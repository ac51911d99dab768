import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Gives a file that root has created to the owner of the file at `like`, or else of its directory: root makes tokens for a
 * service that runs as another user. `change` must not follow links, which that user may have put in the place of the file.
 */
export function copyOwner(like: string, change: (user: number, group: number) => void): void {
  if (process.getuid?.() !== 0) return
  try {
    const { uid, gid } = statSync(like, { throwIfNoEntry: false }) ?? statSync(dirname(like))
    change(uid, gid)
  } catch {
    // Not every file system has owners, and not every owner exists in a container.
  }
}
