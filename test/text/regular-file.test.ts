import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileHead } from '../../src/text/regular-file.js'
import { temporaryDirectory } from '../support/temporary.js'

describe('fileHead', () => {
  const directory = temporaryDirectory()
  const headOf = (path: string) => fileHead(path, Buffer.alloc(4)).toString()

  it('returns the first bytes of a file, which may be shorter', () => {
    const path = join(directory, 'file')
    writeFileSync(path, 'abcdef')
    expect(headOf(path)).toBe('abcd')
    writeFileSync(path, 'ab')
    expect(headOf(path)).toBe('ab')
  })

  it('returns no bytes of directories and missing files', () => {
    expect([directory, join(directory, 'missing')].map(headOf)).toEqual(['', ''])
  })
})
