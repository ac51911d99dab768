import { findMember, findPath, isText, type Member } from '../../wire/json/json-bytes.js'
import { parseJson } from '../../wire/json/json-object.js'
import { type Edit, insertion, type Rewriter } from './edit.js'
import type { LevelSource } from './level-source.js'

/** Bounds memory for values that differ in each event. */
const MAX_KNOWN = 100

// The ends of `"level"` and `"severity_text"`. They are found in less time than the whole keys: few bytes are like their first.
const END_OF_LEVEL = 'vel"'
const END_OF_TEXT = '_text"'

/**
 * Returns a rewriter that gives events a normalized `level`. The original value stays in its own field; if that is `level`
 * itself, the original is kept as `severity_text` when it differs in more than case.
 */
export function levelRewriter(source: LevelSource): Rewriter {
  const known = new Map<string, string | undefined>()
  const { path, absent } = source
  const isOwn = path.length === 1 && path[0] === 'level'
  const textOf = isOwn ? replacement : levelText
  let written = ''
  let text: string | undefined
  return (bytes) => {
    const body = {
      bytes,
      hasLevel: searched(bytes, END_OF_LEVEL),
      hasText: searched(bytes, END_OF_TEXT),
    }
    return (event) => {
      const member = findPath(bytes, path, event)
      if (member === undefined) {
        const isDefault =
          absent !== undefined && findMember(bytes, absent.with, event) !== undefined
        return isDefault ? inserted(body, event, `"${absent.level}"`) : []
      }
      // Most events have the level of the event in front.
      if (!isText(bytes, member.from, member.to, written)) {
        written = bytes.toString('latin1', member.from, member.to)
        text = known.has(written) ? known.get(written) : textOf(written, source)
        if (known.size < MAX_KNOWN) known.set(written, text)
      }
      if (text === undefined) return []
      return isOwn
        ? replaced(body, event, { from: member.from, to: member.to, text })
        : inserted(body, event, text)
    }
  }
}

/** The bytes of events, and whether an event may have a field; events are asked about in their order. */
interface Body {
  readonly bytes: Buffer
  hasLevel(event: Member): boolean
  hasText(event: Member): boolean
}

/** Replaces a level. The event may already have `severity_text`, and only the first value of a repeated key is stored. */
function replaced({ hasText }: Body, event: Member, edit: Edit): readonly Edit[] {
  return edit.text.includes(',') && hasText(event) ? [] : [edit]
}

/** Inserts the level before the other members. A number in place of the level is kept as `severity_text`. */
function inserted(body: Body, event: Member, text: string): readonly Edit[] {
  const { bytes } = body
  // Searching takes less time than reading the members.
  const member = body.hasLevel(event) ? findMember(bytes, 'level', event) : undefined
  if (member === undefined) return insertion(bytes, event, `"level":${text}`)
  const [, number] = /^"?(\d{1,4})"?$/.exec(bytes.toString('latin1', member.from, member.to)) ?? []
  return number === undefined
    ? []
    : replaced(body, event, { ...member, text: `${text},"severity_text":"${number}"` })
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

/** Returns a function that tells if events, asked about in their order, contain a text. Each byte is searched once. */
function searched(bytes: Buffer, text: string): (event: Member) => boolean {
  let found = -1
  return ({ from, to }) => {
    if (found < from) {
      const at = bytes.indexOf(text, from, 'latin1')
      found = at === -1 ? bytes.length : at
    }
    return found < to
  }
}
