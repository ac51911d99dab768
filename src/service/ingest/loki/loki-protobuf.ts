import { formatInteger } from '../../../text/integer.js'
import { ProtobufError, ProtobufReader } from '../../../wire/bytes/protobuf-reader.js'
import { decompressSnappy, SnappyError, snappyLength } from '../../../wire/bytes/snappy.js'
import { runInTurns } from '../../../wire/steps/steps.js'
import {
  eventOf,
  type LineField,
  type LineFields,
  lineFields,
  MAX_ENTRY_LENGTH,
  MAX_LINE_FIELDS,
  nanosecondTime,
  tooLong,
} from '../labeled-line.js'
import { parseLabels } from './loki-labels.js'

/** The tags of the fields: 8 times the number, plus the wire type, which is 2 for strings and messages and 0 for integers. */
const STREAM = 0x0a
const LABELS = 0x0a
const ENTRY = 0x12
const TIMESTAMP = 0x0a
const LINE = 0x12
const METADATA = 0x1a
const SECONDS = 0x08
const NANOS = 0x10
const NAME = 0x0a
const VALUE = 0x12

/**
 * Returns the message in a body: the decompressed body if it is a Snappy block, else the body itself. Returns undefined when the
 * message would be larger than the limit.
 */
export async function protobufMessage(
  body: Buffer,
  limitBytes: number,
): Promise<Buffer | undefined> {
  try {
    return snappyLength(body) > limitBytes ? undefined : await runInTurns(decompressSnappy(body))
  } catch (error) {
    if (error instanceof SnappyError) return body
    throw error
  }
}

/**
 * PushRequest : streams = 1 (Stream*). Yields undefined for each field that is not an entry: a request may have millions of them.
 * Throws a `ProtobufError` for malformed messages.
 */
export function* protobufEntries(message: Buffer): Generator<string | undefined, void> {
  const reader = new ProtobufReader(message)
  while (reader.next()) {
    if (reader.tag === STREAM) yield* streamEntries(reader)
    else skipField(reader, { known: 1 })
    yield undefined
  }
}

/** Stream : labels = 1, entries = 2 (Entry*); in either order. */
function* streamEntries(reader: ProtobufReader): Generator<string | undefined, void> {
  const outer = reader.enter()
  const start = reader.at
  const fields = yield* labelsOf(reader)
  reader.at = start
  while (reader.next()) {
    if (reader.tag === ENTRY) yield entry(reader, fields)
    else {
      skipField(reader, { known: 2 })
      yield undefined
    }
  }
  reader.leave(outer)
}

function* labelsOf(reader: ProtobufReader): Generator<undefined, LineFields> {
  while (reader.next()) {
    if (reader.tag === LABELS) return lineFields(parseLabels(reader.text()))
    skipField(reader, { known: 2 })
    yield undefined
  }
  return lineFields([])
}

/** Entry : timestamp = 1, line = 2, structuredMetadata = 3 (LabelPair*) */
function entry(reader: ProtobufReader, stream: LineFields): string {
  const outer = reader.enter()
  if (reader.end - reader.at > MAX_ENTRY_LENGTH) throw tooLong('An entry')
  let time: bigint | undefined
  let line = ''
  const metadata: LineField[] = []
  while (reader.next()) {
    if (reader.tag === TIMESTAMP) time = timestamp(reader)
    else if (reader.tag === LINE) line = reader.text()
    else if (reader.tag === METADATA) {
      if (metadata.length === MAX_LINE_FIELDS) throw tooManyLabels()
      metadata.push(pair(reader))
    } else skipField(reader, { known: 3 })
  }
  reader.leave(outer)
  return eventOf({
    fields: lineFields(metadata, stream),
    time: time === undefined ? undefined : nanosecondTime(time),
    line,
  })
}

function tooManyLabels(): ProtobufError {
  return new ProtobufError(`an entry has more than ${formatInteger(MAX_LINE_FIELDS)} labels`)
}

/** Timestamp : seconds = 1, nanos = 2 */
function timestamp(reader: ProtobufReader): bigint {
  const outer = reader.enter()
  let time = 0n
  while (reader.next()) {
    if (reader.tag === SECONDS) time += reader.int64() * 1_000_000_000n
    else if (reader.tag === NANOS) time += reader.int64()
    else skipField(reader, { known: 2, type: 0 })
  }
  reader.leave(outer)
  return time
}

/** LabelPair : name = 1, value = 2 */
function pair(reader: ProtobufReader): LineField {
  const outer = reader.enter()
  let name = ''
  let value = ''
  while (reader.next()) {
    if (reader.tag === NAME) name = reader.text()
    else if (reader.tag === VALUE) value = reader.text()
    else skipField(reader, { known: 2 })
  }
  reader.leave(outer)
  return { name, value: JSON.stringify(value) }
}

/**
 * Skips a field of a message. Throws a `ProtobufError`, as Loki does, for one of the fields 1 to `known` whose wire type is not
 * `type`; the default is the wire type of strings and messages.
 */
function skipField(
  reader: ProtobufReader,
  { known, type = 2 }: { readonly known: number; readonly type?: number },
): void {
  const field = reader.tag >>> 3
  const wireType = reader.tag & 7
  if (field > 0 && field <= known && wireType !== type) {
    throw new ProtobufError(`field ${field} has the unexpected wire type ${wireType}`)
  }
  reader.skip()
}
