import { compileGrok } from '../pattern/compile-grok.js'
import type { LinePattern } from '../pattern/line-pattern.js'
import type { LineFormat } from './line-format.js'

/** A format whose patterns are regular expressions. */
export interface CompiledFormat {
  readonly patterns: readonly CompiledPattern[]
  /** The beginning of an event up to its time; undefined when the format has no time. */
  readonly start: CompiledPattern | undefined
}

/** A sticky regular expression whose groups are the fields, and their names and types. */
export interface CompiledPattern {
  readonly scan: RegExp
  readonly fields: LinePattern['fields']
}

const TIME = '%{TIME:_time}'
/** Stands for the times while a pattern is compiled: their regular expression is for latin1 already. */
const TIME_MARK = 'TIME_OF_EVENT'

/** Patterns for known formats, in addition to those of grok. */
const LIBRARY: Readonly<Record<string, string>> = {
  LEVEL:
    '(?i:trace|debug|debug[1-5]|info|information|notice|warn|warning|error|err|severe|crit|critical|alert|emerg|emergency|fatal|panic|fine|finer|finest|config|log|success|dbg|inf|wrn|ftl|trc|verbose)',
  /** A level that can't be taken for a word of the message: in brackets, in front of a separator, or in capitals. */
  MARKED_LEVEL:
    '(?:[\\[(<]%{LEVEL:level}[\\])>]|%{LEVEL:level}(?=:| [-|] )|%{CAPITAL_LEVEL:level}(?![\\w.=/-]))',
  CAPITAL_LEVEL:
    'TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|SEVERE|CRIT|CRITICAL|ALERT|EMERG|FATAL|PANIC',
  MESSAGE: '.*',
  /** Text within a line, as short as possible. */
  TEXT: '[^\\n]*?',
  THREAD: '[^\\n\\[\\]]*(?:\\[[^\\n\\[\\]]*\\][^\\n\\[\\]]*)*',
  LOGGER: '[\\w$.#<>/@-]+',
}

/** Returns true when the format has the time of an event. */
export function hasTime({ patterns }: Pick<LineFormat, 'patterns'>): boolean {
  return patterns.some((pattern) => pattern.includes(TIME))
}

/** Compiles a format for times that match a regular expression; without one, `%{TIME}` matches nothing. */
export function compileFormat(
  { patterns }: Pick<LineFormat, 'patterns'>,
  time: string | undefined,
): CompiledFormat {
  const library = new Map(Object.entries(LIBRARY)).set('TIME', TIME_MARK)
  const compile = (pattern: string): CompiledPattern => {
    const { source, fields } = compileGrok(pattern, library)
    return { scan: new RegExp(source.replaceAll(TIME_MARK, time ?? '(?!)'), 'y'), fields }
  }
  const starts = patterns.flatMap((pattern) => {
    const at = pattern.indexOf(TIME)
    return at === -1 ? [] : [pattern.slice(0, at + TIME.length)]
  })
  return {
    patterns: patterns.map(compile),
    start:
      starts.length === 0 ? undefined : compile([...new Set(starts)].map(alternative).join('|')),
  }
}

/** Returns the regular expression of a layout of times, without groups. */
export function timePattern(pattern: string): string {
  return `(?:${pattern.replace(/(?<!\\)\((?!\?)/g, '(?:')})(?!\\w)`
}

function alternative(pattern: string): string {
  return `(?:${pattern})`
}

/** Matches a pattern at the beginning of a text. */
export function matchPattern({ scan }: CompiledPattern, text: string): RegExpExecArray | null {
  scan.lastIndex = 0
  return scan.exec(text)
}

/** Returns the value of a field of a match; undefined when the match does not have it. */
export function fieldOf(
  { fields }: CompiledPattern,
  match: RegExpExecArray,
  name: string,
): string | undefined {
  const index = fields.findIndex((field, at) => field.name === name && match[at + 1] !== undefined)
  return index === -1 ? undefined : match[index + 1]
}
