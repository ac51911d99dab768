import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The names of the datasets in a data directory, by the folders that the engine keeps their tables in.
 * Needs neither the engine nor the lock, so it answers at once, also while a service runs.
 */
export async function storedDatasets(directory: string): Promise<readonly string[]> {
  const folders = await readdir(join(directory, 'engine/data/datasets')).catch(() => [])
  return folders.map(decodeURIComponent).sort()
}
