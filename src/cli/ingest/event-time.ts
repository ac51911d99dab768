import type { Batch } from '../../input/batch.js'
import { type EventExtent, headLength } from '../../input/events.js'
import { CsvLines } from '../../wire/csv.js'
import { parseEventTime } from '../../wire/event-time.js'
import { JsonReader } from '../../wire/json-text.js'
import { formatTimestamp } from '../../wire/timestamp.js'

/** An event that is longer is not looked into. */
const LONGEST = 1024 * 1024

/** The time that an event of a batch names: in RFC 3339 where it is understood, else as it is written. */
export function eventTime(
  batch: Batch,
  { from, to }: Pick<EventExtent, 'from' | 'to'>,
  field: string,
): string | undefined {
  if (to - from > LONGEST) return undefined
  const written = memberText(jsonText(batch, { from, to }), field)
  if (written === undefined || !/^["\d-]/.test(written)) return undefined
  const text = written.startsWith('"') ? String(JSON.parse(written)) : written
  const time = parseEventTime(text)
  return time === undefined ? text : formatTimestamp(time)
}

function jsonText(batch: Batch, { from, to }: { from: number; to: number }): string {
  const event = batch.body.subarray(from, to)
  if (batch.contentType !== 'text/csv') return event.toString('utf8')
  const lines = new CsvLines({ delimiter: ',' })
  const head = batch.body.subarray(0, headLength(batch))
  return Buffer.concat([lines.push(head), lines.push(event), lines.end()]).toString('utf8')
}

/** The text of a member of an object; nothing where there is none, or no object. */
function memberText(text: string, name: string): string | undefined {
  const reader = new JsonReader(text)
  let found: string | undefined
  try {
    reader.object((key) => {
      const value = reader.raw()
      if (key === name) found = value
    })
  } catch {
    return undefined
  }
  return found
}
