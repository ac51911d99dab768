import { CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '../../text/bytes.js'
import { writeKeyValues } from './any-value.js'
import { AttributeWriter } from './attribute.js'
import { writeCount, writeEventTime, writeFlags, writeId, writeString } from './group.js'
import { member } from './member-name.js'
import { NdjsonWriter } from './ndjson-writer.js'
import type { PartReader } from './part.js'

const TRACE_ID = member('trace_id')
const SPAN_ID = member('span_id')
const TRACE_STATE = member('trace_state')
const PARENT_SPAN_ID = member('parent_span_id')
const NAME = member('name')
const KIND = member('kind')
const DURATION = member('duration')
const DROPPED_ATTRIBUTES = member('dropped_attributes_count')
const DROPPED_EVENTS = member('dropped_events_count')
const DROPPED_LINKS = member('dropped_links_count')
const STATUS_MESSAGE = member('status.message')
const STATUS_CODE = member('status.code')
const ERROR = member('error')
const EVENTS = member('events')
const LINKS = member('links')
const TIMESTAMP = member('timestamp')
const ATTRIBUTES = member('attributes')

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']
const CODES = ['UNSET', 'OK', 'ERROR']
const ERROR_CODE = 2

/** Writes the members of a `Span`, each after a comma. */
export class SpanWriter {
  private readonly attributes = new AttributeWriter('attributes')
  private readonly events = new NdjsonWriter(4096)
  private readonly links = new NdjsonWriter(4096)

  write(reader: PartReader, writer: NdjsonWriter): void {
    const outer = reader.enterPart()
    let startLow = 0
    let startHigh = 0
    let endLow = 0
    let endHigh = 0
    let code = 0
    this.attributes.reset()
    this.events.clear()
    this.links.clear()
    while (reader.next()) {
      const { tag } = reader
      if (tag === 0x0a) writeId(reader, writer, TRACE_ID)
      else if (tag === 0x12) writeId(reader, writer, SPAN_ID)
      else if (tag === 0x1a) writeString(reader, writer, TRACE_STATE)
      else if (tag === 0x22) writeId(reader, writer, PARENT_SPAN_ID)
      else if (tag === 0x2a) writeString(reader, writer, NAME)
      else if (tag === 0x30) writeWord(reader.uint32(), writer, { name: KIND, words: KINDS })
      else if (tag === 0x39) {
        reader.fixed64()
        startLow = reader.low
        startHigh = reader.high
      } else if (tag === 0x41) {
        reader.fixed64()
        endLow = reader.low
        endHigh = reader.high
      } else if (tag === 0x4a) this.attributes.write(reader, writer)
      else if (tag === 0x50) writeCount(reader, writer, DROPPED_ATTRIBUTES)
      else if (tag === 0x5a) writeEvent(reader, this.events)
      else if (tag === 0x60) writeCount(reader, writer, DROPPED_EVENTS)
      else if (tag === 0x6a) writeLink(reader, this.links)
      else if (tag === 0x70) writeCount(reader, writer, DROPPED_LINKS)
      else if (tag === 0x7a) code = writeStatus(reader, writer)
      else if (tag === 0x85) writeFlags(reader, writer)
      else reader.skip()
    }
    const hasStart = startLow !== 0 || startHigh !== 0
    const hasEnd = endLow !== 0 || endHigh !== 0
    if (hasStart) writeEventTime(writer, startLow, startHigh)
    else writeEventTime(writer, endLow, endHigh)
    if (hasStart && hasEnd) {
      writer.raw(DURATION)
      const borrow = endLow < startLow ? 1 : 0
      writer.signed((endLow - startLow) >>> 0, (endHigh - startHigh - borrow) >>> 0)
    }
    writeWord(code, writer, { name: STATUS_CODE, words: CODES })
    writer.raw(ERROR)
    writer.boolean(code === ERROR_CODE)
    this.attributes.end(writer)
    writeArray(writer, EVENTS, this.events)
    writeArray(writer, LINKS, this.links)
    reader.leave(outer)
  }
}

/** Writes a value of an enumeration as a word, or as its number when it is unknown. Writes nothing for 0, the unspecified value. */
function writeWord(
  value: number,
  writer: NdjsonWriter,
  { name, words }: { readonly name: Buffer; readonly words: readonly string[] },
): void {
  if (value === 0) return
  writer.raw(name)
  writer.ascii(`"${words[value] ?? value}"`)
}

/** Writes the message of the status that is the current field, and returns its code. */
function writeStatus(reader: PartReader, writer: NdjsonWriter): number {
  const outer = reader.enter()
  let code = 0
  while (reader.next()) {
    if (reader.tag === 0x12) writeString(reader, writer, STATUS_MESSAGE)
    else if (reader.tag === 0x18) code = reader.uint32()
    else reader.skip()
  }
  reader.leave(outer)
  return code
}

/** Writes the event of a span that is the current field as an object, after a comma. */
function writeEvent(reader: PartReader, writer: NdjsonWriter): void {
  writeObject(reader, writer, 0x1a, () => {
    const { tag } = reader
    if (tag === 0x09) {
      reader.fixed64()
      writer.raw(TIMESTAMP)
      writer.unsigned(reader.low, reader.high)
    } else if (tag === 0x12) writeString(reader, writer, NAME)
    else if (tag === 0x20) writeCount(reader, writer, DROPPED_ATTRIBUTES)
    else return false
    return true
  })
}

/** Writes the link of a span that is the current field as an object, after a comma. */
function writeLink(reader: PartReader, writer: NdjsonWriter): void {
  writeObject(reader, writer, 0x22, () => {
    const { tag } = reader
    if (tag === 0x0a) writeId(reader, writer, TRACE_ID)
    else if (tag === 0x12) writeId(reader, writer, SPAN_ID)
    else if (tag === 0x1a) writeString(reader, writer, TRACE_STATE)
    else if (tag === 0x28) writeCount(reader, writer, DROPPED_ATTRIBUTES)
    else if (tag === 0x35) writeFlags(reader, writer)
    else return false
    return true
  })
}

/** Writes the message that is the current field as an object. `visit` writes members; fields with `tag` are the attributes. */
function writeObject(
  reader: PartReader,
  writer: NdjsonWriter,
  tag: number,
  visit: () => boolean,
): void {
  reader.countValue()
  const outer = reader.enter()
  writer.byte(COMMA)
  const start = writer.size
  let attributes = 0
  reader.scan(() => {
    if (reader.tag === tag) attributes += 1
    return visit()
  })
  if (attributes > 0) {
    writer.raw(ATTRIBUTES)
    writeKeyValues(reader, writer, { tag, depth: 0 })
  }
  writer.endObject(start)
  reader.leave(outer)
}

function writeArray(writer: NdjsonWriter, name: Buffer, elements: NdjsonWriter): void {
  if (elements.size === 0) return
  writer.raw(name)
  writer.byte(OPEN_BRACKET)
  writer.addBytes(elements.bytes, 1, elements.size)
  writer.byte(CLOSE_BRACKET)
}
