import { describe, expect, it } from 'vitest'
import { streamedResponse } from '../../../src/engine/clickhouse/remote-stream.js'

const ROWS = '"a row"\n'.repeat(10_000)
const ERROR = 'Code: 395. DB::Exception: too far. (FUNCTION_THROW_IF) (version 26.4.1.1)\n'

/** Returns the output of a response that arrives in pieces, and the error that it ends with. */
async function outcome(pieces: readonly string[]): Promise<{ text: string; error?: unknown }> {
  async function* arriving() {
    for (const piece of pieces) yield Buffer.from(piece)
  }
  let text = ''
  try {
    for await (const piece of streamedResponse(arriving())) text += piece.toString()
    return { text }
  } catch (error) {
    return { text, error }
  }
}

describe('a streamed response', () => {
  it('is yielded as it is, in pieces of any length', async () => {
    const short = ROWS.match(/.{1,1000}/gs)!
    for (const pieces of [[], [''], [ROWS], [ROWS, ROWS], ['x', ROWS, 'y'], short]) {
      expect(await outcome(pieces)).toEqual({ text: pieces.join('') })
    }
  })

  it('rejects with the error at its end, also when it arrives in two pieces', async () => {
    for (let at = 0; at <= ERROR.length; at++) {
      const { text, error } = await outcome([ROWS + ERROR.slice(0, at), ERROR.slice(at)])
      expect(error).toMatchObject({ name: 'EngineError', code: 395 })
      expect(ROWS.startsWith(text)).toBe(true)
    }
  })

  it('rejects with the error when the server disconnects after it', async () => {
    async function* disconnected() {
      yield Buffer.from(ROWS + ERROR.slice(0, 20))
      yield Buffer.from(ERROR.slice(20))
      throw new Error('aborted')
    }
    const read = async () => {
      for await (const _ of streamedResponse(disconnected()));
    }
    await expect(read()).rejects.toMatchObject({ name: 'EngineError', code: 395 })
  })
})
