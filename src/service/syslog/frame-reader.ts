const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const NOTHING = Buffer.alloc(0)

/** Up to nine digits, a space and the beginning of a priority. */
const COUNT = /^([1-9]\d{0,8}) </
const START_OF_COUNT = /^(?:[1-9]\d{0,8} ?)?$/
const MAX_COUNT_LENGTH = 11

/** No sender has messages of this size: a larger count is no count, and where the next message begins is unknown. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024

/** A message as it came. */
export interface ReceivedMessage {
  readonly bytes: Buffer
  /** True when the message was longer, or its connection ended within it. */
  readonly isTruncated: boolean
}

/** A count of bytes that can't be right. */
export class FramingError extends Error {
  override readonly name = 'FramingError'
}

/** Finds the messages in the bytes of a connection: lines, or frames with their length in front (RFC 6587). */
export class FrameReader {
  private readonly maxBytes: number
  private rest: Buffer = NOTHING
  /** The bytes to drop before the next message: bytes of a frame, or a line up to its end. */
  private dropped: number | 'line' = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** The kind of a message that has begun and not ended. */
  get unfinished(): 'line' | 'frame' | undefined {
    if (this.dropped !== 0) return this.dropped === 'line' ? 'line' : 'frame'
    if (this.rest.length === 0) return undefined
    return COUNT.test(head(this.rest)) ? 'frame' : 'line'
  }

  /** Yields the messages that end in the next bytes. Throws a `FramingError` at a count that can't be right. */
  *push(bytes: Buffer): Generator<ReceivedMessage, void> {
    let data = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes])
    this.rest = NOTHING
    while (data.length > 0) {
      if (this.dropped !== 0) {
        data = this.drop(data)
        continue
      }
      data = data.subarray(lineEndsEnd(data))
      if (data.length < MAX_COUNT_LENGTH && START_OF_COUNT.test(head(data))) break
      const [prefix = '', digits] = COUNT.exec(head(data)) ?? []
      const from = digits === undefined ? 0 : prefix.length - 1
      const end = digits === undefined ? data.indexOf(LINE_FEED) : from + frameLength(digits)
      const isComplete = end !== -1 && end <= data.length
      const length = (isComplete ? end : data.length) - from
      if (length <= this.maxBytes && !isComplete) break
      const message = data.subarray(from, from + Math.min(length, this.maxBytes))
      const isTruncated = length > this.maxBytes
      data = data.subarray(from + message.length)
      if (isTruncated) this.dropped = digits === undefined ? 'line' : end - from - message.length
      yield* received(message, { isFrame: digits !== undefined, isTruncated })
    }
    // A copy, because the rest may be a small part of a large buffer.
    if (data.length > 0) this.rest = Buffer.from(data)
  }

  /** Returns the message that has not ended yet. */
  end(): ReceivedMessage | undefined {
    const { rest } = this
    const [prefix] = COUNT.exec(head(rest)) ?? []
    this.rest = NOTHING
    this.dropped = 0
    const isFrame = prefix !== undefined
    const bytes = isFrame ? rest.subarray(prefix.length - 1) : rest
    const [message] = received(bytes, { isFrame, isTruncated: isFrame })
    return message
  }

  private drop(data: Buffer): Buffer {
    if (this.dropped === 'line') {
      const end = data.indexOf(LINE_FEED)
      if (end === -1) return NOTHING
      this.dropped = 0
      return data.subarray(end + 1)
    }
    const count = Math.min(this.dropped, data.length)
    this.dropped -= count
    return data.subarray(count)
  }
}

/**
 * Yields a message without the line ends and NULs that some senders add, and, if it is a frame, without white space at its
 * end; nothing for a message that is empty then.
 */
export function* received(
  bytes: Buffer,
  { isFrame = false, isTruncated = false } = {},
): Generator<ReceivedMessage, void> {
  let end = bytes.length
  while (end > 0 && (isFrame ? bytes[end - 1]! <= SPACE : isLineEnd(bytes[end - 1]!))) end -= 1
  if (end > 0) yield { bytes: bytes.subarray(0, end), isTruncated }
}

function isLineEnd(byte: number): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === 0
}

function head(data: Buffer): string {
  return data.toString('latin1', 0, MAX_COUNT_LENGTH)
}

function lineEndsEnd(data: Buffer): number {
  let at = 0
  while (at < data.length && isLineEnd(data[at]!)) at += 1
  return at
}

function frameLength(digits: string): number {
  const length = Number(digits)
  if (length <= MAX_FRAME_BYTES) return length
  throw new FramingError(`a message of ${digits} bytes is announced`)
}
