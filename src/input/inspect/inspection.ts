import { isUtf8 } from 'node:buffer'
import { CsvHeaderError } from '../../wire/csv/csv.js'
import { classifyLine } from '../../wire/event/classify-line.js'
import {
  csvLines,
  type EventLines,
  jsonLines,
  ndjsonLines,
  type RejectedLine,
} from '../../wire/event/event-lines.js'
import { type EventOptions, timePaths } from '../../wire/event/event-options.js'
import { readEventTime } from '../../wire/event/event-time.js'
import { pathKey } from '../../wire/json/field-path.js'
import type { Leaf } from '../../wire/json/json-line.js'
import { KIND } from '../../wire/json/kinds.js'
import type { Batch, UnsendableEvent } from '../batch.js'
import { locate, locateUnsendable, sourcesOf } from '../locate.js'
import { isBlank } from '../ndjson.js'
import { EventWalk } from './event-walk.js'
import { type FieldNode, FieldTree, TYPE } from './field-node.js'
import { Findings } from './findings.js'
import { TimeRange } from './time-range.js'

const NEWLINE = 0x0a
/** Hosted services refuse a longer value; the local one takes it. */
const LONGEST_HOSTED_VALUE = 1_000_000

/** What was found in one input. */
export interface InputFacts {
  readonly input: string
  readonly contentType: Batch['contentType'] | undefined
  /** What its events were made from, where they are not as they came. */
  readonly format: Batch['format']
  readonly events: number
  readonly rejected: number
  readonly bytes: number
  readonly times: ReturnType<TimeRange['range']>
  /** Events that hold no time: they get the time of their arrival. */
  readonly withoutTime: number
}

/** Looks at events as the service would, and keeps what there is to know about them. */
export class Inspection {
  readonly tree = new FieldTree()
  /** What would be rejected. */
  readonly rejections = new Findings()
  /** What only a hosted service would refuse. */
  readonly limits = new Findings()
  /** What would be stored, but not as it was written. */
  readonly alterations = new Findings()
  private readonly walk = new EventWalk(this.tree)
  private readonly options: EventOptions
  private readonly timePlaces: readonly string[]
  private facts = noFacts()

  constructor(terms: EventOptions) {
    this.options = terms
    const paths = timePaths(terms.timestampField)
    this.timePlaces = paths.map(pathKey)
    for (const [i, path] of paths.entries()) this.tree.at(path).timeRank = i + 1
  }

  /** Takes in the next events of the input; it may change their bytes. */
  add(batch: Batch): void {
    this.facts.contentType = batch.contentType
    this.facts.format = batch.format
    this.facts.bytes += batch.bytes
    this.facts.events += batch.events
    const lines = LINES[batch.contentType](batch)
    const rejected = this.readLines(batch, lines)
    if (rejected === undefined) return
    const source = sourcesOf(batch)
    for (const { error, index } of lines.failures(rejected.map(({ line }) => line))) {
      const fault = rejected.find(({ line }) => line.reason === error)?.fault ?? NOT_AN_EVENT
      this.refuse(fault, { at: locate(batch, { first: index, events: 1 }, source), reason: error })
    }
  }

  addUnsendable(event: UnsendableEvent): void {
    this.facts.events += 1
    this.refuse('unsendable', { at: locateUnsendable(event), reason: event.reason })
  }

  /** What there was in the input that ends here; the next one begins. */
  endInput(input: string): InputFacts {
    const { times, ...facts } = this.facts
    this.facts = noFacts()
    return { input, ...facts, times: times.range() }
  }

  private refuse(fault: string, place: { readonly at: string; readonly reason: string }): void {
    this.facts.rejected += 1
    this.rejections.add(fault, place)
  }

  /** The lines that are no events; undefined when the batch can't be cut into lines at all. */
  private readLines(batch: Batch, lines: EventLines): readonly Rejected[] | undefined {
    const rejected: Rejected[] = []
    try {
      // Cutting an array into lines changes it, and its events are still to be found in the batch.
      const isArray = batch.contentType === 'application/json'
      const body = lines.push(isArray ? Buffer.from(batch.body) : batch.body)
      const { bytes, keep } = lines.end()
      const text = bytes.length === 0 ? body : Buffer.concat([body, bytes])
      this.eachLine(keep === undefined ? text : text.subarray(0, keep), batch, rejected)
      return rejected
    } catch (error) {
      if (!(error instanceof CsvHeaderError)) throw error
      for (let index = 0; index < batch.events; index++) {
        this.refuse('csv-header', { at: batch.input, reason: error.message })
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
      const newline = text.indexOf(NEWLINE, from)
      const to = newline === -1 ? text.length : newline
      line += 1
      if (!isBlank(text, from, to)) {
        const place = { index, line }
        const at = () => placeOf(batch, place, source)
        const fault = this.event(text, { from, to, isSound, at })
        if (fault !== undefined) rejected.push({ ...fault, line: { index, line, ...fault } })
        index += 1
      }
      from = to + 1
    }
  }

  /** Takes in one event; answers what is wrong with it when it is none. */
  private event(text: Buffer, line: Line): Fault | undefined {
    const { from, to, isSound, at } = line
    if (isSound && this.walk.walk(text, from, to) && this.walkedTime(text)) {
      const { nodes, types, values } = this.walk
      for (let i = 0; i < values; i++) nodes[i]!.count(types[i]!, at)
      return undefined
    }
    const bytes = text.subarray(from, to)
    const decoded = isSound || isUtf8(bytes) ? bytes.toString().replace(/^\ufeff/, '') : undefined
    const judged = classifyLine(decoded, this.options)
    if (judged.kind === 'rejected') return judged
    if (judged.kind === 'event') {
      this.leafTime(judged.leaves, judged.time)
      this.leaves(judged.leaves, at)
    }
    return undefined
  }

  /** Takes in the time of the event that was walked last; false when it can't be read. */
  private walkedTime(text: Buffer): boolean {
    const { timeRank, timeFrom, timeTo } = this.walk
    const { times } = this.facts
    if (timeRank === 0) {
      this.facts.withoutTime += 1
      return true
    }
    const { timeFormat } = this.options
    if (timeFormat === undefined && times.addText(text, timeFrom, timeTo)) return true
    const time = readEventTime(text.toString('utf8', timeFrom, timeTo), timeFormat)?.time
    if (time === undefined) return false
    times.add(time)
    return true
  }

  private leafTime(leaves: readonly Leaf[], judged: bigint | undefined): void {
    const found = this.timePlaces
      .map((place) => leaves.find((leaf) => pathKey(leaf.path) === place))
      .find((leaf) => leaf !== undefined && leaf.form !== 'null')
    const time = judged ?? (found && readEventTime(found.text, this.options.timeFormat)?.time)
    if (time === undefined) this.facts.withoutTime += 1
    else this.facts.times.add(time)
  }

  private leaves(leaves: readonly Leaf[], at: () => string): void {
    const seen = new Set<FieldNode>()
    for (const leaf of leaves) {
      for (let depth = 1; depth < leaf.path.length; depth++) {
        const group = this.tree.at(leaf.path.slice(0, depth))
        if (!seen.has(group)) group.count(TYPE.group, at)
        seen.add(group)
      }
      const node = this.tree.at(leaf.path)
      // A key that comes twice counts once, with its first value.
      if (!seen.has(node)) node.count(typeOf(leaf), at)
      seen.add(node)
      if (leaf.alteration !== undefined) this.alterations.add(leaf.alteration, alteration(leaf, at))
      if (leaf.text.length > LONGEST_HOSTED_VALUE / 4) this.checkLength(leaf, at)
    }
  }

  private checkLength({ text, path }: Leaf, at: () => string): void {
    const bytes = Buffer.byteLength(text)
    if (bytes <= LONGEST_HOSTED_VALUE) return
    const reason = `\`${path.join('.')}\` holds ${bytes.toLocaleString('en-US')} bytes`
    this.limits.add('value-too-long', { at: at(), reason })
  }
}

function alteration({ path, text, alteration }: Leaf, at: () => string) {
  const field = `\`${path.join('.')}\``
  if (alteration === 'repeated-key')
    return { at: at(), reason: `${field} is dropped: its key came before` }
  const written = text.length <= 40 ? text : `${text.slice(0, 37)}…`
  return { at: at(), reason: `${field} holds ${written}, stored as ${Number(text) || 0}` }
}

/** What a batch is told by: one row of CSV that has no event in it. */
const NOT_AN_EVENT = 'not-a-row'

interface Line {
  readonly from: number
  readonly to: number
  /** Whether all that is around it is UTF-8. */
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
    events: 0,
    rejected: 0,
    bytes: 0,
    times: new TimeRange(),
    withoutTime: 0,
  }
}

/** Where the event on a line of the batch stands, when the batch was turned into lines. */
function placeOf(
  batch: Batch,
  { index, line }: { readonly index: number; readonly line: number },
  source: ReturnType<typeof sourcesOf>,
): string {
  const { input, start, headLines, contentType } = batch
  // Rows that are no events have no line with an event, so lines tell more than places there.
  if (contentType === 'text/csv') return `${input}:${start.line + line - 1 - headLines}`
  return locate(batch, { first: index, events: 1 }, source)
}

function typeOf({ form, kinds }: Leaf): number {
  switch (form) {
    case 'number':
      return (kinds & KIND.real) !== 0 ? TYPE.float : TYPE.integer
    case 'bool':
      return TYPE.boolean
    case 'empty-object':
      return TYPE.group
    case 'string':
    case 'null':
    case 'array':
    case 'object':
      return TYPE[form]
    default:
      return form satisfies never
  }
}
