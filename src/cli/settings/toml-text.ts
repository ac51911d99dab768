// Finds the entries of a TOML document in its text, so that an entry can be removed while the rest stays unchanged. The document
// was parsed before, so it is valid.

import { parseJson } from '../../wire/json/json-object.js'

/** A line, or the lines of one value, including the line end. */
export interface TomlEntry {
  readonly kind: 'table' | 'value' | 'other'
  /** The absolute path: the path of a value begins with the path of its table. */
  readonly path: readonly string[]
  readonly text: string
  /** The offset of the value in `text`. */
  readonly valueAt: number
}

/** Yields the entries of a document in order. Their texts, joined, are the document. */
export function* tomlEntries(document: string): Generator<TomlEntry> {
  let table: readonly string[] = []
  for (let at = 0; at < document.length; ) {
    const start = at
    const [head = ''] = /^[ \t\r]*\[{0,2}/.exec(document.slice(at)) ?? []
    at += head.length
    const key = keyAt(document, at)
    const kind = key.path.length === 0 ? 'other' : head.endsWith('[') ? 'table' : 'value'
    const end = entryEnd(document, kind === 'other' ? at : key.end)
    if (kind === 'table') table = key.path
    const path = kind === 'value' ? [...table, ...key.path] : key.path
    const valueAt = document.slice(key.end).search(/[^ \t=]/) + key.end - start
    yield { kind, path, text: document.slice(start, end), valueAt }
    at = end
  }
}

/** Returns an inline table, `{a = 1, b.c = 2}`, without the members whose first key is `name`. */
export function withoutMember(table: string, name: string): string {
  const kept = membersOf(table).filter((member) => keyAt(member, 0).path[0] !== name)
  return inlineTable(kept)
}

/** Returns an inline table with one more member. */
export function withMember(table: string, member: string): string {
  return inlineTable([...membersOf(table), member])
}

function inlineTable(members: readonly string[]): string {
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

const TOKEN = /"""(?:[^\\]|\\.)*?"{3,5}|'''.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|./gs

/** Yields the tokens of a text from an offset, each with the depth of brackets around it. */
function* tokens(text: string, from: number) {
  let depth = 0
  for (const { 0: token, index } of text.slice(from).matchAll(TOKEN)) {
    if (/^[\]}]/.test(token)) depth -= 1
    yield { token, depth, at: from + index, end: from + index + token.length }
    if (/^[[{]/.test(token)) depth += 1
  }
}

/** Returns the end of the last line of an entry: a value may have several lines. */
function entryEnd(document: string, from: number): number {
  for (const { token, depth, end } of tokens(document, from)) {
    if (token === '\n' && depth <= 0) return end
  }
  return document.length
}

/** Returns the texts of the members of the inline table at the beginning of a text. */
function membersOf(table: string): readonly string[] {
  const members: string[] = []
  let from = 1
  for (const { token, depth, at, end } of tokens(table, 0)) {
    const isEnd = token === '}' && depth === 0
    if (!isEnd && (token !== ',' || depth !== 1)) continue
    members.push(table.slice(from, at).trim())
    from = end
    if (isEnd) break
  }
  return members.filter((member) => member !== '')
}

/** Returns the dotted key at an offset, with the offset of its end; an empty path when there is no key. */
function keyAt(text: string, from: number): { readonly path: string[]; readonly end: number } {
  const part = /[ \t]*(?:([\w-]+)|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')[ \t]*(\.?)/y
  const path: string[] = []
  part.lastIndex = from
  let end = from
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    const [, bare, quoted, literal = '', dot] = match
    path.push(bare ?? (quoted === undefined ? literal : unescaped(quoted)))
    end = part.lastIndex
    if (dot === '') break
  }
  return { path, end }
}

/** Returns the value of a basic string; the string itself when it has escapes that JSON lacks. */
function unescaped(text: string): string {
  const escapes = text.replace(/\\U([\da-f]{8})/gi, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  )
  return (parseJson(`"${escapes}"`) as string | undefined) ?? text
}
