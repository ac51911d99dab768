import { openSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Lock, lock, lockHolder } from '../../src/local/file-lock.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const open = (path: string): number => openSync(path, 'a', 0o600)

it('a lock is held by one process at a time', async () => {
  const path = join(scratch, 'one')
  const held = await lock(path)
  expect(await lock(path)).toBeUndefined()
  held?.release()
  const next = await lock(path)
  expect(next).toBeDefined()
  next?.release()
})

it.each([
  ['a new file', undefined],
  ['an empty file', ''],
  ['the file of a process that has ended', '123456789012345\n123\n'],
])('a lock on %s leaves only the id of its holder in it', async (name, content) => {
  const path = join(scratch, name)
  if (content !== undefined) writeFileSync(path, content)
  const held = await lock(path)
  expect(readFileSync(path, 'utf8')).toBe(`${process.pid}\n`)
  expect(lockHolder(path)).toBe(process.pid)
  held?.release()
})

it('a lock is not taken on a file that its holder removed in the meantime', async () => {
  const path = join(scratch, 'removed')
  let opened = 0
  const held = await lock(path, (name) => {
    const descriptor = open(name)
    if (++opened === 1) rmSync(name)
    return descriptor
  })
  expect(held).toBeDefined()
  expect(await lock(path)).toBeUndefined()
  held?.release()
})

it('a lock is not taken while another process holds a new file without a process id', async () => {
  const path = join(scratch, 'replaced')
  const other = `${path}.other`
  let first: Lock | undefined
  const prepared = await lock(other)
  // On a full disk the process id cannot be written.
  truncateSync(other)
  const second = await lock(path, (name) => {
    const descriptor = open(name)
    if (first === undefined) {
      renameSync(other, name)
      first = prepared
    }
    return descriptor
  })
  expect(first).toBeDefined()
  expect(second).toBeUndefined()
  first?.release()
})
