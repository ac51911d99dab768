import { formatDay } from '../../wire/time/calendar.js'
import type { TimeZone } from '../../wire/time/time-zone.js'
import { rankedPlaces } from './layout-rank.js'
import { isPrefix, matchAt, type Place, prefixNames, scanner } from './line-place.js'
import { type LocalOffset, localOffset, writtenOffset } from './line-zone.js'
import { isUsual, TIME_LAYOUTS, type TimeLayout } from './time-layout.js'
import type { YearRule } from './time-parts.js'
import { latestYear, yearOf, yearSince } from './year-rule.js'

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
      /** The first and the last year that times without one were given. */
      readonly years?: readonly [first: number, last: number]
      /** The zone of times without one; UTC when missing. */
      readonly zone?: string
    }

/** Completes times that lack a zone or a year. */
export interface TimeDefaults {
  /** The zone of times without one. */
  readonly zone?: TimeZone
  /** The year of the first time without one. */
  readonly year?: number
  /** The first lines of the input, to know its first time when reading starts further down. */
  readonly head?: readonly string[]
  /** Returns when the input was last written, in nanoseconds since 1970, if that is known. */
  readonly lastWritten?: () => bigint
}

const SECOND = 1_000_000_000n
const ZERO = 0x30
const NINE = 0x39
const DAY = 86_400_000_000_000n
/** The end of 64-bit nanoseconds, in April 2262. */
const LAST_SECOND = 9_223_372_036
const DAY_SECONDS = 86_400
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
/** Continuation lines: indented, or part of a stack trace. */
const CONTINUATION = /^(?:\s|at |Caused by|Traceback|\.\.\.)/

/** Returns the layout with an id; undefined for an unknown one. `format` is that of the caller. */
export function findLayout(id: string, format?: RegExp): LineLayout | undefined {
  const [prefix = '', ...name] = id.split(':')
  if (!isPrefix(prefix)) return undefined
  if (format !== undefined) {
    return name.join(':') === OF_FORMAT ? placeOf(format, prefix) : undefined
  }
  const time = TIME_LAYOUTS.find((layout) => layout.name === name.join(':'))
  return time && { id, time, scan: scanner(prefix, time.pattern) }
}

/**
 * Infers one layout from the lines of an input, in latin1; undefined when too few of them have a time at the same
 * place. `now` is in nanoseconds since 1970.
 */
export function inferLayout(
  lines: readonly string[],
  now: bigint,
  { zone }: TimeDefaults = {},
): Inference | undefined {
  const heads = lines.filter((line) => line !== '' && !CONTINUATION.test(line))
  for (const place of rankedPlaces(heads, { now, hasZone: zone !== undefined })) {
    const found = resolve(place, heads, now)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Chooses among the orders of an all-numeric date: dates exist and are not in the future, then lines are in order, then
 * the date changes within hours.
 */
function resolve(
  { prefix, layouts, scan }: Place,
  lines: readonly string[],
  now: bigint,
): Inference | undefined {
  const matches = lines.map((line) => matchAt(scan, line, 0)).filter((found) => found !== null)
  const latest = Number((now + DAY) / SECOND)
  const rule = latestYear(() => now)
  const read = layouts.map((layout) => {
    const times = matches.flatMap(
      ({ 1: written = '', 4: rest = '' }) => layout.seconds(written, rest, rule) ?? [],
    )
    return { layout, times, possible: times.filter((time) => time <= latest).length }
  })
  const isOne = layouts.length === 1
  const most = Math.max(...read.map(({ times, possible }) => (isOne ? times.length : possible)))
  if (most * 2 < matches.length) return undefined
  const allowed = isOne ? read : inOrder(read.filter(({ possible }) => possible === most))
  const [{ layout: time }] = allowed as [(typeof allowed)[0]]
  const [example = ''] = matches[0] ?? []
  if (allowed.length > 1 && !isUsual(time)) {
    return { kind: 'ambiguous', orders: allowed.map(({ layout }) => layout.order ?? ''), example }
  }
  return { kind: 'found', layout: { id: `${prefix}:${time.name}`, time, scan } }
}

/** Returns the readings with the fewest steps back, and of these with the most changes of the date within hours. */
function inOrder<T extends { readonly times: readonly number[] }>(
  read: readonly T[],
): readonly T[] {
  const counted = read.map((one) => ({ one, ...stepsOf(one.times) }))
  const back = Math.min(...counted.map((one) => one.back))
  const ordered = counted.filter((one) => one.back === back)
  const nightly = Math.max(...ordered.map((one) => one.nightly))
  return ordered.filter((one) => one.nightly === nightly).map(({ one }) => one)
}

const HALF_DAY = 43_200

function stepsOf(times: readonly number[]): { readonly back: number; readonly nightly: number } {
  const days = times.map((time) => Math.floor(time / 86_400))
  const steps = times.slice(1).map((time, index) => time - times[index]!)
  return {
    back: steps.filter((step) => step < 0).length,
    nightly: steps.filter(
      (step, index) => days[index] !== days[index + 1] && step >= 0 && step < HALF_DAY,
    ).length,
  }
}

/** Infers the place of times in a format that the caller gave. */
export function inferPlace(lines: readonly string[], format: RegExp): LineLayout | undefined {
  const heads = lines.filter((line) => line !== '').slice(0, 100)
  const places = prefixNames().map((prefix) => placeOf(format, prefix))
  const counts = places.map(
    ({ scan }) => heads.filter((line) => matchAt(scan, line, 0) !== null).length,
  )
  const most = Math.max(...counts)
  return most > 0 ? places[counts.indexOf(most)] : undefined
}

const OF_FORMAT = 'of format'

function placeOf(format: RegExp, prefix: string): LineLayout {
  const source = format.source.replace(/^\^|\$$/g, '')
  return {
    id: `${prefix}:${OF_FORMAT}`,
    time: undefined,
    scan: scanner(prefix, `(${source})`, format.flags),
  }
}

/**
 * Text after a time without a zone in which no zone could begin: the end, a bracket or a bar, or a space and characters
 * that begin none.
 */
const NO_ZONE = /(?:$|[\])}>|"]|[ ](?:[^\sA-Z+-]|[BDFHKLNOQRSTVXY]|A[^fmnstu]|I[^n]|-[ ]))/y

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
  /** The position after the last time that was read. */
  end = 0
  /** The first and the last year that times without one were given. */
  years: readonly [first: number, last: number] | undefined
  private readonly defaults: TimeDefaults
  private readonly yearRule: YearRule
  private readonly offset: LocalOffset | undefined
  private last: LastTime | undefined
  /** Consecutive lines tend to have the same second, and parsing it takes longer than the rest. */
  private lastWritten = ''
  private lastZone = ''
  private lastRest = ''
  private lastSecond: string | undefined
  private lastDays = Number.NaN
  private lastDay = ''

  /** `now` is in nanoseconds since 1970. */
  constructor(layout: LineLayout, now: bigint, defaults: TimeDefaults = {}) {
    this.layout = layout
    this.defaults = defaults
    this.offset = defaults.zone && localOffset(defaults.zone)
    const { year, lastWritten = () => now } = defaults
    this.yearRule = year === undefined ? latestYear(lastWritten) : this.firstYear(year)
  }

  /**
   * Returns the time at a position of a line in RFC 3339, or as written when the caller gave the format; undefined when
   * there is none.
   */
  read(line: string, from = 0): string | undefined {
    return (this.last && this.sameSecond(line, from, this.last)) ?? this.scan(line, from)
  }

  private scan(line: string, from: number): string | undefined {
    const { scan, time } = this.layout
    const found = matchAt(scan, line, from)
    if (found === null) return undefined
    const { 1: written = '', 2: digits = '', 3: zone = '', 4: rest = '' } = found
    this.end = scan.lastIndex
    if (time === undefined) return written
    if (written !== this.lastWritten || zone !== this.lastZone || rest !== this.lastRest) {
      const seconds = time.seconds(written, rest, this.yearRule)
      this.lastSecond = seconds === undefined ? undefined : this.secondText(seconds, zone)
      this.lastWritten = written
      this.lastZone = zone
      this.lastRest = rest
    }
    const second = this.lastSecond
    if (second === undefined) return undefined
    this.last =
      time.isPlain && zone === ''
        ? lastTime(line, { second, digits: digits.length, from, end: this.end })
        : undefined
    return digits === '' ? `${second}Z` : `${second}.${time.fraction(digits)}Z`
  }

  /** Describes the time of a line that `read` could read. */
  describe(line: string, from = 0): LineTime {
    const { scan, id, time } = this.layout
    const found = matchAt(scan, line, from)!
    const { 0: whole, 1: written = '', 3: zone = '' } = found
    return {
      kind: 'found',
      layout: id,
      example: whole.slice(whole.lastIndexOf(written)),
      ...(time?.order !== undefined && { order: time.order }),
      hasYear: time?.hasYear ?? true,
      hasZone: time === undefined || time.name === 'unix' || writtenOffset(zone) !== undefined,
      ...(this.defaults.zone && { zone: this.defaults.zone.name }),
    }
  }

  /** Returns the year rule for a first time in a year; until that is known, times are in the year itself. */
  private firstYear(year: number): YearRule {
    const { time } = this.layout
    const inYear: YearRule = (secondsIn) => secondsIn(year)
    let rule: YearRule | undefined
    // A format reads the time from a part of the line.
    const anywhere = new RegExp(`(?<!\\w)${time?.pattern}(?!\\w)`)
    for (const line of this.defaults.head ?? []) {
      const { 1: written = '', 4: rest = '' } = anywhere.exec(line) ?? []
      const first = time?.seconds(written, rest, inYear)
      if (first !== undefined) return yearSince(first)
    }
    return (secondsIn) => {
      const seconds = (rule ?? inYear)(secondsIn)
      if (seconds !== undefined) rule ??= yearSince(seconds)
      return seconds
    }
  }

  /** Formats RFC 3339 without the fraction and the zone; undefined for a time out of range. */
  private secondText(local: number, zone: string): string | undefined {
    if (this.layout.time?.hasYear === false) {
      const year = yearOf(local)
      const [first, last] = this.years ?? [year, year]
      this.years = [Math.min(first, year), Math.max(last, year)]
    }
    const east = (zone === '' ? undefined : writtenOffset(zone)) ?? this.offset
    const seconds =
      east === undefined || this.layout.time?.name === 'unix' ? local : local - east(local)
    if (seconds > LAST_SECOND) return undefined
    return this.formatSecond(seconds)
  }

  private formatSecond(seconds: number): string {
    const days = Math.floor(seconds / DAY_SECONDS)
    if (days !== this.lastDays) {
      this.lastDays = days
      this.lastDay = formatDay(days)
    }
    const second = seconds - days * DAY_SECONDS
    const clock = `${TWO_DIGITS[Math.floor(second / 3_600)]}:${TWO_DIGITS[Math.floor(second / 60) % 60]}`
    return `${this.lastDay}T${clock}:${TWO_DIGITS[second % 60]}`
  }

  /** Returns the time of a line that begins like the last one, except for the digits of the fraction. */
  private sameSecond(
    line: string,
    from: number,
    { head, second, digits, tail }: LastTime,
  ): string | undefined {
    const start = from + head.length
    const end = start + digits
    if (!line.startsWith(head, from) || !line.startsWith(tail, end)) return undefined
    if (tail === '' && line.length !== end) return undefined
    for (let at = start; at < end; at++) {
      const code = line.charCodeAt(at)
      if (code < ZERO || code > NINE) return undefined
    }
    this.end = end
    return digits === 0 ? `${second}Z` : `${second}.${line.slice(start, end)}Z`
  }
}

/** Returns a description with the years that times without one have been given so far. */
export function withYears(found: LineTime, times: LineTimes | undefined): LineTime {
  const years = times?.years
  return found.kind === 'found' && years !== undefined ? { ...found, years } : found
}

/** Returns what the next line must have in common; undefined when a zone might follow. */
function lastTime(
  line: string,
  {
    second,
    digits,
    from,
    end,
  }: {
    readonly second: string
    readonly digits: number
    readonly from: number
    readonly end: number
  },
): LastTime | undefined {
  NO_ZONE.lastIndex = end
  if (!NO_ZONE.test(line)) return undefined
  const head = line.slice(from, end - digits)
  // Of a longer fraction only nine digits are read.
  if (digits > 0 && !/[.,]$/.test(head)) return undefined
  // A copy: a slice would keep the whole batch in memory.
  const copy = Buffer.from(head, 'latin1').toString('latin1')
  return { head: copy, second, digits, tail: line.slice(end, NO_ZONE.lastIndex) }
}
