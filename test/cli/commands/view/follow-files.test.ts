import { readdirSync, readlinkSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type FileEnd, followFile } from '../../../../src/cli/commands/view/follow-files.js'
import { detectInput } from '../../../../src/input/input.js'
import { openFile } from '../../../../src/input/open.js'
import { needsLinux } from '../../../support/needs.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const directory = temporaryDirectory()

const read = { now: () => 0n }

/** Returns the end of a file of two lines of 8 bytes, whose second line may be continued. */
async function readToEnd(path: string): Promise<FileEnd> {
  const opened = await openFile(path)
  const input = await detectInput(opened, read)
  await opened.bytes.close()
  const start = { offset: 8, line: 2, event: 1 }
  const last = { input: path, batchId: 'a', start, bytes: 4 }
  return { input, position: { offset: 12, line: 2, event: 1 }, last }
}

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

it.each(['before', 'after'])(
  'a file that was renamed, and another one made %s it is followed, is read from its beginning',
  async (when) => {
    const path = join(directory, `${when}.ndjson`)
    writeFileSync(path, '{"n":1}\n{"n":2}\n')
    const { input, position, last } = await readToEnd(path)
    renameSync(path, `${path}.1`)
    const rewrite = () => writeFileSync(path, '{"n":3}\n{"n":4}\n{"n":5}\n')
    if (when === 'before') rewrite()
    const stop = new AbortController()
    const replaced: unknown[] = []
    const followed = followFile(
      { input, position, last },
      {
        read,
        signal: stop.signal,
        replace: async (event) => void replaced.push(event),
        onInput: () => {},
      },
    )
    const next = followed.next()
    if (when === 'after') rewrite()
    const { value } = await next
    expect(value).toMatchObject({ kind: 'batch', events: 3 })
    expect(replaced).toEqual([])
    stop.abort()
    await followed.return(undefined)
  },
)

it('a file is closed when following it fails', needsLinux, async () => {
  const path = join(directory, 'app.ndjson')
  writeFileSync(path, '{"n":1}\n{"n":2}\n')
  const followed = followFile(await readToEnd(path), {
    read,
    signal: new AbortController().signal,
    replace: () => Promise.reject(new Error('cannot be removed')),
    onInput: () => {},
  })
  await expect(followed.next()).rejects.toThrow('cannot be removed')
  expect(isOpen(path)).toBe(false)
})
