import { COLON, NINE, SPACE, ZERO } from '../../../text/bytes.js'
import { ZONE_NAMES } from './time-parts.js'

/** Text after a time without a zone that cannot begin a zone: the end, a bracket or a bar, or a space and another word. */
const NO_ZONE = new RegExp(
  `(?:$|[\\])}>|"]| (?:[^\\sA-Z+-]|- |(?!(?:Z|[AP]M|${ZONE_NAMES})(?!\\w))[A-Z]))`,
  'y',
)
/** Text after a time without a zone that cannot begin AM or PM in any language either. */
const NO_HALF = /(?:$|[\])}>|"]| (?:[[(\db-oq-z]|DEBUG|ERROR|INFO|WARN))/y
/** A zone whose end is certain, and the text after it at which the time ends: a name or an offset may follow. */
const WHOLE_ZONE = /^ ?(?:[A-Z]{1,4}|[+-]\d\d:?\d\d)$/
const AFTER_ZONE = /(?!\w|\[| ?[+-]\d| [A-Z]{3,4}(?!\w)| ?[AaPp][Mm](?!\w))/y
const CLOCK = /([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

const CLOCK_LENGTH = 8
/** Characters with which no zone begins, and the first two letters of ERROR, INFO and WARN. */
const OTHER_FIRST = setOf('0123456789[(bcdefghijklmnoqrstuvwxyzDFLOQRVXY')
const LEVEL_FIRST = setOf('EIW')
const LEVEL_SECOND = setOf('RNA')

/** A time that was read from a line, for reading the times of similar lines without a regular expression. */
export interface RepeatedTime {
  /** The line up to the clock. */
  readonly head: string
  /** The line up to the digits of the fraction. */
  readonly written: string
  /** The same second in RFC 3339, without the fraction. */
  readonly second: string
  /** The day in RFC 3339 up to the clock, if every clock of this day is written in RFC 3339 unchanged. */
  readonly day: string | undefined
  /** The decimal point; empty without a fraction. */
  readonly point: string
  /** The number of digits of the fraction. */
  readonly digits: number
  /** The zone as in the line, with the space in front of it; empty without one. */
  readonly zone: string
  /** True when AM or PM may follow the clock. */
  readonly mayHaveHalf: boolean
  /** The length of the line up to the end of the time. */
  readonly length: number
}

/** The place of a time in a line, and the result of reading it. */
interface FoundTime {
  readonly from: number
  readonly end: number
  readonly second: string
  readonly digits: number
  /** The zone without the space in front of it; empty without one. */
  readonly zone: string
  /** True when other clocks of the same day only replace the clock: there is a year, and no default zone. */
  readonly isAnyClock: boolean
  /** True when AM or PM may follow the clock. */
  readonly mayHaveHalf: boolean
}

/** Returns the parts that a similar line must have; undefined when another zone might follow the time. */
export function repeatedTime(
  line: string,
  { from, end, second, digits, zone: name, isAnyClock, mayHaveHalf }: FoundTime,
): RepeatedTime | undefined {
  const hasSpace = name !== '' && line[end - name.length - 1] === ' '
  const zone = hasSpace ? ` ${name}` : name
  if (zone !== '' && !WHOLE_ZONE.test(zone)) return undefined
  if (!isEnd(line, end, { zone, mayHaveHalf })) return undefined
  const fractionEnd = end - zone.length
  const point = digits > 0 ? line[fractionEnd - digits - 1]! : ''
  // Of a longer fraction, only nine digits are counted, so that there is no point here.
  if (digits > 0 && point !== '.' && point !== ',') return undefined
  const text = line.slice(from, fractionEnd - digits - point.length)
  if (!CLOCK.test(text)) return undefined
  const clock = text.slice(-CLOCK_LENGTH)
  const day = isAnyClock && second.endsWith(clock) ? second.slice(0, -CLOCK_LENGTH) : undefined
  // A copy: a slice would keep the whole batch in memory.
  const written = Buffer.from(text + point, 'latin1').toString('latin1')
  const head = written.slice(0, text.length - CLOCK_LENGTH)
  return { head, written, second, day, point, digits, zone, mayHaveHalf, length: end - from }
}

/** Returns the time, in RFC 3339, of a line that begins like the line of another time; undefined for other lines. */
export function readRepeated(line: string, from: number, time: RepeatedTime): string | undefined {
  const { head, written, second, day, point, digits, zone, length } = time
  const start = from + head.length
  const fraction = start + CLOCK_LENGTH + point.length
  const isSame = hasAt(line, from, written)
  if (!isSame) {
    if (day === undefined || !hasAt(line, from, head) || !isClock(line, start)) return undefined
    if (!hasAt(line, start + CLOCK_LENGTH, point)) return undefined
  }
  if (!areDigits(line, fraction, fraction + digits)) return undefined
  if (zone !== '' && !hasAt(line, fraction + digits, zone)) return undefined
  if (!isEnd(line, from + length, time)) return undefined
  const text = isSame ? second : `${day}${line.slice(start, start + CLOCK_LENGTH)}`
  return digits === 0 ? `${text}Z` : `${text}.${line.slice(fraction, fraction + digits)}Z`
}

/** True when a line has a text at a position. Comparing a slice takes half of the time of `startsWith`. */
function hasAt(line: string, at: number, text: string): boolean {
  return line.slice(at, at + text.length) === text
}

/** True when a time ends at a position, after a zone or, if that is empty, without one. */
function isEnd(
  line: string,
  at: number,
  { zone, mayHaveHalf }: Pick<RepeatedTime, 'zone' | 'mayHaveHalf'>,
): boolean {
  if (at === line.length) return true
  const isHalfPossible = mayHaveHalf && zone === ''
  // Usually, a space and a word that is not a zone follow.
  if (!isHalfPossible && line.charCodeAt(at) === SPACE && isOtherWord(line, at + 1)) return true
  const after = isHalfPossible ? NO_HALF : zone === '' ? NO_ZONE : AFTER_ZONE
  after.lastIndex = at
  return after.test(line)
}

/** True for most words that are neither a zone nor AM or PM, above all for levels. */
function isOtherWord(line: string, at: number): boolean {
  const code = line.charCodeAt(at)
  return (
    OTHER_FIRST[code] === 1 ||
    (LEVEL_FIRST[code] === 1 && LEVEL_SECOND[line.charCodeAt(at + 1)] === 1)
  )
}

/** True for a clock from `00:00:00` to `23:59:59`. */
function isClock(line: string, at: number): boolean {
  return (
    line.charCodeAt(at + 2) === COLON &&
    line.charCodeAt(at + 5) === COLON &&
    isNumber(line, at, 24) &&
    isNumber(line, at + 3, 60) &&
    isNumber(line, at + 6, 60)
  )
}

/** True for two digits less than a number. */
function isNumber(line: string, at: number, limit: number): boolean {
  if (!areDigits(line, at, at + 2)) return false
  return (line.charCodeAt(at) - ZERO) * 10 + line.charCodeAt(at + 1) - ZERO < limit
}

function areDigits(line: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = line.charCodeAt(at)
    if (!(code >= ZERO && code <= NINE)) return false
  }
  return true
}

/** Returns a table with 1 for each of some characters. */
function setOf(characters: string): Uint8Array {
  const set = new Uint8Array(256)
  for (const byte of Buffer.from(characters)) set[byte] = 1
  return set
}
