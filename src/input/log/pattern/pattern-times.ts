import { parseEventTime } from '../../../wire/event/event-time.js'
import { instantOfClock, type TimeZone } from '../../../wire/time/time-zone.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { type ConversionState, newConversionState, timesStateOf } from '../conversion-state.js'
import { findLayout, type Inference, inferTimes, type TimeReading } from '../time/line-layout.js'
import { LineTimes } from '../time/line-times.js'
import { hasWrittenZone } from '../time/line-zone.js'
import { patternRegExp } from './compile-regex.js'
import type { LinePattern } from './line-pattern.js'

/** The fields that hold the time of an event, in the order of preference. */
const TIME_NAMES = ['_time', '@timestamp', 'timestamp', 'time', 'ts', 'datetime', 'date']

/** Returns the field of a pattern with the time of the event; undefined when there is none. */
export function timeField({ fields }: Pick<LinePattern, 'fields'>): string | undefined {
  return TIME_NAMES.find((name) =>
    fields.some((field) => field.name === name && ['string', 'datetime'].includes(field.type)),
  )
}

/** Infers the layout of the time field from the lines that match a pattern; undefined when they have no known times. */
export function inferFieldTimes(
  lines: readonly string[],
  patterns: readonly LinePattern[],
  options: TimeReading,
): Inference | undefined {
  const readers = patterns.map((pattern) => ({
    scan: patternRegExp(pattern.source),
    groups: groupsOf(pattern, timeField(pattern)),
  }))
  const times = lines.flatMap((line) => {
    for (const { scan, groups } of readers) {
      const match = scan.exec(line)
      if (match !== null) return groups.map((group) => match[group] ?? '')
    }
    return []
  })
  return inferTimes(times, options)
}

function groupsOf({ fields }: LinePattern, name: string | undefined): readonly number[] {
  return fields.flatMap((field, i) => (field.name === name ? [i + 1] : []))
}

interface FieldTime {
  /** The time in RFC 3339, or as written when the user gave the format. */
  readonly time: string
  /** True when the field contains only the time. */
  readonly isWhole: boolean
}

/** A number of so few digits is a duration. */
const SHORT_NUMBER = /^-?[\d.]{1,8}$/

/** Reads the times in a field; in the layout of the input, if it is known. */
export class FieldTimes {
  private readonly state: ConversionState
  private readonly zone: TimeZone | undefined
  private readonly times: LineTimes | undefined
  private readonly hasFormat: boolean

  /** `layout` is the id of an inferred layout. */
  constructor(
    layout: string | undefined,
    {
      now,
      timeFormat,
      times,
      state = newConversionState(),
    }: TimeReading & { state?: ConversionState },
  ) {
    const known = layout === undefined ? undefined : findLayout(layout, timeFormat)
    this.state = state
    this.times = known && new LineTimes(known, now, times, timesStateOf(state, known.id))
    this.zone = times?.zone
    this.hasFormat = timeFormat !== undefined
  }

  /** Returns the time of a value; undefined when the value has no time. */
  read(value: string): FieldTime | undefined {
    const time = this.times?.read(value)
    if (time === undefined) return this.hasFormat ? undefined : this.otherTime(value)
    this.state.firstTime ??= this.times!.describe(value)
    return { time, isWhole: this.times!.end === value.length }
  }

  private otherTime(value: string): FieldTime | undefined {
    const time = SHORT_NUMBER.test(value) ? undefined : parseEventTime(value)
    if (time === undefined) return undefined
    const hasZone = hasWrittenZone(value)
    const zone = this.zone && { zone: this.zone.name }
    this.state.firstTime ??= {
      kind: 'found',
      layout: '',
      example: value,
      hasYear: true,
      hasZone,
      ...zone,
    }
    const instant = hasZone || !this.zone ? time : instantOfClock(time, this.zone)
    return { time: formatTimestamp(instant), isWhole: true }
  }
}
