import { parseEventTime } from '../../wire/event/event-time.js'
import type { TimeFormat } from '../../wire/time/time-format.js'
import { DAY, SECOND } from '../../wire/time/units.js'
import type { SampledEvent } from './sample.js'

/**
 * The names that loggers, log shippers and services give to the event time, the most reliable first, in lower case and
 * without spaces, `_` and `-`. Dots separate the keys of nested objects.
 */
const NAMES: readonly string[] = [
  // ECS and Logstash; zap, structlog, GELF, GCP and many others; Serilog; pino, slog, logrus, zerolog and Docker; Caddy.
  '@timestamp timestamp @t time ts datetime @ts @time',
  // CloudTrail, CloudWatch and Lambda, journald, Python, Log4j.
  'eventtime eventtimestamp realtimetimestamp asctime log.time log.timestamp timemillis',
  'timegenerated requestreceivedtimestamp edgestarttimestamp timeiso8601 timelocal starttime',
  'loggedat published createdat created date instant.epochsecond',
  // Windows events, clouds, security tools, CouchDB and others.
  'timecreated.systemtime timecreated.#attributes.systemtime timecreated utctime dateandtime',
  'eventreceivedtime event.created eventdatetime activitydatetime eventcreatedtime',
  'eventcreationtime creationtime receivetimestamp ingestiontime unixtime epoch epochtime',
  'eventts logtime record.time.timestamp logtimestamp timestamplocal dt timeunixnano',
  'observedtimeunixnano messagetime msgtimestamp syslogtimestamp occurredat occurred when clock',
  // Kubernetes events and audit, Google Workspace, Salesforce, Sentry, Entra, Office 365, Slack, Route 53, CrowdStrike.
  'lasttimestamp stagetimestamp id.time eventdate createddate datecreated createddatetime',
  'creationdate datecreate querytimestamp contexttimestamp',
  // HAR, Carbon Black, Matrix, Home Assistant, Alertmanager, kubectl.
  'starteddatetime devicetimestamp originserverts lastchanged startsat creationtimestamp t at',
  'sentat receivedat updatedat updated start begin timelocaliso requesttime frame.timeepoch',
  // Spreadsheets in German, French and Spanish.
  'zeitstempel zeitpunkt zeit datum horodatage fechahora fecha',
].flatMap((names) => names.split(' '))
const RANKS = new Map(NAMES.map((name, rank) => [name, rank]))
/** A unit or a zone at the end of a name. */
const UNIT =
  /[. ]?\[?(?:utc|gmt|ms|us|ns|(?:milli|micro|nano)?sec(?:ond)?s?|millis|micros|nanos)\]?$/
/** Objects around the fields of an event: other times in them may be those of the thing that the event is about. */
const ENVELOPE =
  /^(?:metadata|meta|header|headers|envelope|context)\.(?=(?:event\w+|time(?:stamp)?|ts|datetime|creationtimestamp)$)/
/**
 * The object in which exports hold an event: Elasticsearch's `_source`, Splunk's `result`, GeoJSON's `properties`, the `object` of
 * kubectl, the `values` of a flight recording, and others.
 */
const EXPORT = /^(?:source|result|content|attributes|record|properties|object|values)\.(?=[^.]+$)/
/** Names that mean the time of the event in an object of any name; the last one is that of packets of tshark. */
const DEEP =
  /(?<=^|\.)(?:timecreated(?:\.#attributes)?\.systemtime|utctime|eventtimestamp|frame\.timeepoch)$/
/** The object around a date of MongoDB, and around its number. */
const EXTENDED_JSON = /\.\$date(?:\.\$numberlong)?$/

/** Returns the rank of a field by its name; undefined for an unknown one. */
function rankOf(field: string): number | undefined {
  const name = field.toLowerCase().replace(/[ _-]/g, '').replace(EXTENDED_JSON, '')
  const [deep = name] = DEEP.exec(name) ?? []
  const inner = name.replace(ENVELOPE, '').replace(UNIT, '')
  const rank = RANKS.get(deep) ?? RANKS.get(inner)
  if (rank !== undefined) return rank
  // A field of the export itself is preferred.
  const exported = RANKS.get(name.replace(EXPORT, '').replace(UNIT, ''))
  return exported === undefined ? undefined : NAMES.length + exported
}

/** True for the names of fields that hold the time of an event in many logs. */
export function isTimeName(field: string): boolean {
  return rankOf(field) !== undefined
}

/** Smaller numbers are durations, counts or dates such as 20261120: the first second of 2000. */
const FIRST_NUMBER = 946_684_800n * SECOND
/** Dates before 1990 are rarely those of events. */
const FIRST_TEXT = 631_152_000n * SECOND
const IS_NUMBER = /^[\d.]+$/
const HAS_CLOCK = /\d:\d\d/
/** The share of the events that must have the field. */
const LEAST_SHARE = 0.5
/** The share of the values that must be times. Events with other values get the time of arrival. */
const VALID_SHARE = 0.95

/** The options that decide the times in fields. */
export interface TimeOptions {
  /** Nanoseconds since 1970; completes times without a year. */
  readonly now: bigint
  /** The format of the times, if the user gave one. */
  readonly format?: TimeFormat | undefined
}

interface Candidate {
  readonly name: string
  readonly rank: number
  readonly texts: string[]
  /** False when a value is neither a string nor a number. */
  isTextual: boolean
}

/**
 * Returns the field with the event time; undefined when there is none. Of the fields with a known name and with times as
 * values, those that vary, have a clock and are in all events are preferred; then the rank of the name decides.
 */
export function timeFieldOf(
  events: readonly SampledEvent[],
  options: TimeOptions,
): string | undefined {
  const rated = [...candidatesOf(events).values()]
    .filter(({ isTextual, texts }) => isTextual && texts.length >= events.length * LEAST_SHARE)
    .flatMap((candidate) => rate(candidate, events.length, options) ?? [])
  return rated.sort((one, other) => other.rating - one.rating)[0]?.name
}

/** Returns the fields with a known name that are text in most events, in the order of their rank. */
export function namedTextsOf(events: readonly SampledEvent[]): readonly string[] {
  return [...candidatesOf(events).values()]
    .filter(({ isTextual, texts }) => isTextual && texts.length >= events.length * LEAST_SHARE)
    .filter(({ texts }) => texts.every((text) => !IS_NUMBER.test(text)))
    .sort((one, other) => one.rank - other.rank)
    .map(({ name }) => name)
}

/** Collects the values of the fields with a known name. */
function candidatesOf(events: readonly SampledEvent[]): ReadonlyMap<string, Candidate> {
  const found = new Map<string, Candidate>()
  for (const leaves of events) {
    for (const { path, form, text, alteration } of leaves) {
      const name = path.join('.')
      if (form === 'null' || alteration === 'repeated-key') continue
      // The header of a table that follows another one.
      if (text === name) continue
      const rank = rankOf(name)
      if (rank === undefined) continue
      const candidate = found.get(name) ?? { name, rank, texts: [], isTextual: true }
      candidate.texts.push(text)
      if (form !== 'string' && form !== 'number') candidate.isTextual = false
      found.set(name, candidate)
    }
  }
  return found
}

/** Rates a candidate; a larger rating is better. Returns undefined when the values are not times of events. */
function rate(
  { name, rank, texts }: Candidate,
  events: number,
  { now, format }: TimeOptions,
): { readonly name: string; readonly rating: number } | undefined {
  const times = texts.flatMap((text) => parseEventTime(text, format) ?? [])
  if (times.length < texts.length * VALID_SHARE) return undefined
  const first = texts.every((text) => !IS_NUMBER.test(text)) ? FIRST_TEXT : FIRST_NUMBER
  const isRecent = times.every((time) => time >= first && time <= now + DAY)
  const varies = times.some((time) => time !== times[0])
  if (!isRecent && (first === FIRST_NUMBER || !varies || !isSorted(times))) return undefined
  const hasClock = texts.some((text) => HAS_CLOCK.test(text) || IS_NUMBER.test(text))
  // A date that all events share is not their time.
  if (!varies && !hasClock && events > 1) return undefined
  const isComplete = texts.length === events
  const facts = [varies, hasClock, isComplete]
  return { name, rating: facts.reduce((sum, fact) => sum * 2 + Number(fact), 0) * 1000 - rank }
}

/** True for times in ascending or descending order. */
function isSorted(times: readonly bigint[]): boolean {
  const isAscending = times.every((time, i) => i === 0 || time >= times[i - 1]!)
  return isAscending || times.every((time, i) => i === 0 || time <= times[i - 1]!)
}
