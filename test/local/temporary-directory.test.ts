import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openTemporaryDirectory } from '../../src/local/temporary-directory.js'
import { needsLinux, needsRoot } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'

describe('a temporary directory', () => {
  it('is not taken for a leftover before it is locked', async () => {
    const parent = temporaryDirectory()
    const other = await openTemporaryDirectory(parent)
    const first = openTemporaryDirectory(parent)
    // Node creates it on another thread: meanwhile the first call can't go on.
    while (readdirSync(dirname(other.path)).length === 1) {
      await setImmediate()
      const end = performance.now() + 20
      while (performance.now() < end);
    }
    const opened = await Promise.all([first, openTemporaryDirectory(parent)])
    expect(new Set(opened.map(({ path }) => path)).size).toBe(2)
    for (const { path } of opened) expect(existsSync(join(path, 'lock'))).toBe(true)
    for (const { remove } of [...opened, other]) remove()
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

  it('is created without following links', async () => {
    const parent = temporaryDirectory()
    const other = temporaryDirectory()
    writeFileSync(join(other, 'lock'), 'precious')
    const one = await openTemporaryDirectory(parent)
    const link = `${one.path.slice(0, -6)}linked`
    symlinkSync(other, link)
    const two = await openTemporaryDirectory(parent)
    expect(readFileSync(join(other, 'lock'), 'utf8')).toBe('precious')
    expect(readdirSync(dirname(link))).toContain(basename(link))
    for (const { remove } of [one, two]) remove()
  })

  it('is created without touching directories of other users', needsRoot, async () => {
    const parent = temporaryDirectory()
    const precious = join(temporaryDirectory(), 'precious')
    writeFileSync(precious, 'precious')
    const one = await openTemporaryDirectory(parent)
    const foreign = `${one.path.slice(0, -6)}others`
    mkdirSync(foreign)
    symlinkSync(precious, join(foreign, 'lock'))
    chownSync(foreign, 65_534, 65_534)
    const two = await openTemporaryDirectory(parent)
    expect(readFileSync(precious, 'utf8')).toBe('precious')
    expect(existsSync(foreign)).toBe(true)
    for (const { remove } of [one, two]) remove()
  })

  it('is in a folder of the user, unless something else has its name', needsRoot, async () => {
    const parent = temporaryDirectory()
    const one = await openTemporaryDirectory(parent)
    const folder = dirname(one.path)
    expect([dirname(folder), statSync(folder).mode & 0o777]).toEqual([parent, 0o700])
    one.remove()
    mkdirSync(folder)
    chownSync(folder, 65_534, 65_534)
    const two = await openTemporaryDirectory(parent)
    expect(dirname(two.path)).toBe(parent)
    two.remove()
  })

  it('is refused with the name of the variable where it can not be created', async () => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    const reasons = {
      [join(file, '../missing')]: 'no such file or directory',
      [file]: 'not a directory',
    }
    for (const [parent, reason] of Object.entries(reasons)) {
      await expect(openTemporaryDirectory(parent)).rejects.toThrow(
        `The directory for temporary files, \`${parent}\`, can't be used: ${reason}. Set \`TMPDIR\` to another directory.`,
      )
    }
  })

  it('is refused where a file system does not create directories', needsLinux, async () => {
    await expect(openTemporaryDirectory('/proc')).rejects.toThrow(
      "The directory for temporary files, `/proc`, can't be used: no such file or directory.",
    )
  })

  it('is refused where the engine would not find its files', async () => {
    const parent = join(temporaryDirectory(), 'a{b}')
    mkdirSync(parent)
    await expect(openTemporaryDirectory(parent)).rejects.toThrow(
      /a\{b\}.*Set `TMPDIR` to another directory\./,
    )
    expect(readdirSync(parent)).toEqual([])
  })
})
