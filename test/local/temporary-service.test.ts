import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startFileScan } from '../../src/local/file-scan.js'
import { openTemporaryService } from '../../src/local/temporary-service.js'
import { temporaryDirectory } from '../support/temporary.js'

it('ends the scan of files when the engine cannot be opened', async () => {
  const scratch = temporaryDirectory()
  const path = join(scratch, 'events.ndjson')
  writeFileSync(path, '{"a":1}\n'.repeat(100))
  const directory = join(scratch, 'query')
  mkdirSync(directory)
  writeFileSync(join(directory, 'engine'), 'not a directory')
  const files = [{ path, start: 0 }]
  const now = () => 0n
  const scan = startFileScan({
    ...{ dataset: 'input', fields: ['a'], timestampField: '_time', files },
    ...{ directory, arrivedAt: now() },
  })
  expect(scan).toBeDefined()
  const inputs = { main: 'input', file: () => undefined }
  const opening = openTemporaryService({ directory, now, inputs, assumed: () => [], scan })
  await expect(opening).rejects.toThrow()
  // A scan that was ended has no events.
  expect(await scan?.finish()).toBeUndefined()
})
