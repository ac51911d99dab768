import { readFileSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Lines } from '../../../src/engine/line-reader.js'
import { SpoolFile } from '../../../src/service/ingest/spool-file.js'
import { temporaryDirectory } from '../../support/temporary.js'

const folder = temporaryDirectory()
/** Longer than lines that are always in memory, and than what is written at once. */
const BODY = Buffer.from('{"message":"é"}\n'.repeat(200_000))
const PIECE = 64 * 1024

const piecesOf = (bytes: Buffer): readonly Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, i) =>
    bytes.subarray(i * PIECE, (i + 1) * PIECE),
  )

async function spooled(
  pieces: readonly Buffer[],
  { isKept, size }: { readonly isKept: boolean; readonly size?: number },
): Promise<{ readonly lines: Lines; readonly bytes: Buffer }> {
  const file = new SpoolFile({ folder, bytes: 0, isKept })
  for (const piece of pieces) await file.write(piece)
  const lines = await file.finish(size)
  const bytes = lines.kind === 'file' ? readFileSync(lines.path) : lines.bytes
  await file.remove()
  expect(await readdir(folder)).toEqual([])
  return { lines, bytes }
}

describe('a body that stays in memory', () => {
  it('is not copied when all of its bytes are lines', async () => {
    const { lines } = await spooled(piecesOf(BODY), { isKept: true })
    const bytes = lines.kind === 'bytes' ? lines.bytes : undefined
    expect(bytes?.buffer).toBe(BODY.buffer)
    expect(bytes?.equals(BODY)).toBe(true)
  })

  it('can be cut', async () => {
    const { lines, bytes } = await spooled(piecesOf(BODY), { isKept: true, size: 100_000 })
    expect(lines.kind).toBe('bytes')
    expect(bytes.equals(BODY.subarray(0, 100_000))).toBe(true)
  })

  it('is written to a file when its lines are other bytes, or not all of its bytes', async () => {
    const copies = piecesOf(BODY).map((piece) => Buffer.from(piece))
    const [first, , ...others] = piecesOf(BODY)
    for (const pieces of [copies, [first!, ...others], [...others, first!]]) {
      const { lines, bytes } = await spooled(pieces, { isKept: true })
      expect(lines.kind).toBe('file')
      expect(bytes.equals(Buffer.concat(pieces))).toBe(true)
    }
  })
})

it('writes another body to a file', async () => {
  const { lines, bytes } = await spooled(piecesOf(BODY), { isKept: false })
  expect(lines.kind).toBe('file')
  expect(bytes.equals(BODY)).toBe(true)
})

it('copies a few lines, which may be a view of a large buffer', async () => {
  const { lines, bytes } = await spooled([BODY.subarray(17, 33)], { isKept: false })
  expect(lines.kind).toBe('bytes')
  expect(bytes.toString()).toBe('{"message":"é"}')
  expect(bytes.buffer).not.toBe(BODY.buffer)
})

it('is removed without an error when its folder was replaced', async () => {
  const folder = join(temporaryDirectory(), 'spool')
  await mkdir(folder)
  const file = new SpoolFile({ folder, bytes: 0, isKept: false })
  await file.write(BODY)
  await file.finish()
  await rm(folder, { recursive: true })
  await writeFile(folder, '')
  await expect(file.remove()).resolves.toBeUndefined()
})
