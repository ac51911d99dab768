import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startScan } from '../../../../../src/cli/commands/query/input/scan.js'
import { silentContext } from '../../../../support/fake-io.js'
import { temporaryDirectory } from '../../../../support/temporary.js'

const scratch = temporaryDirectory()

describe('the files of a query', () => {
  it('are not opened to the last when the query is cancelled', async () => {
    const file = join(scratch, 'a.ndjson')
    writeFileSync(file, '{"n":1}\n')
    const scan = async (name: string, signal: AbortSignal) => {
      const directory = join(scratch, name)
      mkdirSync(directory)
      const options = { dataset: 'logs', fields: undefined, isInGroups: false, reading: {} }
      return await startScan(
        { ...options, files: [file], directory, now: () => 0n },
        signal,
        silentContext(),
      )
    }
    expect(await scan('cancelled', AbortSignal.abort())).toBeUndefined()
    const running = await scan('running', new AbortController().signal)
    expect(running).toBeDefined()
    await running?.close()
  })
})
