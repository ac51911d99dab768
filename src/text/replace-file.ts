import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchownSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { copyOwner } from './file-owner.js'
import { naming } from './system-error.js'

interface ReplaceOptions {
  /** The permissions of the new file; by default, the permissions that the umask allows. */
  readonly mode?: number
}

/** Returns a new path in the directory of a file, for a temporary file that replaces it by renaming. */
export function temporaryPath(path: string): string {
  return join(dirname(path), `.evq-${randomBytes(6).toString('hex')}.part`)
}

/**
 * Replaces a file atomically: readers find the old text or the new one, also after a power failure. Rejects with the
 * system's error, which has `path`, when the text cannot be written; then the file is unchanged and no temporary file is left.
 * The target of a link is replaced, not the link: the configuration may be a link into a directory under version control.
 */
export async function replaceFile(
  path: string,
  text: string | Uint8Array,
  { mode }: ReplaceOptions = {},
): Promise<void> {
  const place = linkTarget(path)
  const temporary = temporaryPath(place)
  try {
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(text)
      await file.datasync()
      copyOwner(place, (user, group) => fchownSync(file.fd, user, group))
    } finally {
      await file.close()
    }
    await rename(temporary, place)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    // The temporary file means nothing to users.
    throw naming(path, error)
  }
}

/**
 * Replaces a file synchronously, without flushing it to disk: a power failure may lose the new text. Returns the descriptor of the
 * new file, which appends to it.
 */
export function replaceFileSync(path: string, text: string, { mode }: ReplaceOptions = {}): number {
  const place = linkTarget(path)
  const temporary = temporaryPath(place)
  let file: number | undefined
  try {
    const created = openSync(temporary, 'ax', mode)
    file = created
    writeFileSync(created, text)
    copyOwner(place, (user, group) => fchownSync(created, user, group))
    renameSync(temporary, place)
    return created
  } catch (error) {
    if (file !== undefined) closeSync(file)
    rmSync(temporary, { force: true })
    // The temporary file means nothing to users.
    throw naming(path, error)
  }
}

/** Returns the path that a link leads to, where nothing need exist; the path itself when it is no link, or one of a circle. */
export function linkTarget(path: string): string {
  let place = path
  for (let links = 0; links < MAX_LINKS; links++) {
    const next = linkAt(place)
    if (next === undefined) return place
    place = resolve(realpathSync(dirname(place)), next)
  }
  return path
}

/** The number of links that Linux follows. */
const MAX_LINKS = 40

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
