import type { JsonText } from '../../../wire/json/json-text.js'
import { RequestJson } from '../../body/request-json.js'
import {
  eventOf,
  type LineField,
  type LineFields,
  lineFields,
  nanosecondTime,
  readField,
} from '../labeled-line.js'
import { parseLabels } from './loki-labels.js'

const FAILURE = 'The body is not a push request of Loki'

const INTEGER = /^"?(-?\d{1,19})"?$/

/**
 * Reads `{"streams":[{"stream":{labels},"values":[["<ns>","line",{metadata}]]}]}`. A stream can have the form of Loki before 1.0:
 * `{"labels":"{…}","entries":[{"ts":"<RFC 3339>","line":"…"}]}`. Yields undefined between steps: after each stream and each other
 * member. Throws a `RefusedError` when the body has another form.
 */
export function* jsonEntries(text: string): Generator<string | undefined, void> {
  const reader = new RequestJson(text, FAILURE)
  for (const key of reader.members()) {
    if (key !== 'streams') yield* reader.rawInSteps()
    else if (!reader.takeNull())
      for (const _ of reader.elements()) {
        yield* streamEntries(reader)
        yield undefined
      }
    yield undefined
  }
  reader.end()
}

function* streamEntries(reader: RequestJson): Generator<string | undefined, void> {
  let fields: LineFields | undefined
  const waiting: JsonText[] = []
  for (const key of reader.members()) {
    if (key === 'stream') fields = lineFields(readFields(reader))
    else if (key === 'labels')
      fields = lineFields(parseLabels(reader.string('a label, time or line')))
    else if (key !== 'values' && key !== 'entries') yield* reader.rawInSteps()
    else if (fields === undefined) waiting.push(yield* reader.rawInSteps())
    else yield* entries(reader, fields)
    yield undefined
  }
  for (const text of waiting)
    yield* entries(new RequestJson(text, FAILURE), fields ?? lineFields([]))
}

function* entries(reader: RequestJson, fields: LineFields): Generator<string, void> {
  if (reader.takeNull()) return
  for (const _ of reader.elements()) {
    yield reader.next() === '{' ? oldEntry(reader, fields) : entry(reader, fields)
  }
}

/** Entry : `[` Time `,` Line (`,` Metadata)? `]` */
function entry(reader: RequestJson, stream: LineFields): string {
  let fields = stream
  let time: JsonText | undefined
  let line: string | undefined
  for (const index of reader.elements()) {
    if (index === 0) time = readTime(reader)
    else if (index === 1) line = reader.string('a label, time or line')
    else if (index === 2) fields = lineFields(readFields(reader), stream)
    else reader.short('an element of an entry')
  }
  if (line === undefined) throw reader.error('an entry has no line')
  return eventOf({ fields, time, line })
}

/** Entry : `{"ts":` Time `,"line":` Line `}` */
function oldEntry(reader: RequestJson, fields: LineFields): string {
  let time: JsonText | undefined
  let line: string | undefined
  for (const key of reader.members()) {
    if (key === 'ts') time = JSON.stringify(reader.string('a label, time or line'))
    else if (key === 'line') line = reader.string('a label, time or line')
    else reader.short(`the value of \`${key}\``)
  }
  if (line === undefined) throw reader.error('an entry has no line')
  return eventOf({ fields, time, line })
}

function readTime(reader: RequestJson): JsonText {
  const raw = reader.short('a time')
  const [, digits] = INTEGER.exec(raw) ?? []
  if (digits !== undefined) return nanosecondTime(BigInt(digits))
  throw reader.error(`the time \`${raw.slice(0, 40)}\` is not an integer of nanoseconds`)
}

/** Reads labels or metadata. Loki accepts only strings; here, values of other types are kept as they are. */
function readFields(reader: RequestJson): readonly LineField[] {
  const fields: LineField[] = []
  if (reader.takeNull()) return fields
  for (const name of reader.members()) readField(reader, name, fields)
  return fields
}
