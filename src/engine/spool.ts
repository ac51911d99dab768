import { statfs } from 'node:fs/promises'
import { errorCode } from '../text/system-error.js'
import { diskFullError, StoreError } from './store-error.js'

/**
 * Disk space that is never used. On a full disk, the engine was seen to accept a merged part although it could not write the last
 * file of the part.
 */
export const RESERVED_BYTES = 64 * 1024 * 1024

/** Throws `StoreError` when writing this many bytes would leave less than the reserved space free. */
export async function checkFreeSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder).catch((error: unknown) => {
    throw errorCode(error) === 'ENOENT' ? folderMissing(folder) : error
  })
  if (bavail * bsize - bytes < RESERVED_BYTES) throw diskFullError()
}

/** ClickHouse deletes rows by rewriting their files and needs space for that even when few rows remain. */
const DELETION_BYTES = 16 * 1024 * 1024

/** Throws `StoreError` when the disk is full: ClickHouse would wait for space indefinitely. */
export async function checkSpaceToDelete(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= DELETION_BYTES) return
  throw new StoreError({
    reason: 'disk-full',
    message:
      'The disk is full. Nothing was deleted. Deleting events temporarily needs 16 MiB of free space.',
  })
}

/** The error when the data directory was deleted while the service is running. */
function folderMissing(folder: string): StoreError {
  return new StoreError({
    reason: 'failed',
    message: `The folder \`${folder}\` no longer exists, so nothing can be stored. Restart the service.`,
  })
}

// The engine expands these characters in a path. It reads all files that match, and reports success when no file matches:
// events would be lost or stored twice.
const PATTERN = /[*?{},]/

/** True for a path with characters that the engine expands. */
export function isGlobPath(path: string): boolean {
  return PATTERN.test(path)
}

/** Throws `StoreError` for a path with characters that the engine expands. */
export function rejectGlobPath(path: string): void {
  if (!isGlobPath(path)) return
  throw new StoreError({
    reason: 'failed',
    message: `The path \`${path}\` can't be used for events, since the engine expands \`*\`, \`?\`, \`{\`, \`}\` and \`,\`. Choose another directory with \`--data-dir\`.`,
  })
}
