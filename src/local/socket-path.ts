import { openSync } from 'node:fs'
import { join } from 'node:path'
import { DirectoryError } from './directory-error.js'

/** The kernel's maximum length of a socket path, in bytes without the terminating zero; macOS has the lower limit. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103

/** Directories with a long path, kept open until the process ends. */
const held = new Map<string, number>()

/**
 * Returns the path of a data directory's socket, short enough to bind and connect to. A long path is replaced by
 * one through the directory's file descriptor, since a truncated path would be a different place.
 */
export function socketPath(directory: string): string {
  const path = join(directory, 'evq.sock')
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path
  if (process.platform !== 'linux') {
    throw new DirectoryError(
      `The path of the data directory \`${directory}\` is too long for a socket. Choose a shorter path with \`--data-dir\`.`,
    )
  }
  const descriptor = held.get(directory) ?? hold(directory)
  return descriptor === undefined ? path : `/proc/self/fd/${descriptor}/evq.sock`
}

function hold(directory: string): number | undefined {
  let descriptor: number
  try {
    descriptor = openSync(directory, 'r')
  } catch {
    // Without a directory, there is no listener.
    return undefined
  }
  held.set(directory, descriptor)
  return descriptor
}
