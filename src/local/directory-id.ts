// The file `id` of a data directory: the directory's id, and on a second line `clickhouse` when the service keeps its data
// in ClickHouse.
import { hash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { makeDirectory } from '../text/make-directory.js'
import { replaceFile } from '../text/replace-file.js'
import { errorCode } from '../text/system-error.js'
import { directoryError, notAFile } from './directory-error.js'

const FILE = 'id'
const IN_CLICKHOUSE = 'clickhouse'

/**
 * Returns the id of a data directory, which it keeps as long as it exists: a directory that was deleted and created again at the
 * same path has another one. Creates the directory and the id when they are missing. Throws a `DirectoryError` when that fails.
 */
export async function directoryId(directory: string): Promise<string> {
  const root = resolve(directory)
  try {
    await makeDirectory(root)
    const [id] = await read(root)
    return id || (await createId(root))
  } catch (error) {
    throw directoryError(directory, error)
  }
}

/**
 * Returns the name of the service on a data directory among all services that share one ClickHouse. It is the same after a
 * crash, and different on another machine, to which the directory may have been copied: a service must not release what
 * another one has claimed.
 */
export async function serviceName(directory: string): Promise<string> {
  const id = await directoryId(directory)
  return hash('sha256', `${id} ${hostname()}`, 'hex').slice(0, 32)
}

/** Records that the service on a data directory keeps its data in ClickHouse. */
export async function setInClickHouse(directory: string): Promise<void> {
  if (await isInClickHouse(directory)) return
  const id = await directoryId(directory)
  await replaceFile(join(directory, FILE), `${id}\n${IN_CLICKHOUSE}\n`, { mode: 0o600 })
}

/**
 * Returns the name of the file which says that the service on a data directory keeps its data in ClickHouse; undefined when
 * it does not say so, or when the directory holds events.
 */
export async function fileOfClickHouse(directory: string): Promise<string | undefined> {
  const isElsewhere = !holdsEvents(directory) && (await isInClickHouse(directory))
  return isElsewhere ? FILE : undefined
}

/** True when events were stored in the directory itself. */
export function holdsEvents(directory: string): boolean {
  return existsSync(join(directory, 'engine'))
}

async function isInClickHouse(directory: string): Promise<boolean> {
  const [, place] = await read(directory)
  return place === IN_CLICKHOUSE
}

/** Returns the lines of the file; none when there is no file. */
async function read(directory: string): Promise<readonly string[]> {
  const path = join(directory, FILE)
  try {
    return (await readFile(path, 'utf8')).split('\n')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EISDIR') throw notAFile(path)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

/** Creates the id. When several processes do so at once, the first one wins, and all of them return the same id. */
async function createId(directory: string): Promise<string> {
  const path = join(directory, FILE)
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, randomUUID(), { mode: 0o600 })
  try {
    // Unlike a rename, a link does not replace an existing file.
    await link(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  const [created] = await read(directory)
  if (created) return created
  // A power failure left an empty file.
  const id = randomUUID()
  await replaceFile(path, id, { mode: 0o600 })
  return id
}
