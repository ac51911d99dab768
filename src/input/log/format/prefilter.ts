import { GROK_PATTERNS } from '../pattern/grok-patterns.js'
import { charSet, EVERY, holds, isNearlyEvery, LETTERS, single, union } from './char-set.js'
import { type TimeScan, timeEnds } from './like-time.js'
import { FORMAT_PATTERNS } from './patterns.js'
import { hasRequired, requiredText, type SignedText } from './required-text.js'

// Detection compares each line with all formats, and would spend most of its time on compiling regular expressions that match
// none of the lines. A prefilter decides most cases without them.

/** An automaton that accepts at least every text that the beginning of a grok pattern matches. */
interface Automaton {
  /** The characters of each step; undefined for the other kinds of steps. */
  readonly sets: readonly (Int32Array | undefined)[]
  /** For each step, the steps that can be next when it has been reached, as bits. */
  readonly closures: readonly number[]
  /** The steps that may match several characters, and the steps that match a time, as bits. */
  readonly repeated: number
  readonly times: number
  /** The automata that must also accept the text from a step on. */
  readonly lookaheads: ReadonlyMap<number, Automaton>
}

/** A set of characters, one of which a text has next. */
interface Step {
  /** Undefined for the other kinds of steps. */
  readonly set?: Int32Array | undefined
  readonly isTime?: boolean
  readonly lookahead?: Automaton
  readonly isOptional?: boolean
  readonly isRepeated?: boolean
  /** Makes this a choice: the number of following steps that may be skipped. */
  readonly skip?: number
}

/** The number of steps that are compared; the bits of an integer suffice for more. */
const MAX_STEPS = 24
/** A step that is repeated more often becomes a step that may be repeated without limit. */
const MAX_COPIES = 4

const ANYTHING: readonly Step[] = [{ set: EVERY, isOptional: true, isRepeated: true }]
const TIME: readonly Step[] = [{ isTime: true }]

const known = new Map<string, Automaton>()

function automatonOf(grok: string): Automaton {
  const found = known.get(grok) ?? automaton(new PatternSteps(grok).first(MAX_STEPS))
  known.set(grok, found)
  return found
}

const REFERENCE = /%\{(\w+)[^}]*\}/y
const GROUP = /\((?:\?(<?[=!]|<[^>]+>|i?:))?/y
const CLASS = /\[(?:\\[\s\S]|[^\]\\])*\]/y
const HEXADECIMAL = /\\x([0-9a-f]{2})/iy
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})[?+]?/y

/** The steps of named patterns. */
const named = new Map<string, readonly Step[]>()

class PatternSteps {
  private readonly text: string
  private at = 0
  private ignoresCase = false

  constructor(text: string) {
    this.text = text
  }

  /** Returns at least the first `most` steps, or all. */
  first(most: number): readonly Step[] {
    const steps: Step[] = []
    while (this.at < this.text.length && steps.length < most) this.addTo(steps)
    return steps
  }

  /** Reads up to the end of a group. */
  private alternatives(): readonly Step[] {
    let current: Step[] = []
    const all = [current]
    for (let sign = this.text[this.at]; sign !== undefined; sign = this.text[this.at]) {
      if (sign === ')') break
      if (sign === '|') {
        this.at += 1
        current = []
        all.push(current)
      } else this.addTo(current)
    }
    return all.length === 1 ? current : merged(all)
  }

  private addTo(steps: Step[]): void {
    const part = this.quantified(this.part(this.text[this.at]!))
    for (const step of part) steps.push(step)
  }

  private part(sign: string): readonly Step[] {
    if (sign === '(') return this.group()
    if (sign === '%' && this.text[this.at + 1] === '{') return this.reference()
    if (sign === '[') return this.set(charSet(this.match(CLASS)![0], this.ignoresCase))
    if (sign === '\\') return this.escape()
    this.at += 1
    if (sign === '^' || sign === '$') return []
    return sign === '.' ? [{ set: EVERY }] : this.character(sign)
  }

  private group(): readonly Step[] {
    const [, kind = ''] = this.match(GROUP)!
    const { ignoresCase } = this
    if (kind === 'i:') this.ignoresCase = true
    const steps = this.alternatives()
    this.ignoresCase = ignoresCase
    this.at += 1
    if (kind === '=') return [{ lookahead: automaton(steps) }]
    return /[=!]$/.test(kind) ? [] : steps
  }

  private reference(): readonly Step[] {
    const [, name = ''] = this.match(REFERENCE)!
    if (name === 'TIME') return TIME
    const key = `${name} ${this.ignoresCase}`
    let steps = named.get(key)
    if (steps === undefined) {
      const text = FORMAT_PATTERNS[name] ?? GROK_PATTERNS[name]
      const inner = text === undefined ? undefined : new PatternSteps(text)
      if (inner !== undefined) inner.ignoresCase = this.ignoresCase
      steps = inner?.alternatives() ?? ANYTHING
      named.set(key, steps)
    }
    return steps
  }

  private escape(): readonly Step[] {
    const [whole, code] = this.match(HEXADECIMAL) ?? []
    if (whole !== undefined) return this.character(String.fromCharCode(Number.parseInt(code!, 16)))
    const escaped = this.text[this.at + 1]!
    this.at += 2
    if ('bBAzZ'.includes(escaped)) return []
    if ('dDwWsS'.includes(escaped)) return this.set(charSet(`[\\${escaped}]`, false))
    const control = { t: '\t', n: '\n', r: '\r' }[escaped]
    if (control === undefined && /\w/.test(escaped)) return ANYTHING
    return this.character(control ?? escaped)
  }

  private set(set: Int32Array): readonly Step[] {
    return [{ set }]
  }

  private character(character: string): readonly Step[] {
    // A character of several bytes.
    if (character > '\x7f') return ANYTHING
    const bothCases = this.ignoresCase && holds(LETTERS, character.charCodeAt(0))
    if (bothCases) return this.set(charSet(`[${character}]`, true))
    return [{ set: single(character) }]
  }

  private quantified(steps: readonly Step[]): readonly Step[] {
    const [whole, sign, count, comma, limit] = this.match(QUANTIFIER) ?? []
    if (whole === undefined || steps.length === 0) return steps
    const least = sign === '+' ? 1 : Number(count ?? 0)
    const isMore = sign === undefined ? comma !== '' && limit !== count : sign !== '?'
    const most = sign === '?' ? 1 : isMore ? Number(limit || Infinity) : least
    const [only] = steps
    if (only?.set !== undefined && steps.length === 1) return repeatedStep(only, least, most)
    if (least === 0 && most === 1) return [{ skip: steps.length }, ...steps]
    const copies = Array.from({ length: Math.min(least, MAX_COPIES) }, () => steps).flat()
    if (most === copies.length / steps.length) return copies
    return [...copies, { set: unionOf(steps), isOptional: true, isRepeated: true }]
  }

  private match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at
    const match = expression.exec(this.text)
    if (match !== null) this.at = expression.lastIndex
    return match
  }
}

/** Returns a step between `least` and `most` times, or more often than `most`. */
function repeatedStep(step: Step, least: number, most: number): readonly Step[] {
  const isRepeated = step.isRepeated === true || most > Math.min(least, MAX_COPIES)
  if (least === 0)
    return [{ ...step, isOptional: true, isRepeated: step.isRepeated === true || most > 1 }]
  const copies = Array.from({ length: Math.min(least, MAX_COPIES) }, () => step)
  return isRepeated ? [...copies.slice(1), { ...step, isRepeated }] : copies
}

function unionOf(steps: readonly Step[]): Int32Array {
  if (steps.some(({ isTime }) => isTime)) return EVERY
  return union(steps.flatMap(({ set }) => set ?? []))
}

/** Returns steps for any of several alternatives: the first character, and any number of the others. */
function merged(alternatives: readonly (readonly Step[])[]): readonly Step[] {
  const set = unionOf(alternatives.flat())
  if (alternatives.some(isEmptiable)) return [{ set, isOptional: true, isRepeated: true }]
  const firsts = alternatives.map(([first]) => first!)
  const areSimple = firsts.every((first) => first.set !== undefined && !first.isOptional)
  const first = areSimple ? union(firsts.map((one) => one.set!)) : set
  const isOne = areSimple && alternatives.every(({ length }) => length === 1)
  if (isOne && !firsts.some(({ isRepeated }) => isRepeated)) return [{ set: first }]
  return [{ set: first }, { set, isOptional: true, isRepeated: true }]
}

/** True when steps may match nothing. */
function isEmptiable(steps: readonly Step[]): boolean {
  for (let at = 0; at < steps.length; at++) {
    const { isOptional, lookahead, skip } = steps[at]!
    if (skip !== undefined) at += skip
    else if (!isOptional && lookahead === undefined) return false
  }
  return true
}

function automaton(all: readonly Step[]): Automaton {
  const rest = all.findIndex(
    ({ set, isOptional, isRepeated }) =>
      isOptional && isRepeated && set !== undefined && isNearlyEvery(set),
  )
  const steps = all.slice(0, Math.min(rest === -1 ? all.length : rest, MAX_STEPS))
  const closures = new Array<number>(steps.length + 1)
  closures[steps.length] = 1 << steps.length
  let [repeated, times] = [0, 0]
  const lookaheads = new Map<number, Automaton>()
  for (let at = steps.length - 1; at >= 0; at--) {
    const { isOptional, isRepeated, isTime, lookahead, skip } = steps[at]!
    const after = closures[at + 1]!
    if (skip !== undefined) {
      closures[at] = after | closures[Math.min(at + 1 + skip, steps.length)]!
      continue
    }
    closures[at] = (1 << at) | (isOptional ? after : 0)
    if (isRepeated) repeated |= 1 << at
    if (isTime) times |= 1 << at
    if (lookahead !== undefined) lookaheads.set(at, lookahead)
  }
  // In ascending order, because a lookahead may follow another one.
  const ordered = new Map([...lookaheads].reverse())
  return { sets: steps.map(({ set }) => set), closures, repeated, times, lookaheads: ordered }
}

/** False only when a grok pattern does not match a text; `time` finds at least its times. */
export function mayMatch(grok: string, signed: SignedText, time: TimeScan | undefined): boolean {
  return (
    hasRequired(requiredText(grok), signed, time) && accepts(automatonOf(grok), signed.text, time)
  )
}

function accepts(
  { sets, closures, repeated, times, lookaheads }: Automaton,
  text: string,
  time: TimeScan | undefined,
  from = 0,
): boolean {
  const end = 1 << sets.length
  let active = closures[0]!
  /** The steps after a time, and the positions between which it ends: at the end of a word. */
  let afterTime = 0
  let [firstEnd, lastEnd] = [Infinity, 0]
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at)
    if (at >= firstEnd && at <= lastEnd && !holds(WORD, code)) active |= afterTime
    for (const [step, lookahead] of lookaheads) {
      const isReached = ((active >>> step) & 1) === 1
      if (isReached && accepts(lookahead, text, time, at)) active |= closures[step + 1]!
    }
    if ((active & end) !== 0) return true
    if ((active === 0 && at >= lastEnd) || at >= text.length) return false
    let next = 0
    for (let bits = active; bits !== 0; bits &= bits - 1) {
      const step = 31 - Math.clz32(bits & -bits)
      if (((times >>> step) & 1) === 1) {
        const ends = time && timeEnds(time, text, at)
        if (ends === undefined) continue
        firstEnd = Math.min(firstEnd, ends[0])
        lastEnd = Math.max(lastEnd, ends[1])
        afterTime |= closures[step + 1]!
      } else if (sets[step] !== undefined && holds(sets[step], code)) {
        next |= closures[step + 1]! | (repeated & (1 << step))
      }
    }
    active = next
  }
}

const WORD = charSet('[\\w]', false)
