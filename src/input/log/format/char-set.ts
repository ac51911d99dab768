// Sets of the 256 characters of latin1, as bits.

const WORDS = 8

export const EVERY = new Int32Array(WORDS).fill(-1)

const MEMBER = /\\x([0-9a-f]{2})|\\?([\s\S])/giy
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, b: 8 }
/** The ranges of classes. */
const CLASSES: Readonly<Record<string, readonly (readonly [first: number, last: number])[]>> = {
  d: [[48, 57]],
  w: [
    [48, 57],
    [65, 90],
    [95, 95],
    [97, 122],
  ],
  s: [
    [9, 13],
    [32, 32],
  ],
}
const CASE = 32

const known = new Map<string, Int32Array>()

/** Returns the set of a class, such as `[^a-z\d]`, of a regular expression. */
export function charSet(source: string, ignoresCase: boolean): Int32Array {
  const key = `${ignoresCase}${source}`
  const set = known.get(key) ?? parseClass(source, ignoresCase)
  known.set(key, set)
  return set
}

/** Returns the set of one character. */
export function single(character: string): Int32Array {
  const set = known.get(character) ?? new Int32Array(WORDS)
  add(set, character.charCodeAt(0))
  known.set(character, set)
  return set
}

export function union(sets: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(WORDS)
  for (const set of sets) for (let at = 0; at < WORDS; at++) all[at]! |= set[at]!
  return all
}

export function holds(set: Int32Array, code: number): boolean {
  // Outside of latin1, and at the end of a text, `code` is not a member.
  return ((set[code >>> 5]! >>> (code & 31)) & 1) === 1
}

/** True for the sets of all characters but a few, such as line breaks. */
export function isNearlyEvery(set: Int32Array): boolean {
  let missing = 0
  for (let at = 0; at < WORDS; at++) {
    for (let bits = ~set[at]!; bits !== 0; bits &= bits - 1) missing += 1
  }
  return missing <= 2
}

function parseClass(source: string, ignoresCase: boolean): Int32Array {
  const set = new Int32Array(WORDS)
  const isNegated = source[1] === '^'
  let last: number | undefined
  let isRange = false
  MEMBER.lastIndex = isNegated ? 2 : 1
  for (let at = MEMBER.lastIndex; at < source.length - 1; at = MEMBER.lastIndex) {
    const [whole, code, character = ''] = MEMBER.exec(source)!
    const isEscaped = whole[0] === '\\'
    const ranges = isEscaped ? CLASSES[character.toLowerCase()] : undefined
    if (ranges !== undefined) {
      addClass(set, ranges, character !== character.toLowerCase())
      last = undefined
      continue
    }
    if (
      character === '-' &&
      !isEscaped &&
      last !== undefined &&
      MEMBER.lastIndex < source.length - 1
    ) {
      isRange = true
      continue
    }
    const written = code === undefined ? character.charCodeAt(0) : Number.parseInt(code, 16)
    const member = (isEscaped ? CONTROLS[character] : undefined) ?? written
    const first = isRange ? last! : member
    for (let one = first; one <= member; one++) addLetter(set, one, ignoresCase)
    last = isRange ? undefined : member
    isRange = false
  }
  if (isNegated) for (let at = 0; at < WORDS; at++) set[at] = ~set[at]!
  return set
}

function addClass(
  set: Int32Array,
  ranges: readonly (readonly [first: number, last: number])[],
  isNegated: boolean,
): void {
  const inside = new Int32Array(WORDS)
  for (const [first, last] of ranges) for (let one = first; one <= last; one++) add(inside, one)
  for (let at = 0; at < WORDS; at++) set[at]! |= isNegated ? ~inside[at]! : inside[at]!
}

function addLetter(set: Int32Array, code: number, ignoresCase: boolean): void {
  add(set, code)
  if (ignoresCase && holds(LETTERS, code)) add(set, code ^ CASE)
}

function add(set: Int32Array, code: number): void {
  set[code >>> 5]! |= 1 << (code & 31)
}

export const LETTERS = charSet('[a-zA-Z]', false)
