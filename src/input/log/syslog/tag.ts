import { CLOSE_BRACKET, COLON, OPEN_BRACKET, SPACE } from '../../../text/bytes.js'

const PERCENT = 0x25
const OPEN_PAREN = 0x28
const NO_BREAK_SPACE = 0xa0
const NUMBER = /^\d+$/

/** The prefix of a message: the program and perhaps its process id. */
export interface Tag {
  readonly app: string
  readonly pid: string
  /** The position after the tag. */
  readonly end: number
}

/**
 * Reads the tag `app[pid]:`, or `app[pid]` or `app:` before a space or at the end of the line. A level in parentheses may
 * follow. `%ASA-6-302013:` is not a tag, but the id of a message, and `35:` is a sequence number.
 */
export function tagAt(line: string, from: number): Tag | undefined {
  const appEnd = nameEnd(line, from)
  if (appEnd === from || line.charCodeAt(from) === PERCENT) return undefined
  const sign = line.charCodeAt(appEnd)
  if (sign !== COLON && sign !== OPEN_BRACKET) return undefined
  const app = line.slice(from, appEnd)
  if (sign === COLON) {
    const isTag = isEnd(line, appEnd + 1) && !NUMBER.test(app)
    return isTag ? { app, pid: '', end: appEnd + 1 } : undefined
  }
  const closing = pidEnd(line, appEnd + 1)
  if (line.charCodeAt(closing) !== CLOSE_BRACKET) return undefined
  const hasColon = line.charCodeAt(closing + 1) === COLON
  const isTag = hasColon || isEnd(line, closing + 1) || line.charCodeAt(closing + 1) === OPEN_PAREN
  if (!isTag) return undefined
  return { app, pid: line.slice(appEnd + 1, closing), end: closing + (hasColon ? 2 : 1) }
}

function nameEnd(line: string, from: number): number {
  let at = from
  for (; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (isSpace(code) || code === COLON || code === OPEN_BRACKET || code === CLOSE_BRACKET) break
  }
  return at
}

function pidEnd(line: string, from: number): number {
  let at = from
  for (; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (isSpace(code) || code === CLOSE_BRACKET) break
  }
  return at
}

function isEnd(line: string, at: number): boolean {
  return at >= line.length || line.charCodeAt(at) === SPACE
}

/** True for the latin1 characters that `\s` matches. */
function isSpace(code: number): boolean {
  return code === SPACE || (code >= 0x09 && code <= 0x0d) || code === NO_BREAK_SPACE
}
