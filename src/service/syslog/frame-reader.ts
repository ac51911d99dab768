import { CARRIAGE_RETURN, LESS_THAN, LINE_FEED, NINE, SPACE, ZERO } from '../../text/bytes.js'
import { MAX_LENGTH_DIGITS } from '../../wire/octet-count.js'

const NOTHING = Buffer.alloc(0)

const NUL = 0

/** The maximum length of a frame. A larger number can't be a length, and the start of the next message is then unknown. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024

export interface ReceivedMessage {
  readonly bytes: Buffer
  /** True when the message was longer, or its connection ended within it. */
  readonly isTruncated: boolean
}

/** A frame declares a length that can't be right. */
export class FramingError extends Error {
  override readonly name = 'FramingError'
}

/** Returns the first position, from a position on, of some byte; infinity if there is none. Positions must not decrease. */
type Position = (from: number) => number

/** Finds the messages in the bytes of a connection: lines, or frames that begin with their length (RFC 6587). */
export class FrameReader {
  private readonly maxBytes: number
  private rest: Buffer = NOTHING
  /** The part of a truncated message that is still to be dropped: a number of bytes of a frame, or a line up to its end. */
  private dropped: number | 'line' = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** The kind of the message that has begun and not ended; undefined between messages. */
  get unfinished(): 'line' | 'frame' | undefined {
    if (this.dropped !== 0) return this.dropped === 'line' ? 'line' : 'frame'
    if (this.rest.length === 0) return undefined
    return digitsAt(this.rest, 0) ? 'frame' : 'line'
  }

  /** Yields the messages that end in the next bytes. Throws a `FramingError` at a length that can't be right. */
  *push(bytes: Buffer): Generator<ReceivedMessage, void> {
    const data = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes])
    this.rest = NOTHING
    const lineEnd = lineEnds(data)
    let at = 0
    while (at < data.length) {
      if (this.dropped !== 0) {
        at = this.drop(data, { at, lineEnd })
        continue
      }
      at = lineEndsEnd(data, at)
      const digits = digitsAt(data, at)
      if (digits === undefined) break
      const isFrame = digits > 0
      const from = isFrame ? at + digits + 1 : at
      const end = isFrame ? from + frameLength(data, at, digits) : lineEnd(from)
      const isComplete = end <= data.length
      const length = (isComplete ? end : data.length) - from
      if (length <= this.maxBytes && !isComplete) break
      const isTruncated = length > this.maxBytes
      at = from + Math.min(length, this.maxBytes)
      if (isTruncated) this.dropped = isFrame ? end - at : 'line'
      const message = messageOf(data.subarray(from, at), { isFrame, isTruncated })
      if (message !== undefined) yield message
    }
    // A copy, because the rest may be a small part of a large buffer.
    if (at < data.length) this.rest = Buffer.from(data.subarray(at))
  }

  /** Returns the message that has not ended yet, at the end of the connection; undefined without one. */
  end(): ReceivedMessage | undefined {
    const { rest } = this
    const digits = digitsAt(rest, 0) ?? 0
    this.rest = NOTHING
    this.dropped = 0
    const isFrame = digits > 0
    const bytes = isFrame ? rest.subarray(digits + 1) : rest
    return messageOf(bytes, { isFrame, isTruncated: isFrame })
  }

  /** Drops bytes from a position, and returns the position after them. */
  private drop(
    data: Buffer,
    { at, lineEnd }: { readonly at: number; readonly lineEnd: Position },
  ): number {
    if (this.dropped === 'line') {
      const end = lineEnd(at)
      if (end > data.length) return data.length
      this.dropped = 0
      return end + 1
    }
    const count = Math.min(this.dropped, data.length - at)
    this.dropped -= count
    return at + count
  }
}

/**
 * Returns a message without the line ends and NULs that some senders add, and, if it is a frame, without white space at its end.
 * Returns undefined when nothing remains.
 */
export function messageOf(
  bytes: Buffer,
  { isFrame = false, isTruncated = false } = {},
): ReceivedMessage | undefined {
  let end = bytes.length
  while (end > 0 && (isFrame ? bytes[end - 1]! <= SPACE : isLineEnd(bytes[end - 1]!))) end -= 1
  if (end === 0) return undefined
  return { bytes: end === bytes.length ? bytes : bytes.subarray(0, end), isTruncated }
}

/** Finds the ends of lines. NUL also ends a line: some senders, such as Python's `SysLogHandler`, send no line feeds. */
function lineEnds(data: Buffer): Position {
  const feed = positionsOf(LINE_FEED, data)
  const nul = positionsOf(NUL, data)
  return (from) => Math.min(feed(from), nul(from))
}

/** Keeps the position that was found last: without the byte, each call would search all of the data. */
function positionsOf(byte: number, data: Buffer): Position {
  let found = -1
  return (from) => {
    if (found >= from) return found
    const at = data.indexOf(byte, from)
    found = at === -1 ? Number.POSITIVE_INFINITY : at
    return found
  }
}

function isLineEnd(byte: number): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === NUL
}

function lineEndsEnd(data: Buffer, from: number): number {
  let at = from
  while (at < data.length && isLineEnd(data[at]!)) at += 1
  return at
}

/**
 * Returns the number of digits of the length at a position, which is followed by a space and the beginning of a priority; 0 when
 * there is no length, and undefined while more bytes are needed.
 */
function digitsAt(data: Buffer, from: number): number | undefined {
  if (data[from] === ZERO) return 0
  let at = from
  while (at < from + MAX_LENGTH_DIGITS && data[at]! >= ZERO && data[at]! <= NINE) at += 1
  if (at === data.length) return undefined
  if (at === from || data[at] !== SPACE) return 0
  if (at + 1 === data.length) return undefined
  return data[at + 1] === LESS_THAN ? at - from : 0
}

function frameLength(data: Buffer, from: number, digits: number): number {
  let length = 0
  for (let at = from; at < from + digits; at++) length = length * 10 + data[at]! - ZERO
  if (length <= MAX_FRAME_BYTES) return length
  throw new FramingError(`a message of ${length} bytes is announced`)
}
