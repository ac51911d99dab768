import { matchAt } from '../../../text/match-at.js'
import { compileNow } from '../compile-now.js'
import type { TimeLayout } from './time-layout.js'
import { TIME_LAYOUTS } from './time-layouts.js'
import { likePattern, NOT_WITHIN } from './time-parts.js'

/** A place of times in lines, after a prefix, with the layouts that share a pattern. */
export interface Place {
  /** The name of the prefix. */
  readonly prefix: string
  readonly layouts: readonly [TimeLayout, ...TimeLayout[]]
  readonly scan: RegExp
}

const MAX_WORDS = 5
/** The maximum number of words before a number: the epoch seconds of VPC flow logs are far to the right. */
const MAX_NUMBER_WORDS = 12

/** The prefixes that may precede the time. */
const PREFIXES: Readonly<Record<string, string>> = {
  start: '',
  // `INFO|` or several columns, `INFO,`, `app.log:17:`, `[INFO]` or several brackets
  bar: '(?:[^\\s|]{1,64} ?\\| ?){1,5}',
  comma: '(?:[^\\s,]{1,64}[,;]){1,2}',
  colon: '(?:[^\\s:]{1,128}::?){1,2}',
  bracket: '(?:\\[[^[\\]\\n]{1,64}\\]){1,3}(?=[[(\\d])',
  audit: '(?:node=\\S{1,64} )?type=\\S{1,64} msg=audit',
  ...Object.fromEntries(
    Array.from({ length: MAX_NUMBER_WORDS }, (_, index) => [
      `words${index + 1}`,
      `(?:\\S{1,128}[ \\t]{1,16}){${index + 1}}`,
    ]),
  ),
}
/** Brackets, quotes and marks before the time. */
const OPENING = '(?:[[(<"\'{#|*]{1,3} ?)?'

/** Layouts that share a pattern, and an expression that finds at least their times, anywhere in a line. */
interface Group {
  readonly layouts: Place['layouts']
  readonly anywhere: RegExp
}

let groups: readonly Group[] | undefined

/** Returns the layouts of times in groups that share a pattern. */
export function timeGroups(): readonly Group[] {
  groups ??= [...new Set(TIME_LAYOUTS.map(({ pattern }) => pattern))].flatMap((pattern) => {
    const [first, ...others] = TIME_LAYOUTS.filter((layout) => layout.pattern === pattern)
    if (first === undefined) return []
    const anywhere = compileNow(`${NOT_WITHIN}${likePattern(pattern)}`)
    return [{ layouts: [first, ...others], anywhere }]
  })
  return groups
}

/** Returns each prefix, from left to right, with each pattern that occurs in at least a share of the lines. */
export function placesIn(lines: readonly string[], leastShare: number): readonly Place[] {
  // Trying all combinations of prefixes and patterns would take most of the time of an inference.
  const occurring = timeGroups().filter(({ anywhere }) => {
    return lines.filter((line) => anywhere.test(line)).length >= lines.length * leastShare
  })
  const prefixes = Object.entries(PREFIXES).filter(([, pattern]) => {
    return lines.some((line) => matchAt(compileNow(pattern, 'y'), line, 0) !== null)
  })
  return prefixes.flatMap(([prefix]) =>
    occurring
      .filter(({ layouts }) => allows(prefix, layouts[0]))
      .map(({ layouts }) => ({ prefix, layouts, scan: scanner(prefix, layouts[0].pattern) })),
  )
}

/** Returns the names of the prefixes in front of times of any layout. */
export function prefixNames(): readonly string[] {
  return Object.keys(PREFIXES).filter((prefix) => wordsOf(prefix) <= MAX_WORDS)
}

export function isPrefix(name: string): boolean {
  return Object.hasOwn(PREFIXES, name)
}

/** Returns an expression for a time with a pattern after a prefix. */
export function scanner(prefix: string, pattern: string, flags = ''): RegExp {
  return compileNow(`${PREFIXES[prefix]}${OPENING}${pattern}(?!\\w)`, `${flags}y`)
}

function allows(prefix: string, { name }: TimeLayout): boolean {
  if (prefix === 'audit') return name === 'unix'
  return name === 'unix' || wordsOf(prefix) <= MAX_WORDS
}

function wordsOf(prefix: string): number {
  return Number(/^words(\d+)$/.exec(prefix)?.[1] ?? 0)
}
