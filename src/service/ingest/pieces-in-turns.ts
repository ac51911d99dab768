// The only place that decodes the bodies of ingest requests of all protocols: step by step, in turns with other requests, and
// within limits.

import { formatInteger } from '../../text/integer.js'
import { GROWN_BYTES, MAX_GROWTH, MAX_LINES } from '../../wire/limits.js'
import { Turn } from '../../wire/steps/steps.js'
import { type RefusedError, requestTooLarge } from '../refused-error.js'
import type { BatchPiece, DecodingSteps } from './protocol.js'

/** Yields the pieces that the steps decode. Throws a `RefusedError` for a request with too many parts. */
export async function* piecesInTurns(
  body: AsyncIterable<DecodingSteps>,
): AsyncGenerator<BatchPiece, void> {
  const turn = new Turn()
  let parts = 0
  let bodyBytes = 0
  let lineBytes = 0
  for await (const steps of body) {
    for (const piece of steps) {
      parts += 1
      if (parts > MAX_LINES) throw tooManyParts()
      if (piece !== undefined) {
        bodyBytes += piece.bodyBytes
        lineBytes += piece.lines.length
        if (lineBytes > Math.max(GROWN_BYTES, MAX_GROWTH * bodyBytes)) throw tooMuchGrowth()
        yield piece
      }
      if (turn.isOver) await turn.next()
    }
  }
}

export function tooManyParts(): RefusedError {
  return requestTooLarge(
    `The request has more than ${formatInteger(MAX_LINES)} lines, entries and members`,
  )
}

export function tooMuchGrowth(): RefusedError {
  return requestTooLarge(
    `The request is larger than ${MAX_GROWTH} times its size once each event has its labels, resource and scope, or the names of its fields`,
  )
}
