import type { RefusedError } from '../refused-error.js'
import { eventOf, type LabeledLine } from './labeled-line.js'
import type { BatchPiece, DecodedBatch } from './protocol.js'
import { Turn } from './turn.js'

/** The length of the events of a piece. */
const PIECE_LENGTH = 256 * 1024

/** Labels are repeated in each event: the events may be this many times as long as the limit of the body. */
const MAX_GROWTH = 8

/** The lines of a part of a body; undefined for other values in it, because there may be millions of them. */
export type LineGroup = Iterable<LabeledLine | undefined>

interface PieceOptions {
  readonly batch: DecodedBatch
  /** The length of the whole body. */
  readonly bodyBytes: number
  /** The limit of the length of a body. */
  readonly limitBytes: number
  /** Returns the error of events that are too long. */
  tooLarge(): RefusedError
}

/** Converts the lines of a body to the pieces of a batch, in turns with other requests. */
export async function* linePieces(
  groups: Iterable<LineGroup> | AsyncIterable<LineGroup>,
  { batch, bodyBytes, limitBytes, tooLarge }: PieceOptions,
): AsyncGenerator<BatchPiece, void> {
  yield { batch, lines: Buffer.alloc(0), bodyBytes }
  let room = limitBytes * MAX_GROWTH
  let events = ''
  const take = (): BatchPiece => {
    const lines = Buffer.from(events)
    events = ''
    room -= lines.length
    if (room < 0) throw tooLarge()
    return { batch, lines, bodyBytes: 0 }
  }
  const turn = new Turn()
  for await (const lines of groups) {
    if (turn.isOver) await turn.next()
    for (const line of lines) {
      if (turn.isOver) await turn.next()
      if (line === undefined) continue
      events += eventOf(line)
      if (events.length >= PIECE_LENGTH) yield take()
    }
  }
  yield take()
}
