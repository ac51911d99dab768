import { aroundAll } from 'vitest'
import { removeTemporaryDirectories } from './temporary.js'

// Runs for each test file. Files that share a process share its modules, whose own hooks are those of the first file only.
aroundAll(async (runSuite) => {
  await runSuite()
  await removeTemporaryDirectories()
})
