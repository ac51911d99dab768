import { timePaths } from '../../wire/event/event-options.js'
import { findPath, type Member } from '../../wire/json/json-bytes.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { DAY, SECOND } from '../../wire/time/units.js'
import { unixTime } from '../../wire/time/unix-time.js'
import type { EventMapping } from './event-mapping.js'
import type { Sample } from './sample.js'
import { timeNameRank } from './time-name.js'

/** A count of time from a start other than 1970, which is recognized by the name of its field. */
interface Epoch {
  /** Identifies the epoch in a checkpoint. */
  readonly name: string
  /** Matches the names of fields with such counts, in lower case. */
  readonly fields: RegExp
  /** The seconds from the start of the count to 1970. */
  readonly secondsTo1970: bigint
  /** The power of ten that converts counts to nanoseconds. */
  readonly power: number
}

const EPOCHS: readonly Epoch[] = [
  {
    name: 'filetime',
    fields: /file_?time|(?:win(?:dows|32)|nt|ldap)_?time/,
    secondsTo1970: 11_644_473_600n,
    power: 2,
  },
  {
    name: 'ticks',
    fields: /^(?:(?:time|date|timestamp|datetime|utc|event|created)_?)*ticks(?:_?utc)?$/,
    secondsTo1970: 62_135_596_800n,
    power: 2,
  },
  {
    name: 'webkit',
    fields: /(?:webkit|chrome)_?time/,
    secondsTo1970: 11_644_473_600n,
    power: 3,
  },
  {
    name: 'apple',
    fields:
      /(?:cf_?absolute|cocoa|core_?data|nsdate|apple|mac_?absolute)_?time|since_?reference_?date/,
    secondsTo1970: -978_307_200n,
    power: 9,
  },
]

/** The prefix of the name of an epoch, to distinguish it from a layout of text. */
const LAYOUT = 'epoch:'
/** The first second of 2001, when Apple's count began. */
const FIRST = 978_307_200n * SECOND
const COUNT = /^\d{1,20}(?:\.\d+)?$/
/** The length of a count to less than a nanosecond. Converting a fraction of millions of digits would take seconds. */
const MAX_LENGTH = 40
const LEAST_SHARE = 0.5

/** Seconds since 1970 and nanoseconds: of an object, as Log4j 2 and Google Cloud write it, or of two fields. */
const INSTANT = `${LAYOUT}instant`
const SECONDS = /epochSecond$|seconds$/i
const NANOSECONDS: Readonly<Record<string, string>> = {
  epochSecond: 'nanoOfSecond',
  seconds: 'nanos',
  Seconds: 'Nanos',
}
const SECONDS_PART = /(?:"(?:epochSecond|seconds)"\s*:\s*"?|^)(\d{1,11})\b/
const NANOSECONDS_PART = /(?:"(?:nanoOfSecond|nanos)"\s*:\s*|^\d{1,11} )(\d{1,9})\b/

/** Returns the object, or the two fields, with the seconds and nanoseconds of all events; undefined when there is none. */
export function instantFieldOf({
  events,
  fields,
}: Sample): Pick<EventMapping, 'timestampField' | 'timeLayout'> | undefined {
  const isNamed = (name: string) =>
    [...fields.values()].some(([{ path }]) => path.join('.') === name)
  for (const leaves of fields.values()) {
    const seconds = leaves[0].path.join('.')
    if (!SECONDS.test(seconds) || timeNameRank(seconds) === undefined) continue
    const nanoseconds = seconds.replace(SECONDS, (name) => NANOSECONDS[name] ?? name)
    const isObject = /\.(?:epochSecond|seconds)$/.test(seconds)
    // Protocol Buffers omit the nanoseconds when they are 0.
    if (nanoseconds === seconds || !isNamed(nanoseconds)) continue
    const times = leaves.filter(({ text }) => Number(text) * 1e9 >= FIRST)
    if (times.length < Math.max(leaves.length, events.length)) continue
    const field = isObject ? seconds.replace(/\.\w+$/, '') : `${seconds},${nanoseconds}`
    return { timestampField: field, timeLayout: INSTANT }
  }
  return undefined
}

function instantText(text: string): string | undefined {
  const [, seconds] = SECONDS_PART.exec(text) ?? []
  if (seconds === undefined) return undefined
  const [, nanoseconds = '0'] = NANOSECONDS_PART.exec(text) ?? []
  return formatTimestamp(BigInt(seconds) * SECOND + BigInt(nanoseconds))
}

/** Returns the field with the name of an epoch, if its numbers are times up to now; undefined when there is none. */
export function epochFieldOf(
  { events, fields }: Sample,
  { now }: { now: bigint },
): Pick<EventMapping, 'timestampField' | 'timeLayout'> | undefined {
  for (const leaves of fields.values()) {
    const [{ path }] = leaves
    const epoch = epochOf(path.at(-1) ?? '')
    if (epoch === undefined) continue
    const times = leaves.flatMap(({ text }) => timeOf(text, epoch) ?? [])
    const areTimes = times.length === leaves.length && times.length >= events.length * LEAST_SHARE
    if (areTimes && times.every((time) => time >= FIRST && time <= now + DAY)) {
      return { timestampField: path.join('.'), timeLayout: `${LAYOUT}${epoch.name}` }
    }
  }
  return undefined
}

function epochOf(key: string): Epoch | undefined {
  return EPOCHS.find(({ fields }) => fields.test(key.toLowerCase()))
}

/** Returns nanoseconds since 1970; undefined for text that is not a count. */
function timeOf(text: string, { secondsTo1970, power }: Epoch): bigint | undefined {
  const count = COUNT.test(text) ? unixTime(text.slice(0, MAX_LENGTH), power) : undefined
  return count === undefined ? undefined : count - secondsTo1970 * SECOND
}

/** Returns a function that reads counts as times in RFC 3339; undefined for the layout of a text. */
export function epochReader(layout: string): ((text: string) => string | undefined) | undefined {
  if (layout === INSTANT) return instantText
  const epoch = EPOCHS.find(({ name }) => layout === `${LAYOUT}${name}`)
  return (
    epoch &&
    ((text) => {
      const time = timeOf(text, epoch)
      return time === undefined ? undefined : formatTimestamp(time)
    })
  )
}

/** Returns the paths of the field of the event time, in latin1. */
export function latin1Paths(field: string): readonly (readonly string[])[] {
  return timePaths(field).map((path) => path.map((key) => Buffer.from(key).toString('latin1')))
}

/** Returns a function that finds the field of the event time of an object; it returns undefined without the field. */
export function fieldFinder(field: string): (bytes: Buffer, object: Member) => Member | undefined {
  const paths = latin1Paths(field)
  return (bytes, object) => {
    for (const path of paths) {
      const member = findPath(bytes, path, object)
      if (member !== undefined) return member
    }
    return undefined
  }
}
