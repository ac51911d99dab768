import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Output } from '../../../src/cli/context.js'
import { openTarget } from '../../../src/cli/output/target.js'
import { temporaryDirectory } from '../../support/temporary.js'

const PIECES = ['first,1\n', 'second,22\n', 'third,333\n', 'fourth,4\n']

/** Writes the pieces as an encoder does, which overwrites its memory; returns the copies that it gave to the output. */
async function written(stdout: Output): Promise<readonly Uint8Array[]> {
  const io = { stdout, stderr: stdout, stdin: new PassThrough(), env: {}, now: () => 0 }
  const target = await openTarget(undefined, io)
  const memory = Buffer.alloc(16)
  const copies: Uint8Array[] = []
  for (const piece of PIECES) {
    const copy = target.copy(memory.subarray(0, memory.write(piece)))
    copies.push(copy)
    await target.write(copy)
  }
  await target.flush()
  return copies
}

describe('standard output', () => {
  it('of the process gets all pieces from two buffers in turn', async () => {
    const path = join(temporaryDirectory(), 'out.csv')
    const stdout = createWriteStream(path)
    await once(stdout, 'open')
    const copies = await written(stdout as Output)
    expect(await readFile(path, 'utf8')).toBe(PIECES.join(''))
    expect(new Set(copies.map(({ buffer }) => buffer)).size).toBe(2)
    stdout.destroy()
  })

  it('inside the process may keep its pieces', async () => {
    const stdout = new PassThrough({ highWaterMark: 1024, objectMode: true })
    await written(stdout)
    const kept: readonly Uint8Array[] = await stdout.take(PIECES.length).toArray()
    expect(Buffer.concat(kept).toString()).toBe(PIECES.join(''))
  })
})
