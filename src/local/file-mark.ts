import { stat } from 'node:fs/promises'
import { errorCode } from '../text/system-error.js'

/** Returns the version of a file, which changes with every write; the empty string when the file does not exist. */
export async function markOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true })
    return `${ino} ${size} ${mtimeNs}`
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  }
}
