import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expandGlob } from '../../src/input/glob.js'
import { temporaryDirectory } from '../support/temporary.js'

const folder = temporaryDirectory()

for (const name of [
  'a.log',
  'b.log',
  'b.log.1',
  'c[1].log',
  'c1.log',
  '.hidden.log',
  'x/d.log',
  'x/y/e.log',
  'x/.git/f.log',
]) {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), '')
}
symlinkSync(folder, join(folder, 'x/loop'))

const expanded = async (pattern: string) =>
  (await expandGlob(join(folder, pattern))).map((path) => path.slice(folder.length + 1))

describe('a pattern of files', () => {
  it.each([
    ['*.log', ['a.log', 'b.log', 'c1.log', 'c[1].log']],
    ['?.log*', ['a.log', 'b.log', 'b.log.1']],
    ['[!a]?.log', ['c1.log']],
    ['{a,b}.log', ['a.log', 'b.log']],
    ['.h*', ['.hidden.log']],
    ['*/d.log', ['x/d.log']],
    ['**/*.log', ['a.log', 'b.log', 'c1.log', 'c[1].log', 'x/d.log', 'x/y/e.log']],
    ['x/**', ['x/d.log', 'x/y/e.log']],
    ['x/*', ['x/d.log', 'x/loop', 'x/y']],
    ['z*', []],
    ['[z-a].log', []],
  ])('%s', async (pattern, found) => {
    expect(await expanded(pattern)).toEqual(found)
  })

  it('may have many `*`', async () => {
    const name = 'a'.repeat(200)
    writeFileSync(join(folder, `${name}.txt`), '')
    const many = 'a*'.repeat(30)
    expect(await expanded(`${many}b.txt`)).toEqual([])
    expect(await expanded(`${many}.txt`)).toEqual([`${name}.txt`])
    expect(await expanded(`${many}*a[.]t?t*`)).toEqual([`${name}.txt`])
    expect(await expanded(`${'**/'.repeat(30)}e.log`)).toEqual(['x/y/e.log'])
  })

  it('takes the characters between several `*` in their order', async () => {
    for (const text of ['abab.end', 'aab.end', 'ba.end', 'aba.end', '😀-x.end']) {
      writeFileSync(join(folder, text), '')
    }
    expect(await expanded('*ab*ab*.end')).toEqual(['abab.end'])
    expect(await expanded('*a*b.end')).toEqual(['aab.end', 'abab.end'])
    expect(await expanded('*[b]*a.end')).toEqual(['aba.end', 'ba.end'])
    expect(await expanded('?-*x*.end')).toEqual(['😀-x.end'])
  })

  it('is the name of a file if there is such a file, and any name without special characters', async () => {
    expect(await expanded('c[1].log')).toEqual(['c[1].log'])
    expect(await expanded('missing.log')).toEqual(['missing.log'])
  })
})
