import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startScan } from '../../../../../src/cli/commands/query/input/scan.js'
import { start } from '../../../../support/evq.js'
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

  it('are not said to be missing when nothing is left of one that became shorter', async () => {
    const file = join(scratch, 'shorter.ndjson')
    const line = `{"n":1,"text":"${'x'.repeat(982)}"}\n`
    // More than is scanned before the first rows are printed.
    for (let part = 0; part < 20; part++) writeFileSync(file, line.repeat(12_500), { flag: 'a' })
    const { child, ended } = start(['query', '-i', file, 'project n'], { directory: scratch })
    child.stdout?.once('data', () => truncateSync(file))
    const { status, stdout, stderr } = await ended
    expect(stderr).toContain(`\`${file}\` shrank while it was read: its last events are missing.`)
    expect(stderr).toContain(`${stdout.match(/\n/g)?.length.toLocaleString('en')} rows, `)
    expect(status).toBe(3)
  })
})
