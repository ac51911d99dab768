import { matchAt } from '../../../text/match-at.js'
import { SECOND } from '../../../wire/time/units.js'
import { type Place, placesIn } from './line-place.js'
import { writtenOffset } from './line-zone.js'
import { matchedParts } from './time-layout.js'
import { latestYear } from './year-rule.js'

/** The share of the lines that must have the time: after a prefix, and at the beginning of the line. */
const PREFIXED_SHARE = 0.75
const LEADING_SHARE = 0.1
/** Numbers are times only if nearly every line has one at the same place. */
const NUMBER_SHARE = 0.9
/** Places are compared with the most frequent place if they are in this share of its lines. */
const EQUAL_SHARE = 0.95
/** The number of lines that decide the place and the pattern; the order of dates is decided by all lines. */
const COMPARED_LINES = 100
const DAY = 86_400
const YEAR = 366 * DAY

interface Candidate {
  readonly place: Place
  /** The share of the lines that have a time here. */
  readonly share: number
  /** True when the times have a year and a known zone. */
  readonly isCertain: boolean
  /** The average number of digits of the fraction. */
  readonly precision: number
  /** The times by line, in seconds since 1970. */
  readonly times: ReadonlyMap<number, number>
}

/**
 * Returns the places where lines have times, the best place first: the place in the most lines. Among places in the same
 * lines whose times differ by no more than a zone, a place with a known zone is preferred, then more digits, then the first.
 */
export function rankedPlaces(
  lines: readonly string[],
  options: { readonly now: bigint; readonly hasZone: boolean },
): readonly Place[] {
  const compared = lines.slice(0, COMPARED_LINES)
  const candidates = placesIn(compared, LEADING_SHARE)
    .map((place) => candidate(place, compared, options))
    .filter(({ place, share }) => share > 0 && share >= leastShare(place))
    .sort((one, other) => other.share - one.share)
  const [most] = candidates
  if (most === undefined) return []
  const equal = candidates.filter(
    (one) => one.share >= most.share * EQUAL_SHARE && areClose(one.times, most.times),
  )
  equal.sort(
    (one, other) =>
      Number(other.isCertain) - Number(one.isCertain) || other.precision - one.precision,
  )
  return [...new Set([...equal, ...candidates])].map(({ place }) => place)
}

function leastShare({ prefix, layouts: [layout] }: Place): number {
  if (layout.isNumber) return NUMBER_SHARE
  return prefix === 'start' ? LEADING_SHARE : PREFIXED_SHARE
}

function candidate(
  place: Place,
  lines: readonly string[],
  { now, hasZone }: { readonly now: bigint; readonly hasZone: boolean },
): Candidate {
  const { scan, layouts } = place
  const [layout] = layouts
  const rule = latestYear(() => now)
  const latest = Number(now / SECOND) + YEAR
  const times = new Map<number, number>()
  let zones = 0
  let digits = 0
  for (const [index, line] of lines.entries()) {
    const found = matchAt(scan, line, 0)
    if (found === null) continue
    const { written, digits: fraction, zone, rest } = matchedParts(layout, found)
    const time = layout.seconds(written, rest, rule)
    // A number that would be a time in the far future is not a time.
    if (layout.isNumber && (time === undefined || time > latest)) continue
    times.set(index, time ?? 0)
    digits += fraction.replace(':', '').length
    if (zone !== '' && writtenOffset(zone) !== undefined) zones += 1
  }
  const count = Math.max(1, times.size)
  return {
    place,
    share: times.size / Math.max(1, lines.length),
    isCertain: layout.hasYear && (hasZone || layout.isUtc === true || zones * 2 > count),
    precision: Math.round(digits / count),
    times,
  }
}

/** True when two places have times that differ by the same amount in each line, at most by the offset of a zone. */
function areClose(some: ReadonlyMap<number, number>, others: ReadonlyMap<number, number>): boolean {
  const steps = [...some].flatMap(([index, time]) => {
    const other = others.get(index)
    return other === undefined ? [] : [time - other]
  })
  const [least, most] = [Math.min(...steps), Math.max(...steps)]
  return steps.length > 0 && most - least <= 2 && Math.max(-least, most) <= DAY
}
