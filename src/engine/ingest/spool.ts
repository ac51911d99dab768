import { statfs } from 'node:fs/promises'
import { errorCode } from '../../text/system-error.js'
import { diskFullError, StoreError } from '../store-error.js'

/**
 * Bytes of the disk that are never filled. On a disk that is really full the engine has been seen to
 * take a merged part for good whose last file it could not write.
 */
export const RESERVED_BYTES = 64 * 1024 * 1024

/** Refuses, before it is written, what would leave too little of the disk free. */
export async function checkFreeSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder).catch((error: unknown) => {
    throw errorCode(error) === 'ENOENT' ? folderMissing(folder) : error
  })
  if (bavail * bsize - bytes < RESERVED_BYTES) throw diskFullError()
}

/** Deleting rows writes files anew without them; ClickHouse needs room for that even where few bytes remain. */
const DELETION_BYTES = 16 * 1024 * 1024

/** Refuses to delete events while the disk is full: ClickHouse would wait for space without an end. */
export async function checkSpaceToDelete(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= DELETION_BYTES) return
  throw new StoreError({
    reason: 'disk-full',
    message:
      'The disk is full: nothing was deleted. Deleting events needs 16 MiB of free space for a moment.',
  })
}

/** Someone deleted the data directory under the running service. */
function folderMissing(folder: string): StoreError {
  return new StoreError({
    reason: 'failed',
    message: `The folder \`${folder}\` is gone, so nothing can be stored before the service starts again.`,
  })
}

// In a file's name the engine takes these for a pattern. It reads whatever fits, and when nothing
// does it reads nothing and says that all is well: events would be lost, or stored twice.
const PATTERN = /[*?{},]/

/** Refuses a path that the engine would not take as it is. */
export function rejectGlobPath(path: string): void {
  if (!PATTERN.test(path)) return
  throw new StoreError({
    reason: 'failed',
    message: `The path \`${path}\` can't hold events on their way to the engine: it takes \`*\`, \`?\`, \`{\`, \`}\` and \`,\` for a pattern. \`--data-dir\` names another directory.`,
  })
}
