import { isInt64 } from '../../text/integer.js'
import { runToEnd, type Steps } from '../steps/steps.js'
import type { Signal } from './decode.js'
import { fieldNamed, type JsonType, type MessageFields, REQUESTS } from './messages.js'
import { OtlpJsonReader } from './otlp-json-reader.js'
import { OtlpError } from './part.js'
import { ProtobufWriter } from './protobuf-writer.js'

/** The maximum depth of messages: a value in a list in a value are three messages. */
const MAX_DEPTH = 400

/** The levels of messages that contain records: requests, resources and scopes. */
const GROUP_LEVELS = 3
const STEP_BYTES = 256 * 1024

const NULL = 0x6e

/** An integer with at most the digits of 64 bits: converting millions of digits would take seconds. */
const INTEGER = /^-?\d{1,20}$/
/** An integer that is in the range of all types. */
const SMALL = /^\d{1,9}$/
const HEX = /^(?:[0-9a-f]{2})*$/i
const MAX_UINT32 = 0xffff_ffff

/**
 * Converts an export request in JSON to protobuf, so that events do not depend on the encoding. Unknown members are ignored.
 * Integers are exact, whether they are strings or numbers. Throws an `OtlpError` when the request is malformed.
 */
export function jsonToProtobuf(body: Buffer, signal: Signal): Buffer {
  return runToEnd(jsonToProtobufInSteps(body, signal))
}

/** Converts a request like `jsonToProtobuf`, in steps of a few milliseconds, because requests may be large. */
export function* jsonToProtobufInSteps(body: Buffer, signal: Signal): Steps<Buffer> {
  const writer = new ProtobufWriter(Math.max(1024, body.length))
  const reader = new OtlpJsonReader(body)
  yield* writeGroup(reader, writer, REQUESTS[signal], 0)
  reader.end()
  return writer.written
}

/** Writes a request, or the records of a resource or a scope, with a pause after some of the members and records. */
function* writeGroup(
  reader: OtlpJsonReader,
  writer: ProtobufWriter,
  fields: MessageFields,
  depth: number,
): Steps<void> {
  let pauseAt = reader.position + STEP_BYTES
  if (!reader.enterObject()) return
  do {
    if (reader.position >= pauseAt) {
      yield
      pauseAt = reader.position + STEP_BYTES
    }
    reader.beginPart()
    const field = fieldNamed(fields, reader.source, reader.from, reader.to)
    if (!field?.isRepeated || field.type.kind !== 'message' || reader.peek() === NULL) {
      writeMember(reader, writer, field, depth)
      continue
    }
    const inner = field.type.fields()
    for (let more = reader.enterArray(); more; more = reader.nextElement()) {
      reader.beginPart()
      const start = writer.beginMessage(field.tag)
      if (depth + 1 < GROUP_LEVELS) yield* writeGroup(reader, writer, inner, depth + 1)
      else writeMessage(reader, writer, inner, depth + 1)
      writer.endMessage(start)
      if (reader.position >= pauseAt) {
        yield
        pauseAt = reader.position + STEP_BYTES
      }
    }
  } while (reader.nextMember())
}

function writeMessage(
  reader: OtlpJsonReader,
  writer: ProtobufWriter,
  fields: MessageFields,
  depth: number,
): void {
  if (depth > MAX_DEPTH) throw new OtlpError('a value is nested too deeply')
  for (let more = reader.enterObject(); more; more = reader.nextMember()) {
    const field = fieldNamed(fields, reader.source, reader.from, reader.to)
    writeMember(reader, writer, field, depth)
  }
}

/** Writes the value of a member, or skips it when the message has no such field. */
function writeMember(
  reader: OtlpJsonReader,
  writer: ProtobufWriter,
  field: MessageFields[number] | undefined,
  depth: number,
): void {
  if (field === undefined) reader.skip()
  // In the JSON encoding of protobuf, null means that the field is absent.
  else if (reader.peek() === NULL) reader.word()
  else if (field.isRepeated) {
    for (let more = reader.enterArray(); more; more = reader.nextElement()) {
      writeField(reader, writer, field, depth)
    }
  } else writeField(reader, writer, field, depth)
}

function writeField(
  reader: OtlpJsonReader,
  writer: ProtobufWriter,
  { tag, type, name }: MessageFields[number],
  depth: number,
): void {
  if (type.kind === 'message') {
    const start = writer.beginMessage(tag)
    writeMessage(reader, writer, type.fields(), depth + 1)
    writer.endMessage(start)
    return
  }
  writer.varint(tag)
  writeScalar(reader, writer, { name, type })
}

type Scalar = Exclude<JsonType, { kind: 'message' }>

function writeScalar(
  reader: OtlpJsonReader,
  writer: ProtobufWriter,
  { name, type }: { readonly name: Buffer; readonly type: Scalar },
): void {
  switch (type.kind) {
    case 'string':
      reader.string()
      writer.delimited(reader.source, reader.from, reader.to)
      return
    case 'base64':
      writer.delimited(Buffer.from(reader.ascii(), 'base64'))
      return
    case 'hex': {
      const text = reader.ascii()
      if (!HEX.test(text)) throw wrong(name, 'a string of hexadecimal digits')
      writer.delimited(Buffer.from(text, 'hex'))
      return
    }
    case 'bool': {
      const text = scalar(reader)
      if (text !== 'true' && text !== 'false') throw wrong(name, 'true or false')
      writer.varint(text === 'true' ? 1 : 0)
      return
    }
    case 'int64': {
      const text = scalar(reader)
      if (SMALL.test(text)) {
        writer.varint(Number(text))
        return
      }
      const value = integer(name, text)
      if (!isInt64(value)) throw wrong(name, 'a 64-bit integer')
      writer.varint64(value)
      return
    }
    case 'fixed64': {
      const value = integer(name, scalar(reader))
      if (BigInt.asUintN(64, value) !== value) throw wrong(name, 'an unsigned 64-bit integer')
      writer.fixed64(value)
      return
    }
    case 'uint32':
      writer.varint(unsigned32(name, scalar(reader)))
      return
    case 'fixed32':
      writer.fixed32(unsigned32(name, scalar(reader)))
      return
    case 'enum': {
      const text = scalar(reader)
      const index = SMALL.test(text) ? -1 : type.names.indexOf(text)
      writer.varint(index === -1 ? unsigned32(name, text) : index)
      return
    }
    case 'double': {
      const text = scalar(reader)
      const value = Number(text)
      if (text.trim() === '' || (Number.isNaN(value) && text !== 'NaN')) {
        throw wrong(name, 'a number')
      }
      writer.double(value)
      return
    }
  }
}

/** Reads the text of a number or a boolean, which may be in a string. */
function scalar(reader: OtlpJsonReader): string {
  return reader.isString ? reader.ascii() : reader.word()
}

function integer(name: Buffer, text: string): bigint {
  if (INTEGER.test(text)) return BigInt(text)
  // The JSON encoding of protobuf also allows `1e3` and `5.0`.
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isSafeInteger(value)) {
    throw wrong(name, Math.trunc(value) === value ? 'a 64-bit integer' : 'an integer')
  }
  return BigInt(value)
}

function unsigned32(name: Buffer, text: string): number {
  if (SMALL.test(text)) return Number(text)
  const value = Number(integer(name, text))
  if (value < 0 || value > MAX_UINT32) throw wrong(name, 'an unsigned 32-bit integer')
  return value
}

function wrong(name: Buffer, wanted: string): OtlpError {
  return new OtlpError(`\`${name}\` must be ${wanted}`)
}
