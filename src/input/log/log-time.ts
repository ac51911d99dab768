import { parseTimestamp } from '../../wire/time/timestamp.js'

/** A time at the beginning of a line, in RFC 3339, and the position after it. */
interface LeadingTime {
  readonly time: string
  readonly end: number
}

const MONTH_NAME_TIME =
  /([A-Z][a-z][a-z]) {1,2}(\d{1,2}) (?:(\d{4}) )?(\d\d:\d\d:\d\d(?:\.\d+)?)(?= |: |$)/y
const RFC3339 = /(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d(?:\.\d+)?)([Zz]|[+-]\d\d:?\d\d)(?= |$)/y

/** The longest distance between two leap years, so that 29 February finds its year. */
const YEARS_BACK = 8
const DAY = 86_400_000_000_000n

/**
 * Parses `Oct 11 22:14:15`, with or without a year, or RFC 3339. A time without a year gets the latest year in which it
 * is not after `now` (nanoseconds); one without a zone is in UTC. Returns undefined when there is no such time.
 */
export function leadingTime(
  line: string,
  { from, now }: { readonly from: number; readonly now: bigint },
): LeadingTime | undefined {
  RFC3339.lastIndex = from
  const written = RFC3339.exec(line)
  if (written !== null) {
    const [, date, clock, zone = ''] = written
    const time = `${date}T${clock}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase()}`
    if (parseTimestamp(time) === undefined) return undefined
    return { time, end: RFC3339.lastIndex }
  }
  MONTH_NAME_TIME.lastIndex = from
  const named = MONTH_NAME_TIME.exec(line)
  if (named === null) return undefined
  const [, month = '', day = '', year, clock = ''] = named
  const rest = `${monthNumber(month)}-${day.padStart(2, '0')}T${clock}Z`
  const time = year === undefined ? latest(rest, now) : `${year}-${rest}`
  if (time === undefined || parseTimestamp(time) === undefined) return undefined
  return { time, end: MONTH_NAME_TIME.lastIndex }
}

/** Returns the latest year's time that is at most a day in the future, to tolerate clock skew and zones. */
function latest(rest: string, now: bigint): string | undefined {
  const thisYear = new Date(Number(now / 1_000_000n)).getUTCFullYear()
  for (let year = thisYear + 1; year >= thisYear - YEARS_BACK; year--) {
    const time = `${String(year).padStart(4, '0')}-${rest}`
    const at = parseTimestamp(time)
    if (at !== undefined && at <= now + DAY) return time
  }
  return undefined
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Returns `02` for `Feb`; undefined for an unknown name. */
export function monthNumber(name: string): string | undefined {
  const index = MONTHS.indexOf(name)
  return index === -1 ? undefined : String(index + 1).padStart(2, '0')
}
