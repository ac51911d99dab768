import { isUtf8 } from 'node:buffer'
import { isBlank, LINE_FEED } from '../../text/bytes.js'
import { formatInteger } from '../../text/integer.js'
import { csvLines } from '../../wire/csv/csv.js'
import { CsvError } from '../../wire/csv/csv-row.js'
import { classifyLine } from '../../wire/event/classify-line.js'
import { type RejectedLine, rowFailures } from '../../wire/event/event-lines.js'
import { type EventOptions, timePaths } from '../../wire/event/event-options.js'
import type { Leaf } from '../../wire/json/json-line.js'
import { KIND } from '../../wire/json/kinds.js'
import type { Batch, UnsendableEvent } from '../batch.js'
import { locate, locateUnsendable, sourcesOf } from '../locate.js'
import { type Fields, fieldAt, type ValueType } from './field-facts.js'
import { type FindingKind, Findings } from './findings.js'
import { TimeRange } from './time-range.js'

/** Hosted services reject longer values; the local one accepts them. */
const MAX_HOSTED_VALUE_BYTES = 1_000_000

export interface InputFacts {
  readonly input: string
  readonly contentType: Batch['sourceType']
  /** The format the events were converted from; undefined when they are sent as they were read. */
  readonly format: Batch['format']
  readonly events: number
  readonly rejected: number
  readonly bytes: number
  readonly times: ReturnType<TimeRange['range']>
  /** Events without a time, which get the time of their arrival. */
  readonly withoutTime: number
  /** The field of the event time, named or detected. */
  readonly timestampField: string
}

/** Reads events as the service would and collects facts about them. */
export class Inspection {
  readonly fields: Fields = new Map()
  /** Events that would be rejected. */
  readonly rejections = new Findings()
  /** Events that only hosted services would reject. */
  readonly limits = new Findings()
  /** Values that would be stored differently from how they were written. */
  readonly alterations = new Findings()
  /** The field with the event time, for inputs without a detected field. */
  private readonly timestampField: string
  private options: EventOptions
  private facts = noFacts()
  /** The number of the current event. */
  private event = 0

  constructor(terms: EventOptions) {
    this.options = terms
    this.timestampField = terms.timestampField
    this.useTimeField(terms.timestampField)
  }

  private useTimeField(timestampField: string): void {
    this.options = { ...this.options, timestampField }
    // Reports begin with the field of the time.
    for (const path of timePaths(timestampField)) fieldAt(this.fields, path)
  }

  add(batch: Batch): void {
    this.useTimeField(batch.timestampField ?? this.timestampField)
    this.facts.contentType = batch.sourceType ?? batch.contentType
    this.facts.format = batch.format
    this.facts.mappedField = batch.mapping?.timestampField
    this.facts.bytes += batch.bytes
    this.facts.events += batch.events
    const source = sourcesOf(batch)
    const rejected: RejectedLine[] = []
    const faults = new Map<string, FindingKind>()
    try {
      const { lines, failures } = linesOf(batch)
      for (const line of filledLines(lines)) {
        const fault = this.read(line.text, () => placeOf(batch, line, source))
        if (fault === undefined) continue
        rejected.push({ ...line, reason: fault.reason })
        faults.set(fault.reason, fault.fault)
      }
      for (const { reason, index } of rowFailures(failures, rejected)) {
        const at = locate(batch, { first: index, events: 1 }, source)
        const refused = batch.refused?.reasons.get(index)
        const fault = refused === undefined ? faults.get(reason) : undefined
        this.reject(fault ?? NOT_AN_EVENT, { at, reason: refused ?? reason })
      }
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      for (let index = 0; index < batch.events; index++) {
        this.reject('csv-header', { at: batch.input, reason: error.message })
      }
    }
  }

  addUnsendable(event: UnsendableEvent): void {
    this.facts.events += 1
    this.reject('unsendable', { at: locateUnsendable(event), reason: event.reason })
  }

  /** Returns the facts about the current input, and starts the next input. */
  endInput(input: string): InputFacts {
    const { times, mappedField, ...facts } = this.facts
    this.facts = noFacts()
    const { timestampField } = this.options
    this.useTimeField(this.timestampField)
    return { input, ...facts, times: times.range(), timestampField: mappedField ?? timestampField }
  }

  private reject(
    fault: FindingKind,
    place: { readonly at: string; readonly reason: string },
  ): void {
    this.facts.rejected += 1
    this.rejections.add(fault, place)
  }

  /** Reads one event, which is undefined if it is not UTF-8; returns the fault when it is rejected. */
  private read(line: string | undefined, at: () => string): Fault | undefined {
    const { options, timestampField } = this
    let classified = classifyLine(line, options)
    const isNotTime = classified.kind === 'rejected' && classified.fault === 'not-a-time'
    // A line whose detected field is not a time is an event without a time.
    if (isNotTime && options.timestampField !== timestampField) {
      classified = classifyLine(line, { ...options, timestampField })
    }
    if (classified.kind !== 'event') return classified.kind === 'rejected' ? classified : undefined
    const { leaves, time } = classified
    if (time === undefined) this.facts.withoutTime += 1
    else this.facts.times.add(time)
    this.leaves(leaves, at)
    return undefined
  }

  private leaves(leaves: readonly Leaf[], at: () => string): void {
    this.event += 1
    for (const leaf of leaves) {
      const { path, alteration } = leaf
      for (let depth = 1; depth < path.length; depth++) {
        fieldAt(this.fields, path.slice(0, depth)).count('group', this.event, at)
      }
      fieldAt(this.fields, path).count(typeOf(leaf), this.event, at)
      if (alteration !== undefined) this.alterations.add(alteration, alterationOf(leaf, at))
      if (leaf.text.length > MAX_HOSTED_VALUE_BYTES / 4) this.checkLength(leaf, at)
    }
  }

  private checkLength({ text, path }: Leaf, at: () => string): void {
    const bytes = Buffer.byteLength(text)
    if (bytes <= MAX_HOSTED_VALUE_BYTES) return
    const reason = `\`${path.join('.')}\` holds ${formatInteger(bytes)} bytes`
    this.limits.add('value-too-long', { at: at(), reason })
  }
}

function alterationOf({ path, text, alteration }: Leaf, at: () => string) {
  const field = `\`${path.join('.')}\``
  if (alteration === 'repeated-key')
    return { at: at(), reason: `${field} is dropped: repeated key` }
  const written = text.length <= 40 ? text : `${text.slice(0, 37)}…`
  return { at: at(), reason: `${field} holds ${written}, stored as ${Number(text) || 0}` }
}

/** The fault of a CSV row that contains no event. */
const NOT_AN_EVENT = 'not-a-row'

interface Fault {
  readonly fault: FindingKind
  readonly reason: string
}

function noFacts() {
  return {
    contentType: undefined as Batch['sourceType'],
    format: undefined as Batch['format'],
    mappedField: undefined as string | undefined,
    events: 0,
    rejected: 0,
    bytes: 0,
    times: new TimeRange(),
    withoutTime: 0,
  }
}

/** Returns the events of a batch, one per line. Throws `CsvError` when its header is invalid. */
function linesOf({
  contentType,
  csv,
  body,
}: Batch): Pick<ReturnType<typeof csvLines>, 'lines' | 'failures'> {
  if (contentType !== 'text/csv') return { lines: body, failures: [] }
  return csvLines(body, { delimiter: ',', ...csv })
}

interface FilledLine {
  /** The position among the lines that are not blank, from 0. */
  readonly index: number
  /** From 1. */
  readonly line: number
  /** Undefined if the line is not UTF-8. */
  readonly text: string | undefined
}

/** Yields the lines that are not blank. */
function* filledLines(bytes: Buffer): Generator<FilledLine, void> {
  let index = 0
  let line = 1
  for (let from = 0; from < bytes.length; line++) {
    const newline = bytes.indexOf(LINE_FEED, from)
    const to = newline === -1 ? bytes.length : newline
    if (!isBlank(bytes, from, to)) {
      const own = bytes.subarray(from, to)
      const text = isUtf8(own) ? own.toString().replace(/^\ufeff/, '') : undefined
      yield { index: index++, line, text }
    }
    from = to + 1
  }
}

/** Returns the location of an event, given its line in the text that the batch was split into. */
function placeOf(
  batch: Batch,
  { index, line }: FilledLine,
  source: ReturnType<typeof sourcesOf>,
): string {
  const { input, start, headLines, contentType } = batch
  // Rows that are not events have a line but no index, so lines are more precise.
  if (contentType === 'text/csv') return `${input}:${start.line + line - 1 - headLines}`
  return locate(batch, { first: index, events: 1 }, source)
}

function typeOf({ form, kinds }: Leaf): ValueType {
  switch (form) {
    case 'number':
      return (kinds & KIND.real) !== 0 ? 'float' : 'integer'
    case 'bool':
      return 'boolean'
    case 'empty-object':
      return 'group'
    default:
      return form
  }
}
