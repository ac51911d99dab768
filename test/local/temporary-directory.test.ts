import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openTemporaryDirectory } from '../../src/local/temporary-directory.js'
import { temporaryDirectory } from '../support/temporary.js'

describe('a temporary directory', () => {
  it('is not taken for a leftover before it is locked', async () => {
    const parent = temporaryDirectory()
    const loaded = await openTemporaryDirectory(parent)
    loaded.remove()
    const first = openTemporaryDirectory(parent)
    // Node creates it on another thread: meanwhile the first call can't go on.
    while (readdirSync(parent).length === 0) {
      await setImmediate()
      const end = performance.now() + 20
      while (performance.now() < end);
    }
    const opened = await Promise.all([first, openTemporaryDirectory(parent)])
    expect(new Set(opened.map(({ path }) => path)).size).toBe(2)
    for (const { path } of opened) expect(existsSync(join(path, 'lock'))).toBe(true)
    for (const { remove } of opened) remove()
    expect(readdirSync(parent)).toEqual([])
  })

  it('is created after those of killed processes were deleted', async () => {
    const parent = temporaryDirectory()
    const one = await openTemporaryDirectory(parent)
    const leftover = `${one.path.slice(0, -6)}killed`
    mkdirSync(leftover)
    const other = await openTemporaryDirectory(parent)
    expect(existsSync(leftover)).toBe(false)
    expect([existsSync(one.path), existsSync(other.path)]).toEqual([true, true])
    for (const { remove } of [one, other]) remove()
  })
})
