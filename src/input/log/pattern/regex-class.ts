import { matchAt } from '../../../text/match-at.js'
import { PatternError } from './line-pattern.js'
import { parseEscape } from './regex-escape.js'

/** The flags in force at a place of a regular expression. */
export interface RegexFlags {
  readonly ignoreCase: boolean
}

const POSIX: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  ascii: '\\x00-\\x7f',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-/:-@[-`{-~',
  space: '\\t-\\r ',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
}
const POSIX_NAME = /\[:(\^?)(\w+):\]/y
const LAST_ASCII = 0x7f

/** Returns a regular expression that matches a character, or the bytes of a character that is not ASCII. */
export function literalSource(character: string): string {
  if (character.codePointAt(0)! > LAST_ASCII) {
    return `(?:${Buffer.from(character).toString('latin1')})`
  }
  const code = character.charCodeAt(0)
  if (code < 0x20) return `\\x${code.toString(16).padStart(2, '0')}`
  return /[\w ]/.test(character) ? character : `\\${character}`
}

/** Returns the regular expression of a character, in both cases if case is ignored. */
export function letterSource(character: string, { ignoreCase }: RegexFlags): string {
  if (!ignoreCase || !/^[a-zA-Z]$/.test(character)) return literalSource(character)
  return `[${character.toLowerCase()}${character.toUpperCase()}]`
}

interface ClassSource {
  readonly source: string
  readonly end: number
}

/** Translates the class of characters that begins at an offset; throws `PatternError` when it is malformed. */
export function classSource(text: string, start: number, flags: RegexFlags): ClassSource {
  const isNegated = text[start + 1] === '^'
  const first = start + (isNegated ? 2 : 1)
  let at = first
  let members = ''
  const others: string[] = []
  while (text[at] !== ']' || at === first) {
    const member = memberAt(text, at, start)
    if (member.kind !== 'character') {
      members += member.source
      at = member.end
      continue
    }
    const last = rangeEnd(text, member.end, start)
    at = last?.end ?? member.end
    const [from, to] = [member.character, last?.character ?? member.character]
    if (from.codePointAt(0)! > to.codePointAt(0)!) {
      throw new PatternError('The bounds of a range are reversed.', { at: member.at, end: at })
    }
    if (to.codePointAt(0)! <= LAST_ASCII) members += rangeSource(from, to, flags)
    else if (last === undefined && !isNegated) others.push(literalSource(from))
    else {
      const help = '`(?:é|è)` matches one of several characters'
      const message = 'Ranges and negated classes can only have ASCII characters.'
      throw new PatternError(message, { at: member.at, end: at, help })
    }
  }
  const inside = `[${isNegated ? '^' : ''}${members}]`
  const source =
    others.length === 0 ? inside : `(?:${[...others, ...(members ? [inside] : [])].join('|')})`
  return { source, end: at + 1 }
}

type Member =
  | {
      readonly kind: 'character'
      readonly character: string
      readonly at: number
      readonly end: number
    }
  | { readonly kind: 'set'; readonly source: string; readonly end: number }

function memberAt(text: string, at: number, start: number): Member {
  if (at >= text.length) {
    throw new PatternError('This `[` is not closed.', {
      at: start,
      help: '`\\[` matches the character',
    })
  }
  const [whole, not, name = ''] = matchAt(POSIX_NAME, text, at) ?? []
  if (whole !== undefined) {
    if (!Object.hasOwn(POSIX, name) || not !== '') {
      const help = `classes: ${Object.keys(POSIX).join(', ')}`
      throw new PatternError(`There is no class \`${whole}\`.`, {
        at,
        end: at + whole.length,
        help,
      })
    }
    return { kind: 'set', source: POSIX[name]!.replace('[', '\\['), end: at + whole.length }
  }
  if (text[at] !== '\\') {
    const character = String.fromCodePoint(text.codePointAt(at)!)
    return { kind: 'character', character, at, end: at + character.length }
  }
  // In a class, this is a backspace.
  if (text[at + 1] === 'b') return { kind: 'character', character: '\b', at, end: at + 2 }
  const found = parseEscape(text, at)
  if (found.kind === 'character') return { ...found, at }
  if (found.kind === 'set') return { ...found, kind: 'set' }
  throw new PatternError('This is not possible in a class of characters.', { at, end: found.end })
}

/** Returns the end of a range whose first character ends at an offset; undefined when there is no range. */
function rangeEnd(text: string, at: number, start: number) {
  if (text[at] !== '-' || text[at + 1] === ']' || at + 1 >= text.length) return undefined
  const last = memberAt(text, at + 1, start)
  return last.kind === 'character' ? last : undefined
}

const LETTERS = [
  ['a', 'z', (letter: string) => letter.toUpperCase()],
  ['A', 'Z', (letter: string) => letter.toLowerCase()],
] as const

function rangeSource(from: string, to: string, { ignoreCase }: RegexFlags): string {
  let source = from === to ? literalSource(from) : `${literalSource(from)}-${literalSource(to)}`
  if (!ignoreCase) return source
  for (const [first, last, otherCase] of LETTERS) {
    const [low, high] = [from > first ? from : first, to < last ? to : last]
    if (low <= high) source += `${otherCase(low)}-${otherCase(high)}`
  }
  return source
}
