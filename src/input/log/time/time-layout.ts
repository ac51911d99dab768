import type { TimePart } from '../../../wire/time/time-pattern.js'
import { FRACTION, NOTHING, NUMBER, secondsOfParts, type YearRule, ZONE } from './time-parts.js'

/** A form in which programs write the time of a line. */
export interface TimeLayout {
  /** Identifies the layout in a checkpoint. */
  readonly name: string
  readonly example: string
  /** The order of an all-numeric date, if it is not obvious: `day/month/year`. */
  readonly order?: string
  readonly hasYear: boolean
  /** True for a number that could also be something else. */
  readonly isNumber: boolean
  /** True for a count of seconds, which has no zone. */
  readonly isUtc?: boolean
  /** True when at most AM or PM and a zone follow the fraction, and neither of AM and PM precedes the clock. */
  readonly isPlain: boolean
  /**
   * A regular expression with four groups: date and clock, fraction, zone, and the rest (a year, or a date). AM or PM is the
   * third group, because the zone follows it.
   */
  readonly pattern: string
  readonly zoneGroup: 3 | 4
  /**
   * Returns the seconds since 1970 of the first and the last group, regardless of the zone; undefined when there is no such
   * time. `yearRule` chooses the year of a time without a year.
   */
  seconds(written: string, rest: string, yearRule: YearRule): number | undefined
  /** Returns the digits after the decimal point. */
  fraction(digits: string): string
}

/** Returns the groups of a time that matches the pattern of a layout. */
export function matchedParts(
  { zoneGroup }: Pick<TimeLayout, 'zoneGroup'>,
  found: RegExpExecArray,
): Readonly<Record<'written' | 'digits' | 'zone' | 'rest', string>> {
  const { 1: written = '', 2: digits = '', 3: third = '', 4: last = '' } = found
  return zoneGroup === 3
    ? { written, digits, zone: third, rest: last }
    : { written, digits, zone: last, rest: third }
}

interface LayoutOptions {
  readonly order?: string
  readonly isNumber?: boolean
  readonly fraction?: string
  readonly zone?: string
  /** The pattern of the last group: of one part of the time, or of a date, whose parts are numbers. */
  readonly rest?: string
}

const NAMED = /\(\?<([a-z_]+)>/g

/** Returns layouts that read the same numbers, the groups without a name in `written`, in different orders. */
export function orders(
  example: string,
  written: string,
  dates: readonly (readonly TimePart[])[],
  options: LayoutOptions = {},
): readonly TimeLayout[] {
  const [separator = ''] = /[/.-]/.exec(example) ?? []
  return dates.map((date) => {
    const order = date.map((part) => part.replace('short-', '')).join(separator)
    const name = [
      order,
      date.includes('short-year') && (written.startsWith(NUMBER) ? 'short loose' : 'short'),
      example.includes(',') && 'comma',
    ]
      .filter(Boolean)
      .join(' ')
    const named = date.reduce(
      (text, part) => text.replace(/\((?!\?)/, `(?<${part.replace('-', '_')}>`),
      written,
    )
    return layout(name, example, named, { ...options, order })
  })
}

/** Returns a layout; `written` is the pattern of date and clock, whose groups have the names of parts of times. */
export function layout(
  name: string,
  example: string,
  written: string,
  options: LayoutOptions = {},
): TimeLayout {
  const { order, isNumber = false, fraction = FRACTION, zone = ZONE, rest = NOTHING } = options
  const matches = new RegExp(`^${withGroups(written, '(')}$`)
  const restParts = partsOf(rest)
  const parts = [...partsOf(written), ...restParts]
  const isDate = restParts.length > 1
  const isZoneLast = restParts[0] === 'half'
  const last = isDate ? `(${withGroups(rest, '(?:')})` : withGroups(rest, '(')
  return {
    name,
    example,
    order,
    hasYear: parts.some((part) => part.endsWith('year')),
    isNumber,
    isPlain:
      fraction !== NOTHING &&
      !isNumber &&
      !/<half>.*<hour>/.test(written) &&
      (isZoneLast || restParts.length === 0),
    pattern: `(${withGroups(written, '(?:')})${fraction}${isZoneLast ? last + zone : zone + last}`,
    zoneGroup: isZoneLast ? 4 : 3,
    seconds(text, tail, yearRule) {
      const match = matches.exec(text)
      if (match === null) return undefined
      const later = isDate ? (tail.match(/\d+/g) ?? []) : [tail]
      return secondsOfParts([...match, ...later], parts, yearRule)
    },
    // Milliseconds after a colon may lack leading zeros.
    fraction: (digits) => (digits.startsWith(':') ? digits.slice(1).padStart(3, '0') : digits),
  }
}

/** Returns a pattern whose named groups are groups of another kind: groups with names take longer to match. */
export function withGroups(pattern: string, opening: '(' | '(?:'): string {
  return pattern.replace(NAMED, opening)
}

function partsOf(pattern: string): readonly TimePart[] {
  return [...pattern.matchAll(NAMED)].map(([, name = '']) => name.replaceAll('_', '-') as TimePart)
}
