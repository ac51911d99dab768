import { execFileSync } from 'node:child_process'
import {
  closeSync,
  createWriteStream,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { batches } from '../../src/input/batches.js'
import { BufferPool } from '../../src/input/buffer-pool.js'
import type { ByteSource } from '../../src/input/byte-source.js'
import { detectInput } from '../../src/input/input.js'
import { openFile, openStandardInput } from '../../src/input/open.js'
import { needs } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'
import { mixedText, SKIPPABLE, ZSTD } from '../support/zstd.js'
import { bodies, counted, cut, inPieces } from './support.js'

const scratch = temporaryDirectory()

function isAt(link: string, path: string): boolean {
  try {
    return readlinkSync(link) === path
  } catch {
    return false
  }
}

describe('a file', () => {
  it('lets other work have its turn, because a run of many small files must react to signals', async () => {
    const path = join(scratch, 'small.ndjson')
    writeFileSync(path, '{"n":1}\n')
    let turns = 0
    setImmediate(() => {
      turns += 1
    })
    const { bytes } = await openFile(path)
    expect(await bytes.read(Buffer.alloc(64))).toBe(8)
    await bytes.close()
    expect(turns).toBe(1)
  })

  it('is read to its end', async () => {
    const content = '{"n":1}\n'.repeat(50_000)
    const path = join(scratch, 'a.ndjson')
    writeFileSync(path, content)
    const { bytes, name, isLive } = await openFile(path)
    expect({ name, isLive }).toEqual({ name: path, isLive: false })
    expect(bodies(await cut(bytes, { batchBytes: 4096 })).join('')).toBe(content)
  })

  it('is closed after a read in flight, which could take bytes of the next file', async () => {
    const path = join(scratch, 'large.ndjson')
    writeFileSync(path, 'x'.repeat(200_000))
    const { bytes } = await openFile(path)
    let isRead = false
    const reading = bytes.read(Buffer.alloc(100_000)).then(() => {
      isRead = true
    })
    await bytes.close()
    expect(isRead).toBe(true)
    await reading
    expect(await bytes.read(Buffer.alloc(100_000))).toBe(0)
  })

  it('is read while it is written if it is a named pipe', async () => {
    const path = join(scratch, 'fifo')
    execFileSync('mkfifo', [path])
    const opening = openFile(path)
    const writer = createWriteStream(path)
    writer.write('{"n":1}\n')
    setTimeout(() => writer.end('{"n":2}\n'), 50)
    const { bytes, isLive } = await opening
    expect(isLive).toBe(true)
    expect(bodies(await cut(bytes)).join('')).toBe('{"n":1}\n{"n":2}\n')
  })

  it('is closed on abort if it is an idle named pipe', async () => {
    const path = join(scratch, 'idle')
    execFileSync('mkfifo', [path])
    const stop = new AbortController()
    const opening = openFile(path, stop.signal)
    const writer = createWriteStream(path)
    writer.write('{"n":1}\n{"n"')
    const input = counted((await opening).bytes)
    const seen = cut(input, { signal: stop.signal, flushMs: 60_000 })
    await until(() => input.count() === 12, 'all is read')
    stop.abort()
    expect(bodies(await seen)).toEqual(['{"n":1}\n'])
    writer.destroy()
  })

  // Elsewhere, a deleted pipe has no path by which it can be opened.
  it(
    'is not waited for when it is a named pipe that was deleted',
    needs(process.platform === 'linux', 'Linux'),
    async () => {
      const path = join(scratch, 'deleted')
      execFileSync('mkfifo', [path])
      let isOpen = false
      const opening = openFile(path, new AbortController().signal).finally(() => {
        isOpen = true
      })
      // The process opens the pipe when it has a descriptor of it.
      const opensIt = () =>
        readdirSync('/proc/self/fd').some((fd) => isAt(`/proc/self/fd/${fd}`, path))
      await until(opensIt, 'the pipe')
      expect(isOpen).toBe(false)
      rmSync(path)
      expect(bodies(await cut((await opening).bytes))).toEqual([])
    },
  )

  it('is not waited for on abort if it is a named pipe without a writer', async () => {
    const path = join(scratch, 'unwritten')
    execFileSync('mkfifo', [path])
    for (const isLate of [true, false]) {
      const stop = new AbortController()
      if (!isLate) stop.abort()
      const opening = openFile(path, stop.signal)
      setTimeout(() => stop.abort(), 50)
      const { bytes } = await opening
      expect(await bytes.read(Buffer.alloc(10))).toBe(0)
      await bytes.close()
    }
  })

  it(
    'ends after what it has now if reading it waits, like the log of the kernel',
    needs(isReadable('/proc/kmsg'), 'a readable kernel log'),
    async () => {
      const { bytes } = await openFile('/proc/kmsg')
      const target = Buffer.alloc(64 * 1024)
      while ((await bytes.read(target)) > 0);
      await bytes.close()
    },
  )

  it('is decompressed according to its first bytes', async () => {
    const text = mixedText()
    const packed = { gzip: gzipSync(text), zstd: Buffer.concat([SKIPPABLE, ZSTD.mixed]) }
    for (const [name, bytes] of Object.entries(packed)) {
      const path = join(scratch, `packed-${name}`)
      writeFileSync(path, Buffer.concat([bytes, bytes]))
      expect(bodies(await cut((await openFile(path)).bytes)).join('')).toBe(text + text)
    }
  })

  it.each([
    ['gzip', gzipSync(mixedText().repeat(50))],
    ['zstd', ZSTD.repeated],
  ])('compressed with %s and truncated yields its data and the error', async (_, packed) => {
    const opened = inPieces(packed.subarray(0, -12), 64)
    const input = await detectInput({ name: 'cut', bytes: opened, isLive: false })
    const seen: number[] = []
    async function read() {
      const limits = { pool: new BufferPool(64 * 1024), maxEvents: 100, flushMs: 1000 }
      for await (const item of batches(input, limits)) {
        // A slow reader must not lose what was decompressed before the cut.
        await new Promise((resolve) => setTimeout(resolve, 1))
        if (item.kind === 'batch') seen.push(item.events)
      }
    }
    await expect(read()).rejects.toThrow('`cut` ends in the middle of its compressed data.')
    expect(seen.length).toBeGreaterThan(100)
  })

  it('is read if it is a device', async () => {
    const { bytes } = await openFile('/dev/null')
    expect(await cut(bytes)).toEqual([])
  })

  it('is named in the error when it is missing or a directory', async () => {
    const missing = join(scratch, 'missing')
    await expect(openFile(missing)).rejects.toThrow(
      `\`${missing}\` can't be read: there is no such file.`,
    )
    await expect(openFile(scratch)).rejects.toThrow(`\`${scratch}\` is a directory.`)
    await expect(openFile(join(scratch, '*.log'))).rejects.toThrow(
      'no such file. The shell expands a pattern that matches a file and is not in quotes.',
    )
    await expect(openFile(join(scratch, 'caf\ufffd.log'))).rejects.toThrow(
      'no such file. A file whose name is not UTF-8 is read by `< file`.',
    )
  })
})

describe('standard input', () => {
  it('is read from its current position if it is a file', async () => {
    const path = join(scratch, 'redirected')
    writeFileSync(path, 'skipped\n{"n":1}\n')
    const fd = openSync(path, 'r')
    readSync(fd, Buffer.alloc(8))
    const stdin = Object.assign(Readable.from([]), { fd })
    expect(bodies(await cut(openStandardInput(stdin).bytes))).toEqual(['{"n":1}\n'])
  })

  it('is rejected if it is a directory', () => {
    const stdin = Object.assign(Readable.from([]), { fd: openSync(scratch, 'r') })
    expect(() => openStandardInput(stdin)).toThrow(
      'Standard input is a directory. Name the files in it, such as `directory/*.ndjson`.',
    )
  })

  it('may arrive byte by byte through a pipe', async () => {
    const pipe = new PassThrough()
    const seen = cut(openStandardInput(pipe).bytes)
    for (const byte of Buffer.from('{"é":1}\n{"n":2}')) pipe.write(Buffer.from([byte]))
    pipe.end()
    expect(bodies(await seen).join('')).toBe('{"é":1}\n{"n":2}')
  })

  it('yields its data and the error when it fails', async () => {
    const pipe = new PassThrough()
    const seen = cut(openStandardInput(pipe).bytes)
    pipe.write('{"n":1}\n')
    setTimeout(() => pipe.destroy(Object.assign(new Error('read EIO'), { code: 'EIO' })), 20)
    await expect(seen).rejects.toThrow(/the disk could not be read/)
  })
})

describe('buffers', () => {
  it('are reused, however long the input is', async () => {
    const buffers = new Set<Buffer>()
    class CountingPool extends BufferPool {
      override take(): Buffer {
        const buffer = super.take()
        buffers.add(buffer)
        return buffer
      }
    }
    const seen = await cut(endless(2000), { pool: new CountingPool(64 * 1024) })
    expect(seen.length).toBeGreaterThan(100)
    expect(buffers.size).toBeLessThanOrEqual(2)
  })
})

/** A stream of this many chunks of 8 KiB. */
function endless(pieces: number): ByteSource {
  const piece = Buffer.from('{"n":1}\n'.repeat(1024))
  let count = 0
  return {
    ready: () => undefined,
    async read(target) {
      if (count === pieces) return 0
      count += 1
      return piece.copy(target, 0, 0, Math.min(piece.length, target.length))
    },
    async close() {},
  }
}

function isReadable(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'))
    return true
  } catch {
    return false
  }
}
