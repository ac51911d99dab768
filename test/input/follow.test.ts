import { getEventListeners } from 'node:events'
import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openWritten, pause, pauseMs, waitForFile } from '../../src/input/follow.js'
import { needs } from '../support/needs.js'
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

describe('a file that cannot be followed', () => {
  it('is rejected if its name is empty, which no file ever has', async () => {
    const { signal } = new AbortController()
    await expect(waitForFile('', { signal })).rejects.toThrow('there is no such file')
  })

  it(
    'is rejected if it has bytes but no length',
    needs(process.platform === 'linux', 'the files of `/proc`'),
    async () => {
      const { signal } = new AbortController()
      const path = '/proc/version'
      await expect(openWritten(path, { log: path, signal })).rejects.toThrow(
        "`/proc/version` is generated when it is read, and can't be followed.",
      )
    },
  )
})

describe('a file that is rewritten with more bytes', () => {
  it('ends when only a line that was added later differs', async () => {
    const path = join(scratch, 'same-header.log')
    writeFileSync(path, 'header\n')
    const { signal } = new AbortController()
    const { bytes } = (await openWritten(path, { log: path, signal }))!
    const target = Buffer.alloc(100)
    expect(await bytes.read(target)).toBe(7)
    appendFileSync(path, 'one\n')
    expect(await bytes.read(target)).toBe(4)
    writeFileSync(path, 'header\nsix\nten\n')
    expect(await bytes.read(target)).toBe(0)
    await bytes.close()
  })

  it('ends when the reader was slow', async () => {
    const path = join(scratch, 'slow.log')
    writeFileSync(path, 'one\ntwo\n')
    const { signal } = new AbortController()
    const { bytes } = (await openWritten(path, { log: path, signal }))!
    expect(await bytes.read(Buffer.alloc(4))).toBe(4)
    writeFileSync(path, 'six\nten\neleven\n')
    for (let pauses = 0; pauses < 2; pauses++) await pause(signal)
    expect(await bytes.read(Buffer.alloc(4))).toBe(0)
    await bytes.close()
  })
})

describe('a file without changes for a while', () => {
  const read = async (name: string, change: (path: string) => void) => {
    const path = join(scratch, name)
    writeFileSync(path, 'one\ntwo\n')
    const { signal } = new AbortController()
    const { bytes } = (await openWritten(path, { log: path, signal }))!
    const target = Buffer.alloc(100)
    expect(await bytes.read(target)).toBe(8)
    const news = bytes.ready()
    for (let pauses = 0; pauses < 15; pauses++) await pause(signal)
    change(path)
    await news
    const text = target.toString('utf8', 0, await bytes.read(target))
    await bytes.close()
    return text
  }

  it('ends when it is rewritten with as many bytes', async () => {
    expect(await read('same-size.log', (path) => writeFileSync(path, 'six\nten\n'))).toBe('')
  })

  it('is read on when lines are added', async () => {
    expect(await read('grown.log', (path) => appendFileSync(path, 'three\n'))).toBe('three\n')
  })

  it('ends when another file has its name', async () => {
    const replace = (path: string) => {
      renameSync(path, `${path}.1`)
      writeFileSync(path, 'one\ntwo\n')
    }
    expect(await read('replaced.log', replace)).toBe('')
  })
})

it('thousands of files are polled less often', () => {
  expect([1, 1000, 10_000].map(pauseMs)).toEqual([250, 250, 2500])
})

it('many files are followed with one listener of their signal', async () => {
  const files = 20
  const warnings: Error[] = []
  const warn = (warning: Error) => void warnings.push(warning)
  process.on('warning', warn)
  const stop = new AbortController()
  const { signal } = stop
  const waits = Array.from({ length: files }, (_, i) =>
    waitForFile(join(scratch, `missing-${i}`), { signal }),
  )
  await vi.waitFor(() => expect(getEventListeners(signal, 'abort')).toHaveLength(1))
  stop.abort()
  expect(new Set(await Promise.all(waits))).toEqual(new Set([false]))
  process.off('warning', warn)
  expect(warnings).toEqual([])
})
