import { ProtobufError, ProtobufReader } from '../bytes/protobuf-reader.js'
import { CLOSE_OBJECT, OPEN_OBJECT } from '../json/json-bytes.js'
import { GroupWriter } from './group.js'
import { LogRecordWriter } from './log-record.js'
import { NdjsonWriter } from './ndjson-writer.js'
import { OtlpError } from './otlp-error.js'
import { SpanWriter } from './span.js'

/** The signals whose requests are events. */
export type Signal = 'logs' | 'traces'

/** Bytes of lines per piece, so that decoding a large request gives way to others. */
const PIECE_BYTES = 1024 * 1024

/** Bytes of the request per piece, as resources and scopes may have no events. */
const STEP_BYTES = 256 * 1024

/**
 * The maximum length of the events of a request. Each of them repeats its resource and scope, so a small request could
 * otherwise make events without bounds.
 */
const MAX_LINES_BYTES = 256 * 1024 * 1024
const MAX_EXPANSION = 16

const NOTHING = Buffer.alloc(0)
const LINE_FEED = 0x0a

const RESOURCE_GROUP = 0x0a
const SCOPE_GROUP = 0x12
const RECORD = 0x12

/** Decodes export requests of a signal in protobuf to events. */
export class OtlpDecoder {
  /** The number of events decoded so far. */
  events = 0
  private readonly writer = new NdjsonWriter(PIECE_BYTES + PIECE_BYTES / 4)
  private readonly group = new GroupWriter()
  private readonly record: LogRecordWriter | SpanWriter

  constructor(signal: Signal) {
    this.record = signal === 'logs' ? new LogRecordWriter() : new SpanWriter()
  }

  /**
   * Yields the events of a request, one per line, in pieces of up to about a megabyte, which may be empty. Throws an `OtlpError`
   * when the request is malformed, or when its events are much larger than it is.
   */
  *decode(message: Buffer): Generator<Buffer, void> {
    try {
      yield* this.decodeGroups(message)
    } catch (error) {
      throw error instanceof ProtobufError ? new OtlpError(error.message) : error
    }
  }

  private *decodeGroups(message: Buffer): Generator<Buffer, void> {
    const { writer, group, record } = this
    const reader = new ProtobufReader(message)
    const limit = Math.max(MAX_LINES_BYTES, message.length * MAX_EXPANSION)
    let total = 0
    let stepEnd = STEP_BYTES
    writer.clear()
    while (reader.find(RESOURCE_GROUP)) {
      const outer = reader.enter()
      group.beginResource(reader)
      while (reader.find(SCOPE_GROUP)) {
        const resource = reader.enter()
        group.beginScope(reader)
        const { members } = group
        while (reader.find(RECORD)) {
          const start = writer.length
          record.write(reader, writer)
          writer.raw(members)
          endLine(writer, start)
          this.events += 1
          if (writer.length >= PIECE_BYTES) {
            total += writer.length
            if (total > limit) throw tooLarge(limit)
            yield writer.take()
          }
        }
        reader.leave(resource)
        if (reader.at >= stepEnd) {
          stepEnd = reader.at + STEP_BYTES
          yield NOTHING
        }
      }
      reader.leave(outer)
      if (reader.at >= stepEnd) {
        stepEnd = reader.at + STEP_BYTES
        yield NOTHING
      }
    }
    yield writer.take()
  }
}

/** Turns the members since `start` into an object on a line of its own. */
function endLine(writer: NdjsonWriter, start: number): void {
  // The comma of the first member.
  if (writer.length === start) writer.byte(OPEN_OBJECT)
  else writer.bytes[start] = OPEN_OBJECT
  writer.byte(CLOSE_OBJECT)
  writer.byte(LINE_FEED)
}

function tooLarge(limit: number): OtlpError {
  return new OtlpError(
    `the events, each with its resource and scope, are larger than ${limit / (1024 * 1024)} MiB`,
    'too-large',
  )
}
