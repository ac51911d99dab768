import { uint64 } from '../bytes/protobuf-reader.js'
import { formatTimestamp } from '../time/timestamp.js'
import type { NdjsonWriter } from './ndjson-writer.js'

const TIME = Buffer.from(',"_time":')

/** The upper half of 10^18 and above: nanoseconds with 19 digits, which are unambiguous as a number. */
const RECENT = 0x0de0_b6b4

/** Writes a time in nanoseconds since 1970 as the time of an event; nothing for 0, which means that it is unknown. */
export function writeEventTime(writer: NdjsonWriter, low: number, high: number): void {
  if (low === 0 && high === 0) return
  writer.raw(TIME)
  if (high >= RECENT) writer.unsigned(low, high)
  else writer.ascii(`"${formatTimestamp(uint64(low, high))}"`)
}
