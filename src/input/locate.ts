import { formatInteger } from '../text/integer.js'
import type { Batch, SourceRecord, UnsendableEvent } from './batch.js'
import { eventExtents, headLength } from './events.js'

/**
 * Returns a function that finds the original record of an event by its index in the batch; undefined when there is no
 * such event.
 */
export function sourcesOf(batch: Batch): (index: number) => SourceRecord | undefined {
  if (batch.source !== undefined) return batch.source
  const { body, start, headLines, sourceType } = batch
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
      ...(sourceType !== 'application/json' && { line: start.line + line - 1 - headLines }),
    }
  }
}

/**
 * Formats the location of events for messages: `app.ndjson:7`, `app.json, event 7` where the format has no lines, or
 * `app.ndjson, events 7 to 9`.
 */
export function locate(
  batch: Batch,
  { first, events }: { readonly first: number; readonly events: number },
  source = sourcesOf(batch),
): string {
  const { input, start } = batch
  const from = start.event + first + 1
  if (events > 1)
    return `${input}, events ${formatInteger(from)} to ${formatInteger(from + events - 1)}`
  const line = source(first)?.line
  return line === undefined ? `${input}, event ${from}` : `${input}:${line}`
}

/** Formats the location of an event that cannot be sent. */
export function locateUnsendable({ input, start, hasLines }: UnsendableEvent): string {
  return hasLines ? `${input}:${start.line}` : `${input}, event ${start.event + 1}`
}
