import type { IngestParameters } from '../../../client/ingest.js'
import type { Batch, SourceRecord } from '../../../input/batch.js'
import { type EventExtent, eventExtents, headLength } from '../../../input/events.js'
import { sourcesOf } from '../../../input/locate.js'
import { classifyLine } from '../../../wire/event/classify-line.js'
import { parseTimeFormat } from '../../../wire/time/time-format.js'
import { jsonText } from '../option/event-time.js'
import {
  type BatchOutcome,
  combineOutcomes,
  countEvents,
  type FailedEvents,
  type Outcome,
} from './outcome.js'
import { indexesOf } from './part.js'

// Events whose detected timestamp field is not a time are sent again without it: the detection must not lose events.

type Delivered = Outcome & Pick<BatchOutcome, 'retries'>

/** The rejected events of a batch to send again without its timestamp field. */
interface InvalidTimes {
  readonly batch: Batch
  combine(whole: Delivered, repeated: Delivered): Delivered & Pick<BatchOutcome, 'untimed'>
}

/** Returns the events that were rejected because the detected field is not a time; `undefined` when there are no such events. */
export function eventsWithInvalidTime(
  batch: Batch,
  { rejected }: Outcome,
  { timestampFormat }: IngestParameters,
): InvalidTimes | undefined {
  const { timestampField } = batch
  if (timestampField === undefined || rejected.length === 0) return undefined
  const timeFormat = timestampFormat === undefined ? undefined : parseTimeFormat(timestampFormat)
  const extents = eventExtents(batch)
  const options = { timestampField, timeFormat }
  const isInvalid = (index: number) => {
    const extent = extents[index]
    if (extent === undefined) return false
    const line = classifyLine(jsonText(batch, extent).trim(), options)
    return line.kind === 'rejected' && line.fault === 'not-a-time'
  }
  const named = rejected.filter(isNamed).map(({ range }) => range.first)
  const indexes = [...named.filter(isInvalid), ...unnamedEvents(rejected, isInvalid)]
  indexes.sort((one, other) => one - other)
  if (indexes.length === 0) return undefined
  return {
    batch: selection(batch, { extents, indexes }),
    combine: (whole, repeated) => combined(whole, repeated, indexes),
  }
}

/** True when the service told which event failed. */
function isNamed({ range }: FailedEvents): boolean {
  return range.events === 1
}

/**
 * Returns the events with an invalid time in ranges for which the service did not report which events it rejected. Returns no events
 * unless their number is the number of rejections, since some of the events may then be stored.
 */
function unnamedEvents(
  rejected: readonly FailedEvents[],
  isInvalid: (index: number) => boolean,
): readonly number[] {
  const unnamed = rejected.filter((one) => !isNamed(one))
  const named = new Set(rejected.filter(isNamed).map(({ range }) => range.first))
  const indexes = new Set(unnamed.flatMap(({ range }) => indexesOf(range)))
  const invalid = [...indexes].filter((index) => !named.has(index) && isInvalid(index))
  return invalid.length === countEvents(unnamed) ? invalid : []
}

/** Returns a batch of some of the events, without the timestamp field. */
function selection(
  batch: Batch,
  {
    extents,
    indexes,
  }: { readonly extents: readonly EventExtent[]; readonly indexes: readonly number[] },
): Batch {
  const { timestampField: _, ...rest } = batch
  const texts = indexes.map((index) => {
    const { from, next } = extents[index]!
    return batch.body.subarray(from, next)
  })
  const head = batch.body.subarray(0, headLength(batch))
  const body = Buffer.concat([head, ...texts])
  const source = sourcesOf(batch)
  const missing: SourceRecord = { text: Buffer.alloc(0), offset: batch.start.offset }
  return {
    ...rest,
    body,
    bytes: body.length - head.length,
    events: indexes.length,
    source: (index) => source(indexes[index] ?? -1) ?? missing,
    release() {},
  }
}

function combined(
  whole: Delivered,
  repeated: Delivered,
  indexes: readonly number[],
): Delivered & Pick<BatchOutcome, 'untimed'> {
  const isRepeated = new Set(indexes)
  const rejected = whole.rejected.filter(({ range }) =>
    indexesOf(range).every((index) => !isRepeated.has(index)),
  )
  const failed = [repeated.rejected, repeated.unsent, repeated.unconfirmed]
  const [again = [], unsent = [], unconfirmed = []] = failed.map((list) =>
    list.flatMap((one) => inWhole(one, indexes)),
  )
  const lost = { accepted: repeated.accepted, rejected: again, unsent, unconfirmed }
  const isFailed = new Set([...again, ...unsent, ...unconfirmed].map(({ range }) => range.first))
  const stored = indexes.filter((index) => !isFailed.has(index))
  const [first] = stored
  return {
    ...combineOutcomes([{ ...whole, rejected }, lost]),
    retries: whole.retries + repeated.retries,
    ...(first !== undefined && { untimed: { events: repeated.accepted, first, indexes: stored } }),
  }
}

/** Returns failed events of the selection with their indexes in the whole batch. */
function inWhole(failed: FailedEvents, indexes: readonly number[]): readonly FailedEvents[] {
  const { range, events } = failed
  const selected = indexes.slice(range.first, range.first + range.events)
  if (events === range.events) {
    return selected.map((first) => ({ ...failed, range: { first, events: 1 }, events: 1 }))
  }
  // The service did not report which of the events failed.
  const first = selected[0]!
  return [{ ...failed, range: { first, events: selected.at(-1)! - first + 1 } }]
}
