import { openFile } from '../../../../input/open.js'
import { isSameFile, type RotatedFile } from '../../../../input/rotated.js'
import type { Checkpoint } from './checkpoint.js'

/** Finds the file of a checkpoint: first by device and inode, since several files may begin alike, then by its beginning. */
export async function rotatedFileOf(
  checkpoint: Checkpoint,
  files: readonly RotatedFile[],
): Promise<RotatedFile | undefined> {
  const { knownFile, hasBegun } = checkpoint
  const same = files.filter(({ file }) => knownFile !== undefined && isSameFile(file, knownFile))
  // The beginning may be less than a line when nothing was sent.
  for (const one of hasBegun ? [...same, ...files] : same) {
    const { bytes } = await openFile(one.path)
    try {
      if (await checkpoint.isBeginningOf(bytes)) return one
    } finally {
      await bytes.close()
    }
  }
  return undefined
}
