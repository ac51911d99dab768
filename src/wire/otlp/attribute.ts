import { CLOSE_BRACE } from '../../text/bytes.js'
import { MAX_KEYS } from '../limits.js'
import { readKeyValue, writeValueAt } from './any-value.js'
import { MemberNames } from './member-name.js'
import { NdjsonWriter } from './ndjson-writer.js'
import type { PartReader } from './part.js'

const SCRATCH_BYTES = 4096

/** Writes the attributes of an event or a resource: as members of the event, or of the map `custom` for unconventional names. */
export class AttributeWriter {
  private readonly names: MemberNames
  private readonly custom = new NdjsonWriter(SCRATCH_BYTES)
  private readonly customStart: Buffer
  private count = 0

  /** The names of the members begin with `section` and a dot. */
  constructor(section: string) {
    this.names = new MemberNames(section)
    this.customStart = Buffer.from(`,"${section}.custom":{`)
  }

  write(reader: PartReader, writer: NdjsonWriter): void {
    // An event with so many keys is rejected, so its other attributes are not needed.
    if (this.count > MAX_KEYS) {
      reader.skip()
      return
    }
    this.count += 1
    const outer = reader.enter()
    const { from, to, value } = readKeyValue(reader)
    const name = this.names.find(reader.bytes, from, to)
    const target = name.isCustom ? this.custom : writer
    target.raw(name.json)
    writeValueAt(reader, target, value)
    if (name.top !== undefined) {
      writer.raw(name.top)
      writeValueAt(reader, writer, value)
    }
    reader.leave(outer)
  }

  /** Writes the map of attributes with unconventional names, and empties it for the next event. */
  end(writer: NdjsonWriter): void {
    const { custom } = this
    this.count = 0
    if (custom.size === 0) return
    writer.raw(this.customStart)
    // Without the comma before the first member.
    writer.addBytes(custom.bytes, 1, custom.size)
    writer.byte(CLOSE_BRACE)
    custom.clear()
  }

  /** Drops attributes that remain from an event whose decoding failed. */
  reset(): void {
    this.count = 0
    this.custom.clear()
  }
}
