import { findMember, findPath, type Member } from '../../wire/json/json-bytes.js'
import { parseJson } from '../../wire/json/json-object.js'
import { type Edit, insertion, type Rewriter } from './edit.js'
import type { LevelSource } from './level-source.js'

/** Bounds memory for values that differ in each event. */
const MAX_KNOWN = 100

/**
 * Returns a rewriter that gives events a normalized `level`. The original value stays in its own field; if that is `level`
 * itself, the original is kept as `severity_text` when it differs in more than case.
 */
export function levelRewriter(source: LevelSource): Rewriter {
  const known = new Map<string, string | undefined>()
  const { path, absent } = source
  const isOwn = path.length === 1 && path[0] === 'level'
  const textOf = isOwn ? replacement : levelText
  const editor = (bytes: Buffer) => (event: Member) => {
    const member = findPath(bytes, path, event)
    if (member === undefined) {
      const isDefault = absent !== undefined && findMember(bytes, absent.with, event) !== undefined
      return isDefault ? inserted(bytes, event, `"${absent.level}"`) : []
    }
    const written = bytes.toString('latin1', member.from, member.to)
    const text = known.has(written) ? known.get(written) : textOf(written, source)
    if (known.size < MAX_KNOWN) known.set(written, text)
    if (text === undefined) return []
    return isOwn
      ? replaced(bytes, event, { from: member.from, to: member.to, text })
      : inserted(bytes, event, text)
  }
  const level = { path, isOwn, absent, known }
  return Object.assign(editor, { rule: { level } })
}

/** Replaces a level. The event may already have `severity_text`, and only the first value of a repeated key is stored. */
function replaced(bytes: Buffer, event: Member, edit: Edit): readonly Edit[] {
  const hasText = edit.text.includes(',') && findMember(bytes, 'severity_text', event) !== undefined
  return hasText ? [] : [edit]
}

/** Inserts the level before the other members. A number in place of the level is kept as `severity_text`. */
function inserted(bytes: Buffer, event: Member, text: string): readonly Edit[] {
  const member = findMember(bytes, 'level', event)
  if (member === undefined) return insertion(bytes, event, `"level":${text}`)
  const [, number] = /^"?(\d{1,4})"?$/.exec(bytes.toString('latin1', member.from, member.to)) ?? []
  return number === undefined
    ? []
    : replaced(bytes, event, { ...member, text: `${text},"severity_text":"${number}"` })
}

/** Returns the level as JSON; undefined when the value is not a level. */
function levelText(written: string, { read }: LevelSource): string | undefined {
  const text = textValue(written)
  const level = text === undefined ? undefined : read(text)
  return level === undefined ? undefined : `"${level}"`
}

/** Returns the level as JSON, and `severity_text` if it differs from the value. */
function replacement(written: string, source: LevelSource): string | undefined {
  const level = levelText(written, source)
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
