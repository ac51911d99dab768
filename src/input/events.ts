import { isLineEnd, isSpace, LINE_FEED } from '../text/bytes.js'
import type { Batch } from './batch.js'
import { CsvScanner } from './csv.js'
import type { Scanner } from './framing.js'
import { ndjsonFraming } from './ndjson.js'

/** The position of an event in the body of a batch, in bytes. */
export interface EventExtent {
  /** The start of the event, after leading white space. */
  readonly from: number
  /** The end of the event, before the separator. */
  readonly to: number
  /** The position after the separator. */
  readonly next: number
  /** The line of the body in which the event begins, from 1. */
  readonly line: number
}

/** Returns the length of the head, with which every body of the input begins. */
export function headLength({ body, bytes, contentType }: Batch): number {
  return contentType === 'text/csv' ? body.length - bytes : 0
}

/** Locates the events of a batch; their positions are not recorded when it is built. */
export function eventExtents(batch: Batch): readonly EventExtent[] {
  const { contentType, sourceType, body } = batch
  const isTable = contentType === 'text/csv'
  const scanner = isTable ? new CsvScanner(batch.csv) : ndjsonFraming().scanner
  const isBlank = isTable ? isLineEnd : isSpace
  const isEnd = sourceType === 'application/json' ? isSpace : isLineEnd
  const found: EventExtent[] = []
  let at = headLength(batch)
  let line = 1 + lineEnds(body, 0, at)
  while (at < body.length && found.length < batch.events) {
    const next = scannedEvent(scanner, body, at)
    let from = at
    while (from < next && isBlank(body[from]!)) from += 1
    line += lineEnds(body, at, from)
    let to = next
    while (to > from && isEnd(body[to - 1]!)) to -= 1
    found.push({ from, to, next, line })
    line += lineEnds(body, from, next)
    at = next
  }
  return found
}

/** The bytes scanned at once: a scanner of CSV looks for the next quote in all of them, for each event again. */
const SCANNED_AT_ONCE = 16 * 1024

/** Returns the position after the event that begins at `from`, its separator included. */
function scannedEvent(scanner: Scanner, body: Buffer, from: number): number {
  for (let at = from; at < body.length; ) {
    const to = Math.min(body.length, at + SCANNED_AT_ONCE)
    const { next, end, events } = scanner.scan(body, { from: at, to, maxEvents: 1 })
    if (events > 0) return end
    at = next
  }
  return body.length
}

/** Locates the first and the last event of a batch; in NDJSON without scanning the events between them. */
export function outermostEvents(batch: Batch): readonly Pick<EventExtent, 'from' | 'to'>[] {
  const { body, contentType } = batch
  if (contentType === 'application/x-ndjson') return [firstLine(body), lastLine(body)]
  const extents = eventExtents(batch)
  return extents.length === 0 ? [] : [extents[0]!, extents[extents.length - 1]!]
}

function firstLine(body: Buffer): Pick<EventExtent, 'from' | 'to'> {
  let from = 0
  while (from < body.length && isSpace(body[from]!)) from += 1
  const newline = body.indexOf(LINE_FEED, from)
  return { from, to: newline === -1 ? body.length : newline }
}

function lastLine(body: Buffer): Pick<EventExtent, 'from' | 'to'> {
  let to = body.length
  while (to > 0 && isSpace(body[to - 1]!)) to -= 1
  return { from: to === 0 ? 0 : body.lastIndexOf(LINE_FEED, to - 1) + 1, to }
}

function lineEnds(bytes: Buffer, from: number, to: number): number {
  // Restricts the search: the rest of the buffer may be long and have no line end.
  const view = bytes.subarray(from, to)
  let count = 0
  for (let at = view.indexOf(LINE_FEED); at !== -1; at = view.indexOf(LINE_FEED, at + 1)) count += 1
  return count
}
