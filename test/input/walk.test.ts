import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, isDirectory } from '../../src/input/walk.js'
import { needs, needsLinux } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'

const needsUser = needs(process.getuid?.() !== 0, 'a user other than root')
const scratch = temporaryDirectory()

describe('filesBelow', () => {
  it('sorts by name, skips hidden files and ends in a loop of links', async () => {
    const root = join(scratch, 'logs')
    mkdirSync(join(root, 'b', 'deep'), { recursive: true })
    mkdirSync(join(root, '.git'))
    mkdirSync(join(scratch, 'other'))
    for (const name of ['z.log', 'a.log', '.hidden', '.git/x', 'b/2', 'b/deep/1', '../other/far']) {
      writeFileSync(join(root, name), '')
    }
    symlinkSync(root, join(root, 'b', 'back'))
    symlinkSync(join(scratch, 'other'), join(root, 'c'))
    symlinkSync(join(root, 'a.log'), join(root, 'link.log'))
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'))
    const found = (await filesBelow(root)).map((path) => relative(root, path))
    expect(found).toEqual(['a.log', 'b/2', 'b/deep/1', 'c/far', 'link.log', 'z.log'])
  })

  it('contains files that opening will report', needsLinux, async () => {
    const root = join(scratch, 'unreadable')
    mkdirSync(root)
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]), '')
    symlinkSync('loop', join(root, 'loop'))
    expect(await filesBelow(root)).toEqual([join(root, '\uFFFD')])
  })

  it('contains files of directories that may only be listed', needsUser, async () => {
    const root = join(scratch, 'listed')
    mkdirSync(root)
    writeFileSync(join(root, 'a.log'), '')
    chmodSync(root, 0o400)
    const found = await filesBelow(root)
    chmodSync(root, 0o700)
    expect(found).toEqual([join(root, 'a.log')])
  })

  it('returns the files of a directory only', async () => {
    writeFileSync(join(scratch, 'file'), '')
    expect(await isDirectory(scratch)).toBe(true)
    expect(await isDirectory(join(scratch, 'file'))).toBe(false)
    expect(await isDirectory(join(scratch, 'missing'))).toBe(false)
  })
})
