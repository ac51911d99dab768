import { uint64 } from '../bytes/protobuf-reader.js'
import type { Steps } from '../steps/steps.js'
import { formatTimestamp } from '../time/timestamp.js'
import { writeKeyValues } from './any-value.js'
import { AttributeWriter } from './attribute.js'
import { member } from './member-name.js'
import { NdjsonWriter } from './ndjson-writer.js'
import type { PartReader } from './part.js'

const DROPPED_RESOURCE_ATTRIBUTES = member('resource.dropped_attributes_count')
const RESOURCE_SCHEMA = member('resource.schema_url')
const SCOPE_NAME = member('scope.name')
const SCOPE_VERSION = member('scope.version')
const SCOPE_ATTRIBUTES = member('scope.attributes')
const DROPPED_SCOPE_ATTRIBUTES = member('scope.dropped_attributes_count')
const SCOPE_SCHEMA = member('scope.schema_url')
const FLAGS = member('flags')
const TIME = member('_time')

/** Writes the members that all events of a resource and a scope share. */
export class GroupWriter {
  private readonly writer = new NdjsonWriter(4096)
  private readonly resource = new AttributeWriter('resource')
  private resourceLength = 0

  /** The members, each after a comma; valid until the next call of a method. */
  get members(): Buffer {
    return this.writer.written
  }

  /** Writes the members of a `ResourceLogs` or a `ResourceSpans`, the current message. */
  *beginResource(reader: PartReader): Steps<void> {
    this.writer.clear()
    this.resource.reset()
    yield* reader.scanInSteps(() => {
      if (reader.tag === 0x0a) this.writeResource(reader)
      else if (reader.tag === 0x1a) writeString(reader, this.writer, RESOURCE_SCHEMA)
      else return false
      return true
    })
    this.resource.end(this.writer)
    this.resourceLength = this.writer.size
  }

  /** Writes the members of a `ScopeLogs` or a `ScopeSpans`, the current message, in place of the members of the previous scope. */
  *beginScope(reader: PartReader): Steps<void> {
    this.writer.size = this.resourceLength
    yield* reader.scanInSteps(() => {
      if (reader.tag === 0x0a) this.writeScope(reader)
      else if (reader.tag === 0x1a) writeString(reader, this.writer, SCOPE_SCHEMA)
      else return false
      return true
    })
  }

  private writeResource(reader: PartReader): void {
    const outer = reader.enterPart()
    while (reader.next()) {
      if (reader.tag === 0x0a) this.resource.write(reader, this.writer)
      else if (reader.tag === 0x10) writeCount(reader, this.writer, DROPPED_RESOURCE_ATTRIBUTES)
      else reader.skip()
    }
    reader.leave(outer)
  }

  private writeScope(reader: PartReader): void {
    const { writer } = this
    const outer = reader.enterPart()
    const start = reader.at
    let attributes = 0
    while (reader.next()) {
      if (reader.tag === 0x0a) writeString(reader, writer, SCOPE_NAME)
      else if (reader.tag === 0x12) writeString(reader, writer, SCOPE_VERSION)
      else if (reader.tag === 0x20) writeCount(reader, writer, DROPPED_SCOPE_ATTRIBUTES)
      else {
        if (reader.tag === 0x1a) attributes += 1
        reader.skip()
      }
    }
    if (attributes > 0) {
      reader.at = start
      writer.raw(SCOPE_ATTRIBUTES)
      writeKeyValues(reader, writer, { tag: 0x1a, depth: 0 })
    }
    reader.leave(outer)
  }
}

/** Writes the string that is the current field as a member, unless it is empty. */
export function writeString(reader: PartReader, writer: NdjsonWriter, name: Buffer): void {
  const end = reader.lengthEnd()
  if (end > reader.at) {
    writer.raw(name)
    writer.string(reader.bytes, reader.at, end)
  }
  reader.at = end
}

/** Writes the unsigned integer that is the current field as a member, unless it is 0. */
export function writeCount(reader: PartReader, writer: NdjsonWriter, name: Buffer): void {
  writeNumber(reader.uint32(), writer, name)
}

/** Writes the flags that are the current field as a member, unless they are 0. */
export function writeFlags(reader: PartReader, writer: NdjsonWriter): void {
  writeNumber(reader.fixed32(), writer, FLAGS)
}

function writeNumber(value: number, writer: NdjsonWriter, name: Buffer): void {
  if (value === 0) return
  writer.raw(name)
  writer.digits(value)
}

/** Writes the trace or span id that is the current field as a member in hexadecimal, unless all bytes are 0, the invalid id. */
export function writeId(reader: PartReader, writer: NdjsonWriter, name: Buffer): void {
  const { bytes } = reader
  const end = reader.lengthEnd()
  const from = reader.at
  reader.at = end
  let any = 0
  for (let i = from; i < end; i++) any |= bytes[i]!
  if (any === 0) return
  writer.raw(name)
  writer.hex(bytes, from, end)
}

/** The high half of 10^18. Nanoseconds from 10^18 on have 19 digits, and are unambiguous as a number. */
const RECENT = 0x0de0_b6b4

/** Writes a time in nanoseconds since 1970 as the time of an event; writes nothing for 0, an unknown time. */
export function writeEventTime(writer: NdjsonWriter, low: number, high: number): void {
  if (low === 0 && high === 0) return
  writer.raw(TIME)
  if (high >= RECENT) writer.unsigned(low, high)
  else writer.ascii(`"${formatTimestamp(uint64(low, high))}"`)
}
