import type { Batch, UnmatchedRecords } from '../../../input/batch.js'
import { locate } from '../../../input/locate.js'
import type { LineTime } from '../../../input/log/time/line-layout.js'
import type { EventMapping } from '../../../input/mapping/event-mapping.js'
import { LEVEL_SOURCES } from '../../../input/mapping/level-source.js'
import { escapeControls } from '../../../render/escape-controls.js'
import { cutText } from '../../../render/fit-text.js'
import { counted, formatInteger } from '../../../text/integer.js'
import { READ_AS } from '../read/format-name.js'
import type { BatchOutcome } from '../send/outcome.js'

/** The maximum number of inputs that are listed; the rest is counted. */
const MAX_SHOWN = 10
const MAX_TEXT_WIDTH = 60

interface Unmatched extends UnmatchedRecords {
  /** The name of the format, with its article; undefined for lines of text, which begin without a time. */
  readonly format: string | undefined
  /** True for NDJSON. */
  readonly isObjects: boolean
}

interface UntimedEvents {
  readonly events: number
  /** The location of the first event. */
  readonly place: string
  /** The detected timestamp field. */
  readonly field: string | undefined
}

/** Collects how the lines of each input were read, for messages at the end of a run. */
export class InputNotes {
  private readonly readings = new Map<string, Reading>()
  private readonly mappings = new Map<string, EventMapping>()
  private readonly untimed = new Map<string, UntimedEvents>()
  private readonly unmatched = new Map<string, Unmatched>()

  add(batch: Batch): void {
    const { input, formatName, mapping, unmatched: found } = batch
    const format = batch.format ?? 'ndjson'
    if (mapping !== undefined) this.mappings.set(input, mapping)
    if (batch.format !== undefined) {
      this.readings.set(input, merged(this.readings.get(input), batch))
    }
    if (found === undefined) return
    const known = this.unmatched.get(input)
    const isFirst = known === undefined || found.first.line < known.first.line
    this.unmatched.set(input, {
      format: formatName === undefined ? nameOf(format) : `\`${formatName}\``,
      isObjects: format === 'ndjson',
      events: found.events + (known?.events ?? 0),
      first: isFirst ? found.first : known.first,
    })
  }

  /** Adds events whose detected timestamp field is not a time. */
  addUntimed({ batch, untimed: found }: Pick<BatchOutcome, 'batch' | 'untimed'>): void {
    const { input, mapping } = batch
    // An event whose `_time` is no time is rejected.
    const isStored = mapping?.timestampField !== '_time'
    const untimed = found ?? (isStored ? batch.untimed : undefined)
    if (untimed === undefined) return
    const { events, first } = untimed
    const known = this.untimed.get(input)
    const noted = known ?? {
      place: locate(batch, { first, events: 1 }),
      field: mapping?.timestampField,
    }
    this.untimed.set(input, { ...noted, events: events + (known?.events ?? 0) })
  }

  /** Returns the messages about how the lines and the times of events were read. */
  readingLines(): readonly string[] {
    const lines = [...this.readings].flatMap(([input, reading]) => {
      const text = readingText(reading)
      return text === '' ? [] : [[input, text]]
    })
    const fields = [...this.mappings].map(([input, mapping]) => [input, mappingText(mapping)])
    return firstOf(
      [...lines, ...fields].map(([input = '', text]) => `${escapeControls(input)}: ${text}`),
    )
  }

  /** Returns the messages about events whose detected timestamp field is not a time. */
  untimedLines(): readonly string[] {
    return firstOf(
      [...this.untimed.values()].map(({ events, place, field }) => {
        const these = events === 1 ? 'This event gets' : `${formatInteger(events)} such events get`
        return escapeControls(`${place}: \`${field}\` is not a time. ${these} the time of arrival.`)
      }),
    )
  }

  /** Returns the messages about lines that do not match the format of their input. */
  unmatchedLines(): readonly string[] {
    return firstOf([...this.unmatched].map(([input, found]) => unmatchedText(input, found)))
  }
}

function firstOf(lines: readonly string[]): readonly string[] {
  const rest = lines.length - MAX_SHOWN
  return rest > 0
    ? [...lines.slice(0, MAX_SHOWN), `… and the same for ${counted(rest, 'more input')}`]
    : lines
}

/** The way in which the lines of an input were read. */
type Reading = Pick<Batch, 'formatName' | 'formatFields' | 'joined' | 'lineTime'>

/** Adds a batch to a reading. Batches may end in any order. */
function merged(
  known: Reading | undefined,
  { formatName, formatFields, joined = 0, lineTime }: Batch,
): Reading {
  // Later batches usually have more fields.
  const isFuller = (formatFields?.length ?? 0) >= (known?.formatFields?.length ?? 0)
  const fields = isFuller ? formatFields : known?.formatFields
  const time = lineTime && mergedTime(known?.lineTime, lineTime)
  return { formatName, formatFields: fields, joined: joined + (known?.joined ?? 0), lineTime: time }
}

/** Merges the times of two batches. A layout that was found is kept. */
function mergedTime(known: LineTime | undefined, time: LineTime): LineTime {
  if (known?.kind !== 'found') return time
  if (time.kind !== 'found' || time.years === undefined) return known
  const [first, last] = time.years
  const [from, to] = known.years ?? time.years
  const goesBack = known.goesBack || time.goesBack
  const years = [Math.min(from, first), Math.max(to, last)] as const
  return { ...known, years, ...(goesBack && { goesBack }) }
}

/** Returns a text like `log4j; time 2026-11-20 15:16:47,163 (no zone, UTC assumed), level, thread; 45 events of several lines`. */
function readingText({ formatName, formatFields = [], joined = 0, lineTime }: Reading): string {
  const time = lineTime === undefined ? [] : [timeText(lineTime)]
  const isFound = lineTime?.kind === 'found'
  const fields = [...(isFound ? time : []), ...formatFields].join(', ')
  const parts = [
    // The format `level` has the same name as its only field.
    ...(formatName === undefined || formatName === fields ? [] : [formatName]),
    ...(fields === '' ? [] : [fields]),
    ...(joined === 0 ? [] : [`${counted(joined, 'event')} of several lines`]),
    ...(isFound ? [] : time),
  ]
  return parts.join('; ')
}

function yearText({ years, goesBack }: LineTime & { readonly kind: 'found' }): readonly string[] {
  if (years === undefined) return []
  const [first, last] = years
  const assumed = `no year, ${first === last ? first : `${first} to ${last}`} assumed`
  return [goesBack ? `${assumed}, but the lines are out of order or of more than a year` : assumed]
}

/** Describes how the times of lines were read, or the reason for which lines have no time. */
export function timeText(time: LineTime): string {
  switch (time.kind) {
    case 'none':
      if (time.uptime !== undefined) {
        return `\`${time.uptime}\` is a time since the boot, so events get the time of arrival. \`dmesg -T\` prints dates.`
      }
      return time.format === undefined
        ? 'no time at the beginning of the lines, so events get the time of arrival'
        : `no field of \`${time.format}\` has a time, so events get the time of arrival`
    case 'ambiguous':
      return `\`${escapeControls(time.example)}\` may be ${time.orders.join(' or ')}, so events get the time of arrival. \`--timestamp-format\` decides.`
    case 'found': {
      const assumed = [
        ...(time.order === undefined ? [] : [time.order]),
        ...yearText(time),
        ...(time.hasZone ? [] : [`no zone, ${time.zone ?? 'UTC'} assumed`]),
      ]
      const suffix = assumed.length === 0 ? '' : ` (${assumed.join('; ')})`
      return `time ${escapeControls(time.example)}${suffix}`
    }
    default:
      return time satisfies never
  }
}

function mappingText({ timestampField, assumedZone, levelSource }: EventMapping): string {
  const fields = timestampField?.split(',').map((name) => `\`${escapeControls(name)}\``)
  const path = LEVEL_SOURCES.find(({ name }) => name === levelSource)?.path
  const zone = assumedZone === undefined ? '' : ` (no zone, ${assumedZone} assumed)`
  return [
    ...(fields ? [`time from ${fields.join(' and ')}${zone}`] : []),
    ...(path ? [`level from \`${path.join('.')}\``] : []),
  ].join(', ')
}

function nameOf(format: keyof typeof READ_AS | 'ndjson'): string | undefined {
  return format === 'text' || format === 'ndjson' ? undefined : READ_AS[format]
}

function unmatchedText(input: string, { events, format, isObjects, first }: Unmatched): string {
  const text = cutText(escapeControls(first.text), MAX_TEXT_WIDTH)
  const start = `${escapeControls(input)}: `
  const line = `Line ${formatInteger(first.line)}: `
  const stored = events === 1 ? 'is stored' : 'are stored'
  if (isObjects) {
    return `${start}${counted(events, 'event')} without a JSON object ${stored} as \`message\`; \`--strict-input\` rejects such lines. ${line}${text}`
  }
  if (format === undefined) {
    return `${start}${counted(events, 'event')} without a time at the beginning ${stored} with the time before, or the first time after. ${line}${text}`
  }
  return `${start}${counted(events, 'line')} can't be read as ${format} and ${stored} as \`message\`. ${line}${first.reason}: ${text}`
}
