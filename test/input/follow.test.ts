import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWritten } from '../../src/input/follow.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()

describe('a file that is read while it is written', () => {
  it('ends after its last byte when the signal is aborted between two reads', async () => {
    const path = join(scratch, 'log')
    writeFileSync(path, 'half a li')
    const stop = new AbortController()
    const opened = await openWritten(path, { log: path, signal: stop.signal })
    const { bytes } = opened!
    const target = Buffer.alloc(100)
    expect(await bytes.read(target)).toBe(9)
    stop.abort()
    expect(bytes.ready()).toBeUndefined()
    expect(await bytes.read(target)).toBe(0)
    await bytes.close()
  })

  it.each([
    ['more bytes', 'three\nfour\n'],
    ['as many bytes', 'six\nten\n'],
  ])('ends when a file that was opened at an offset is rewritten with %s', async (_, text) => {
    const path = join(scratch, 'rewritten.log')
    writeFileSync(path, 'one\ntwo\n')
    const { signal } = new AbortController()
    const opened = await openWritten(path, { log: path, signal, from: 4 })
    const { bytes } = opened!
    const target = Buffer.alloc(100)
    expect(target.toString('utf8', 0, await bytes.read(target))).toBe('two\n')
    writeFileSync(path, text)
    expect(await bytes.read(target)).toBe(0)
    await bytes.close()
  })
})
