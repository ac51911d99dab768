import { LINE_FEED } from '../../text/bytes.js'
import { formatInteger } from '../../text/integer.js'
import { ProtobufError } from '../bytes/protobuf-reader.js'
import { MAX_LINES } from '../limits.js'
import { GroupWriter } from './group.js'
import { LogRecordWriter } from './log-record.js'
import { NdjsonWriter } from './ndjson-writer.js'
import { OtlpError, PartReader } from './part.js'
import { SpanWriter } from './span.js'

/** The signals of OpenTelemetry that are stored as events. */
export type Signal = 'logs' | 'traces'

const PIECE_BYTES = 1024 * 1024

/** The maximum number and size of the records that are decoded per step. */
const STEP_RECORDS = 1_000
const STEP_BYTES = 64 * 1024

const RESOURCE_GROUP = 0x0a
const SCOPE_GROUP = 0x12
const RECORD = 0x12

/** Decodes export requests of a signal in protobuf to events. */
export class OtlpDecoder {
  events = 0
  private readonly writer = new NdjsonWriter(PIECE_BYTES + PIECE_BYTES / 4)
  private readonly group = new GroupWriter()
  private readonly record: LogRecordWriter | SpanWriter

  constructor(signal: Signal) {
    this.record = signal === 'logs' ? new LogRecordWriter() : new SpanWriter()
  }

  /**
   * Yields the events of a request, one per line, in pieces of up to about a megabyte, and undefined for a step that completes no
   * piece. Throws an `OtlpError` when the request is malformed.
   */
  *decode(message: Buffer): Generator<Buffer | undefined, void> {
    try {
      yield* this.decodeGroups(message)
    } catch (error) {
      throw error instanceof ProtobufError ? new OtlpError(error.message) : error
    }
  }

  private *decodeGroups(message: Buffer): Generator<Buffer | undefined, void> {
    const { writer, group } = this
    const reader = new PartReader(message)
    const lastEvent = this.events + MAX_LINES
    writer.clear()
    while (yield* reader.findInSteps(RESOURCE_GROUP)) {
      const outer = reader.enter()
      yield* group.beginResource(reader)
      while (yield* reader.findInSteps(SCOPE_GROUP)) {
        const resource = reader.enter()
        yield* group.beginScope(reader)
        yield* this.decodeRecords(reader, lastEvent)
        reader.leave(resource)
        yield undefined
      }
      reader.leave(outer)
      yield undefined
    }
    yield writer.take()
  }

  private *decodeRecords(
    reader: PartReader,
    lastEvent: number,
  ): Generator<Buffer | undefined, void> {
    const { writer, record } = this
    const { members } = this.group
    let stepEnd = reader.at + STEP_BYTES
    while (yield* reader.findInSteps(RECORD)) {
      const start = writer.size
      record.write(reader, writer)
      writer.raw(members)
      writer.endObject(start)
      writer.byte(LINE_FEED)
      this.events += 1
      if (this.events > lastEvent) throw tooManyRecords()
      if (writer.size >= PIECE_BYTES) yield writer.take()
      else if (this.events % STEP_RECORDS === 0 || reader.at >= stepEnd) yield undefined
      else continue
      stepEnd = reader.at + STEP_BYTES
    }
  }
}

function tooManyRecords(): OtlpError {
  return new OtlpError(`it has more than ${formatInteger(MAX_LINES)} records`, 'too-large')
}
