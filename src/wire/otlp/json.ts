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
const END = -1

/** An integer with at most the digits of 64 bits: converting millions of digits would take seconds. */
const INTEGER = /^-?\d{1,20}$/
/** An integer that is in the range of all types. */
const SMALL = /^\d{1,9}$/
const HEX = /^(?:[0-9a-f]{2})*$/i
const MAX_UINT32 = 0xffff_ffff

/**
 * Converts an export request in JSON to protobuf, so that events do not depend on the encoding. Several requests, such as one per
 * line, become one, as in protobuf. Unknown members are ignored. Integers are exact, whether they are strings or numbers. Throws an
 * `OtlpError` when a request is malformed.
 */
export function jsonToProtobuf(body: Buffer, signal: Signal): Buffer {
  return runToEnd(jsonToProtobufInSteps(body, signal))
}

/** Converts a request like `jsonToProtobuf`, in steps of a few milliseconds, because requests may be large. */
export function* jsonToProtobufInSteps(body: Buffer, signal: Signal): Steps<Buffer> {
  const converter = new Converter(body)
  yield* converter.requests(REQUESTS[signal])
  return converter.written
}

/** Reads the JSON of messages, which are in `depth` other messages, and writes their fields. */
class Converter {
  private readonly reader: OtlpJsonReader
  private readonly writer: ProtobufWriter
  private pauseAt = STEP_BYTES

  constructor(body: Buffer) {
    this.reader = new OtlpJsonReader(body)
    this.writer = new ProtobufWriter(Math.max(1024, body.length))
  }

  get written(): Buffer {
    return this.writer.written
  }

  /** Converts requests up to the end of the body. */
  *requests(fields: MessageFields): Steps<void> {
    do {
      yield* this.group(fields, 0)
      if (this.isPause()) yield
    } while (this.reader.peek() !== END)
  }

  /** Converts a request, or the records of a resource or a scope, with a pause after some of the members and records. */
  private *group(fields: MessageFields, depth: number): Steps<void> {
    const { reader, writer } = this
    for (let isMember = reader.enterObject(); isMember; isMember = reader.nextMember()) {
      reader.beginPart()
      const field = fieldNamed(fields, reader.source, reader.from, reader.to)
      if (!field?.isRepeated || field.type.kind !== 'message' || reader.peek() === NULL) {
        this.member(field, depth)
        if (this.isPause()) yield
        continue
      }
      const inner = field.type.fields()
      for (let more = reader.enterArray(); more; more = reader.nextElement()) {
        reader.beginPart()
        const start = writer.beginMessage(field.tag)
        if (depth + 1 < GROUP_LEVELS) yield* this.group(inner, depth + 1)
        else this.message(inner, depth + 1)
        writer.endMessage(start)
        if (this.isPause()) yield
      }
    }
  }

  /** True when so much has been read since the last pause that the next one is due. */
  private isPause(): boolean {
    const { position } = this.reader
    if (position < this.pauseAt) return false
    this.pauseAt = position + STEP_BYTES
    return true
  }

  private message(fields: MessageFields, depth: number): void {
    const { reader } = this
    if (depth > MAX_DEPTH) throw new OtlpError('a value is nested too deeply')
    for (let more = reader.enterObject(); more; more = reader.nextMember()) {
      this.member(fieldNamed(fields, reader.source, reader.from, reader.to), depth)
    }
  }

  /** Converts the value of a member, or skips it when the message has no such field. */
  private member(field: MessageFields[number] | undefined, depth: number): void {
    const { reader } = this
    if (field === undefined) reader.skip()
    // In the JSON encoding of protobuf, null means that the field is absent.
    else if (reader.peek() === NULL) reader.word()
    else if (!field.isRepeated) this.field(field, depth)
    else {
      for (let more = reader.enterArray(); more; more = reader.nextElement()) {
        this.field(field, depth)
      }
    }
  }

  private field({ tag, type, name }: MessageFields[number], depth: number): void {
    const { writer } = this
    if (type.kind === 'message') {
      const start = writer.beginMessage(tag)
      this.message(type.fields(), depth + 1)
      writer.endMessage(start)
    } else {
      writer.varint(tag)
      this.scalar(name, type)
    }
  }

  private scalar(name: Buffer, type: Exclude<JsonType, { kind: 'message' }>): void {
    const { reader, writer } = this
    if (type.kind === 'string') {
      reader.string()
      writer.delimited(reader.source, reader.from, reader.to)
      return
    }
    if (type.kind === 'base64' || type.kind === 'hex') {
      const text = reader.ascii()
      if (type.kind === 'hex' && !HEX.test(text)) {
        throw wrong(name, 'a string of hexadecimal digits')
      }
      writer.delimited(Buffer.from(text, type.kind))
      return
    }
    // Numbers and booleans may be in strings.
    const text = reader.isString ? reader.ascii() : reader.word()
    switch (type.kind) {
      case 'bool':
        if (text !== 'true' && text !== 'false') throw wrong(name, 'true or false')
        writer.varint(text === 'true' ? 1 : 0)
        return
      case 'int64': {
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
        const value = integer(name, text)
        if (BigInt.asUintN(64, value) !== value) throw wrong(name, 'an unsigned 64-bit integer')
        writer.fixed64(value)
        return
      }
      case 'uint32':
        writer.varint(unsigned32(name, text))
        return
      case 'fixed32':
        writer.fixed32(unsigned32(name, text))
        return
      case 'enum': {
        const index = SMALL.test(text) ? -1 : type.names.indexOf(text)
        writer.varint(index === -1 ? unsigned32(name, text) : index)
        return
      }
      case 'double': {
        const value = Number(text)
        const isNumber = text.trim() !== '' && (text === 'NaN' || !Number.isNaN(value))
        if (!isNumber) throw wrong(name, 'a number')
        writer.double(value)
      }
    }
  }
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
