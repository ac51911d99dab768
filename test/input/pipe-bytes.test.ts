import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../../src/input/byte-source.js'
import { openFile } from '../../src/input/open.js'
import { temporaryDirectory } from '../support/temporary.js'

const directory = temporaryDirectory()
let count = 0

/** Opens a named pipe that a shell script writes to; `$0` is its name. */
async function pipe(script: string, signal?: AbortSignal) {
  const path = join(directory, `pipe-${++count}`)
  execFileSync('mkfifo', [path])
  const writer = spawn('sh', ['-c', script, path])
  const ended = once(writer, 'exit')
  const { bytes } = await openFile(path, signal)
  return { path, bytes, writer, ended }
}

async function all(bytes: ByteSource, lengths: readonly number[]): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let turn = 0; ; turn++) {
    const target = Buffer.alloc(lengths[turn % lengths.length]!)
    await bytes.ready()
    const length = await bytes.read(target)
    if (length === 0) break
    pieces.push(target.subarray(0, length))
    // From time to time the buffers are full, and so is the pipe.
    if (turn % 20 === 0) await sleep(5)
  }
  await bytes.close()
  return Buffer.concat(pieces)
}

describe('the bytes of a pipe', () => {
  it.each([[[100_000]], [[4 * 1024 * 1024]], [[7, 65_536, 1, 65_537, 300_000]]])(
    'arrive unchanged when read by %j',
    async (lengths) => {
      const script = 'head -c 10000000 /dev/urandom | tee "$0.copy" > "$0"'
      const { path, bytes, ended } = await pipe(script)
      const read = await all(bytes, lengths)
      await ended
      const written = readFileSync(`${path}.copy`)
      expect(written).toHaveLength(10_000_000)
      expect(read.equals(written)).toBe(true)
    },
  )

  it('arrive before the pipe is closed', async () => {
    const { bytes, writer, ended } = await pipe('{ printf one; read _; printf two; } > "$0"')
    const target = Buffer.alloc(100)
    expect(target.toString('utf8', 0, await bytes.read(target))).toBe('one')
    writer.stdin.end('\n')
    expect(target.toString('utf8', 0, await bytes.read(target))).toBe('two')
    expect(await bytes.read(target)).toBe(0)
    await bytes.close()
    await ended
  })

  it('are not announced when they have been read in the meantime', async () => {
    const path = join(directory, `pipe-${++count}`)
    execFileSync('mkfifo', [path])
    const writer = openSync(path, 'r+')
    const { bytes } = await openFile(path)
    const isPending = (ready: Promise<void> | undefined) =>
      Promise.race([ready?.then(() => false), nextTurn(true)])
    expect(await isPending(bytes.ready())).toBe(true)
    const target = Buffer.alloc(100)
    writeSync(writer, 'one')
    // The announcement is queued behind this turn, in which the bytes can be read already.
    await nextTurn()
    expect(await bytes.read(target)).toBe(3)
    for (let turn = 0; turn < 3; turn++) expect(await isPending(bytes.ready())).toBe(true)
    writeSync(writer, 'more')
    await bytes.ready()
    expect(await bytes.read(target)).toBe(4)
    await bytes.close()
    closeSync(writer)
  })

  it('are none when the pipe is closed unused', async () => {
    const { bytes } = await pipe(': > "$0"')
    expect(await all(bytes, [100])).toHaveLength(0)
  })

  it('end when reading is aborted', async () => {
    const stop = new AbortController()
    const { bytes, writer, ended } = await pipe('{ printf one; read _; } > "$0"', stop.signal)
    const target = Buffer.alloc(100)
    expect(await bytes.read(target)).toBe(3)
    const waiting = bytes.ready()
    stop.abort()
    await waiting
    expect(await bytes.read(target)).toBe(0)
    await bytes.close()
    writer.stdin.end()
    await ended
  })
})
