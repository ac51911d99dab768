import { openSync } from 'node:fs'
import { join } from 'node:path'

/** What the kernel takes as a socket's path, in bytes without the closing zero; macOS has the lower limit. */
const LONGEST = process.platform === 'linux' ? 107 : 103

/** Directories with a long path, held open for as long as the process lives. */
const held = new Map<string, number>()

/**
 * The path at which a data directory's owner listens, short enough to bind and connect to. A long one
 * goes through the directory's file descriptor, since a path cut short would be another place.
 */
export function socketPath(directory: string): string {
  const path = join(directory, 'evq.sock')
  if (Buffer.byteLength(path) <= LONGEST || process.platform !== 'linux') return path
  const descriptor = held.get(directory) ?? openSync(directory, 'r')
  held.set(directory, descriptor)
  return `/proc/self/fd/${descriptor}/evq.sock`
}
