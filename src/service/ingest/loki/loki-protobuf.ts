import { ProtobufReader } from '../../../wire/bytes/protobuf-reader.js'
import { decompressSnappy, SnappyError, snappyLength } from '../../../wire/bytes/snappy.js'
import { type LabeledLine, type LineField, type LineFields, lineFields } from '../labeled-line.js'
import { nanosecondTime } from '../nanosecond-time.js'
import { parseLabels } from './loki-labels.js'

/**
 * Returns the message in a body: decompressed, if it is a Snappy block, else the body itself. Undefined when the message
 * would be larger than the limit.
 */
export function protobufMessage(body: Buffer, limitBytes: number): Buffer | undefined {
  try {
    return snappyLength(body) > limitBytes ? undefined : decompressSnappy(body)
  } catch (error) {
    if (error instanceof SnappyError) return body
    throw error
  }
}

/**
 * PushRequest : streams = 1 (Stream*). Yields undefined for what is no entry, as it may be repeated. Throws a `ProtobufError`
 * for malformed messages.
 */
export function* protobufEntries(message: Buffer): Generator<LabeledLine | undefined, void> {
  const request = new ProtobufReader(message)
  for (let field = request.next(); field !== 0; field = request.next()) {
    if (field === 1) yield* streamEntries(request.message())
    else request.skip()
    yield undefined
  }
}

/** Stream : labels = 1, entries = 2 (Entry*); in either order. */
function* streamEntries(stream: ProtobufReader): Generator<LabeledLine | undefined, void> {
  const fields = yield* labelsOf(stream.copy())
  for (let field = stream.next(); field !== 0; field = stream.next()) {
    if (field === 2) yield entry(stream.message(), fields)
    else {
      stream.skip()
      yield undefined
    }
  }
}

function* labelsOf(stream: ProtobufReader): Generator<undefined, LineFields> {
  for (let field = stream.next(); field !== 0; field = stream.next()) {
    if (field === 1) return lineFields(parseLabels(stream.text()))
    stream.skip()
    yield undefined
  }
  return lineFields([])
}

/** Entry : timestamp = 1, line = 2, structuredMetadata = 3 (LabelPair*) */
function entry(message: ProtobufReader, stream: LineFields): LabeledLine {
  let time: bigint | undefined
  let line = ''
  const metadata: LineField[] = []
  for (let field = message.next(); field !== 0; field = message.next()) {
    if (field === 1) time = timestamp(message.message())
    else if (field === 2) line = message.text()
    else if (field === 3) metadata.push(pair(message.message()))
    else message.skip()
  }
  return {
    fields: lineFields(metadata, stream),
    time: time === undefined ? undefined : nanosecondTime(time),
    line,
  }
}

/** Timestamp : seconds = 1, nanos = 2 */
function timestamp(message: ProtobufReader): bigint {
  let time = 0n
  for (let field = message.next(); field !== 0; field = message.next()) {
    if (field === 1) time += message.int64() * 1_000_000_000n
    else if (field === 2) time += message.int64()
    else message.skip()
  }
  return time
}

/** LabelPair : name = 1, value = 2 */
function pair(message: ProtobufReader): LineField {
  let name = ''
  let value = ''
  for (let field = message.next(); field !== 0; field = message.next()) {
    if (field === 1) name = message.text()
    else if (field === 2) value = message.text()
    else message.skip()
  }
  return { name, value: JSON.stringify(value) }
}
