import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
} from '../../text/bytes.js'
import { OTLP_DEPTH } from '../limits.js'
import type { NdjsonWriter } from './ndjson-writer.js'
import { OtlpError, type PartReader } from './part.js'

const NULL = Buffer.from('null')

/**
 * Writes the `AnyValue` that is the value of the reader's current field as JSON: bytes as a string in base64, and null when it is
 * empty.
 */
export function writeAnyValue(reader: PartReader, writer: NdjsonWriter, depth = 0): void {
  if (depth > OTLP_DEPTH)
    throw new OtlpError(`a value is nested more than ${OTLP_DEPTH} levels deep`)
  reader.countValue()
  const outer = reader.enter()
  const start = writer.size
  while (reader.next()) {
    const { tag } = reader
    // When the `oneof` has several values, the last one counts.
    if (writer.size > start && tag >> 3 <= 7) writer.size = start
    if (tag === 0x0a || tag === 0x3a) {
      const end = reader.lengthEnd()
      if (tag === 0x0a) writer.string(reader.bytes, reader.at, end)
      else writer.base64(reader.bytes, reader.at, end)
      reader.at = end
    } else if (tag === 0x10) writer.boolean(reader.uint32() !== 0)
    else if (tag === 0x18) {
      reader.varint()
      writer.signed(reader.low, reader.high)
    } else if (tag === 0x21) {
      reader.fixed64()
      writer.double(reader.low, reader.high)
    } else if (tag === 0x2a) writeArray(reader, writer, depth)
    else if (tag === 0x32) writeKeyValueList(reader, writer, depth)
    else reader.skip()
  }
  if (writer.size === start) writer.raw(NULL)
  reader.leave(outer)
}

function writeArray(reader: PartReader, writer: NdjsonWriter, depth: number): void {
  const outer = reader.enter()
  writer.byte(OPEN_BRACKET)
  const start = writer.size
  while (reader.find(0x0a)) {
    if (writer.size > start) writer.byte(COMMA)
    writeAnyValue(reader, writer, depth + 1)
  }
  writer.byte(CLOSE_BRACKET)
  reader.leave(outer)
}

function writeKeyValueList(reader: PartReader, writer: NdjsonWriter, depth: number): void {
  const outer = reader.enter()
  writeKeyValues(reader, writer, { tag: 0x0a, depth })
  reader.leave(outer)
}

/** Writes the `KeyValue` fields of the current message with the given tag as an object, and skips other fields. */
export function writeKeyValues(
  reader: PartReader,
  writer: NdjsonWriter,
  { tag, depth }: { readonly tag: number; readonly depth: number },
): void {
  writer.byte(OPEN_BRACE)
  const start = writer.size
  while (reader.find(tag)) {
    reader.countValue()
    if (writer.size > start) writer.byte(COMMA)
    const outer = reader.enter()
    const { from, to, value } = readKeyValue(reader)
    writer.string(reader.bytes, from, to)
    writer.byte(COLON)
    writeValueAt(reader, writer, value, depth + 1)
    reader.leave(outer)
  }
  writer.byte(CLOSE_BRACE)
}

interface KeyValue {
  from: number
  to: number
  /** The position of the value, -1 when there is no value. */
  value: number
}

const keyValue: KeyValue = { from: 0, to: 0, value: -1 }

/** Finds the parts of the `KeyValue` that is the current message. The result is valid until the next call. */
export function readKeyValue(reader: PartReader): KeyValue {
  keyValue.from = reader.at
  keyValue.to = reader.at
  keyValue.value = -1
  while (reader.next()) {
    if (reader.tag === 0x0a) {
      const end = reader.lengthEnd()
      keyValue.from = reader.at
      keyValue.to = end
      reader.at = end
    } else if (reader.tag === 0x12) {
      keyValue.value = reader.at
      reader.at = reader.lengthEnd()
    } else reader.skip()
  }
  return keyValue
}

/** Writes the value of the `KeyValue` that is the current message, given the position of the value. */
export function writeValueAt(
  reader: PartReader,
  writer: NdjsonWriter,
  value: number,
  depth = 0,
): void {
  if (value === -1) {
    writer.raw(NULL)
    return
  }
  reader.at = value
  writeAnyValue(reader, writer, depth)
}
