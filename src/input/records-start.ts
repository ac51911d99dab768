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
const OBJECTS = new Set(['hits', 'data', 'response', 'result', 'results', 'body', 'payload', 'log'])
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
  const found = new RecordsFinder(text, path).find()
  if (found === 'more') return isWhole ? undefined : 'more'
  if (found === undefined || path !== undefined) return found
  const end = documentEnd(text, found.offset, found.objects)
  if (end === -1) return isWhole ? found : 'more'
  return /^\s*$/.test(text.slice(end)) ? found : undefined
}

class RecordsFinder {
  private readonly text: string
  private readonly path: string | undefined
  private at = 0

  constructor(text: string, path: string | undefined) {
    this.text = text
    this.path = path
  }

  find(): RecordsStart | 'more' | undefined {
    return this.object([])
  }

  /** Reads the members of an object up to the array. */
  private object(path: readonly string[]): RecordsStart | 'more' | undefined {
    this.match(SPACE)
    this.at += 1
    const outer: OuterMember[] = []
    for (;;) {
      this.match(SPACE)
      const written = this.match(STRING)
      if (written === undefined) return this.isOpenKey ? 'more' : undefined
      this.match(SPACE)
      this.at += 1
      this.match(SPACE)
      const key = written.slice(1, -1)
      const found = this.value([...path, key], outer)
      if (found !== undefined && found !== 'scalar') return found === 'none' ? undefined : found
      if (found === 'scalar' && this.path === undefined && EVENT.test(key)) return undefined
      this.match(SPACE)
      if (this.text[this.at] !== ',') return this.at >= this.text.length ? 'more' : undefined
      this.at += 1
    }
  }

  /** True when the text ends before a key or inside a key. */
  private get isOpenKey(): boolean {
    return this.at >= this.text.length || /^"[^"]*$/.test(this.text.slice(this.at))
  }

  /** Reads a value; `none` means that the text is not JSON. */
  private value(
    path: readonly string[],
    outer: OuterMember[],
  ): RecordsStart | 'more' | 'none' | 'scalar' | undefined {
    const from = this.at
    const scalar = this.match(SCALAR)
    if (scalar !== undefined) {
      outer.push({ key: path.at(-1)!, value: scalar })
      return 'scalar'
    }
    const first = this.text[from]
    if (first === undefined) return 'more'
    if (first === '[' && this.isArray(path, from)) {
      const second = /[^ \t\r\n]/.exec(this.text.slice(from + 1, from + 1000))?.[0]
      if (second === undefined) return 'more'
      if (second === '{') {
        const objects = path.length
        return { path: path.join('.'), objects, offset: from + 1, outer }
      }
    }
    if (first === '{' && this.isObject(path)) {
      const found = this.object(path)
      if (found !== undefined) return found
      this.at = from
    }
    if (first !== '{' && first !== '[') return this.text.length - from > 65_536 ? 'none' : 'more'
    this.at = containerEnd(this.text, from)
    return this.at === -1 ? 'more' : undefined
  }

  private isArray(path: readonly string[], from: number): boolean {
    if (this.path !== undefined) return path.join('.') === this.path
    const key = path.at(-1)!.toLowerCase()
    if (ARRAYS.has(key)) return true
    return TIMED_ARRAYS.has(key) && TIME_KEY.test(this.text.slice(from, from + MAX_ELEMENT))
  }

  private isObject(path: readonly string[]): boolean {
    if (this.path !== undefined) return this.path.startsWith(`${path.join('.')}.`)
    return path.length === 1 && OBJECTS.has(path[0]!.toLowerCase())
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at = pattern.lastIndex
    return found
  }
}

/** Returns the position after an array or an object; -1 when its end is not in the text. */
function containerEnd(text: string, from: number): number {
  return endOf(text, from, 0)
}

/** Returns the position after a document, given a position in an array inside `objects` objects; -1 as in `containerEnd`. */
function documentEnd(text: string, from: number, objects: number): number {
  return endOf(text, from, objects + 1)
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]|"/g

function endOf(text: string, from: number, begun: number): number {
  let depth = begun
  TOKEN.lastIndex = from
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    if (token[0] === '"') return -1
    if (token[0] === '{' || token[0] === '[') depth += 1
    else if (token[0] === '}' || token[0] === ']') depth -= 1
    if (depth === 0) return TOKEN.lastIndex
  }
  return -1
}
