import { uint64 } from '../bytes/protobuf-reader.js'
import { formatTimestamp } from '../time/timestamp.js'
import { writeKeyValues } from './any-value.js'
import { member } from './member-name.js'
import type { JsonType, MessageFields } from './messages.js'
import type { NdjsonWriter } from './ndjson-writer.js'
import type { PartReader } from './part.js'

/** Writes the current field as a member of an event, after a comma. Writes nothing for a default value. */
type MemberWriter = (reader: PartReader, writer: NdjsonWriter) => void

/** The writers of the fields of a message, by tag. */
export type MemberWriters = readonly (MemberWriter | undefined)[]

/**
 * Returns the writers of the fields of a message that become members as they are: strings, counts, flags and ids. `section` is in
 * front of their names.
 */
export function memberWriters(fields: MessageFields, section = ''): (MemberWriter | undefined)[] {
  const writers: (MemberWriter | undefined)[] = []
  // A field's name in protobuf, which the member has too, follows its name in JSON.
  for (const { tag, type, name } of fields) {
    writers[tag] = WRITERS[type.kind]?.(member(section + name))
  }
  return writers
}

const WRITERS: Readonly<Partial<Record<JsonType['kind'], (name: Buffer) => MemberWriter>>> = {
  string: (name) => (reader, writer) => {
    const end = reader.lengthEnd()
    if (end > reader.at) {
      writer.raw(name)
      writer.string(reader.bytes, reader.at, end)
    }
    reader.at = end
  },
  uint32: (name) => (reader, writer) => writeNumber(reader.uint32(), writer, name),
  fixed32: (name) => (reader, writer) => writeNumber(reader.fixed32(), writer, name),
  // An id whose bytes are all 0 is invalid.
  hex: (name) => (reader, writer) => {
    const { bytes } = reader
    const end = reader.lengthEnd()
    const from = reader.at
    reader.at = end
    let any = 0
    for (let i = from; i < end; i++) any |= bytes[i]!
    if (any === 0) return
    writer.raw(name)
    writer.hex(bytes, from, end)
  },
}

function writeNumber(value: number, writer: NdjsonWriter, name: Buffer): void {
  if (value === 0) return
  writer.raw(name)
  writer.digits(value)
}

/** Writes the current field with its writer; returns false when it has none. */
export function writeField(
  writers: MemberWriters,
  reader: PartReader,
  writer: NdjsonWriter,
): boolean {
  const write = writers[reader.tag]
  write?.(reader, writer)
  return write !== undefined
}

interface Members {
  readonly fields: MemberWriters
  /** The tag of the attributes, and the beginning of the member that they become. */
  readonly tag: number
  readonly attributes: Buffer
}

/** Writes the members of the current message, and its attributes after them. */
export function writeMembers(
  reader: PartReader,
  writer: NdjsonWriter,
  { fields, tag, attributes }: Members,
): void {
  const start = reader.at
  let count = 0
  while (reader.next()) {
    if (reader.tag === tag) count += 1
    if (!writeField(fields, reader, writer)) reader.skip()
  }
  if (count === 0) return
  reader.at = start
  writer.raw(attributes)
  writeKeyValues(reader, writer, { tag, depth: 0 })
}

const TIME = member('_time')
/** The high half of 10^18. Nanoseconds from 10^18 on have 19 digits, and are unambiguous as a number. */
const RECENT = 0x0de0_b6b4

/** Writes a time in nanoseconds since 1970 as the time of an event; writes nothing for 0, an unknown time. */
export function writeEventTime(writer: NdjsonWriter, low: number, high: number): void {
  if (low === 0 && high === 0) return
  writer.raw(TIME)
  if (high >= RECENT) writer.unsigned(low, high)
  else writer.ascii(`"${formatTimestamp(uint64(low, high))}"`)
}
