import { matchAt } from '../../../text/match-at.js'
import { formatDay } from '../../../wire/time/calendar.js'
import type { LineLayout, LineTime, TimeDefaults } from './line-layout.js'
import { type LocalOffset, localOffset, writtenOffset } from './line-zone.js'
import { type RepeatedTime, readRepeated, repeatedTime } from './repeated-time.js'
import { matchedParts } from './time-layout.js'
import type { YearRule } from './time-parts.js'
import { newTimesState, type TimesState } from './times-state.js'
import { latestYear, yearOf, yearSince, yearSinceUntil } from './year-rule.js'

const DAY = 86_400
const HALF_YEAR = 183 * DAY
/** The end of 64-bit nanoseconds, in April 2262. */
const LAST_SECOND = 9_223_372_036
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** Reads the times of lines in a known layout. */
export class LineTimes {
  readonly layout: LineLayout
  /** The position after the time that was read last. */
  end = 0
  readonly state: TimesState
  private readonly defaults: TimeDefaults
  private readonly yearRule: YearRule
  private readonly offset: LocalOffset | undefined
  private last: RepeatedTime | undefined
  /** The last second and its text: consecutive lines tend to have the same second, and parsing it takes most of the time. */
  private lastSecond = { written: '', zone: '', rest: '', text: undefined as string | undefined }
  private lastDays = Number.NaN
  private lastDay = ''

  /** `now` is in nanoseconds since 1970. */
  constructor(
    layout: LineLayout,
    now: bigint,
    defaults: TimeDefaults = {},
    state: TimesState = newTimesState(),
  ) {
    this.layout = layout
    this.state = state
    this.defaults = defaults
    this.offset = defaults.zone && localOffset(defaults.zone)
    const { year, since, lastWritten = () => now } = defaults
    const rule = since
      ? yearSinceUntil(Date.parse(`${since}Z`) / 1000, lastWritten)
      : latestYear(lastWritten)
    this.yearRule = year === undefined ? rule : this.firstYear(year)
  }

  /**
   * Returns the time at a position of a line in RFC 3339, or as written when the caller gave the format; undefined when
   * there is none.
   */
  read(line: string, from = 0): string | undefined {
    return this.readAgain(line, from) ?? this.scan(line, from)
  }

  /** Returns the time at a position of a line if it is written like the last time. */
  readAgain(line: string, from: number): string | undefined {
    const { last } = this
    const read = last && readRepeated(line, from, last)
    if (read !== undefined) this.end = from + last!.length
    return read
  }

  private scan(line: string, from: number): string | undefined {
    const { scan, time } = this.layout
    const found = matchAt(scan, line, from)
    if (found === null) return undefined
    this.end = scan.lastIndex
    if (time === undefined) return found[1]
    const { written, digits, zone, rest } = matchedParts(time, found)
    const last = this.lastSecond
    if (written !== last.written || zone !== last.zone || rest !== last.rest) {
      const seconds = time.seconds(written, rest, this.yearRule)
      const text = seconds === undefined ? undefined : this.secondText(seconds, zone)
      this.lastSecond = { written, zone, rest, text }
    }
    const { text: second } = this.lastSecond
    if (second === undefined) return undefined
    this.last = time.isPlain
      ? repeatedTime(line, {
          from,
          dateTimeEnd: from + found[0].indexOf(written) + written.length,
          end: this.end,
          second,
          digits: digits.length,
          zone,
          mayHaveHalf: time.zoneGroup === 4,
          isAnyClock: time.hasYear && (zone !== '' || this.offset === undefined),
        })
      : undefined
    return digits === '' ? `${second}Z` : `${second}.${time.fraction(digits)}Z`
  }

  /** Describes the time of a line that `read` could read. */
  describe(line: string, from = 0): LineTime {
    const { scan, id, time } = this.layout
    const found = matchAt(scan, line, from)!
    const { 0: whole, 1: written = '' } = found
    const zone = time === undefined ? '' : matchedParts(time, found).zone
    return {
      kind: 'found',
      layout: id,
      example: whole.slice(whole.lastIndexOf(written)),
      ...(time?.order !== undefined && { order: time.order }),
      hasYear: time?.hasYear ?? true,
      hasZone: time === undefined || time.isUtc === true || writtenOffset(zone) !== undefined,
      zone: this.defaults.zone?.name,
    }
  }

  /** Returns the year rule for an input whose first time is in a year; until the first time is read, times are in this year. */
  private firstYear(year: number): YearRule {
    const { time } = this.layout
    const { state } = this
    const inYear: YearRule = (secondsIn) => secondsIn(year)
    let rule = state.first === undefined ? undefined : yearSince(state.first)
    // Searched anywhere in the line: a format passes only the part of a line with the time to `read`.
    const anywhere = new RegExp(`(?<!\\w)${time?.pattern}(?!\\w)`)
    for (const line of this.defaults.head ?? []) {
      const found = anywhere.exec(line)
      const { written = '', rest = '' } = (time && found && matchedParts(time, found)) ?? {}
      const first = time?.seconds(written, rest, inYear)
      if (first !== undefined) return yearSince(first)
    }
    return (secondsIn) => {
      const seconds = (rule ?? inYear)(secondsIn)
      if (seconds !== undefined && rule === undefined) {
        state.first = seconds
        rule = yearSince(seconds)
      }
      return seconds
    }
  }

  /** Formats a time in RFC 3339 without fraction and zone; undefined for a time out of range. */
  private secondText(local: number, zone: string): string | undefined {
    if (this.layout.time?.hasYear === false) this.addYear(local)
    const east = (zone === '' ? undefined : writtenOffset(zone)) ?? this.offset
    const seconds =
      east === undefined || this.layout.time?.isUtc === true ? local : local - east(local)
    if (seconds > LAST_SECOND) return undefined
    return this.formatSecond(seconds)
  }

  private addYear(local: number): void {
    const { state } = this
    const year = yearOf(local)
    const [first, last] = state.years ?? [year, year]
    state.years = [Math.min(first, year), Math.max(last, year)]
    if (local < state.last - HALF_YEAR) state.goesBack = true
    state.last = local
  }

  private formatSecond(seconds: number): string {
    const days = Math.floor(seconds / DAY)
    if (days !== this.lastDays) {
      this.lastDays = days
      this.lastDay = formatDay(days)
    }
    const second = seconds - days * DAY
    const clock = `${TWO_DIGITS[Math.floor(second / 3_600)]}:${TWO_DIGITS[Math.floor(second / 60) % 60]}`
    return `${this.lastDay}T${clock}:${TWO_DIGITS[second % 60]}`
  }
}
