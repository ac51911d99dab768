import type { Batch } from '../../../../input/batch.js'
import { eventExtents } from '../../../../input/events.js'

const MOST_BYTES = 16 * 1024
const NEWLINE = 0x0a

/** The first events of a batch, few enough to be looked at closely; undefined when not even one is that short. */
export function sampleOf(batch: Batch): Batch | undefined {
  const { body, contentType } = batch
  if (body.length <= MOST_BYTES) return batch
  const head = { ...batch, body: body.subarray(0, MOST_BYTES) }
  return contentType === 'application/json' ? wholeElements(head) : wholeLines(head)
}

/** What is left of an array that was cut: its last element may lack its end. */
function wholeElements(batch: Batch): Batch | undefined {
  const last = eventExtents(batch).at(-2)
  if (last === undefined) return undefined
  return { ...batch, body: Buffer.concat([batch.body.subarray(0, last.to), Buffer.from(']')]) }
}

function wholeLines(batch: Batch): Batch | undefined {
  const end = batch.body.lastIndexOf(NEWLINE) + 1
  return end === 0 ? undefined : { ...batch, body: batch.body.subarray(0, end) }
}

/** Whether a field is named in the events, as it is in JSON, or in the header of CSV. */
export function isNamed(field: string, { body, contentType }: Batch): boolean {
  return body.includes(contentType === 'text/csv' ? field : `"${field}"`)
}
