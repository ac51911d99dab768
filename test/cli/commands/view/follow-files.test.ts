import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { followFile } from '../../../../src/cli/commands/view/follow-files.js'
import { detectInput } from '../../../../src/input/input.js'
import { openFile } from '../../../../src/input/open.js'
import { needsLinux } from '../../../support/needs.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const directory = temporaryDirectory()

/** Returns true when this process has a file open. */
function isOpen(path: string): boolean {
  return readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      // The descriptor that lists the folder.
      return false
    }
  })
}

it('a file is closed when following it fails', needsLinux, async () => {
  const path = join(directory, 'app.ndjson')
  writeFileSync(path, '{"n":1}\n{"n":2}\n')
  const read = { now: () => 0n }
  const opened = await openFile(path)
  const input = await detectInput(opened, read)
  await opened.bytes.close()
  const start = { offset: 8, line: 2, event: 1 }
  const last = { input: path, batchId: 'a', start, bytes: 4 }
  const followed = followFile(
    { input, position: { offset: 12, line: 2, event: 1 }, last },
    {
      read,
      signal: new AbortController().signal,
      replace: () => Promise.reject(new Error('cannot be removed')),
      onInput: () => {},
    },
  )
  await expect(followed.next()).rejects.toThrow('cannot be removed')
  expect(isOpen(path)).toBe(false)
})
