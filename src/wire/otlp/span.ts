import { CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '../../text/bytes.js'
import { AttributeWriter } from './attribute.js'
import { member } from './member-name.js'
import {
  type MemberWriters,
  memberWriters,
  writeEventTime,
  writeField,
  writeMembers,
} from './member-writer.js'
import { SPAN, SPAN_EVENT, SPAN_LINK, STATUS } from './messages.js'
import { NdjsonWriter } from './ndjson-writer.js'
import type { PartReader } from './part.js'

const FIELDS = memberWriters(SPAN)
const STATUS_FIELDS = memberWriters(STATUS, 'status.')
const ATTRIBUTES = member('attributes')
const EVENT = { fields: eventFields(), tag: 0x1a, attributes: ATTRIBUTES }
const LINK = { fields: memberWriters(SPAN_LINK), tag: 0x22, attributes: ATTRIBUTES }

const KIND = member('kind')
const DURATION = member('duration')
const STATUS_CODE = member('status.code')
const ERROR = member('error')
const EVENTS = member('events')
const LINKS = member('links')

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
      if (writeField(FIELDS, reader, writer)) continue
      if (tag === 0x30) writeWord(reader.uint32(), writer, { name: KIND, words: KINDS })
      else if (tag === 0x39) {
        reader.fixed64()
        startLow = reader.low
        startHigh = reader.high
      } else if (tag === 0x41) {
        reader.fixed64()
        endLow = reader.low
        endHigh = reader.high
      } else if (tag === 0x4a) this.attributes.write(reader, writer)
      else if (tag === 0x5a) writeObject(reader, this.events, EVENT)
      else if (tag === 0x6a) writeObject(reader, this.links, LINK)
      else if (tag === 0x7a) code = writeStatus(reader, writer)
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
    if (reader.tag === 0x18) code = reader.uint32()
    else if (!writeField(STATUS_FIELDS, reader, writer)) reader.skip()
  }
  reader.leave(outer)
  return code
}

/** Returns the writers of the members of an event, which include its time. */
function eventFields(): MemberWriters {
  const timestamp = member('timestamp')
  const fields = memberWriters(SPAN_EVENT)
  fields[0x09] = (reader, writer) => {
    reader.fixed64()
    writer.raw(timestamp)
    writer.unsigned(reader.low, reader.high)
  }
  return fields
}

/** Writes the event or the link of a span that is the current field as an object, after a comma. */
function writeObject(
  reader: PartReader,
  writer: NdjsonWriter,
  members: Parameters<typeof writeMembers>[2],
): void {
  reader.countValue()
  const outer = reader.enter()
  writer.byte(COMMA)
  const start = writer.size
  writeMembers(reader, writer, members)
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
