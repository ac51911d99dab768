import type { JsonText } from '../../../wire/json/json-text.js'
import { visitMembers } from '../../../wire/json/members.js'
import { MAX_KEY_LENGTH, MAX_KEYS } from '../../../wire/limits.js'
import { oneLine } from '../labeled-line.js'
import { invalidEvent } from './envelopes.js'
import { HecError } from './status.js'

/** Fields by name, as JSON. */
export type Members = Map<string, JsonText>

/** An event, and the index that its envelope names. */
interface HecEvent {
  readonly index?: string
  readonly line: string
}

/**
 * Returns the event in an envelope; `position` is the envelope's index in the request. Members of the envelope become fields, as do
 * the members of `fields` and of an `event` that is an object; any other `event` becomes the field `_raw`. A member whose name is
 * already in use with another value gets the prefix `fields.` or `event.`. `defaults` are fields that an envelope may replace.
 */
export function eventOf(
  text: string,
  { position, defaults }: { readonly position: number; readonly defaults: Members },
): HecEvent {
  try {
    const { event, time, fields, metadata } = envelopeOf(validLine(text))
    if (event === undefined) throw new HecError(12, { event: position })
    if (/^"\s*"$/.test(event)) throw new HecError(13, { event: position })
    if (fields?.startsWith('{') === false) throw new HecError(15, { event: position })
    const index = metadata.get('index')
    const members = defaults.size === 0 ? metadata : new Map([...defaults, ...metadata])
    if (time !== undefined) members.set('_time', time)
    if (fields !== undefined) add(membersOf(fields), { to: members, prefix: 'fields.' })
    return {
      ...(index?.startsWith('"') && { index: JSON.parse(index) as string }),
      line: lineOf(event, members),
    }
  } catch (error) {
    if (error instanceof SyntaxError)
      throw invalidEvent(position, 'it is not JSON, or has too many keys')
    throw error
  }
}

/** Returns the parts of an envelope; `metadata` are `host`, `source`, `sourcetype`, `index` and others. */
function envelopeOf(text: string) {
  const metadata = membersOf(text)
  for (const [name, value] of metadata) if (value === 'null') metadata.delete(name)
  const event = taken(metadata, 'event')
  const time = taken(metadata, 'time')
  const fields = taken(metadata, 'fields')
  // Some clients send an empty string for an event without a time.
  return { metadata, event, time: time === '""' ? undefined : time, fields }
}

function taken(members: Members, name: string): JsonText | undefined {
  const value = members.get(name)
  if (value !== undefined) members.delete(name)
  return value
}

/** Returns the members of an object; the first one when a name is repeated. */
function membersOf(object: JsonText): Members {
  const members: Members = new Map()
  visitMembers(object, (name, from, to) => {
    // The store would reject the event, too, but only after all keys are read here, which takes long.
    if (members.size === MAX_KEYS) throw new SyntaxError('too many keys')
    if (!members.has(name)) members.set(name, object.slice(from, to))
  })
  return members
}

/** Adds members; a name that is in use with another value gets the prefix, repeatedly if necessary. */
function add(
  members: Iterable<readonly [string, JsonText]>,
  { to, prefix }: { readonly to: Members; readonly prefix: string },
): void {
  for (const [name, value] of members) {
    let free = name
    // The store rejects an event with a longer name, and thousands of prefixes would take long.
    while (free.length <= MAX_KEY_LENGTH && (to.get(free) ?? value) !== value) free = prefix + free
    to.set(free, value)
  }
}

/** Returns the event as a line. An object is copied as text unless one of its names is in use. */
function lineOf(event: JsonText, members: Members): string {
  if (!event.startsWith('{')) {
    const raw = event.startsWith('"') ? event : JSON.stringify(event)
    add([['_raw', raw]], { to: members, prefix: 'event.' })
    return `{${joined(members)}}`
  }
  if (!repeats(event, members) && !isEmpty(event)) {
    const comma = members.size > 0 ? ',' : ''
    return `{${joined(members)}${comma}${event.slice(1)}`
  }
  add(membersOf(event), { to: members, prefix: 'event.' })
  return `{${joined(members)}}`
}

/**
 * Returns an event without the members that `used` has with the same value. A member that `used` has with another value gets the
 * prefix `event.`.
 */
export function withFreeNames(event: JsonText, used: Members): JsonText {
  if (!repeats(event, used)) return event
  const members = new Map(used)
  add(membersOf(event), { to: members, prefix: 'event.' })
  for (const name of used.keys()) members.delete(name)
  return `{${joined(members)}}`
}

/** True when an object has a member whose name is in use. */
function repeats(object: JsonText, used: Members): boolean {
  if (used.size === 0) return false
  let found = false
  visitMembers(object, (name) => {
    found ||= used.has(name)
  })
  return found
}

function isEmpty(object: JsonText): boolean {
  return /^\{\s*\}$/.test(object)
}

function joined(members: Members): string {
  let text = ''
  for (const [name, value] of members) {
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${value}`
  }
  return text
}

/** Returns JSON as a line. Throws a `SyntaxError` when it is invalid. */
function validLine(json: JsonText): JsonText {
  JSON.parse(json)
  return oneLine(json)
}
