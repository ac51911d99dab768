import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'

/**
 * The flags with which regular files are opened. Some files of `/proc` and `/sys` look like regular ones, but reading waits, during
 * which the process cannot exit; without waiting, they end after what they have now.
 */
export const NOT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK

/** True for a regular file, which can be read several times; false for `-`, and where the directory can't be read. */
export function isRegularFile(path: string): boolean {
  try {
    return path !== '-' && statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * Reads the first bytes of a regular file into a buffer; returns an empty one for a file that can't be read. A named pipe must not
 * be read like this, because closing it ends the program that writes to it.
 */
export function fileHead(path: string, buffer: Buffer): Buffer {
  let fd: number | undefined
  try {
    fd = openSync(path, NOT_WAITING)
    return buffer.subarray(0, readSync(fd, buffer))
  } catch {
    return NONE
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

const NONE = Buffer.alloc(0)
