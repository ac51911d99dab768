import type { ByteSource } from '../../../input/byte-source.js'
import { isSameFile } from '../../../input/open.js'
import {
  beginsLike,
  type ListFiles,
  logOf,
  type RotatedFile,
  rotatedFiles,
} from '../../../input/rotated.js'
import type { Checkpoint } from './checkpoint.js'

interface Search {
  readonly current?: RotatedFile | undefined
  /** Ways to list the rotated files of a log, each with the files of the one before. */
  readonly searches?: readonly ListFiles[]
}

/**
 * Finds the file of a checkpoint among the rotated files of a log, and its current file if it is given: first by device and inode,
 * since several files may have the same beginning, then by its beginning.
 */
export async function rotatedFileOf(
  checkpoint: Checkpoint,
  log: string,
  { current, searches = [rotatedFiles] }: Search = {},
): Promise<RotatedFile | undefined> {
  const { beginning, hasBegun } = checkpoint.state
  // The file that was read before, even if no event of it was sent.
  const knownFile = beginning?.file
  const isKnown = ({ file }: RotatedFile) => knownFile !== undefined && isSameFile(file, knownFile)
  const isCopy = (bytes: ByteSource) => checkpoint.isBeginningOf(bytes)
  // Usually the log was not rotated, and listing files takes long next to thousands of others.
  if (current !== undefined && isKnown(current) && (await beginsLike(current, isCopy))) {
    return current
  }
  for (const list of searches) {
    const rotated = await list(log)
    const files = current === undefined ? rotated : [current, ...rotated]
    const same = files.filter(isKnown)
    // When nothing was sent, the known beginning may be less than a line, so it does not identify a file.
    for (const one of hasBegun ? [...same, ...files] : same) {
      const isSame = await beginsLike(one, isCopy)
      // The file was renamed in the meantime. The current file, if it was renamed, is now among the rotated files.
      if (isSame === undefined) return rotatedFileOf(checkpoint, log, { searches })
      if (isSame) return one
    }
  }
  return undefined
}

/** True when the file of a checkpoint is now a rotated file of the log to which `path` belongs, and was not truncated since. */
export async function isRotated(checkpoint: Checkpoint, path: string): Promise<boolean> {
  const known = checkpoint.state.beginning?.file
  if (known === undefined) return false
  const found = await rotatedFileOf(checkpoint, logOf(path))
  return found !== undefined && isSameFile(found.file, known)
}
