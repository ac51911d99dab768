import { uint64 } from '../bytes/protobuf-reader.js'
import { formatTimestamp } from '../time/timestamp.js'
import type { NdjsonWriter } from './ndjson-writer.js'

const TIME = Buffer.from(',"_time":')

/** The high half of 10^18. Nanoseconds from 10^18 on have 19 digits, and are unambiguous as a number. */
const RECENT = 0x0de0_b6b4

/** Writes a time in nanoseconds since 1970 as the time of an event; writes nothing for 0, an unknown time. */
export function writeEventTime(writer: NdjsonWriter, low: number, high: number): void {
  if (low === 0 && high === 0) return
  writer.raw(TIME)
  if (high >= RECENT) writer.unsigned(low, high)
  else writer.ascii(`"${formatTimestamp(uint64(low, high))}"`)
}
