import { JsonReader, type JsonText } from '../../../wire/json/json-text.js'
import { RefusedError } from '../../refused-error.js'
import {
  type LokiEntry,
  type LokiField,
  type LokiFields,
  lokiFields,
  oneLine,
} from './loki-event.js'
import { parseLabels } from './loki-labels.js'
import { lokiTime } from './loki-time.js'

/** Longer labels and metadata are refused: parsing them could take all memory. */
const MAX_FIELDS_LENGTH = 64 * 1024

const INTEGER = /^"?(-?\d{1,19})"?$/

/**
 * Reads `{"streams":[{"stream":{labels},"values":[["<ns>","line",{metadata}]]}]}`, and the form of Loki before 1.0:
 * `{"labels":"{…}","entries":[{"ts":"<RFC 3339>","line":"…"}]}` for each stream. Throws a `RefusedError` for another body.
 */
export function* jsonEntries(text: string): Generator<LokiEntry, void> {
  const reader = new PushReader(text)
  for (const key of reader.members()) {
    if (key !== 'streams') reader.raw()
    else if (!reader.takeNull()) for (const _ of reader.elements()) yield* streamEntries(reader)
  }
  reader.end()
}

/** The structure of a push request; its errors are for the caller. */
class PushReader extends JsonReader {
  protected override key(): string {
    return parsed(this.raw()) as string
  }

  protected override error(what: string): RefusedError {
    return invalid(what)
  }
}

function* streamEntries(reader: PushReader): Generator<LokiEntry, void> {
  let fields: LokiFields | undefined
  const waiting: JsonText[] = []
  for (const key of reader.members()) {
    if (key === 'stream') fields = lokiFields(readFields(reader))
    else if (key === 'labels') fields = lokiFields(parseLabels(readText(reader)))
    else if (key !== 'values' && key !== 'entries') reader.raw()
    else if (fields === undefined) waiting.push(reader.raw())
    else yield* entries(reader, fields)
  }
  for (const text of waiting) yield* entries(new PushReader(text), fields ?? lokiFields([]))
}

function* entries(reader: PushReader, fields: LokiFields): Generator<LokiEntry, void> {
  if (reader.takeNull()) return
  for (const _ of reader.elements()) {
    yield reader.next() === '{' ? oldEntry(reader, fields) : entry(reader, fields)
  }
}

/** Entry : `[` Time `,` Line (`,` Metadata)? `]` */
function entry(reader: PushReader, stream: LokiFields): LokiEntry {
  let fields = stream
  let time: JsonText | undefined
  let line: string | undefined
  for (const index of reader.elements()) {
    if (index === 0) time = readTime(reader)
    else if (index === 1) line = readText(reader)
    else if (index === 2) fields = lokiFields(readFields(reader), stream)
    else reader.raw()
  }
  if (line === undefined) throw invalid('an entry has no line')
  return { fields, time, line }
}

/** Entry : `{"ts":` Time `,"line":` Line `}` */
function oldEntry(reader: PushReader, fields: LokiFields): LokiEntry {
  let time: JsonText | undefined
  let line: string | undefined
  for (const key of reader.members()) {
    if (key === 'ts') time = JSON.stringify(readText(reader))
    else if (key === 'line') line = readText(reader)
    else reader.raw()
  }
  if (line === undefined) throw invalid('an entry has no line')
  return { fields, time, line }
}

function readTime(reader: PushReader): JsonText {
  const raw = reader.raw()
  const [, digits] = INTEGER.exec(raw) ?? []
  if (digits !== undefined) return lokiTime(BigInt(digits))
  throw invalid(`the time \`${raw.slice(0, 40)}\` is not an integer of nanoseconds`)
}

function readText(reader: PushReader): string {
  const value = parsed(reader.raw())
  if (typeof value === 'string') return value
  throw invalid('labels, times and lines must be strings')
}

/** Reads labels or metadata. Loki only takes strings; values of other types are kept as they are. */
function readFields(reader: PushReader): readonly LokiField[] {
  const fields: LokiField[] = []
  if (reader.takeNull()) return fields
  for (const name of reader.members()) {
    const value = reader.raw()
    if (value.length > MAX_FIELDS_LENGTH) throw invalid(`the value of \`${name}\` is too long`)
    parsed(value)
    fields.push({ name, value: oneLine(value) })
  }
  return fields
}

function parsed(json: JsonText): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw invalid(`\`${json.slice(0, 40)}\` is not JSON`)
  }
}

function invalid(what: string): RefusedError {
  return new RefusedError('invalid-request', `The body is not a push request of Loki: ${what}.`)
}
