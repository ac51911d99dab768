import { CLOSE_BRACE, OPEN_BRACE } from '../text/bytes.js'
import { matchAt } from '../text/match-at.js'
import { contentEnd, findMember } from '../wire/json/json-bytes.js'
import { containerEnd, skipSpace, stringEnd } from '../wire/json/members.js'
import type { Rewriter } from './mapping/edit.js'

// Documents that wrap an array of events: `{"Records":[…]}` of CloudTrail, `{"value":[…]}` of Azure, `{"logEvents":[…]}` of
// CloudWatch, the response of a search. Their events are the elements of the array.

/** The array of a document whose elements are events. */
export interface RecordsStart {
  /** The path of the array's key, with dots. */
  readonly path: string
  /** The number of objects around the array. */
  readonly objects: number
  /** The position after the opening bracket of the array. */
  readonly offset: number
  /** The text up to there, without white space. */
  readonly head: string
  /** The scalars before the array. */
  readonly outer: readonly OuterMember[]
}

/** A member of an object around the events, as it is written, in latin1. */
interface OuterMember {
  /** Without quotes. */
  readonly key: string
  readonly value: string
}

interface RecordsOptions {
  /** True when there are no more bytes. */
  readonly isWhole: boolean
  /** The path that the user named. */
  readonly path?: string | undefined
}

/** Keys of arrays of events, in lower case. */
const ARRAYS = new Set(['records', 'events', 'logs', 'logevents', 'traceevents', 'dmesg'])
/** Keys of arrays whose elements are events if they have a time. */
const TIMED_ARRAYS = new Set([
  ...['value', 'items', 'entries', 'results', 'data', 'hits', 'messages', 'rows', 'alerts'],
  ...['findings', 'documents', 'features', 'list'],
])
const TIME_KEY = /"[^"]{0,60}(?:time|date|_at|\bts|created|occurred|published)[^"]{0,20}"\s*:/i
const MAX_ELEMENT = 16 * 1024
/** Keys of objects that may contain such an array. */
const OBJECTS = new Set([
  ...['hits', 'data', 'response', 'result', 'results', 'body', 'payload', 'log', 'recording'],
])
/** Keys of an object that is an event itself. */
const EVENT = /^(?:level|severity|lvl|msg|message|logger|@timestamp|_time)$/i
const SCALAR = /(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)(?=[ \t\r\n]*[,}\]])/y

/**
 * Finds the array of events in a document, in latin1. Returns `more` while more bytes are needed, and undefined when the
 * document is an event itself, or one of several documents that have more than the array.
 */
export function findRecords(
  text: string,
  { isWhole, path }: RecordsOptions,
): RecordsStart | 'more' | undefined {
  const found = findArray(text, path)
  if (found === 'more') return isWhole ? undefined : 'more'
  if (found === undefined || path !== undefined) return found
  const end = containerEnd(text, found.offset, found.objects + 1)
  if (end === -1) return isWhole ? found : 'more'
  const next = skipSpace(text, end)
  if (next === text.length) return found
  const after = text.slice(containerEnd(text, found.offset, 1), end)
  if (!ONLY_KEYS.test(found.head) || !/^[\s}]*$/.test(after)) return undefined
  // More white space than this is rare.
  const other = withoutSpace(text.slice(next, next + found.offset * 2))
  if (other.startsWith(found.head)) return found
  return !isWhole && found.head.startsWith(other) ? 'more' : undefined
}

/** The beginning of a document without other members than the array, apart from white space. */
const ONLY_KEYS = /^(?:\{"(?:[^"\\]|\\.)*":)+\[$/

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '')
}

/** Scalars end within this many characters; a longer text is not JSON. */
const MAX_SCALAR = 64 * 1024

/** Finds the array in the object that begins after a position, at a path or with a usual key. */
function findArray(
  text: string,
  wanted: string | undefined,
  start = 0,
  path: readonly string[] = [],
): RecordsStart | 'more' | undefined {
  const outer: OuterMember[] = []
  let at = text.indexOf('{', start) + 1
  for (;;) {
    at = skipSpace(text, at)
    if (text[at] !== '"') return at === text.length ? 'more' : undefined
    const keyEnd = stringEnd(text, at + 1)
    if (keyEnd === -1) return 'more'
    const key = text.slice(at + 1, keyEnd - 1)
    const inner = [...path, key]
    const from = skipSpace(text, skipSpace(text, keyEnd) + 1)
    if (text[from] === '[' && isEvents(inner, text.slice(from, from + MAX_ELEMENT), wanted)) {
      const first = skipSpace(text, from + 1)
      if (first === text.length) return 'more'
      if (text[first] === '{') {
        const head = withoutSpace(text.slice(0, from + 1))
        return { path: inner.join('.'), objects: inner.length, offset: from + 1, head, outer }
      }
    }
    if (text[from] === '{' && mayHaveEvents(inner, wanted)) {
      const found = findArray(text, wanted, from, inner)
      if (found !== undefined) return found
    }
    if (text[from] === '[' || text[from] === '{') {
      at = containerEnd(text, from)
      if (at === -1) return 'more'
    } else {
      const value = matchAt(SCALAR, text, from)?.[0]
      if (value === undefined) return text.length - from > MAX_SCALAR ? undefined : 'more'
      if (wanted === undefined && EVENT.test(key)) return undefined
      outer.push({ key, value })
      at = from + value.length
    }
    at = skipSpace(text, at)
    if (text[at] !== ',') return at === text.length ? 'more' : undefined
    at += 1
  }
}

/** True for an array of events, given its beginning. */
function isEvents(path: readonly string[], array: string, wanted: string | undefined): boolean {
  if (wanted !== undefined) return path.join('.') === wanted
  const key = path.at(-1)!.toLowerCase()
  return ARRAYS.has(key) || (TIMED_ARRAYS.has(key) && TIME_KEY.test(array))
}

/** True for an object that may contain an array of events. */
function mayHaveEvents(path: readonly string[], wanted: string | undefined): boolean {
  if (wanted !== undefined) return wanted.startsWith(`${path.join('.')}.`)
  return path.length === 1 && OBJECTS.has(path[0]!.toLowerCase())
}

/** Returns a rewriter that adds members at the end of each event, except members that it has; undefined without members. */
export function outerRewriter(outer: readonly OuterMember[] = []): Rewriter | undefined {
  if (outer.length === 0) return undefined
  return (bytes) => (event) => {
    const members = outer
      .filter(({ key }) => findMember(bytes, key, event) === undefined)
      .map(({ key, value }) => `"${key}":${value}`)
      .join(',')
    const close = contentEnd(bytes, event.to) - 1
    if (members === '' || bytes[close] !== CLOSE_BRACE) return []
    const comma = bytes[contentEnd(bytes, close) - 1] === OPEN_BRACE ? '' : ','
    return [{ from: close, to: close, text: comma + members }]
  }
}
