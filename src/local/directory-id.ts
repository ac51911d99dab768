import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { errorCode } from '../text/system-error.js'
import { directoryError } from './directory-error.js'
import { makeDirectory } from './make-directory.js'

/**
 * What a data directory is known by as long as it lives: one that was deleted and made anew at the same
 * place has another. It gets one, and is made, when it is first asked for it.
 */
export async function directoryId(directory: string): Promise<string> {
  const path = join(resolve(directory), 'id')
  try {
    await makeDirectory(resolve(directory))
    return (await known(path)) ?? (await give(path))
  } catch (error) {
    throw directoryError(directory, error)
  }
}

async function known(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Of several processes that come here at once the first one gives the id, and all read the same. */
async function give(path: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, randomUUID(), { mode: 0o600 })
  try {
    // Unlike a rename, a link never takes the place of what is there.
    await link(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}
