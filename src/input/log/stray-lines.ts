import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import type { Batch, SourceRecord, UnmatchedRecords } from '../batch.js'
import { afterZeros, withoutZeroRuns } from '../zeros.js'
import { withoutColors } from './colors.js'
import { EventText, ensureUtf8 } from './event-text.js'
import { lineLevel } from './line-level.js'
import { EventLines, isBlankIn, lineIn } from './multiline/event-lines.js'
import { ANY_LINE } from './multiline/event-start.js'

/** The estimated size of what is added to a line: the keys of the event. */
const ADDED_BYTES = 64
const MAX_SHOWN = 200
const REASON = 'it is not a JSON object'

/** An event of a batch: an object, or other lines. */
interface Extent {
  readonly from: number
  /** The end of its content. */
  to: number
  /** The line in the batch, from 0. */
  readonly line: number
  readonly isObject: boolean
  /** The number of lines of the event. */
  lines: number
}

/**
 * Returns a batch of NDJSON in which lines that do not begin like an object are events with a `message`: banners, and
 * the stack traces of a crash, whose lines are joined. Objects, even if malformed, stay unchanged.
 */
export function withStrayLines(batch: Batch): Batch {
  const text = batch.body.toString('latin1')
  const extents = extentsIn(text)
  const event = new EventText()
  const body = new ByteWriter(text.length + extents.length * ADDED_BYTES)
  const ends: number[] = []
  for (const { from, to, isObject } of extents) {
    const record = withoutColors(text.slice(afterZeros(text, from), to))
    if (isObject) body.addLatin1(record)
    else {
      const message = withoutZeroRuns(record).replaceAll('\r\n', '\n')
      body.addLatin1(messageEvent(ensureUtf8(message), event))
    }
    body.addLineFeed()
    ends.push(body.size)
  }
  const { written } = body
  const strays = extents.filter(({ isObject }) => !isObject)
  return {
    ...batch,
    body: written,
    events: extents.length,
    joined: strays.filter(({ lines }) => lines > 1).length,
    unmatched: unmatchedIn(text, strays, batch),
    source: (index) => sourceOf(index, { batch, extents, ends, written }),
  }
}

/** Returns the extents of the events in a text. */
function extentsIn(text: string): readonly Extent[] {
  const lines = new EventLines(ANY_LINE)
  const found: Extent[] = []
  let at = 0
  for (let line = 0; at < text.length; line++) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    const to = text[end - 1] === '\r' ? end - 1 : end
    const isObject = beginsObject(text, afterZeros(text, at), end)
    if (isObject) lines.end()
    const assignment = isObject
      ? 'starts'
      : lines.add(lineIn(text, { from: at, to: end, hasTail: false }))
    const last = found.at(-1)
    if (assignment === 'starts') found.push({ from: at, to, line, isObject, lines: 1 })
    else if (assignment === 'continues' && last && !isBlankIn(text, at, to)) {
      last.to = to
      last.lines = line - last.line + 1
    }
    if (isObject) lines.end()
    at = end + 1
  }
  return found
}

function beginsObject(text: string, from: number, to: number): boolean {
  const head = text.slice(from, Math.min(to, from + MAX_SHOWN))
  return withoutColors(head).trimStart().startsWith('{')
}

function messageEvent(record: string, event: EventText): string {
  const level = lineLevel(record)
  if (level !== undefined) event.text('level', level)
  event.text('message', record)
  return event.take()
}

function unmatchedIn(
  text: string,
  strays: readonly Extent[],
  { start }: Batch,
): UnmatchedRecords | undefined {
  const [first] = strays
  if (first === undefined) return undefined
  const { from, line } = first
  const shown = Buffer.from(text.slice(from, from + MAX_SHOWN), 'latin1').toString('utf8')
  return {
    events: strays.length,
    first: {
      line: start.line + line,
      reason: REASON,
      text: withoutColors(shown.split('\n', 1)[0]!),
    },
  }
}

interface Converted {
  readonly batch: Batch
  readonly extents: readonly Extent[]
  readonly ends: readonly number[]
  readonly written: Buffer
}

function sourceOf(index: number, { batch, extents, ends, written }: Converted): SourceRecord {
  const { body, start } = batch
  const { from, to, line } = extents[index] ?? { from: 0, to: 0, line: 0 }
  return {
    text: body.subarray(from, to),
    event: written.subarray(ends[index - 1] ?? 0, (ends[index] ?? 1) - 1),
    offset: start.offset + from,
    line: start.line + line,
  }
}
