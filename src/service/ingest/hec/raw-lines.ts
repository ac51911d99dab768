import { binarySize } from '../../../text/binary-size.js'
import { LINE_FEED } from '../../../text/bytes.js'
import { parseJson } from '../../../wire/json/json-object.js'
import { MAX_LINE_LENGTH } from '../../../wire/limits.js'
import type { BatchPiece, DecodedBatch, DecodingSteps } from '../protocol.js'
import { type Members, withFreeNames } from './envelope.js'
import { HecError } from './status.js'

/** The maximum size of a JSON object that spans several lines. */
const MAX_OBJECT_BYTES = 1024 * 1024

const NOTHING = Buffer.alloc(0)

interface RawOptions {
  /** True when the members of a JSON object become the fields of an event. */
  readonly isJson: boolean
  /** Fields that the caller adds to each event. */
  readonly metadata: Members
}

/**
 * Converts lines of text to events with a field `_raw`, one line per step. Blank lines are dropped, and bytes that are not UTF-8
 * are replaced. With `isJson`, a line that is a JSON object is an event, and so is a body that is one JSON object on several lines.
 * Throws a `HecError` when a line is too long.
 */
export class RawLines {
  private readonly batch: DecodedBatch
  private readonly options: RawOptions
  /** The first pieces of a body that may be one object. */
  private head: Buffer[] | undefined
  private headBytes = 0
  /** The beginning of a line that continues in the next piece. */
  private begun: Buffer[] = []
  private begunBytes = 0
  private hasEvents = false

  constructor(batch: DecodedBatch, options: RawOptions) {
    this.batch = batch
    this.options = options
    if (options.isJson) this.head = []
  }

  get isEmpty(): boolean {
    return !this.hasEvents
  }

  *push(bytes: Buffer): DecodingSteps {
    if (this.head === undefined) {
      yield* this.lines(bytes)
      return
    }
    this.head.push(bytes)
    this.headBytes += bytes.length
    if (this.headBytes <= MAX_OBJECT_BYTES) return
    const { head } = this
    this.head = undefined
    for (const piece of head) yield* this.lines(piece)
  }

  *end(): DecodingSteps {
    if (this.head !== undefined) {
      const whole = Buffer.concat(this.head)
      const event = objectEvent(whole.toString(), this.options.metadata)
      if (event !== undefined) {
        yield this.piece(event, whole.length)
        return
      }
      yield* this.lines(whole)
    }
    yield this.piece(this.event(NOTHING, 0, 0), 0)
  }

  private *lines(bytes: Buffer): DecodingSteps {
    let events = ''
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      if (end > start || this.begunBytes > 0) events += this.event(bytes, start, end)
      start = end + 1
      yield undefined
    }
    this.begin(bytes, start, bytes.length)
    yield this.piece(events, bytes.length)
  }

  private piece(events: string, bodyBytes: number): BatchPiece {
    if (events !== '') this.hasEvents = true
    return { batch: this.batch, lines: Buffer.from(events), bodyBytes }
  }

  private begin(bytes: Buffer, start: number, end: number): void {
    if (start === end) return
    this.begun.push(bytes.subarray(start, end))
    this.begunBytes += end - start
    if (this.begunBytes > MAX_LINE_LENGTH) throw tooLong()
  }

  /** Returns the event of the line that ends at a position. */
  private event(bytes: Buffer, start: number, end: number): string {
    if (this.begunBytes === 0) return this.eventOf(bytes.toString('utf8', start, end))
    this.begin(bytes, start, end)
    const line = Buffer.concat(this.begun)
    this.begun = []
    this.begunBytes = 0
    return this.eventOf(line.toString())
  }

  private eventOf(text: string): string {
    const line = text.replace(/\r$/, '')
    const { isJson, metadata } = this.options
    return (isJson ? objectEvent(line, metadata) : undefined) ?? textEvent(line)
  }
}

function tooLong(): HecError {
  return new HecError(6, {
    message: `A line has more than ${binarySize(MAX_LINE_LENGTH)}. None of the events were stored.`,
  })
}

function textEvent(line: string): string {
  return /\S/.test(line) ? `{"_raw":${JSON.stringify(line)}}\n` : ''
}

/** Returns a JSON object as a line; undefined for other text. */
function objectEvent(text: string, metadata: Members): string | undefined {
  if (!/^\s*\{/.test(text) || parseJson(text) === undefined) return undefined
  const line = text.replace(/[\r\n]/g, ' ')
  try {
    return `${withFreeNames(line, metadata)}\n`
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // The event has too many keys: the store rejects it.
    return `${line}\n`
  }
}
