import { formatInteger } from '../../text/integer.js'
import { FIRST_TIME, LAST_TIME } from '../../wire/event/event-time.js'
import { objectOf, parseJson } from '../../wire/json/json-object.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { visitMembers } from '../../wire/json/members.js'
import { MAX_FIELD_DEPTH, MAX_KEY_LENGTH, MAX_KEYS, MAX_LINE_LENGTH } from '../../wire/limits.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import type { RequestJson } from '../body/request-json.js'
import { RefusedError } from '../refused-error.js'
import type { DecodedBatch, DecodingSteps } from './protocol.js'

/** A label, or a member of structured metadata. */
export interface LineField {
  readonly name: string
  readonly value: JsonText
}

/** Labels and metadata as members of a JSON object, each followed by a comma. */
export interface LineFields {
  readonly members: string
  /**
   * The names in use, with their values. The prefixes of dotted names are included without a value, because the members of an
   * object become fields with dotted names.
   */
  readonly names: ReadonlyMap<string, JsonText | undefined>
}

interface LabeledLine {
  readonly fields: LineFields
  /** The value of `_time`; undefined for a line without time. */
  readonly time: JsonText | undefined
  readonly line: string
}

/** The maximum number of fields of a stream or an entry, including repeated ones. Requests with more would exhaust the memory. */
export const MAX_LINE_FIELDS = MAX_KEYS

/** The maximum length of an entry with its metadata, in characters: it is read as a whole. */
export const MAX_ENTRY_LENGTH = 2 * MAX_LINE_LENGTH

const NO_FIELDS: LineFields = { members: '', names: new Map([['_time', undefined]]) }

/** The suffix that Loki adds to the name of a field when a label has the same name. */
const SUFFIX = '_extracted'

/** The maximum length of a line that is parsed as JSON. Longer lines stay text: parsing them could exhaust the memory. */
const MAX_OBJECT_LENGTH = 1024 * 1024

export function tooLong(what: 'A line' | 'An entry'): RefusedError {
  const limit = what === 'A line' ? MAX_LINE_LENGTH : MAX_ENTRY_LENGTH
  return new RefusedError(
    'too-large',
    `${what} of the request has more than ${limit / (1024 * 1024)} MiB: none of the events were stored.`,
  )
}

/** Returns the fields of a stream or, with the fields of its stream as `others`, of an entry. */
export function lineFields(added: readonly LineField[], others = NO_FIELDS): LineFields {
  if (added.length === 0) return others
  let { members } = others
  const names = new Map(others.names)
  const freeName = freeNames((name) => names.has(name))
  let count = 0
  for (const { name, value } of added) {
    if (names.get(name) === value) continue
    const free = freeName(name)
    members += `${JSON.stringify(free)}:${value},`
    count += 1
    // The store rejects such an event, so the other fields need not be read, which would take long.
    if (free.length > MAX_KEY_LENGTH || count > MAX_KEYS) break
    let dot = free.indexOf('.')
    for (let depth = 0; dot !== -1 && depth < MAX_FIELD_DEPTH; depth++) {
      names.set(free.slice(0, dot), undefined)
      dot = free.indexOf('.', dot + 1)
    }
    names.set(free, value)
  }
  return { members, names }
}

/**
 * Returns the event of an entry, with a line feed. A line that is a JSON object adds its members, which get a suffix when a
 * label has the same name and another value; any other line is the `message`.
 */
export function eventOf({ fields, time, line }: LabeledLine): string {
  if (line.length > MAX_LINE_LENGTH) throw tooLong('A line')
  const head = time === undefined ? `{${fields.members}` : `{"_time":${time},${fields.members}`
  const names = memberNames(line)
  // When the entry has no time, the line may contain the time.
  const isUsed = (name: string): boolean =>
    fields.names.has(name) && !(time === undefined && name === '_time')
  if (names === undefined) {
    return `${head}${messageKey(fields)}:${JSON.stringify(line)}}\n`
  }
  const object = oneLine(line)
  if (!names.some(isUsed)) {
    return `${head}${object.slice(object.indexOf('{') + 1)}\n`
  }
  return `${withoutComma(head + renamed(object, { fields, names: new Set(names), isUsed }))}}\n`
}

function messageKey({ names }: LineFields): JsonText {
  if (!names.has('message')) return '"message"'
  return JSON.stringify(freeNames((used) => names.has(used))('message'))
}

/** Replaces the line breaks of valid JSON, which are white space. */
export function oneLine(json: JsonText): JsonText {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]/g, ' ') : json
}

/** Returns the names of a JSON object's members; undefined when the text is not an object, or the object is empty. */
function memberNames(text: string): readonly string[] | undefined {
  if (text.length > MAX_OBJECT_LENGTH || !/^[ \t\r\n]*\{/.test(text)) return undefined
  const object = parseJson(text)
  const names = Object.keys(objectOf(object))
  return names.length === 0 ? undefined : names
}

/** Returns the members of an object, which is valid JSON. Members whose names are in use get other names. */
function renamed(
  object: JsonText,
  about: { fields: LineFields; names: Set<string>; isUsed(name: string): boolean },
): string {
  const { fields, names, isUsed } = about
  let members = ''
  // The store rejects an event with a long name, so the other members need no free names, which take long to find.
  let isTooLong = false
  const freeName = freeNames((name) => fields.names.has(name) || names.has(name))
  visitMembers(object, (name, from, to) => {
    const value = object.slice(from, to)
    if (isTooLong || (isUsed(name) && fields.names.get(name) === value)) return
    const free = isUsed(name) ? freeName(name) : name
    members += `${JSON.stringify(free)}:${value},`
    names.add(free)
    isTooLong = free.length > MAX_KEY_LENGTH
  })
  return members
}

function withoutComma(event: string): string {
  return event.endsWith(',') ? event.slice(0, -1) : event
}

/** Returns a function that returns the name with the fewest suffixes that is not in use or that is too long for the store. */
function freeNames(isUsed: (name: string) => boolean): (name: string) => string {
  // The last result for each name, so that a name that occurs thousands of times does not try all suffixes each time.
  const last = new Map<string, string>()
  return (name) => {
    let free = last.get(name) ?? name
    while (free.length <= MAX_KEY_LENGTH && isUsed(free)) free += SUFFIX
    last.set(name, free)
    return free
  }
}

/** Reads the value of the member `name`, and adds the member to the fields. The value may have any type. */
export function readField(reader: RequestJson, name: string, fields: LineField[]): void {
  if (fields.length === MAX_LINE_FIELDS) {
    throw reader.error(`an object has more than ${formatInteger(MAX_LINE_FIELDS)} members`)
  }
  const value = reader.short(`the value of \`${name}\``)
  reader.parsed(value)
  fields.push({ name, value: oneLine(value) })
}

/** Integers of at least this size are read as nanoseconds; a smaller integer could be seconds or milliseconds. */
const NANOSECONDS = 10n ** 18n

/** Returns nanoseconds since 1970 as the value of `_time`. */
export function nanosecondTime(time: bigint): JsonText {
  const isRead = time >= NANOSECONDS || time < FIRST_TIME || time > LAST_TIME
  return `"${isRead ? time : formatTimestamp(time)}"`
}

/** The length of events that completes a piece. */
const PIECE_LENGTH = 256 * 1024

/**
 * Converts the events of a part of a body, whose length is `bodyBytes`, to pieces of a batch, one event per step; undefined stands
 * for a value without an event.
 */
export function* eventPieces(
  events: Iterable<string | undefined>,
  { batch, bodyBytes }: { readonly batch: DecodedBatch; readonly bodyBytes: number },
): DecodingSteps {
  let lines = ''
  let unreported = bodyBytes
  for (const event of events) {
    if (event !== undefined) lines += event
    if (lines.length < PIECE_LENGTH) yield undefined
    else {
      yield { batch, lines: Buffer.from(lines), bodyBytes: unreported }
      lines = ''
      unreported = 0
    }
  }
  yield { batch, lines: Buffer.from(lines), bodyBytes: unreported }
}
