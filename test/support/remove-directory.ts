import { rm } from 'node:fs/promises'

/** Removes a directory; retries for about five seconds while files are still added to it. */
export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 13, retryDelay: 50 })
}
