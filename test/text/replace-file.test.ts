import {
  chownSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { replaceFile, replaceFileSync } from '../../src/text/replace-file.js'
import { needsRoot } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
let runs = 0
let directory: string
let file: string

beforeEach(() => {
  directory = join(scratch, String(runs++))
  mkdirSync(directory)
  file = join(directory, 'file')
})

describe.each([
  ['replaceFile', replaceFile],
  [
    'replaceFileSync',
    async (...given: Parameters<typeof replaceFileSync>) => closeSync(replaceFileSync(...given)),
  ],
] as const)('%s', (_, replace) => {
  it('creates a file that does not exist', async () => {
    await replace(file, 'new\n')
    expect(readFileSync(file, 'utf8')).toBe('new\n')
    expect(readdirSync(directory)).toEqual(['file'])
  })

  it('sets the permissions of the new file regardless of those of the old one', async () => {
    writeFileSync(file, 'old', { mode: 0o666 })
    await replace(file, 'new', { mode: 0o600 })
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['new', 0o600])
  })

  it('keeps the owner of the old file when root replaces it', needsRoot, async () => {
    writeFileSync(file, 'old')
    chownSync(file, 54_321, 54_322)
    await replace(file, 'new')
    expect(statSync(file)).toMatchObject({ uid: 54_321, gid: 54_322 })
  })

  it('gives a new file of root to the owner of its directory', needsRoot, async () => {
    chownSync(directory, 54_321, 54_322)
    await replace(file, 'new')
    expect(statSync(file)).toMatchObject({ uid: 54_321, gid: 54_322 })
  })

  it('replaces the target of a link', async () => {
    const elsewhere = join(scratch, `target-${runs}`)
    writeFileSync(elsewhere, 'old')
    symlinkSync(elsewhere, file)
    await replace(file, 'new')
    expect([readlinkSync(file), readFileSync(elsewhere, 'utf8')]).toEqual([elsewhere, 'new'])
    expect(readdirSync(directory)).toEqual(['file'])
  })

  it('creates the target of links where nothing exists', async () => {
    const shelf = join(scratch, `shelf-${runs}`)
    mkdirSync(shelf)
    symlinkSync(shelf, join(directory, 'shelf'))
    symlinkSync('shelf/second', file)
    symlinkSync('third', join(shelf, 'second'))
    await replace(file, 'new')
    expect(readFileSync(join(shelf, 'third'), 'utf8')).toBe('new')
    expect([readlinkSync(file), readFileSync(file, 'utf8')]).toEqual(['shelf/second', 'new'])
  })

  it('leaves the old file and no temporary file when it fails', async () => {
    mkdirSync(file)
    await expect(replace(file, 'new')).rejects.toMatchObject({ code: 'EISDIR', path: file })
    expect(readdirSync(directory)).toEqual(['file'])
    expect(statSync(file).isDirectory()).toBe(true)
  })

  it("rejects with the system's error and the path when the file cannot be written", async () => {
    const path = join(directory, 'no', 'file')
    await expect(replace(path, 'new')).rejects.toMatchObject({ code: 'ENOENT', path })
    expect(readdirSync(directory)).toEqual([])
  })
})

describe('replaceFileSync', () => {
  it('returns a descriptor that appends, also after the end was removed', () => {
    const descriptor = replaceFileSync(file, 'first\nsecond\n')
    ftruncateSync(descriptor, 'first\n'.length)
    writeSync(descriptor, 'third\n')
    closeSync(descriptor)
    expect(readFileSync(file, 'utf8')).toBe('first\nthird\n')
  })
})
