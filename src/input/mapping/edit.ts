import { CLOSE_BRACE, OPEN_BRACE } from '../../text/bytes.js'
import { type Member, spaceEnd } from '../../wire/json/json-bytes.js'
import type { LineRule } from './line-rewriter.js'

/** A change of a part of an event; other bytes stay as they are. */
export interface Edit extends Member {
  /** Replaces the part, which is empty for an insertion; in latin1. */
  readonly text: string
}

/** Returns the changes of an event, in the order of their positions. Events are passed in the order in which they are in the bytes. */
type Editor = (event: Member, index: number) => readonly Edit[]

/** Returns the editor of the events in some bytes. */
export interface Rewriter {
  (bytes: Buffer): Editor
  /** The rule by which most lines are rewritten in less time than by the editor. */
  readonly rule?: LineRule | undefined
  /** Returns the number of events that were edited and whose fields have another text than a time. */
  invalidTimes?(): number
}

/** Returns a rewriter that does what several do; undefined when there is none. Members that later ones insert come first. */
export function inTurn(given: readonly (Rewriter | undefined)[]): Rewriter | undefined {
  const rewriters = given.filter((rewriter) => rewriter !== undefined)
  if (rewriters.length <= 1) return rewriters[0]
  const both = (bytes: Buffer): Editor => {
    const editors = rewriters.map((rewriter) => rewriter(bytes)).reverse()
    return (event, index) =>
      editors.flatMap((edits) => edits(event, index)).sort((one, other) => one.from - other.from)
  }
  const rules = rewriters.flatMap(({ rule }) => rule ?? [])
  const rule = rules.length < rewriters.length ? undefined : Object.assign({}, ...rules)
  const { invalidTimes } = rewriters.find((rewriter) => rewriter.invalidTimes !== undefined) ?? {}
  return Object.assign(both, { rule, invalidTimes })
}

/** Returns the insertion of members, without braces, in front of those of an object; no change for other text. */
export function insertion(bytes: Buffer, { from }: Member, members: string): readonly Edit[] {
  const open = spaceEnd(bytes, from)
  if (bytes[open] !== OPEN_BRACE) return []
  const at = open + 1
  const comma = bytes[spaceEnd(bytes, at)] === CLOSE_BRACE ? '' : ','
  return [{ from: at, to: at, text: members + comma }]
}

/** Returns a text with changes. */
export function editedText(text: string, edits: readonly Edit[]): string {
  let edited = ''
  let copied = 0
  for (const edit of edits) {
    edited += text.slice(copied, edit.from) + edit.text
    copied = edit.to
  }
  return edited + text.slice(copied)
}
