import { escapeRegex } from '../../../text/escape-regex.js'
import { captureWithoutEnd } from '../../problem/operator.js'
import type { Capture, Parse, PatternPiece } from '../../syntax/ast.js'
import type { Type } from '../../type.js'
import type { Context } from '../context.js'
import { textConstant } from '../expression/invoke.js'
import { checkRegex, groupCount } from '../expression/regex.js'

/** A pattern of `parse` as one regex. */
interface PatternRegex {
  readonly regex: string
  /** The group number of each capture, in order. */
  readonly groups: readonly number[]
}

/** The regexes of captures that no delimiter ends. Strings have no such regex, because they may contain any text. */
const SHAPES: Partial<Record<Type, string>> = {
  bool: '([Tt]rue|TRUE|[Ff]alse|FALSE|[01])',
  int: '([-+]?\\d+)',
  real: '([-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?)',
}

/**
 * Compiles the pattern of `parse`, which must match the whole string. A gap at its beginning or end needs no regex, only no anchor: the
 * first match is the one after the shortest gap, and is found in a third of the time.
 */
export function patternRegex(parse: Parse, context: Context): PatternRegex {
  const groups: number[] = []
  let group = 0
  const last = parse.pattern.length - 1
  const pieces = context.all(parse.pattern, (piece, i) => {
    switch (piece.kind) {
      case 'gap':
        return i === 0 || i === last ? '' : '.*?'
      case 'text':
        if (parse.mode === 'regex') {
          checkRegex(textConstant(piece.text), piece.span, context)
          group += groupCount(piece.text)
        }
        return constantRegex(piece.text, parse)
      case 'capture':
        groups.push(++group)
        return (
          captureRegex(piece, parse.pattern[i + 1]) ?? context.refuse(captureWithoutEnd(piece.name))
        )
      default:
        return piece satisfies never
    }
  })
  const start = parse.pattern[0]?.kind === 'gap' ? '' : '^'
  const end = parse.pattern[last]?.kind === 'gap' ? '' : '$'
  return { regex: `(?s)${start}${pieces.join('')}${end}`, groups }
}

/** A pattern whose captures and gaps are separated by literal text. */
interface DelimitedPattern {
  /** The texts, and null for each capture and gap between them. */
  readonly pieces: readonly (string | null)[]
  /** The index among the pieces of each capture, in order. */
  readonly captures: readonly number[]
}

/** Returns the pattern of `parse` as texts and what they delimit; undefined when it has regexes, or captures without a delimiter. */
export function delimitedPattern({ pattern, mode }: Parse): DelimitedPattern | undefined {
  const pieces: (string | null)[] = []
  const captures: number[] = []
  for (const piece of pattern) {
    const text = piece.kind === 'text' ? piece.text : null
    const last = pieces.at(-1)
    if (mode === 'regex' || text === '' || (text === null && last === null)) return undefined
    if (piece.kind === 'capture') captures.push(pieces.length)
    if (typeof text === 'string' && typeof last === 'string') pieces.push(pieces.pop() + text)
    else pieces.push(text)
  }
  return { pieces, captures }
}

function constantRegex(text: string, { mode, flags }: Parse): string {
  // Only the gaps of the pattern match line breaks, unless `flags=s` extends that to the regexes.
  if (mode === 'regex') return `(?${flags}${flags.includes('s') ? '' : '-s'}:${text})`
  return escapeRegex(text)
}

function captureRegex({ type }: Capture, next: PatternPiece | undefined): string | undefined {
  if (next === undefined) return '(.*)'
  return next.kind === 'text' ? '(.*?)' : SHAPES[type]
}
