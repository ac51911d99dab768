import { eventOf, type LabeledLine } from './labeled-line.js'
import type { DecodedBatch, DecodingSteps } from './protocol.js'

/** The length of events that completes a piece. */
const PIECE_LENGTH = 256 * 1024

/** The lines of a part of a body; undefined for a value that is not a line. */
export type LineGroup = Iterable<LabeledLine | undefined>

/** Converts the lines of a part of a body, whose length is `bodyBytes`, to pieces of a batch, one line per step. */
export function* linePieces(
  lines: LineGroup,
  { batch, bodyBytes }: { readonly batch: DecodedBatch; readonly bodyBytes: number },
): DecodingSteps {
  let events = ''
  let unreported = bodyBytes
  for (const line of lines) {
    if (line !== undefined) events += eventOf(line)
    if (events.length < PIECE_LENGTH) yield undefined
    else {
      yield { batch, lines: Buffer.from(events), bodyBytes: unreported }
      events = ''
      unreported = 0
    }
  }
  yield { batch, lines: Buffer.from(events), bodyBytes: unreported }
}
