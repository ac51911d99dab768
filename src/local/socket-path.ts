import { openSync } from 'node:fs'
import { join } from 'node:path'
import { DirectoryError } from './directory-error.js'

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
  if (Buffer.byteLength(path) <= LONGEST) return path
  if (process.platform !== 'linux') {
    throw new DirectoryError(
      'failed',
      `The path of the data directory \`${directory}\` is too long for a socket. \`--data-dir\` names another.`,
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
    // Where there is no directory, nobody listens.
    return undefined
  }
  held.set(directory, descriptor)
  return descriptor
}
