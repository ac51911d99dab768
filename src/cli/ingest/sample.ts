import type { Batch } from '../../input/batch.js'

const MOST_BYTES = 16 * 1024
const NEWLINE = 0x0a

/** The first events of a batch, few enough to be looked at closely; undefined when not even one is that short. */
export function sampleOf(batch: Batch): Batch | undefined {
  const { body, contentType } = batch
  if (body.length <= MOST_BYTES) return batch
  const head = body.subarray(0, MOST_BYTES)
  // An array is read as far as its events are whole.
  const end = contentType === 'application/json' ? head.length : head.lastIndexOf(NEWLINE) + 1
  return end === 0 ? undefined : { ...batch, body: head.subarray(0, end) }
}

/** Whether a field is named in the events, as it is in JSON, or in the header of CSV. */
export function isNamed(field: string, { body, contentType }: Batch): boolean {
  return body.includes(contentType === 'text/csv' ? field : `"${field}"`)
}
