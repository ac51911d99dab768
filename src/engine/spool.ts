import { statfsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatInteger } from '../text/integer.js'
import { errorCode } from '../text/system-error.js'
import { diskFullError, StoreError } from './store-error.js'

const MEBIBYTE = 1024 * 1024

/**
 * Disk space that is never used. On a full disk, the engine was seen to accept a merged part although it could not write the last
 * file of the part.
 */
export const RESERVED_BYTES = 64 * MEBIBYTE

/** Throws `StoreError` when writing this many bytes would leave less than the reserved space free. */
export function checkFreeSpace(folder: string, bytes: number): void {
  if (freeBytes(folder) - bytes < RESERVED_BYTES) throw diskFullError()
}

/** Returns the number of bytes that can be written. Synchronous, because the thread pool takes ten times as long to call back. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    const gone = `The folder \`${folder}\` no longer exists, so nothing can be stored.`
    throw new StoreError('failed', `${gone} Restart the service.`)
  }
}

/** More than the definition of a table takes. */
const TRIED_BYTES = MEBIBYTE / 4

/**
 * Rejects with the error of the system when a file can't be written in a folder: on a full disk, or beyond a quota or a limit of file
 * sizes. The engine ignores such an error, and replaces the definition of a table by what it could write of the new one.
 */
export async function checkWritable(folder: string): Promise<void> {
  const path = join(folder, 'writable.tmp')
  try {
    await writeFile(path, Buffer.alloc(TRIED_BYTES), { mode: 0o600 })
  } finally {
    await rm(path, { force: true })
  }
}

/** The space that every deletion needs: ClickHouse rewrites files, also when few rows remain. */
const DELETION_BYTES = 16 * MEBIBYTE

/** ClickHouse rewrites a part only when this multiple of its size is free. */
const FREE_PER_BYTE = 1.1

/**
 * Throws `StoreError` when there is too little space to rewrite parts of this size in total: ClickHouse would wait for space
 * indefinitely.
 */
export function checkSpaceToDelete(folder: string, bytes = 0): void {
  const free = freeBytes(folder)
  const needed = bytes === 0 ? DELETION_BYTES : RESERVED_BYTES + FREE_PER_BYTE * bytes
  if (free >= needed) return
  const state = free < DELETION_BYTES ? 'The disk is full.' : 'The disk has too little free space.'
  const size = formatInteger(Math.ceil(needed / MEBIBYTE))
  throw new StoreError(
    'disk-full',
    `${state} Nothing was changed: deleting events or renaming a dataset temporarily needs ${size} MiB of free space.`,
  )
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
  throw new StoreError(
    'failed',
    `The path \`${path}\` can't be used for events, since the engine expands \`*\`, \`?\`, \`{\`, \`}\` and \`,\`. Choose another directory with \`--data-dir\`.`,
  )
}
