import { randomBytes } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

interface ReplaceOptions {
  /** Permissions of the new file; those that the umask leaves if undefined. */
  readonly mode?: number
}

/** Returns a new name in the folder of a file, for what is to take its place when it is whole. */
export function temporaryPath(path: string): string {
  return join(dirname(path), `.evq-${randomBytes(6).toString('hex')}.part`)
}

/**
 * Replaces a file in one step: readers find the earlier text or the new one, also after a power failure. Rejects with the
 * system's error when the text can't be written; then the file is as it was, and nothing is left beside it.
 */
export async function replaceFile(
  path: string,
  text: string,
  { mode }: ReplaceOptions = {},
): Promise<void> {
  const temporary = temporaryPath(path)
  try {
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(text)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}

/** Does the same at once, without forcing the text onto the disk: a power failure may lose it. */
export function replaceFileSync(path: string, text: string, { mode }: ReplaceOptions = {}): void {
  const temporary = temporaryPath(path)
  try {
    writeFileSync(temporary, text, { flag: 'wx', ...(mode !== undefined && { mode }) })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
