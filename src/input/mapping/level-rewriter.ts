import { parseJson } from '../../wire/json/json-object.js'
import { findMember, findPath, type Member } from '../../wire/json/members.js'
import type { LevelSource } from './level-source.js'

/** Changes the text of a JSON object, in latin1; every byte that is not part of the change stays. */
export type LineRewriter = (line: string) => string

/** Bounds memory for values that differ in each event. */
const MAX_KNOWN = 100

/**
 * Returns a function that gives events a normalized `level`. The original value stays in its own field; if that is `level`
 * itself, the original is kept as `severity_text` when it differs in more than case.
 */
export function levelRewriter(source: LevelSource): LineRewriter {
  const known = new Map<string, string | undefined>()
  const { path, absent } = source
  const isOwn = path.length === 1 && path[0] === 'level'
  const textOf = isOwn ? replacement : insertion
  return (line) => {
    const member = findPath(line, path)
    if (member === undefined) return absent === undefined ? line : withDefault(line, absent)
    const written = line.slice(member.from, member.to)
    const text = known.has(written) ? known.get(written) : textOf(written, source)
    if (known.size < MAX_KNOWN) known.set(written, text)
    if (text === undefined) return line
    return isOwn ? replaced(line, member, text) : inserted(line, text)
  }
}

/** Returns the level as JSON; undefined when the value is not a level. */
function insertion(written: string, { read }: LevelSource): string | undefined {
  const text = textValue(written)
  const level = text === undefined ? undefined : read(text)
  return level === undefined ? undefined : `"${level}"`
}

/** Returns the level as JSON, and `severity_text` if it differs from the value. */
function replacement(written: string, source: LevelSource): string | undefined {
  const level = insertion(written, source)
  const text = textValue(written)
  if (level === undefined || text === undefined) return undefined
  return level === `"${text.toLowerCase()}"`
    ? level
    : `${level},"severity_text":${JSON.stringify(text)}`
}

/** Returns a string or a number as text. */
function textValue(written: string): string | undefined {
  if (/^-?\d/.test(written)) return written
  const text = written.startsWith('"') ? parseJson(written) : undefined
  return typeof text === 'string' ? text : undefined
}

/** The key, after a part of it that takes a quarter of the time to look for: few lines have its first character. */
const OWN_TEXT = ['_text"', '"severity_text"']

function replaced(line: string, { from, to }: Member, text: string): string {
  // The event may already have `severity_text`, and only the first value of a repeated key is stored.
  if (text.includes(',') && OWN_TEXT.every((part) => line.includes(part))) return line
  return line.slice(0, from) + text + line.slice(to)
}

function withDefault(line: string, absent: NonNullable<LevelSource['absent']>): string {
  return findMember(line, absent.with) === undefined ? line : inserted(line, `"${absent.level}"`)
}

/** Inserts the level before the other members; the event has at least one member. A number in place of the level is kept. */
function inserted(line: string, text: string): string {
  // Searching takes less time than reading the members.
  const member = line.includes('"level"') ? findMember(line, 'level') : undefined
  if (member !== undefined) {
    const written = line.slice(member.from, member.to)
    return /^\d{1,4}$/.test(written)
      ? replaced(line, member, `${text},"severity_text":"${written}"`)
      : line
  }
  const at = line.indexOf('{') + 1
  return `${line.slice(0, at)}"level":${text},${line.slice(at)}`
}
