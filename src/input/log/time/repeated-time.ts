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
/** Text that does not continue a time with the part that may follow. */
const OTHER = { half: NO_HALF, zone: NO_ZONE, offset: AFTER_ZONE }
const CLOCK = /([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/
/** A clock with seconds, certainly: not with an hour that is a day. */
const SECONDS = /(?:[Tt ]|\d{4}:)(?:[01]?\d|2[0-3]):\d\d:[0-5]\d$/
const HALF_AT_END = /\D+$/

const CLOCK_LENGTH = 8
const SECOND_LENGTH = 2
/** Characters with which no zone begins, and the first two letters of ERROR, INFO and WARN. */
const OTHER_FIRST = setOf('0123456789[(bcdefghijklmnoqrstuvwxyzDFLOQRVXY')
const LEVEL_FIRST = setOf('EIW')
const LEVEL_SECOND = setOf('RNA')

/** A time that was read from a line, for reading the times of similar lines without a regular expression. */
export interface RepeatedTime {
  /** The line up to the digits of the fraction. */
  readonly written: string
  /** The same second in RFC 3339, without the fraction. */
  readonly second: string
  /** The length of the end of the second that may differ, which RFC 3339 writes alike: of the clock or the seconds; or 0. */
  readonly varying: number
  /** The decimal point; empty without a fraction. */
  readonly point: string
  /** The number of digits of the fraction. */
  readonly digits: number
  /** The line from the fraction to the end of the time: AM or PM, and the zone. */
  readonly tail: string
  /** The part of a time that the line up to `length` lacks, so that it must not follow. */
  readonly mayFollow: 'half' | 'zone' | 'offset'
  /** The length of the line up to the end of the time. */
  readonly length: number
}

/** The place of a time in a line, and the result of reading it. */
interface FoundTime {
  readonly from: number
  /** The position after date and clock, and AM or PM between them and the fraction. */
  readonly dateTimeEnd: number
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

/** Returns the parts that a similar line must have; undefined when the time is not certain to end, or is of another form. */
export function repeatedTime(line: string, found: FoundTime): RepeatedTime | undefined {
  const { from, dateTimeEnd, end, second, digits, zone: name, isAnyClock, mayHaveHalf } = found
  const hasSpace = name !== '' && line[end - name.length - 1] === ' '
  const zone = hasSpace ? ` ${name}` : name
  if (zone !== '' && !WHOLE_ZONE.test(zone)) return undefined
  const point = digits > 0 ? line[dateTimeEnd]! : ''
  if (digits > 0 && point !== '.' && point !== ',') return undefined
  const text = line.slice(from, dateTimeEnd).replace(HALF_AT_END, '')
  const tail = line.slice(from + text.length + point.length + digits, end)
  // Digits are those of a fraction with more than nine, of which the others are not counted, or of one after AM or PM.
  if (/\d/.test(tail.slice(0, tail.length - zone.length))) return undefined
  const hasHalf = tail.length > zone.length
  const mayFollow = zone !== '' ? 'offset' : mayHaveHalf && !hasHalf ? 'half' : 'zone'
  if (!isEnd(line, end, mayFollow)) return undefined
  const clock = text.slice(-CLOCK_LENGTH)
  const isCopied = isAnyClock && !hasHalf && CLOCK.test(text) && second.endsWith(clock)
  const hasSecond = SECONDS.test(text) && second.endsWith(text.slice(-SECOND_LENGTH))
  const varying = isCopied ? CLOCK_LENGTH : hasSecond ? SECOND_LENGTH : 0
  return {
    // Copies: slices would keep the whole batch in memory.
    written: copied(text + point),
    tail: copied(tail),
    second,
    varying,
    point,
    digits,
    mayFollow,
    length: end - from,
  }
}

function copied(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

/** Returns the time, in RFC 3339, of a line that begins like the line of another time; undefined for other lines. */
export function readRepeated(line: string, from: number, time: RepeatedTime): string | undefined {
  const { written, second, varying, point, digits, tail, mayFollow, length } = time
  const fraction = from + written.length
  const start = fraction - point.length - varying
  const isSame = hasAt(line, from, written)
  if (!isSame) {
    if (varying === 0 || !hasAt(line, from, written.slice(0, start - from))) return undefined
    if (!(varying === CLOCK_LENGTH ? isClock(line, start) : isNumber(line, start, 60)))
      return undefined
    if (!hasAt(line, start + varying, point)) return undefined
  }
  if (!areDigits(line, fraction, fraction + digits)) return undefined
  if (tail !== '' && !hasAt(line, fraction + digits, tail)) return undefined
  if (!isEnd(line, from + length, mayFollow)) return undefined
  const text = isSame ? second : `${second.slice(0, -varying)}${line.slice(start, start + varying)}`
  return digits === 0 ? `${text}Z` : `${text}.${line.slice(fraction, fraction + digits)}Z`
}

/** True when a line has a text at a position. Comparing a slice takes half of the time of `startsWith`. */
function hasAt(line: string, at: number, text: string): boolean {
  return line.slice(at, at + text.length) === text
}

/** True when a time ends at a position, and is not continued. */
function isEnd(line: string, at: number, mayFollow: RepeatedTime['mayFollow']): boolean {
  if (at === line.length) return true
  // Usually, a space and a word that is not a zone follow.
  if (mayFollow !== 'half' && line.charCodeAt(at) === SPACE && isOtherWord(line, at + 1))
    return true
  const after = OTHER[mayFollow]
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
