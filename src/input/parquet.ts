import { fileHead, isRegularFile } from '../text/regular-file.js'

const MAGIC = 'PAR1'

/** Returns true for a regular file that begins like a Parquet file; false for other files and files that can't be read. */
export function isParquet(path: string): boolean {
  return isRegularFile(path) && beginsLikeParquet(fileHead(path, Buffer.alloc(MAGIC.length)))
}

/** Returns true for the first bytes of a Parquet file. */
export function beginsLikeParquet(head: Buffer): boolean {
  return head.toString('latin1', 0, MAGIC.length) === MAGIC
}
