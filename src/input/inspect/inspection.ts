import { isUtf8 } from 'node:buffer'
import { isBlank, LINE_FEED } from '../../text/bytes.js'
import { formatInteger } from '../../text/integer.js'
import { CsvError } from '../../wire/csv/csv-row.js'
import { classifyLine } from '../../wire/event/classify-line.js'
import {
  csvLines,
  type EventLines,
  jsonLines,
  ndjsonLines,
  type RejectedLine,
} from '../../wire/event/event-lines.js'
import { type EventOptions, timePaths } from '../../wire/event/event-options.js'
import type { Leaf } from '../../wire/json/json-line.js'
import { KIND } from '../../wire/json/kinds.js'
import type { Batch, UnsendableEvent } from '../batch.js'
import { locate, locateUnsendable, sourcesOf } from '../locate.js'
import { type Fields, fieldAt, type ValueType } from './field-facts.js'
import { Findings } from './findings.js'
import { TimeRange } from './time-range.js'

/** Hosted services reject longer values; the local one accepts them. */
const MAX_HOSTED_VALUE_BYTES = 1_000_000

/** The facts about one input. */
export interface InputFacts {
  readonly input: string
  readonly contentType: Batch['contentType'] | undefined
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

  /** Adds the events of a batch; may change the bytes of the batch's body. */
  add(batch: Batch): void {
    this.useTimeField(batch.timestampField ?? this.timestampField)
    this.facts.contentType = batch.sourceType ?? batch.contentType
    this.facts.format = batch.format
    this.facts.mappedField = batch.mapping?.timestampField
    this.facts.bytes += batch.bytes
    this.facts.events += batch.events
    const lines = LINES[batch.contentType](batch)
    const rejected = this.readLines(batch, lines)
    if (rejected === undefined) return
    const source = sourcesOf(batch)
    const faults = new Map(rejected.map(({ fault, reason }) => [reason, fault]))
    for (const { reason, index } of lines.failures(rejected.map(({ line }) => line))) {
      this.reject(faults.get(reason) ?? NOT_AN_EVENT, {
        at: locate(batch, { first: index, events: 1 }, source),
        reason,
      })
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

  private reject(fault: string, place: { readonly at: string; readonly reason: string }): void {
    this.facts.rejected += 1
    this.rejections.add(fault, place)
  }

  /** Returns the rejected lines; undefined when the batch cannot be split into lines. */
  private readLines(batch: Batch, lines: EventLines): readonly Rejected[] | undefined {
    const rejected: Rejected[] = []
    try {
      // Splitting an array into lines changes it, and the original is needed to locate its events.
      const isArray = batch.contentType === 'application/json'
      const body = lines.push(isArray ? Buffer.from(batch.body) : batch.body)
      const { bytes, keep } = lines.end()
      const text = bytes.length === 0 ? body : Buffer.concat([body, bytes])
      this.eachLine(keep === undefined ? text : text.subarray(0, keep), batch, rejected)
      return rejected
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      for (let index = 0; index < batch.events; index++) {
        this.reject('csv-header', { at: batch.input, reason: error.message })
      }
      return undefined
    }
  }

  private eachLine(text: Buffer, batch: Batch, rejected: Rejected[]): void {
    const isSound = isUtf8(text)
    const source = sourcesOf(batch)
    let index = 0
    let line = 0
    for (let from = 0; from < text.length; ) {
      const newline = text.indexOf(LINE_FEED, from)
      const to = newline === -1 ? text.length : newline
      line += 1
      if (!isBlank(text, from, to)) {
        const place = { index, line }
        const at = () => placeOf(batch, place, source)
        const fault = this.read(text, { from, to, isSound, at })
        if (fault !== undefined) rejected.push({ ...fault, line: { index, line, ...fault } })
        index += 1
      }
      from = to + 1
    }
  }

  /** Reads one event; returns the fault when it is rejected. */
  private read(text: Buffer, line: Line): Fault | undefined {
    const { from, to, isSound, at } = line
    const bytes = text.subarray(from, to)
    const decoded = isSound || isUtf8(bytes) ? bytes.toString().replace(/^\ufeff/, '') : undefined
    const classified = this.classify(decoded)
    if (classified.kind === 'rejected') return classified
    if (classified.kind === 'event') {
      const { leaves, time } = classified
      if (time === undefined) this.facts.withoutTime += 1
      else this.facts.times.add(time)
      this.leaves(leaves, at)
    }
    return undefined
  }

  /** Classifies a line; a line whose detected field is not a time is an event without a time. */
  private classify(line: string | undefined): ReturnType<typeof classifyLine> {
    const { options, timestampField } = this
    const classified = classifyLine(line, options)
    const isNotTime = classified.kind === 'rejected' && classified.fault === 'not-a-time'
    if (!isNotTime || options.timestampField === timestampField) return classified
    return classifyLine(line, { ...options, timestampField })
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

interface Line {
  readonly from: number
  readonly to: number
  /** True when the whole text is UTF-8. */
  readonly isSound: boolean
  at(): string
}

interface Fault {
  readonly fault: string
  readonly reason: string
}

interface Rejected extends Fault {
  readonly line: RejectedLine
}

const LINES: Readonly<Record<Batch['contentType'], (batch: Batch) => EventLines>> = {
  'application/x-ndjson': ndjsonLines,
  'application/json': jsonLines,
  'text/csv': ({ csv }) => csvLines({ delimiter: ',', ...csv }),
}

function noFacts() {
  return {
    contentType: undefined as Batch['contentType'] | undefined,
    format: undefined as Batch['format'],
    mappedField: undefined as string | undefined,
    events: 0,
    rejected: 0,
    bytes: 0,
    times: new TimeRange(),
    withoutTime: 0,
  }
}

/** Returns the location of an event, given its line in the text that the batch was split into. */
function placeOf(
  batch: Batch,
  { index, line }: { readonly index: number; readonly line: number },
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
