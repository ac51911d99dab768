import type { Batch, InputEnd, UnsendableEvent } from '../../../../input/batch.js'
import type { Input } from '../../../../input/input.js'
import { isBlank } from '../../../../input/ndjson.js'
import { LineProjector } from '../../../../input/projection/line-projector.js'
import { LINE_FEED } from '../../../../text/bytes.js'
import { keysOf } from '../../../../wire/json/field-path.js'
import { isJsonObject } from '../../../../wire/json/json-object.js'
import { namedTimeField } from '../../ingest/option/event-time.js'
import { allows, type ReadingFlags } from '../../ingest/option/reading-flags.js'

/** Reduced batches are joined up to this size, since each costs time. */
const JOINED_BYTES = 8 * 1024 * 1024
const JOINED_EVENTS = 500_000

/** Returns what reduces the lines of an input to the fields that are needed; undefined when the input is not NDJSON as it is. */
export function projectorOf(
  fields: readonly string[],
  { input, reading }: { readonly input: Input; readonly reading: ReadingFlags },
): LineProjector | undefined {
  const { framing, rewrite, mapping, hasSourceFields } = input
  const isPlain = framing.contentType === 'application/x-ndjson' && framing.conversion === undefined
  if (!isPlain || rewrite !== undefined || hasSourceFields) return undefined
  if (!allows('reduction', reading)) return undefined
  const time = namedTimeField(reading) ?? mapping.timestampField ?? '_time'
  const keys = new Set([...fields, ...(time === '_time' ? [] : [time])].flatMap(keysOf))
  const isDropped = time === '_time' && reading.timestampFormat === undefined && !keys.has(time)
  if (!isDropped) keys.add('_time')
  // A query of the field `a` may be one of its members, which may be in the key `a.b`.
  const prefixes = fields.filter((name) => name !== '_time').map((name) => `${name}.`)
  return LineProjector.of({
    keys: [...keys],
    prefixes,
    ...(isDropped && { droppedTime: '_time' }),
  })
}

interface ReduceOptions {
  readonly projector: LineProjector
  /** Called with the names of fields of the first events. */
  readonly omitted?: ((names: readonly string[]) => void) | undefined
}

/** Yields the items of an input with reduced lines, in larger batches. */
export async function* reduced(
  items: AsyncIterable<Batch | UnsendableEvent | InputEnd>,
  { projector, omitted }: ReduceOptions,
): AsyncGenerator<Batch | UnsendableEvent | InputEnd> {
  let parts: Batch[] = []
  let bytes = 0
  let events = 0
  for await (const item of items) {
    // Events that are not as they were read have places of their own.
    const isPlain = item.kind === 'batch' && item.source === undefined
    if (isPlain) {
      if (item.start.event === 0) omitted?.(fieldsIn(firstLines(item.body)))
      // The memory of the batch is used again for the next one.
      const body = Buffer.from(projector.project(item.body))
      item.release()
      const part = { ...item, body, release() {} }
      const [first, rest] = item.start.event === 0 ? divided(part) : [undefined, part]
      // The fields are found out from the first events; others are then read by the engine alone.
      if (first !== undefined) yield first
      parts.push(rest)
      bytes += rest.body.length
      events += rest.events
      if (bytes < JOINED_BYTES && events < JOINED_EVENTS) continue
    }
    if (parts.length > 0) yield joined(parts)
    if (!isPlain) yield item
    parts = []
    bytes = events = 0
  }
}

const FIRST_EVENTS = 1_000

/** Divides a batch of lines after its first events; one with few events is not divided. */
function divided(batch: Batch): readonly [first: Batch | undefined, rest: Batch] {
  const { body, start, events, lines, bytes } = batch
  if (events <= FIRST_EVENTS) return [undefined, batch]
  let at = 0
  let linesBefore = 0
  for (let found = 0; found < FIRST_EVENTS; linesBefore++) {
    const end = body.indexOf(LINE_FEED, at)
    if (!isBlank(body, at, end)) found++
    at = end + 1
  }
  const before = { line: start.line + linesBefore, event: start.event + FIRST_EVENTS }
  return [
    { ...batch, body: body.subarray(0, at), events: FIRST_EVENTS, lines: linesBefore, bytes: 0 },
    {
      ...batch,
      body: body.subarray(at),
      events: events - FIRST_EVENTS,
      lines: lines - linesBefore,
      start: { ...start, ...before },
      bytes,
    },
  ]
}

/** Yields the items of an input, of which the first batch is divided where its lines are events. */
export async function* firstDivided(
  items: AsyncIterable<Batch | UnsendableEvent | InputEnd>,
): AsyncGenerator<Batch | UnsendableEvent | InputEnd> {
  for await (const item of items) {
    const isOfLines =
      item.kind === 'batch' &&
      item.contentType === 'application/x-ndjson' &&
      item.extents === undefined &&
      item.source === undefined
    if (!isOfLines || item.start.event > 0) {
      yield item
      continue
    }
    const [first, rest] = divided(item)
    // Both are in the same memory.
    if (first !== undefined) yield { ...first, release() {} }
    yield rest
  }
}

/** Joins consecutive batches of whole lines. */
function joined(parts: readonly Batch[]): Batch {
  const sum = (of: (part: Batch) => number) => parts.reduce((total, part) => total + of(part), 0)
  return {
    ...parts[0]!,
    body: Buffer.concat(parts.map(({ body }) => body)),
    events: sum(({ events }) => events),
    bytes: sum(({ bytes }) => bytes),
    lines: sum(({ lines }) => lines),
  }
}

/** The number of events whose fields are looked at, and of their bytes. */
const SAMPLED_EVENTS = 100
const SAMPLED_BYTES = 64 * 1024

function firstLines(body: Buffer): readonly string[] {
  return body.toString('utf8', 0, SAMPLED_BYTES).split('\n', SAMPLED_EVENTS)
}

/** Returns the names of the fields of the first events. */
export function fieldsIn(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.slice(0, SAMPLED_EVENTS).flatMap(fieldsOfLine))]
}

function fieldsOfLine(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) ? namesIn(value, '') : []
  } catch {
    // It is cut off, or not JSON.
    return []
  }
}

function namesIn(object: Readonly<Record<string, unknown>>, before: string): readonly string[] {
  return Object.entries(object).flatMap(([key, value]) =>
    isJsonObject(value) ? namesIn(value, `${before}${key}.`) : [`${before}${key}`],
  )
}
