import { parseTimestamp } from '../../../src/wire/time/timestamp.js'
import { cut } from '../support.js'
import type { ActualEvent } from './sample.js'
import { batchesOf } from './support.js'

/** Times without a year are of the year before this one. */
const NOW = parseTimestamp('2026-11-20T20:00:00Z')!

/** Returns the events that the input layer reads from a log. */
export async function eventsOf(log: Buffer): Promise<readonly ActualEvent[]> {
  const batches = batchesOf(await cut(log, { now: NOW }))
  return batches.flatMap(({ body, sources, contentType }) => {
    if (contentType === 'text/csv') return []
    const lines = body.split('\n').filter((line) => line.trim() !== '')
    return lines.map(
      (json, index) => ({ fields: JSON.parse(json), ...sources?.[index] }) as ActualEvent,
    )
  })
}
