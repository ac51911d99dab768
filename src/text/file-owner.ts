import { chownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Gives a file that root has created to the owner of the file at `like`, or else of its directory: root makes tokens for a
 * service that runs as another user.
 */
export function copyOwner(path: string, like: string): void {
  if (process.getuid?.() !== 0) return
  try {
    const { uid, gid } = statSync(like, { throwIfNoEntry: false }) ?? statSync(dirname(like))
    chownSync(path, uid, gid)
  } catch {
    // Not every file system has owners, and not every owner exists in a container.
  }
}
