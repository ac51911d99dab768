import type { Batch, InputEnd, UnsendableEvent } from '../../../../input/batch.js'
import { isBlank, LINE_FEED } from '../../../../text/bytes.js'

const FIRST_EVENTS = 1_000

/** Divides a batch of lines after its first events; a batch with few events remains whole. */
function divided(batch: Batch): readonly [first: Batch | undefined, rest: Batch] {
  const { body, start, events, lines, bytes } = batch
  if (events <= FIRST_EVENTS) return [undefined, batch]
  let at = 0
  let linesBefore = 0
  for (let found = 0; found < FIRST_EVENTS; linesBefore++) {
    const end = body.indexOf(LINE_FEED, at)
    if (!isBlank(body, at, end)) found++
    at = end + 1
  }
  // The body holds the bytes of the input.
  const before = {
    line: start.line + linesBefore,
    event: start.event + FIRST_EVENTS,
    offset: start.offset + at,
  }
  return [
    { ...batch, body: body.subarray(0, at), events: FIRST_EVENTS, lines: linesBefore, bytes: at },
    {
      ...batch,
      body: body.subarray(at),
      events: events - FIRST_EVENTS,
      lines: lines - linesBefore,
      start: before,
      bytes: bytes - at,
    },
  ]
}

/**
 * Yields the items of an input, with the first batch divided if each of its lines is an event: storing the first events
 * determines the fields, and the engine alone reads the rest.
 */
export async function* firstDivided(
  items: AsyncIterable<Batch | UnsendableEvent | InputEnd>,
): AsyncGenerator<Batch | UnsendableEvent | InputEnd> {
  for await (const item of items) {
    const isOfLines =
      item.kind === 'batch' &&
      item.contentType === 'application/x-ndjson' &&
      item.extents === undefined &&
      item.source === undefined
    if (!isOfLines || item.start.event > 0) {
      yield item
      continue
    }
    const [first, rest] = divided(item)
    // Both parts share the memory of the batch, which is released with the rest.
    if (first !== undefined) yield { ...first, release() {} }
    yield rest
  }
}
