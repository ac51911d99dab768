import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aroundAll } from 'vitest'
import { removeDirectory } from './remove-directory.js'

const directories: string[] = []

// The outermost hook of a test file: by the time it removes them, all other hooks have stopped what writes to them.
aroundAll(async (runSuite) => {
  await runSuite()
  await removeTemporaryDirectories()
})

/** Removes the directories of this test file. */
export async function removeTemporaryDirectories(): Promise<void> {
  for (const directory of directories.splice(0)) await removeDirectory(directory)
}

/** Creates a directory for this test file; it is removed after all other hooks of the file. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'evq-test-'))
  directories.push(directory)
  return directory
}
