import { defined } from '../../text/defined.js'
import { parseEventTime } from '../../wire/event/event-time.js'
import type { Leaf } from '../../wire/json/json-line.js'
import type { TimeFormat } from '../../wire/time/time-format.js'
import type { TimeZone } from '../../wire/time/time-zone.js'
import type { Lookahead } from '../byte-source.js'
import { InputError, inputLabel } from '../error.js'
import type { Framing } from '../framing.js'
import type { TimeDefaults, TimeReading } from '../log/time/line-layout.js'
import { dateAndTimeOf, dayLayoutOf, layoutOf, readerOf, timeRewriter } from './date-and-time.js'
import { inTurn, type Rewriter } from './edit.js'
import { epochFieldOf, epochReader, instantFieldOf } from './epoch.js'
import type { EventMapping } from './event-mapping.js'
import { levelRewriter } from './level-rewriter.js'
import { LEVEL_SOURCES, levelSourceOf } from './level-source.js'
import { type Sample, sampleEvents, sampleOf } from './sample.js'
import { lacksZones, namedTextsOf, type TimeOptions, timeFieldOf } from './time-field.js'

/** Options for detecting the meaning of fields. */
export interface MappingOptions {
  /** Returns the time in nanoseconds since 1970; completes times without a year in pipes. */
  readonly now?: () => bigint
  /** True when the field with the event time is looked for. */
  readonly findsTimeField?: boolean
  /** The fields that the user named: a date and a time, or one whose times are in `zone`. */
  readonly timeFields?: readonly string[]
  /** The zone of times without a zone; undefined for UTC. */
  readonly zone?: TimeZone | undefined
  /** The format of the times in fields, if the user gave one. */
  readonly timeFieldFormat?: TimeFormat
}

interface Start extends MappingOptions {
  readonly name: string
  readonly framing: Framing
  /** The number of bytes in front of the first event. */
  readonly skip: number
}

/**
 * Detects the meaning of fields from the first events of an input. Throws `InputError` when the fields that the user
 * named as date and time do not form one.
 */
export async function detectMapping(beginning: Lookahead, start: Start): Promise<EventMapping> {
  const { conversion } = start.framing
  if (conversion !== undefined && conversion.format !== 'logfmt') {
    if (start.timeFields === undefined || start.timeFields.length === 1) return {}
    throw new InputError(
      `${inputLabel(start.name)} has no fields before it is read. \`--timestamp-field\` takes two fields of JSON, tables or logfmt.`,
    )
  }
  const sample = await sampleEvents(beginning, start)
  const source = levelSourceOf(sample)
  const time = timeMapping(sample, start)
  // The zone is in the last of two fields.
  const field = time.timestampField?.split(',').at(-1)
  const isCount = epochReader(time.timeLayout ?? '') !== undefined
  const isAssumed = field !== undefined && !isCount && lacksZones(sample, field)
  const assumedZone = isAssumed ? (start.zone?.name ?? 'UTC') : undefined
  return defined({ ...time, assumedZone, levelSource: source?.name })
}

/** Returns the meaning of the fields of JSON objects. */
export function objectMapping(sample: Sample, { now, times }: TimeReading): EventMapping {
  const source = levelSourceOf(sample)
  const mapping = timeMapping(sample, {
    name: '',
    now: () => now,
    findsTimeField: true,
    zone: times?.zone,
  })
  return defined({ ...mapping, levelSource: source?.name })
}

function timeMapping(
  all: Sample,
  {
    name,
    now: clock = () => 0n,
    findsTimeField,
    timeFields,
    timeFieldFormat: format,
    zone,
  }: MappingOptions & Pick<Start, 'name'>,
): EventMapping {
  const now = clock()
  // The service reads times without a zone as UTC.
  const inZone = (sample: Sample, field: string) =>
    zone !== undefined && format === undefined && lacksZones(sample, field)
      ? (layoutOf(sample, [field], { now }) ?? dayLayoutOf(sample, field, { now }))
      : undefined
  if (timeFields !== undefined) {
    const [field = '', ...others] = timeFields
    if (others.length === 0) return inZone(all, field) ?? {}
    const found = layoutOf(all, timeFields, { now, format })
    if (found === undefined && all.events.length > 0) throw noTime(name, timeFields)
    return found ?? {}
  }
  if (findsTimeField !== true) return {}
  const own = all.events.map((leaves) => leaves.filter(({ path: [key] }) => key === '_time'))
  const isRead = own.flat().some((leaf) => isServiceTime(leaf, format))
  if (isRead) return inZone(all, '_time') ?? {}
  const sample = own.some((leaves) => leaves.length > 0) ? sampleOf(own) : all
  const instant = format === undefined ? instantFieldOf(sample) : undefined
  if (instant !== undefined) return instant
  const pair = dateAndTimeOf(sample, { now, format })
  if (pair !== undefined) return pair
  const timestampField = timeFieldOf(sample, { now, format })
  if (timestampField !== undefined) return inZone(sample, timestampField) ?? { timestampField }
  const counted = format === undefined ? epochFieldOf(sample, { now }) : undefined
  return counted ?? writtenMapping(sample, { now, format })
}

/** True for a value of `_time` that the service reads. */
function isServiceTime({ path, form, text }: Leaf, format: TimeFormat | undefined): boolean {
  const isText = form === 'string' || form === 'number'
  return path.length === 1 && isText && parseEventTime(text, format) !== undefined
}

/** Finds a field with times in a layout of log lines, which the service does not read, or with dates. */
function writtenMapping(sample: Sample, options: TimeOptions): EventMapping {
  const names = namedTextsOf(sample)
  for (const name of names) {
    const found = layoutOf(sample, [name], options)
    if (found !== undefined) return found
  }
  if (options.format !== undefined) return {}
  for (const name of names) {
    const found = dayLayoutOf(sample, name, options)
    if (found !== undefined) return found
  }
  return {}
}

function noTime(name: string, [date, time]: readonly string[]): InputError {
  return new InputError(
    `${inputLabel(name)}: \`${date}\` and \`${time}\` of the first events do not form a time in a known layout. \`--timestamp-format\` sets the layout of both with a space between them.`,
  )
}

/** Returns the rewriter of the events of an input; undefined when the mapping requires no change. */
export function mappingRewriter(
  { timestampField = '', timeLayout, levelSource }: EventMapping,
  { now = () => 0n, timeFieldFormat: format, times }: MappingOptions & { times: TimeDefaults },
): Rewriter | undefined {
  const source = LEVEL_SOURCES.find(({ name }) => name === levelSource)
  const read = timeLayout && readerOf(timeLayout, { now: now(), format, times })
  return inTurn([
    source && levelRewriter(source),
    read ? timeRewriter(timestampField.split(','), read) : undefined,
  ])
}
