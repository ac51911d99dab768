import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { NOT_WAITING } from './descriptor.js'

const MAGIC = 'PAR1'

/** Returns true for a regular file that begins like a Parquet file; false for other files and files that can't be read. */
export function isParquet(path: string): boolean {
  let fd: number | undefined
  try {
    // Opening a named pipe would wait for a writer.
    if (!statSync(path).isFile()) return false
    fd = openSync(path, NOT_WAITING)
    const head = Buffer.alloc(MAGIC.length)
    return readSync(fd, head) === head.length && beginsLikeParquet(head)
  } catch {
    return false
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Returns true for the first bytes of a Parquet file. */
export function beginsLikeParquet(head: Buffer): boolean {
  return head.toString('latin1', 0, MAGIC.length) === MAGIC
}
