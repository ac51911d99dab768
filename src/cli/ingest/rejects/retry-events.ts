import { createReadStream } from 'node:fs'
import { LINE_FEED } from '../../../text/bytes.js'
import { type Heading, parseReject, type Reject } from './reject.js'

/** Records of a rejects file with the same heading. */
export interface HeadingGroup {
  readonly heading: Heading
  /** The line numbers in the order in which their events are read, and the offset of each event. */
  readonly lines: number[]
  readonly offsets: number[]
}

const HEADING = ['header', 'delimiter', 'timestampField'] as const

/** True when events with either heading can be read together. */
export function isSameHeading(one: Heading, other: Heading): boolean {
  const isSame = (name: keyof Heading) => one[name] === other[name]
  return HEADING.every(isSame)
}

/** Yields the events of a group and adds them to it. Records that repeat an earlier one are skipped. */
export async function* eventsOf(
  path: string,
  group: HeadingGroup,
  isRepeated: (line: number) => boolean,
): AsyncGenerator<Buffer> {
  let offset = 0
  if (group.heading.header !== undefined) {
    const header = Buffer.from(`${group.heading.header}\n`)
    offset += header.length
    yield header
  }
  let number = 0
  for await (const line of linesOf(path)) {
    number += 1
    const reject = isRepeated(number) ? undefined : parseReject(line)
    if (reject === undefined || !isSameHeading(reject, group.heading)) continue
    const bytes = bytesOf(reject)
    if (bytes === undefined) continue
    group.lines.push(number)
    group.offsets.push(offset)
    offset += bytes.length
    yield bytes
  }
}

/** Returns the bytes of an event to send again, on one line unless it is a CSV row; `undefined` for a record without an event. */
export function bytesOf({ event, eventBase64, header }: Reject): Buffer | undefined {
  const bytes =
    eventBase64 === undefined ? Buffer.from(event ?? '') : Buffer.from(eventBase64, 'base64')
  if (bytes.toString('latin1').trim() === '') return undefined
  const end = Buffer.of(LINE_FEED)
  if (header !== undefined || !bytes.includes(LINE_FEED)) return Buffer.concat([bytes, end])
  try {
    // In JSON, line breaks are white space.
    JSON.parse(bytes.toString('utf8'))
    return Buffer.concat([Buffer.from(bytes.toString('utf8').replace(/[\r\n]/g, ' ')), end])
  } catch {
    return undefined
  }
}

/** Returns the line number of the event at an offset. */
export function lineAt(
  { lines, offsets }: Pick<HeadingGroup, 'lines' | 'offsets'>,
  offset: number,
): number | undefined {
  let from = 0
  let to = offsets.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (offsets[middle]! <= offset) from = middle + 1
    else to = middle
  }
  return lines[from - 1]
}

/** The beginning of every record. */
const RECORD_START = '{"file":'

/**
 * Yields the lines of a rejects file with their line breaks. A truncated record is yielded as a separate line, even when
 * another record was appended to it.
 */
export async function* linesOf(path: string): AsyncGenerator<Buffer> {
  for await (const line of rawLinesOf(path)) {
    const next = line.lastIndexOf(RECORD_START)
    if (next > 0 && !isJson(line)) {
      yield Buffer.concat([line.subarray(0, next), Buffer.of(LINE_FEED)])
      yield line.subarray(next)
    } else yield line
  }
}

/** True when a line is a truncated record, after a full disk or a kill. */
export function isCutOff(line: Buffer): boolean {
  const text = line.toString('utf8').trim()
  return (
    text !== '' && (text.includes(RECORD_START) || RECORD_START.startsWith(text)) && !isJson(line)
  )
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString('utf8'))
    return true
  } catch {
    return false
  }
}

async function* rawLinesOf(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let at = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, at)) {
      yield Buffer.concat([...rest, chunk.subarray(at, end + 1)])
      rest = []
      at = end + 1
    }
    if (at < chunk.length) rest.push(chunk.subarray(at))
  }
  if (rest.length > 0) yield Buffer.concat(rest)
}
