import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { countingService } from '../support/counting-service.js'
import { eventChunks } from '../support/events.js'
import { start } from '../support/evq.js'
import { needsLinux } from '../support/needs.js'
import { peakMemory } from '../support/peak-memory.js'
import { temporaryDirectory } from '../support/temporary.js'

const MB = 1_000_000
const scratch = temporaryDirectory()

/** `EVQ_LONG` is the long run: a stream of 10 GB. */
const SIZES = process.env.EVQ_LONG ? [100 * MB, 10_000 * MB] : [50 * MB, 200 * MB]

describe('a stream from a pipe', needsLinux, () => {
  it('arrives completely in constant memory', async () => {
    const peaks: number[] = []
    for (const bytes of SIZES) peaks.push(await peakOf(bytes))
    expect(Math.max(...peaks)).toBeLessThan(200 * MB)
    // Memory that grows with the input would far exceed this for the longer stream.
    expect(peaks[1]! - peaks[0]!).toBeLessThan(60 * MB)
  })
})

/** Sends this number of bytes through the program; resolves with its peak memory. */
async function peakOf(bytes: number): Promise<number> {
  const service = await countingService()
  const [chunk = ''] = eventChunks(13_000)
  const piece = Buffer.from(chunk)
  const rounds = Math.ceil(bytes / piece.length)
  const running = start(['ingest', 'logs'], {
    directory: join(scratch, 'data'),
    env: { EVQ_URL: service.url },
    stdin: Readable.from(repeated(piece, rounds)),
  })
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, peakMemory(running.child.pid ?? 0))
  }, 20)
  const { status, stderr } = await running.ended.finally(() => clearInterval(watch))
  await service.close()
  expect({ status, stderr }).toMatchObject({ status: 0 })
  expect(service.bytes()).toBe(rounds * piece.length)
  return peak
}

function* repeated(piece: Buffer, times: number): Generator<Buffer> {
  for (let count = 0; count < times; count++) yield piece
}
