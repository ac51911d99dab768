import { containerEnd } from '../wire/json/members.js'

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
const ARRAYS = new Set(['records', 'events', 'logs', 'logevents'])
/** Keys of arrays whose elements are events if they have a time. */
const TIMED_ARRAYS = new Set([
  ...['value', 'items', 'entries', 'results', 'data', 'hits', 'messages', 'rows', 'alerts'],
  ...['findings', 'documents', 'features', 'list'],
])
const TIME_KEY = /"[^"]{0,60}(?:time|date|_at|\bts)[^"]{0,20}"\s*:/i
const MAX_ELEMENT = 16 * 1024
/** Keys of objects that may contain such an array. */
const OBJECTS = new Set([
  ...['hits', 'data', 'response', 'result', 'results', 'body', 'payload', 'log', 'recording'],
])
/** Keys of an object that is an event itself. */
const EVENT = /^(?:level|severity|lvl|msg|message|logger|@timestamp|_time)$/i
const SPACE = /[ \t\r\n]*/y
const STRING = /"(?:[^"\\]|\\.)*"/y
const SCALAR = /(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)(?=[ \t\r\n]*[,}\]])/y

/**
 * Finds the array of events in a document, in latin1. Returns `more` while more bytes are needed, and undefined when the
 * document is an event itself, or one of several documents.
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
  return /^\s*$/.test(text.slice(end)) ? found : undefined
}

/** Finds the array in the first object of a text, at a path or with a usual key. */
function findArray(text: string, wanted: string | undefined): RecordsStart | 'more' | undefined {
  let at = 0

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at = pattern.lastIndex
    return found
  }

  /** Reads the members of an object up to the array. */
  function object(path: readonly string[]): RecordsStart | 'more' | undefined {
    match(SPACE)
    at += 1
    const outer: OuterMember[] = []
    for (;;) {
      match(SPACE)
      const written = match(STRING)
      // The text may end before a key or inside a key.
      if (written === undefined) return /^(?:"[^"]*)?$/.test(text.slice(at)) ? 'more' : undefined
      match(SPACE)
      at += 1
      match(SPACE)
      const key = written.slice(1, -1)
      const found = value([...path, key], outer)
      if (found !== undefined && found !== 'scalar') return found === 'none' ? undefined : found
      if (found === 'scalar' && wanted === undefined && EVENT.test(key)) return undefined
      match(SPACE)
      if (text[at] !== ',') return at >= text.length ? 'more' : undefined
      at += 1
    }
  }

  /** Reads a value; `none` means that the text is not JSON. */
  function value(
    path: readonly string[],
    outer: OuterMember[],
  ): RecordsStart | 'more' | 'none' | 'scalar' | undefined {
    const from = at
    const scalar = match(SCALAR)
    if (scalar !== undefined) {
      outer.push({ key: path.at(-1)!, value: scalar })
      return 'scalar'
    }
    const first = text[from]
    if (first === undefined) return 'more'
    if (first === '[' && isArray(path, from)) {
      const second = /[^ \t\r\n]/.exec(text.slice(from + 1, from + 1000))?.[0]
      if (second === undefined) return 'more'
      if (second === '{') {
        const objects = path.length
        return { path: path.join('.'), objects, offset: from + 1, outer }
      }
    }
    if (first === '{' && isObject(path)) {
      const found = object(path)
      if (found !== undefined) return found
      at = from
    }
    if (first !== '{' && first !== '[') return text.length - from > 65_536 ? 'none' : 'more'
    at = containerEnd(text, from)
    return at === -1 ? 'more' : undefined
  }

  function isArray(path: readonly string[], from: number): boolean {
    if (wanted !== undefined) return path.join('.') === wanted
    const key = path.at(-1)!.toLowerCase()
    if (ARRAYS.has(key)) return true
    return TIMED_ARRAYS.has(key) && TIME_KEY.test(text.slice(from, from + MAX_ELEMENT))
  }

  function isObject(path: readonly string[]): boolean {
    if (wanted !== undefined) return wanted.startsWith(`${path.join('.')}.`)
    return path.length === 1 && OBJECTS.has(path[0]!.toLowerCase())
  }

  return object([])
}
