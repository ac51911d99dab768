import type { IngestFailure } from '../wire/ingest.js'
import type { Batch, Unsendable } from './batch.js'
import { isBlank } from './ndjson.js'

const NEWLINE = 0x0a

/**
 * Where an event of a batch stands in its input, as far as the service's answer tells: `app.ndjson:7`,
 * or `app.json, event 7` where lines mean nothing.
 */
export function locate(batch: Batch, failure: Pick<IngestFailure, 'index' | 'line'>): string {
  const { input, start, headLines } = batch
  const line = failure.line ?? lineOf(batch, failure.index)
  if (line !== undefined) return `${input}:${start.line + line - 1 - headLines}`
  if (failure.index !== undefined) return `${input}, event ${start.event + failure.index + 1}`
  return `${input}, one of the events ${start.event + 1} to ${start.event + batch.events}`
}

/** Where something stands that could not be sent. */
export function locateUnsendable({ input, start, hasLines }: Unsendable): string {
  return hasLines ? `${input}:${start.line}` : `${input}, event ${start.event + 1}`
}

/** The line of an event within the body of a batch that has one on each. */
function lineOf({ body, contentType }: Batch, index: number | undefined): number | undefined {
  if (index === undefined || contentType !== 'application/x-ndjson') return undefined
  let events = 0
  let line = 1
  for (let at = 0; at < body.length; line++) {
    const newline = body.indexOf(NEWLINE, at)
    const end = newline === -1 ? body.length : newline
    if (!isBlank(body, at, end)) events += 1
    if (events > index) return line
    at = end + 1
  }
  return undefined
}
