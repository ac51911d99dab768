import { matchAt } from '../../../text/match-at.js'

/** V8's linear engine copies what is repeated, and rejects expressions with more copies of a part, over all quantifiers around it. */
const MOST_COPIES = 16
/** A longer result takes too much time to compile. */
const MAX_LENGTH = 50_000
/** Groups in a longer expression may be nested too deeply for the functions below, which call each other. */
const MAX_SOURCE = 10_000

/** A lookaround or a reference to a group. */
const NOT_LINEAR = /\\.|\[(?:\\.|[^\]\\])*\]|(\(\?(?:<?[=!]))/gs
const ATOM = /\\(?:x[\da-f]{2}|u[\da-f]{4}|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?:)?|[\s\S]/iy
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y

/** A part of a regular expression. */
interface Part {
  readonly source: string
  /** The number of copies of the most repeated part in it. */
  readonly copies: number
  readonly hasGroup: boolean
}

/**
 * Writes quantifiers out, such as `a{2,20}` as `aa(?:a(?:a…)?)?`, in which V8's linear engine would not execute a regular
 * expression otherwise. Leaves repeated groups that capture, expressions that this engine never executes, and very long ones.
 */
export function linearRepeats(source: string): string {
  if (source.length > MAX_SOURCE || isNeverLinear(source)) return source
  let at = 0

  function sequence(): Part {
    const parts: Part[] = []
    while (at < source.length && source[at] !== ')') {
      const atom = nextAtom()
      const quantifier = matchAt(QUANTIFIER, source, at)
      at += quantifier?.[0].length ?? 0
      parts.push(quantifier === null ? atom : repeated(atom, quantifier))
    }
    return {
      source: parts.map((part) => part.source).join(''),
      copies: Math.max(1, ...parts.map(({ copies }) => copies)),
      hasGroup: parts.some(({ hasGroup }) => hasGroup),
    }
  }

  function nextAtom(): Part {
    const [written] = matchAt(ATOM, source, at)!
    at += written.length
    if (!written.startsWith('(')) return { source: written, copies: 1, hasGroup: false }
    const inside = sequence()
    at += 1
    const hasGroup = written === '(' || inside.hasGroup
    return { ...inside, source: `${written}${inside.source})`, hasGroup }
  }

  const linear = sequence().source
  return linear.length > MAX_LENGTH ? source : linear
}

function isNeverLinear(source: string): boolean {
  return [...source.matchAll(NOT_LINEAR)].some(
    ([part, lookaround]) => lookaround !== undefined || /^\\[1-9]/.test(part),
  )
}

function repeated(atom: Part, [written, sign, low, comma, high, lazy = '']: RegExpExecArray): Part {
  const least = low === undefined ? (sign === '+' ? 1 : 0) : Number(low)
  const isOpen = low === undefined ? sign !== '?' : comma === ',' && high === ''
  const most = low === undefined ? 1 : Number(high || low)
  const { source, copies, hasGroup } = atom
  const all = copies * (isOpen ? least + 1 : most)
  if (all <= MOST_COPIES || hasGroup || source.length * Math.max(least, most) > MAX_LENGTH) {
    return { source: source + written, copies: all, hasGroup }
  }
  const optional = most - least
  const others = isOpen
    ? `${source}*${lazy}`
    : `(?:${source}`.repeat(optional) + `)?${lazy}`.repeat(optional)
  return { source: source.repeat(least) + others, copies, hasGroup }
}
