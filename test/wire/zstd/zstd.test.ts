import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decompressZstd, FILE_ZSTD, HTTP_ZSTD } from '../../../src/wire/zstd/zstd.js'
import { RUNS } from '../../support/runs.js'
import { mixedText, SKIPPABLE, ZSTD } from '../../support/zstd.js'

const TWO = '{"a":1}\n{"a":2}\n'

describe('zstd', () => {
  it.each([
    ['a short text', ZSTD.two, TWO],
    ['blocks that repeat', ZSTD.repeated, '{"n":1}\n'.repeat(50_000)],
    ['packed literals', ZSTD.mixed, mixedText()],
    ['nothing', Buffer.alloc(0), ''],
    ['a skippable frame alone', SKIPPABLE, ''],
    [
      'several frames',
      Buffer.concat([SKIPPABLE, ZSTD.two, SKIPPABLE, ZSTD.mixed, ZSTD.two, SKIPPABLE]),
      TWO + mixedText() + TWO,
    ],
  ])('decompresses %s, whatever the chunks', async (_, packed, text) => {
    for (const size of [1, 3, 17, 1 << 20]) {
      expect(await unpacked(packed, { size })).toEqual({ text, kind: 'whole' })
    }
  })

  it('yields the data in front of a cut', async () => {
    const both = Buffer.concat([ZSTD.two, ZSTD.repeated])
    const cut = both.subarray(0, both.length - 20)
    const { text, kind } = await unpacked(cut)
    expect(kind).toBe('truncated')
    expect((TWO + '{"n":1}\n'.repeat(50_000)).startsWith(text)).toBe(true)
    expect(text.length).toBeGreaterThan(TWO.length + 128 * 1024)
  })

  it('reports truncation at every byte', async () => {
    const packed = Buffer.concat([SKIPPABLE, ZSTD.mixed])
    for (let length = 1; length < packed.length; length++) {
      if (length === SKIPPABLE.length) continue
      const { kind } = await unpacked(packed.subarray(0, length))
      expect(kind, `after ${length} bytes`).toBe('truncated')
    }
  })

  it('detects every changed byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(ZSTD.mixed.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const packed = Buffer.from(ZSTD.mixed)
          packed[at]! ^= change
          const { text, kind } = await unpacked(packed)
          // A reserved bit of the header may change without effect.
          if (kind === 'whole') expect(text).toBe(mixedText())
        },
      ),
      { numRuns: 10 * RUNS },
    )
  })

  it('rejects garbage', async () => {
    const garbage = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes))
    const magic = fc.constantFrom(Buffer.alloc(0), Buffer.from('28b52ffd', 'hex'))
    await fc.assert(
      fc.asyncProperty(magic, garbage, async (head, bytes) => {
        await unpacked(Buffer.concat([head, bytes]))
      }),
      { numRuns: 10 * RUNS },
    )
  })

  it('rejects windows above the limit', async () => {
    expect((await unpacked(ZSTD.wide)).kind).toBe('window')
    expect((await unpacked(ZSTD.wider, { limits: HTTP_ZSTD })).kind).toBe('window')
    expect(await unpacked(ZSTD.wider)).toEqual({ text: '{"n":1}\n'.repeat(200_000), kind: 'whole' })
  })

  it('rejects blocks of few bytes in a wide window over HTTP', async () => {
    // A block that repeats one byte once, not the last one, in a frame with a window of 8 MiB (RFC 8878, 3.1.1).
    const block = Buffer.from([0b0000_1010, 0, 0, 0x20])
    const head = Buffer.from('28b52ffd0068', 'hex')
    const blocks = (count: number) =>
      Buffer.concat([head, ...Array<Buffer>(count).fill(block), Buffer.from([1, 0, 0])])
    const many = { windowBytes: 8 << 20, movedBytes: 115 * (8 << 20) }
    expect(await unpacked(blocks(99), { limits: many })).toEqual({
      text: ' '.repeat(99),
      kind: 'whole',
    })
    expect((await unpacked(blocks(100), { limits: many })).kind).toBe('blocks')
    expect((await unpacked(blocks(4_096), { limits: HTTP_ZSTD })).kind).toBe('blocks')
  })

  it('rejects too many frames', async () => {
    const frames = Buffer.concat(Array<Buffer>(11).fill(ZSTD.two))
    const limits = { windowBytes: 8 << 20, movedBytes: 10 * 16 * 128 * 1024 }
    const { text, kind } = await unpacked(frames, { limits })
    expect([text, kind]).toEqual([TWO.repeat(10), 'blocks'])
  })

  it('stops decompressing when the reader stops', async () => {
    let asked = 0
    async function* endless() {
      for (;;) {
        asked += 1
        yield ZSTD.repeated
      }
    }
    for await (const piece of decompressZstd(endless(), FILE_ZSTD)) {
      expect(piece.length).toBeLessThanOrEqual(128 * 1024)
      break
    }
    expect(asked).toBe(1)
  })
})

/** Returns the output for bytes in chunks, and how it ends. */
async function unpacked(packed: Buffer, { size = 1 << 20, limits = FILE_ZSTD } = {}) {
  async function* pieces() {
    for (let at = 0; at < packed.length; at += size) yield packed.subarray(at, at + size)
  }
  const out: Buffer[] = []
  let kind = 'whole'
  try {
    for await (const piece of decompressZstd(pieces(), limits)) out.push(piece)
  } catch (error) {
    expect(error).toMatchObject({ name: 'ZstdError' })
    kind = (error as { kind: string }).kind
  }
  return { text: Buffer.concat(out).toString(), kind }
}
