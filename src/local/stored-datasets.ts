import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns the names of the datasets in a data directory, from the folders that the engine stores tables in.
 * Needs neither the engine nor the lock, so it is fast and works while a service is running.
 */
export async function storedDatasets(directory: string): Promise<readonly string[]> {
  const folders = await readdir(join(directory, 'engine/data/datasets')).catch(() => [])
  return folders.map(decodeURIComponent).sort()
}
