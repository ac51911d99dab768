import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aroundAll } from 'vitest'

const directories: string[] = []

// The outermost hook of a test file: by the time it removes them, all other hooks have stopped what writes to them.
aroundAll(async (runSuite) => {
  await runSuite()
  for (const directory of directories) await removeDirectory(directory)
})

/** Creates a directory for this test file; it is removed after all other hooks of the file. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'evq-test-'))
  directories.push(directory)
  return directory
}

/** Removes a directory; retries for about five seconds while files are still added to it. */
export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 13, retryDelay: 50 })
}
