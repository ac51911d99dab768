import { formatTimestamp } from '../../wire/time/timestamp.js'
import { isUsual, TIME_LAYOUTS, type TimeLayout, zoneOffset } from './time-layout.js'

/** The place and the layout of the times in the lines of an input. */
export interface LineLayout {
  /** Identifies both in a checkpoint. */
  readonly id: string
  /** The layout; undefined for a format that the caller gave, whose times stay as they are written. */
  readonly time: TimeLayout | undefined
  readonly scan: RegExp
}

/** The result of an inference: a layout, or dates that can be read in several orders. */
export type Inference =
  | { readonly kind: 'found'; readonly layout: LineLayout }
  | Extract<LineTime, { readonly kind: 'ambiguous' }>

/** The times that were found, or not, at the beginning of the lines of an input. */
export type LineTime =
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly orders: readonly string[]; readonly example: string }
  | {
      readonly kind: 'found'
      /** Identifies the layout in a checkpoint. */
      readonly layout: string
      /** A time as it is written. */
      readonly example: string
      /** The order of an all-numeric date. */
      readonly order?: string
      readonly hasYear: boolean
      readonly hasZone: boolean
    }

const SECOND = 1_000_000_000n
const ZERO = 0x30
const NINE = 0x39
const DAY = 86_400_000_000_000n

/** The prefixes that may precede the time: nothing, a word and a bar, or one to five words. */
const PREFIXES: Readonly<Record<string, string>> = {
  start: '',
  bar: '[^\\s|]{1,64}\\|',
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((words) => [`words${words}`, `(?:\\S{1,64}[ \\t]{1,8}){${words}}`]),
  ),
}
const OPENING = '[[(<"]{0,2}'

/** The share of the lines that must have the time, after a prefix and at their beginning. */
const PREFIXED_SHARE = 0.5
const LEADING_SHARE = 0.1
/** Numbers are times only if nearly every line has one at the same place. */
const NUMBER_SHARE = 0.9
/** Enough lines to choose the place and the pattern; the order of dates needs all lines. */
const COMPARED_LINES = 100
/** Continuation lines: indented, or part of a stack trace. */
const CONTINUATION = /^(?:\s|at |Caused by|Traceback|\.\.\.)/

interface Place {
  readonly prefix: string
  readonly layouts: readonly TimeLayout[]
  readonly scan: RegExp
}

let places: readonly Place[] | undefined

/** Each prefix with each pattern, and the layouts that share the pattern. */
function allPlaces(): readonly Place[] {
  places ??= Object.keys(PREFIXES).flatMap((prefix) =>
    [...new Set(TIME_LAYOUTS.map(({ pattern }) => pattern))].map((pattern) => ({
      prefix,
      layouts: TIME_LAYOUTS.filter((layout) => layout.pattern === pattern),
      scan: scanner(prefix, pattern),
    })),
  )
  return places
}

function scanner(prefix: string, pattern: string): RegExp {
  return new RegExp(`${PREFIXES[prefix]}${OPENING}${pattern}(?!\\w)`, 'y')
}

/** Returns the layout with an id; undefined for an unknown one. `format` is that of the caller. */
export function findLayout(id: string, format?: RegExp): LineLayout | undefined {
  const [prefix = '', ...name] = id.split(':')
  if (format !== undefined) {
    const isKnown = name.join(':') === OF_FORMAT && Object.hasOwn(PREFIXES, prefix)
    return isKnown ? placeOf(format, prefix) : undefined
  }
  const time = TIME_LAYOUTS.find((layout) => layout.name === name.join(':'))
  if (time === undefined || !Object.hasOwn(PREFIXES, prefix)) return undefined
  return { id, time, scan: scanner(prefix, time.pattern) }
}

/**
 * Infers one layout from the lines of an input, in latin1; undefined when too few of them have a time at the same
 * place. `now` is in nanoseconds since 1970.
 */
export function inferLayout(lines: readonly string[], now: bigint): Inference | undefined {
  const heads = lines.filter((line) => line !== '' && !CONTINUATION.test(line))
  const compared = heads.slice(0, COMPARED_LINES)
  const counted = allPlaces()
    .map((place) => ({ place, share: shareOf(compared, place.scan) }))
    .filter(({ place, share }) => share >= leastShare(place) && share > 0)
    .sort((one, other) => other.share - one.share)
  for (const { place } of counted) {
    const found = resolve(place, heads, now)
    if (found !== undefined) return found
  }
  return undefined
}

function leastShare({ prefix, layouts }: Place): number {
  if (layouts[0]!.name === 'unix') return NUMBER_SHARE
  return prefix === 'start' ? LEADING_SHARE : PREFIXED_SHARE
}

function shareOf(lines: readonly string[], scan: RegExp): number {
  return lines.filter((line) => match(scan, line) !== null).length / Math.max(1, lines.length)
}

/** Chooses among layouts that share a pattern those in which all lines have a time that is not in the future. */
function resolve(
  { prefix, layouts, scan }: Place,
  lines: readonly string[],
  now: bigint,
): Inference | undefined {
  const matches = lines.map((line) => match(scan, line)).filter((found) => found !== null)
  const latest = Number((now + DAY) / SECOND)
  const seconds = (layout: TimeLayout) => matches.map((found) => secondsOf(found, layout, now))
  const allowed =
    layouts.length === 1
      ? layouts.filter((layout) => existMostly(seconds(layout)))
      : layouts.filter((layout) => seconds(layout).every((one = Infinity) => one <= latest))
  const [time] = allowed
  if (time === undefined) return undefined
  const [example = ''] = matches[0] ?? []
  if (allowed.length > 1 && !isUsual(time)) {
    return { kind: 'ambiguous', orders: allowed.map(({ order = '' }) => order), example }
  }
  const layout = { id: `${prefix}:${time.name}`, time, scan }
  return { kind: 'found', layout }
}

/** True when at least half of the times exist. */
function existMostly(seconds: readonly (number | undefined)[]): boolean {
  return seconds.filter((one) => one !== undefined).length * 2 >= seconds.length
}

function match(scan: RegExp, line: string): RegExpExecArray | null {
  scan.lastIndex = 0
  return scan.exec(line)
}

function secondsOf(found: RegExpExecArray, layout: TimeLayout, now: bigint): number | undefined {
  const [, written = '', , , rest = ''] = found
  return layout.seconds(written, rest, now)
}

/** Infers the place of times in a format that the caller gave. */
export function inferPlace(lines: readonly string[], format: RegExp): LineLayout | undefined {
  const heads = lines.filter((line) => line !== '').slice(0, COMPARED_LINES)
  const places = Object.keys(PREFIXES).map((prefix) => placeOf(format, prefix))
  const shares = places.map(({ scan }) => shareOf(heads, scan))
  const most = Math.max(...shares)
  return most > 0 ? places[shares.indexOf(most)] : undefined
}

const OF_FORMAT = 'of format'

function placeOf(format: RegExp, prefix: string): LineLayout {
  const source = format.source.replace(/^\^|\$$/g, '')
  const scan = new RegExp(`${PREFIXES[prefix]}${OPENING}(${source})(?!\\w)`, `${format.flags}y`)
  return { id: `${prefix}:${OF_FORMAT}`, time: undefined, scan }
}

/**
 * Text after a time without a zone in which no zone could begin: a bracket or a bar, or a space and a
 * character that begins none.
 */
const NO_ZONE = /(?:[\])}>|"]|[ ](?:[^\sA-Z+-]|[ABDFHIKLNOQRSTVXY]|-[ ]))/y

/** A time that was read, to recognize the next line with the same second without the regular expression. */
interface LastTime {
  /** The line up to the fraction. */
  readonly head: string
  readonly second: string
  /** The number of digits of the fraction. */
  readonly digits: number
  /** The characters after the fraction. */
  readonly tail: string
}

/** Reads the times of lines in a known layout. */
export class LineTimes {
  readonly layout: LineLayout
  private readonly now: bigint
  private last: LastTime | undefined
  /** Consecutive lines tend to have the same second, and parsing it takes longer than the rest. */
  private lastWritten = ''
  private lastZone = ''
  private lastRest = ''
  private lastSecond: string | undefined

  constructor(layout: LineLayout, now: bigint) {
    this.layout = layout
    this.now = now
  }

  /** Returns the time of a line in RFC 3339, or as written when the caller gave the format; undefined when it has none. */
  read(line: string): string | undefined {
    return (this.last && sameSecond(line, this.last)) ?? this.scan(line)
  }

  private scan(line: string): string | undefined {
    const { scan, time } = this.layout
    const found = match(scan, line)
    if (found === null) return undefined
    const { 1: written = '', 2: digits = '', 3: zone = '', 4: rest = '' } = found
    if (time === undefined) return written
    if (written !== this.lastWritten || zone !== this.lastZone || rest !== this.lastRest) {
      const seconds = time.seconds(written, rest, this.now)
      this.lastSecond = seconds === undefined ? undefined : secondText(seconds, zone)
      this.lastWritten = written
      this.lastZone = zone
      this.lastRest = rest
    }
    const second = this.lastSecond
    if (second === undefined) return undefined
    this.last =
      time.isPlain && zone === ''
        ? lastTime(line, { second, digits: digits.length, end: found[0].length })
        : undefined
    return digits === '' ? `${second}Z` : `${second}.${time.fraction(digits)}Z`
  }

  /** Describes the time of a line that `read` could read. */
  describe(line: string): LineTime {
    const { scan, id, time } = this.layout
    const found = match(scan, line)!
    const { 0: whole, 1: written = '', 3: zone = '' } = found
    return {
      kind: 'found',
      layout: id,
      example: whole.slice(whole.lastIndexOf(written)),
      ...(time?.order !== undefined && { order: time.order }),
      hasYear: time?.hasYear ?? true,
      hasZone: time === undefined || time.name === 'unix' || zone !== '',
    }
  }
}

/** Formats RFC 3339 without the fraction and the zone. */
function secondText(seconds: number, zone: string): string {
  const east = zone === '' ? 0 : zoneOffset(zone)
  return formatTimestamp(BigInt(seconds - east) * SECOND).slice(0, -1)
}

/** Returns what the next line must have in common; undefined when a zone might follow. */
function lastTime(
  line: string,
  {
    second,
    digits,
    end,
  }: { readonly second: string; readonly digits: number; readonly end: number },
): LastTime | undefined {
  NO_ZONE.lastIndex = end
  if (!NO_ZONE.test(line)) return undefined
  const head = line.slice(0, end - digits)
  // Of a longer fraction only nine digits are read.
  if (digits > 0 && !/[.,]$/.test(head)) return undefined
  // A copy: a slice would keep the whole batch in memory.
  const copy = Buffer.from(head, 'latin1').toString('latin1')
  return { head: copy, second, digits, tail: line.slice(end, NO_ZONE.lastIndex) }
}

/** Returns the time of a line that begins like the last one, except for the digits of the fraction. */
function sameSecond(line: string, { head, second, digits, tail }: LastTime): string | undefined {
  const from = head.length
  const to = from + digits
  if (!line.startsWith(head) || !line.startsWith(tail, to)) return undefined
  for (let at = from; at < to; at++) {
    const code = line.charCodeAt(at)
    if (code < ZERO || code > NINE) return undefined
  }
  return digits === 0 ? `${second}Z` : `${second}.${line.slice(from, to)}Z`
}
