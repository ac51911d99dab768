import { writeAnyValue } from './any-value.js'
import { AttributeWriter } from './attribute.js'
import { member } from './member-name.js'
import { memberWriters, writeEventTime, writeField } from './member-writer.js'
import { LOG_RECORD } from './messages.js'
import type { NdjsonWriter } from './ndjson-writer.js'
import type { PartReader } from './part.js'

const FIELDS = memberWriters(LOG_RECORD)
const OBSERVED_TIME = member('observed_time_unix_nano')
const SEVERITY_NUMBER = member('severity_number')
const BODY = member('body')

/** The member `level` by severity: the numbers 1 to 4 are `trace`, 5 to 8 are `debug`, and so on. */
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) =>
  Buffer.from(`,"level":"${level}"`),
)

/** Writes the members of a `LogRecord`, each after a comma. */
export class LogRecordWriter {
  private readonly attributes = new AttributeWriter('attributes')

  write(reader: PartReader, writer: NdjsonWriter): void {
    const outer = reader.enterPart()
    let timeLow = 0
    let timeHigh = 0
    let observedLow = 0
    let observedHigh = 0
    this.attributes.reset()
    while (reader.next()) {
      const { tag } = reader
      if (writeField(FIELDS, reader, writer)) continue
      if (tag === 0x09) {
        reader.fixed64()
        timeLow = reader.low
        timeHigh = reader.high
        writeEventTime(writer, timeLow, timeHigh)
      } else if (tag === 0x10) writeSeverity(reader.uint32(), writer)
      else if (tag === 0x2a) {
        writer.raw(BODY)
        writeAnyValue(reader, writer)
      } else if (tag === 0x32) this.attributes.write(reader, writer)
      else if (tag === 0x59) {
        reader.fixed64()
        observedLow = reader.low
        observedHigh = reader.high
      } else reader.skip()
    }
    if (timeLow === 0 && timeHigh === 0) writeEventTime(writer, observedLow, observedHigh)
    else if (observedHigh > 0 && (observedLow !== timeLow || observedHigh !== timeHigh)) {
      writer.raw(OBSERVED_TIME)
      writer.unsigned(observedLow, observedHigh)
    }
    this.attributes.end(writer)
    reader.leave(outer)
  }
}

function writeSeverity(severity: number, writer: NdjsonWriter): void {
  if (severity === 0) return
  writer.raw(SEVERITY_NUMBER)
  writer.digits(severity)
  const level = LEVELS[(severity - 1) >> 2]
  if (level !== undefined) writer.raw(level)
}
