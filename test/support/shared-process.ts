import { afterEach, aroundAll } from 'vitest'
import { runHooks } from './every-file.js'
import { removeTemporaryDirectories } from './temporary.js'

// Runs for each test file. Files that share a process share its modules, whose own hooks are those of the first file only.
aroundAll(async (runSuite) => {
  await runSuite()
  await runHooks('file')
  await removeTemporaryDirectories()
})

afterEach(() => runHooks('test'))
