import { ownValue } from '../../../text/own-value.js'
import type { EventText } from '../event-text.js'
import { normalLevel } from '../level.js'
import type { LineReader } from '../log-format.js'
import { membersAtEnd } from '../objects-at-end.js'
import { pairsAtEnd } from '../pairs-at-end.js'
import type { LinePattern } from '../pattern/line-pattern.js'
import { decodeEscapes } from '../quoted.js'
import { writeBlock } from './blocks.js'
import {
  type Beginning,
  type CompiledFormat,
  type FoundTime,
  fieldOf,
  findTime,
  matchPattern,
} from './compiled-format.js'

/** Reads times in the layout of an input; returns undefined for other text. */
export interface EventTimes {
  read(text: string): string | undefined
  /** Reads the time at a position of a line if it is written like the time before it. */
  readAgain(line: string, from: number): string | undefined
  /** The position after the time that was read last. */
  readonly end: number
}

/** Writes the value of a field; returns the reason when it can't be read. */
type FieldWriter = (value: string, event: EventText) => string | undefined

/** A field, the groups that hold the parts of its value, and its writer. */
interface FieldGroups {
  readonly name: string
  readonly groups: readonly number[]
  readonly write: FieldWriter
  /** True after the field was found in an event. */
  isFound: boolean
}

interface PatternReader {
  readonly pattern: CompiledFormat['patterns'][number]
  fields: readonly FieldGroups[] | undefined
}

/**
 * Returns the reader of a format. For an event that no pattern matches, the reader sets the time and returns the reason.
 * `times` reads the times; without it, they become a field as they are written. The names of the fields that events have
 * are added to `found`.
 */
export function formatReader(
  { patterns, starts, levels, hasDoubledQuotes = false }: CompiledFormat,
  {
    name,
    found = new Set(),
    ...others
  }: Omit<WriterOptions, 'levels' | 'hasDoubledQuotes'> & { name: string; found?: Set<string> },
): LineReader {
  const options = { ...others, levels, hasDoubledQuotes }
  // The fields are found at the first match: the events of an input match a few of the patterns.
  const readers = patterns.map((pattern): PatternReader => ({ pattern, fields: undefined }))
  return (record, event) => {
    let beginning: Beginning | undefined
    let time: FoundTime | undefined
    for (const reader of readers) {
      const { pattern } = reader
      if (pattern.beginning !== beginning) {
        beginning = pattern.beginning
        time = beginning && timeOf(record, beginning, others.times)
      }
      const match = matchPattern(pattern, record, time)
      if (match === null) continue
      if (time?.read !== undefined) event.setTime(time.read)
      reader.fields ??= fieldGroups(pattern, options)
      return writeFields(match, { fields: reader.fields, found }, event)
    }
    for (const start of starts) {
      const match = matchPattern(start, record)
      const written = match && fieldOf(start, match, '_time')
      const time = written && others.times?.read(written)
      if (time) event.setTime(time)
    }
    return `it does not match \`${name}\``
  }
}

/** Returns the time at the beginning of a record, read if it is written like the time of the record before it. */
function timeOf(
  record: string,
  beginning: Beginning,
  times: EventTimes | undefined,
): FoundTime | undefined {
  const { before } = beginning
  const isAlike = before !== undefined && record.startsWith(before)
  const read = isAlike ? times?.readAgain(record, before.length) : undefined
  return read === undefined ? findTime(beginning, record) : { written: '', read, end: times!.end }
}

interface WriterOptions {
  readonly times: EventTimes | undefined
  readonly levels: CompiledFormat['levels']
  readonly hasDoubledQuotes: boolean
  readonly hasPairs?: boolean
  /** Reads messages that are JSON objects, or end with one; without it, these are messages like any other. */
  readonly readObject?: LineReader | undefined
}

function fieldGroups(
  { fields }: Pick<LinePattern, 'fields'>,
  options: WriterOptions,
): readonly FieldGroups[] {
  return [...new Set(fields.map(({ name }) => name))].map((name) => ({
    name,
    isFound: false,
    groups: fields.flatMap((field, at) => (field.name === name ? [at + 1] : [])),
    write: fieldWriter(fields.find((field) => field.name === name)!, {
      ...options,
      names: new Set(fields.map((field) => field.name)),
    }),
  }))
}

function writeFields(
  match: RegExpExecArray,
  { fields, found }: { readonly fields: readonly FieldGroups[]; readonly found: Set<string> },
  event: EventText,
): string | undefined {
  for (const field of fields) {
    const { groups } = field
    let value = match[groups[0]!] ?? ''
    for (let at = 1; at < groups.length; at++) value += match[groups[at]!] ?? ''
    if (value === '') continue
    const reason = field.write(value, event)
    if (reason !== undefined) return reason
    if (!field.isFound) found.add(field.name)
    field.isFound = true
  }
  return undefined
}

function fieldWriter(
  { name, type }: LinePattern['fields'][number],
  { names, ...options }: WriterOptions & { names: ReadonlySet<string> },
): FieldWriter {
  const { times, levels, hasDoubledQuotes, hasPairs, readObject } = options
  if (name === '_time' && type === 'long') return writeSeconds
  if (name === '_time') return timeWriter(times)
  if (name === '=') return (value, event) => writeBlock(value, event, (text) => times?.read(text))
  if (name === 'message' && readObject !== undefined) return objectWriter(readObject, names)
  if (name === 'message' && hasPairs) return pairsWriter(names)
  if (name === 'level') return levelWriter(levels)
  if (name === 'thread') return (value, event) => writeText(name, value.trim(), event)
  if (Object.hasOwn(LISTS, name)) return LISTS[name]!
  return (value, event) => {
    if (type !== 'string') event.plain(name, value)
    else event.text(name, hasDoubledQuotes ? value.replaceAll('""', '"') : value)
    return undefined
  }
}

/** The writers of fields that stand for lists of pairs, by their names in patterns. */
const LISTS: Readonly<Record<string, FieldWriter>> = {
  '&': writeMailPairs,
  ',': writeCommaPairs,
  '#': writeComments,
  '*': writePairs,
  '+': writeBracketedPairs,
  cef: writeExtension,
  leef: writeExtension,
}

/** Writes a time in seconds since 1970. */
function writeSeconds(value: string, event: EventText): undefined {
  const date = new Date(Number(value) * 1000)
  if (!Number.isNaN(date.getTime())) event.setTime(`${date.toISOString().slice(0, 19)}Z`)
}

const COMMENT = /([A-Za-z]\w{0,63}):[ \t]*((?!\w{1,64}:)[^\s,]*)/g

/** Writes `# Key: value  Key: value` lines as fields, whose names are in lower case. */
function writeComments(text: string, event: EventText): undefined {
  for (const [, key = '', value = ''] of text.matchAll(COMMENT)) {
    if (value !== '') event.plain(key.toLowerCase(), value)
  }
}

/** The lengths in these expressions are limited so that the search takes linear time in any message. */
const MAIL_PAIR = /(?:^|[\s,])([A-Za-z][\w-]{0,40})=(?:<([^>\n]{0,512})>|([^\s,]*))/g

/** Writes the pairs of mail servers, whose addresses are in angle brackets. */
function writeMailPairs(text: string, event: EventText): undefined {
  for (const [, key = '', address, value = ''] of text.matchAll(MAIL_PAIR)) {
    if (address !== undefined) event.text(key, address)
    else if (value !== '') event.plain(key, value)
  }
}

/** Writes pairs with commas between them, whose keys and values may contain spaces; an address may be in angle brackets. */
function writeCommaPairs(text: string, event: EventText): undefined {
  for (const pair of text.split(/,\s*(?=[A-Za-z][\w-]{0,40}(?: [\w-]{1,40}){0,4}=|$)/)) {
    const [, key = '', address, value = ''] = /^([\w -]+)=(?:<([^<>]*)>$|(.*))/s.exec(pair) ?? []
    // The message has all values of a repeated key.
    if (event.has(key)) continue
    if (address !== undefined) event.text(key, address)
    else if (value !== '') event.plain(key, value.trimEnd())
  }
}

/** A pair of the Common Event Format, whose value may contain spaces and, in many logs, equals signs without a backslash. */
const EXTENSION =
  /(?:^|[\s^])([A-Za-z_][\w.[\]-]{0,127})=([^\n\t]*?)(?=[\s^]{1,64}[A-Za-z_][\w.[\]-]{0,127}=|[\t\n]|\s{0,64}$)/g

/** Writes the extensions of CEF and LEEF as fields, and text in front of them as the field `text`. */
function writeExtension(text: string, event: EventText): undefined {
  const rest = text.replace(EXTENSION, (_, key: string, value: string) => {
    if (value !== '')
      event.plain(key, value.includes('\\') ? value.replace(/\\([\\=|])/g, '$1') : value)
    return ''
  })
  writeText('text', rest.trim(), event)
}

/** Returns a writer of messages that also writes the pairs at their end as fields, unless the event has such a field. */
function pairsWriter(names: ReadonlySet<string>): FieldWriter {
  return (value, event) => {
    event.text('message', value)
    addPairsAtEnd(value, event, names)
    return undefined
  }
}

/** Writes the pairs at the end of a text as fields, except pairs whose names the event has; the level may be among them. */
export function addPairsAtEnd(text: string, event: EventText, names: ReadonlySet<string>): void {
  const keys = new Set<string>()
  for (const [key, written] of pairsAtEnd(text)) {
    const level = key === 'level' ? normalLevel(written.replace(/^"|"$/g, '')) : undefined
    if (level !== undefined && !event.has('level')) event.text('level', level)
    if (keys.has(key) || names.has(key) || key === '_time' || level !== undefined) continue
    keys.add(key)
    if (written.startsWith('"')) event.text(key, decodeEscapes(written.slice(1, -1)))
    else event.plain(key, written)
  }
}

/**
 * Returns a writer of messages that writes the members of an object as fields. If the message is an object and the line has one of
 * them too, the field of the line is renamed. The object at the end of a message stays in it as well, like pairs.
 */
function objectWriter(readObject: LineReader, names: ReadonlySet<string>): FieldWriter {
  const repeated = [...names, 'time', 'severity_text'].filter((name) => name !== 'message')
  const own = new Set([...names, '_time', 'severity_text'])
  return (value, event) => {
    const mark = event.mark()
    const isObject = value.startsWith('{') && event.readPart(readObject, value) === undefined
    if (isObject) {
      event.renameRepeated(mark, repeated, (name) => `line_${name.replace(/^_/, '')}`)
      return undefined
    }
    event.text('message', value)
    const keys = new Set<string>()
    for (const [key, json] of membersAtEnd(value)) {
      if (!keys.has(key) && !own.has(key)) event.json(key, json)
      keys.add(key)
    }
    return undefined
  }
}

function writeText(name: string, value: string, event: EventText): undefined {
  if (value !== '') event.text(name, value)
}

function timeWriter(times: EventTimes | undefined): FieldWriter {
  return (value, event) => {
    if (times === undefined) {
      event.text('time', value)
      return undefined
    }
    const time = times.read(value)
    if (time === undefined) return `\`${value.slice(0, 60)}\` is not a time`
    event.setTime(time)
    return undefined
  }
}

/** Returns a writer of the normalized level, and of `severity_text` if the level was written as another word. */
function levelWriter(levels: CompiledFormat['levels']): FieldWriter {
  const known: WrittenLevel[] = []
  return (value, event) => {
    // Comparing a few short strings is faster than computing the hash of a new one.
    let level = known.find(({ written }) => written === value)
    if (level === undefined) {
      level = writtenLevel(value, levels)
      if (known.length < MAX_LEVELS) known.push(level)
    }
    event.text('level', level.level)
    if (level.isOther) event.text('severity_text', value)
    return undefined
  }
}

/** Logs have few levels; the limit bounds memory and time for hostile logs. */
const MAX_LEVELS = 32

interface WrittenLevel {
  readonly written: string
  readonly level: string
  /** True when the level was written as another word. */
  readonly isOther: boolean
}

function writtenLevel(value: string, levels: CompiledFormat['levels']): WrittenLevel {
  const level = ownValue(levels, value) ?? normalLevel(value)
  const isOther = level !== undefined && level !== value.trim().toLowerCase()
  return { written: value, level: level ?? value, isOther }
}

/** The length of a key is limited so that the search takes linear time in long words. */
const PAIR =
  /([A-Za-z_][\w.-]{0,127})(?:=| = (?<=^[ \t]{1,8}\S{1,128} = ))(?:"([^"\n]*)"|'([^'\n]*)'|([^\s,"']*))/gm

/** Writes `key=value` pairs, or lines with ` = ` between a key and a value, as fields, and other words as the message. */
function writePairs(text: string, event: EventText): undefined {
  const keys = new Set<string>()
  // A group separator is between the fields of the kernel and the fields of auditd.
  const rest = text
    .replaceAll('\x1d', ' ')
    .replace(PAIR, (pair, key: string, ...[quoted, single, bare]: string[]) => {
      if (keys.has(key) || key === 'message' || key === '_time') return pair
      keys.add(key)
      if (bare === undefined) event.text(key, quoted ?? single ?? '')
      else event.plain(key, bare)
      return ''
    })
  writeText('message', rest.replace(/[ \t]+/g, ' ').trim(), event)
}

const BRACKETED_PAIR =
  / ?\[(?:"([^"\n]{1,127})"|([^\s"=\]]{1,127}))=(?:"((?:[^"\\\n]|\\.)*)"|([^\]\n]*))\]/g

/** Writes the pairs in brackets, `[key=value] ["a key"="a value"]`, as fields, and other text as the field `text`. */
function writeBracketedPairs(text: string, event: EventText): undefined {
  const keys = new Set(['_time', 'message', 'text', 'level', 'file', 'line'])
  const rest = text.replace(BRACKETED_PAIR, (pair, quotedKey, bareKey, quoted, bare: string) => {
    const key: string = quotedKey ?? bareKey
    if (keys.has(key)) return pair
    keys.add(key)
    if (quoted === undefined) event.plain(key, bare)
    else event.text(key, decodeEscapes(quoted))
    return ''
  })
  writeText('text', rest.trim(), event)
}
