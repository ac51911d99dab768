import { csvLines } from '../../wire/csv/csv.js'
import { CsvError } from '../../wire/csv/csv-row.js'
import { type Leaf, LineError, readLeaves } from '../../wire/json/json-line.js'
import { BODY_BYTES } from '../../wire/limits.js'
import type { Lookahead } from '../byte-source.js'
import type { Framing, Scanner } from '../framing.js'
import { withoutColors } from '../log/colors.js'
import { EventText, ensureUtf8 } from '../log/event-text.js'
import type { Conversion } from '../log/log-format.js'
import { ndjsonFraming } from '../ndjson.js'

/** The values of an event. */
export type SampledEvent = readonly Leaf[]

/** Detection reads at most this much of an input, in bytes, unless the first event is longer. */
const MAX_SAMPLE = 256 * 1024
const MAX_EVENTS = 1000
/** The most events that are read, evenly spread over the first ones. */
const READ_EVENTS = 100

/**
 * Returns some of the first events of an input, as far as it can be read without waiting, but at least one. Events that are not
 * valid JSON are left out. `skip` is the number of bytes before the first event.
 */
export async function sampleEvents(
  beginning: Lookahead,
  { framing, skip }: { readonly framing: Framing; readonly skip: number },
): Promise<Sample> {
  await beginning.until(hasRecord(framing, skip), skip + BODY_BYTES)
  await beginning.fill(MAX_SAMPLE)
  const records = recordsOf(beginning.head.subarray(skip), framing, MAX_EVENTS)
  const last = records.at(-1)
  // At the end of the input, a last event without a separator is complete.
  const tail = beginning.head.subarray(skip + (last?.end ?? 0))
  const texts = records.map(({ text }) => text)
  const all = beginning.isWhole && records.length < MAX_EVENTS ? [...texts, tail] : texts
  const some = all.filter((_, at) => at % Math.ceil(all.length / READ_EVENTS) === 0)
  const events =
    framing.conversion !== undefined
      ? logEvents(some, framing.conversion)
      : framing.contentType === 'text/csv'
        ? csvEvents(some, framing)
        : some
  return objectsIn(events.map((text) => withoutColors(text.toString())))
}

/** Events, and the values of each of their fields by the name of its path. */
export interface Sample {
  readonly events: readonly SampledEvent[]
  readonly fields: ReadonlyMap<string, readonly [Leaf, ...Leaf[]]>
}

export function sampleOf(events: readonly SampledEvent[]): Sample {
  const fields = new Map<string, [Leaf, ...Leaf[]]>()
  for (const leaves of events) {
    for (const leaf of leaves) {
      const name = nameOf(leaf.path)
      const known = fields.get(name)
      if (known === undefined) fields.set(name, [leaf])
      else known.push(leaf)
    }
  }
  return { events, fields }
}

/** Returns a path as text. Keys may contain dots: `{"log.level": …}` and `{"log": {"level": …}}` are different places. */
export function nameOf(path: readonly string[]): string {
  return path.length === 1 ? path[0]! : path.join('/')
}

/** Returns the values of JSON objects; texts that are not valid are left out. */
export function objectsIn(texts: readonly string[]): Sample {
  return sampleOf(texts.flatMap((text) => leavesOf(text) ?? []))
}

interface SampledRecord {
  readonly text: Buffer
  readonly end: number
}

/** Returns a function that is called as bytes arrive, and returns true once there is a complete record after `skip`. */
function hasRecord(framing: Framing, skip: number): (head: Buffer) => boolean {
  const scanner = recordScanner(framing)
  // The scanner of arrays overwrites separators.
  let copy = Buffer.alloc(0)
  let scanned = skip
  return (head) => {
    if (head.length > copy.length) copy = Buffer.concat([copy], 2 * head.length)
    head.copy(copy, scanned, scanned)
    while (scanned < head.length) {
      const range = { from: scanned, to: head.length, maxEvents: 1 }
      const { next, events } = scanner.scan(copy, range)
      if (events > 0) return true
      scanned = next
    }
    return false
  }
}

function recordScanner(framing: Framing): Scanner {
  // The first line of an event is enough; further lines may not have arrived.
  const records = framing.conversion === undefined ? framing.restart(undefined) : ndjsonFraming()
  return records.scanner
}

/** Returns complete records. */
function recordsOf(bytes: Buffer, framing: Framing, limit: number): readonly SampledRecord[] {
  const scanner = recordScanner(framing)
  // The scanner of arrays overwrites separators.
  const copy = Buffer.from(bytes)
  const found: SampledRecord[] = []
  for (let at = 0; found.length < limit; ) {
    const range = { from: at, to: copy.length, maxEvents: 1 }
    const { next, end, events, skipped } = scanner.scan(copy, range)
    if (end === -1 && skipped === undefined) break
    if (events > 0) found.push({ text: copy.subarray(at, end), end })
    at = skipped === undefined ? end : next
  }
  return found
}

/** Converts lines of a log to JSON; lines that do not match its format are left out. */
function logEvents(lines: readonly Buffer[], { read }: Conversion): readonly Buffer[] {
  const event = new EventText()
  return lines.flatMap((line) => {
    const text = line.toString('latin1')
    const problem = read(ensureUtf8(text.trimEnd()), event)
    const json = event.take()
    return problem === undefined ? [Buffer.from(json, 'latin1')] : []
  })
}

/** Converts rows to JSON; returns no events when the header is invalid. */
function csvEvents(rows: readonly Buffer[], { head, csv }: Framing): readonly Buffer[] {
  try {
    const { lines } = csvLines(Buffer.concat([head, ...rows]), { delimiter: ',', ...csv })
    return lines
      .toString('latin1')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Buffer.from(line, 'latin1'))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return []
  }
}

function leavesOf(text: string): [SampledEvent] | undefined {
  if (text.trim() === '') return undefined
  try {
    return [readLeaves(text)]
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    return undefined
  }
}
