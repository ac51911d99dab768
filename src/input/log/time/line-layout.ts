import { matchAt } from '../../../text/match-at.js'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import { DAY, SECOND } from '../../../wire/time/units.js'
import { rankedPlaces } from './layout-rank.js'
import { isPrefix, type Place, prefixNames, scanner } from './line-place.js'
import type { TimeLayout } from './time-layout.js'
import { isUsual, TIME_LAYOUTS } from './time-layouts.js'
import { latestYear } from './year-rule.js'

/** The place and the layout of the times in the lines of an input. */
export interface LineLayout {
  /** Identifies the place and the layout in a checkpoint. */
  readonly id: string
  /** The layout; undefined for a format that the caller gave, whose times are not converted. */
  readonly time: TimeLayout | undefined
  readonly scan: RegExp
}

/** The result of an inference: a layout, or dates that can be read in several orders. */
export type Inference =
  | { readonly kind: 'found'; readonly layout: LineLayout }
  | Extract<LineTime, { readonly kind: 'ambiguous' }>

/** The times at the beginning of the lines of an input, or the reason why there are none. */
export type LineTime =
  | {
      readonly kind: 'none'
      /** The first time since boot, if lines have such times instead. */
      readonly uptime?: string
      /** The name of a user-defined format without a field that has times. */
      readonly format?: string
    }
  | {
      readonly kind: 'ambiguous'
      readonly orders: readonly string[]
      readonly example: string
      /** Identifies one of the layouts, which all have the same pattern. */
      readonly layout: string
    }
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
      /** The first and the last year chosen for times without a year. */
      readonly years?: readonly [first: number, last: number]
      /** True when times without a year go back by months: the lines span more than a year, or are out of order. */
      readonly goesBack?: boolean
      /** The zone assumed for times without a zone; UTC when missing. */
      readonly zone?: string
    }

/** Completes times that lack a zone or a year. */
export interface TimeDefaults {
  /** The zone of times without a zone. */
  readonly zone?: TimeZone
  /** The year of the first time without a year. */
  readonly year?: number
  /** The date and clock, such as `2026-11-20 10:00:00`, after which times without a year are, unless there is `year`. */
  readonly since?: string | undefined
  /** The first lines of the input, which have its first time: reading may start at a later line. */
  readonly head?: readonly string[]
  /** Returns the time of the last write to the input, in nanoseconds since 1970; missing when it is unknown. */
  readonly lastWritten?: () => bigint
}

/** The options that decide the times of lines. */
export interface TimeReading {
  /** The latest possible time, in nanoseconds since 1970; completes times without a year. */
  readonly now: bigint
  /** Completes times without a zone or a year. */
  readonly times?: TimeDefaults | undefined
  /** The format of the times, if the user gave one. */
  readonly timeFormat?: RegExp | undefined
  /** True when the month is the first number of a date, unless the lines rule it out. */
  readonly isMonthFirst?: boolean | undefined
}

/** The options that decide the times of events. */
export interface EventTimeReading extends TimeReading {
  /** False when the time of the event is already known, or another field was named as the event time. */
  readonly findsTime: boolean
}

/** Continuation lines: indented, or part of a stack trace. */
const CONTINUATION = /^(?:\s|at |Caused by|Traceback|\.\.\.|[\w.]{1,100}(?:Error|Exception): )/

/** Returns the layout with an id; undefined for an unknown id. `format` is a format that the caller gave. */
export function findLayout(id: string, format?: RegExp): LineLayout | undefined {
  const [prefix = '', ...name] = id.split(':')
  if (!isPrefix(prefix)) return undefined
  if (format !== undefined) {
    return name.join(':') === OF_FORMAT ? placeOf(format, prefix) : undefined
  }
  const time = TIME_LAYOUTS.find((layout) => layout.name === name.join(':'))
  return time && { id, time, scan: scanner(prefix, time.pattern) }
}

/** A date of JavaScript for the United States; where the day is first, there are 24 hours, or `am` and `pm` in small letters. */
const US_LOCALE = /\/\d{4}, \d{1,2}:\d\d:\d\d(?: |\xe2\x80\xaf)[AP]M/

/**
 * Chooses among the orders of an all-numeric date. Criteria in this order: dates exist and are not in the future, the
 * program writes them in this order, lines are in order, the date changes within hours.
 */
function resolve(
  { prefix, layouts, scan }: Place,
  lines: readonly string[],
  { now, isMonthFirst }: Pick<TimeReading, 'now' | 'isMonthFirst'>,
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
  const best = isOne ? read : read.filter(({ possible }) => possible === most)
  const [example = ''] = matches[0] ?? []
  const isUs = isMonthFirst || US_LOCALE.test(example)
  const known = best.filter(({ layout }) => isUs && layout.order?.startsWith('month'))
  const allowed = recentOf(known.length > 0 ? known : inOrder(best), latest)
  const [{ layout: time }] = allowed as [(typeof allowed)[0]]
  const id = `${prefix}:${time.name}`
  if (allowed.length === 1 || isUsual(time)) return { kind: 'found', layout: { id, time, scan } }
  const orders = allowed.map(({ layout }) => layout.order ?? '')
  return { kind: 'ambiguous', orders, example, layout: id }
}

/** Returns the readings whose times go back least often and, among these, whose date changes within hours most often. */
function inOrder<T extends { readonly times: readonly number[] }>(
  read: readonly T[],
): readonly T[] {
  const counted = read.map((one) => ({ one, ...stepsOf(one.times) }))
  const back = Math.min(...counted.map((one) => one.back))
  const ordered = counted.filter((one) => one.back === back)
  const nightly = Math.max(...ordered.map((one) => one.nightly))
  return ordered.filter((one) => one.nightly === nightly).map(({ one }) => one)
}

/** Dates whose years are this many seconds apart are not of the same log. */
const YEARS_APART = 2 * 365 * 86_400

/** If a reading has recent dates, returns the readings whose dates are about as recent; otherwise all of them. */
function recentOf<T extends { readonly times: readonly number[] }>(
  read: readonly T[],
  latest: number,
): readonly T[] {
  const newestOf = ({ times }: T): number => Math.max(...times)
  const newest = Math.max(...read.map(newestOf))
  if (latest - newest > YEARS_APART) return read
  return read.filter((one) => newest - newestOf(one) <= YEARS_APART)
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

/**
 * Infers the layout of the times in lines, in latin1, or their place if the caller gave a format; undefined when too few lines have a
 * time at the same place.
 */
export function inferTimes(lines: readonly string[], reading: TimeReading): Inference | undefined {
  const { now, times, timeFormat } = reading
  if (timeFormat !== undefined) return inferPlace(lines, timeFormat)
  const heads = lines.filter((line) => line !== '' && !CONTINUATION.test(line))
  for (const place of rankedPlaces(heads, { now, hasZone: times?.zone !== undefined })) {
    const found = resolve(place, heads, reading)
    if (found !== undefined) return found
  }
  return undefined
}

/** Infers the place of times in a format that the caller gave. */
function inferPlace(lines: readonly string[], format: RegExp): Inference | undefined {
  const heads = lines.filter((line) => line !== '').slice(0, 100)
  const places = prefixNames().map((prefix) => placeOf(format, prefix))
  const counts = places.map(
    ({ scan }) => heads.filter((line) => matchAt(scan, line, 0) !== null).length,
  )
  const most = Math.max(...counts)
  return most > 0 ? { kind: 'found', layout: places[counts.indexOf(most)]! } : undefined
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
