import { formatInteger } from '../text/integer.js'
import type { Batch, SourceRecord, UnsendableEvent } from './batch.js'
import { eventExtents, headLength } from './events.js'

/** Finds the events of a batch in its input; what it needs for that is worked out once. */
export function sourcesOf(batch: Batch): (index: number) => SourceRecord | undefined {
  if (batch.source !== undefined) return batch.source
  const { body, start, headLines, contentType } = batch
  const head = headLength(batch)
  let extents: ReturnType<typeof eventExtents> | undefined
  return (index) => {
    extents ??= eventExtents(batch)
    const extent = extents[index]
    if (extent === undefined) return undefined
    const { from, to, line } = extent
    return {
      text: body.subarray(from, to),
      offset: start.offset + from - head,
      // In a body of objects one after the other, commas stand where the line ends were.
      ...(contentType !== 'application/json' && { line: start.line + line - 1 - headLines }),
    }
  }
}

/**
 * Where some events of a batch stand, for a reader: `app.ndjson:7`, or `app.json, event 7` where lines
 * mean nothing, or the events they are among.
 */
export function locate(
  batch: Batch,
  { first, events }: { readonly first: number; readonly events: number },
  source = sourcesOf(batch),
): string {
  const { input, start } = batch
  const from = start.event + first + 1
  if (events > 1) return `${input}, events ${shown(from)} to ${shown(from + events - 1)}`
  const line = source(first)?.line
  return line === undefined ? `${input}, event ${from}` : `${input}:${line}`
}

/** Where something stands that could not be sent. */
export function locateUnsendable({ input, start, hasLines }: UnsendableEvent): string {
  return hasLines ? `${input}:${start.line}` : `${input}, event ${start.event + 1}`
}

function shown(place: number): string {
  return formatInteger(place)
}
