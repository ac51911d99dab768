import type { Batch } from '../../../input/batch.js'
import { type EventExtent, eventExtents, headLength } from '../../../input/events.js'

/** A range of a batch as the body of a request. */
export interface Part {
  readonly range: EventRange
  readonly body: Buffer
  /** Returns the index in the batch of the event that starts on a line of the body (from 1); `undefined` when no event does. */
  indexOfLine(line: number): number | undefined
}

/** Splits a batch between its events. Event boundaries are located when the first part is requested. */
export function partsOf(batch: Batch) {
  const { body, contentType, events: all, headLines } = batch
  let found: readonly EventExtent[] | undefined
  function extents(): readonly EventExtent[] {
    found ??= eventExtents(batch)
    return found
  }

  function cut({ first, events }: EventRange): Buffer {
    const { from } = extents()[first]!
    const { next } = extents()[first + events - 1]!
    const rows = body.subarray(from, next)
    return contentType === 'text/csv'
      ? Buffer.concat([body.subarray(0, headLength(batch)), rows])
      : rows
  }

  return {
    /** True when the boundaries of all events are known, which may not be the case when an event is not JSON. */
    canSplit: () => extents().length === all,
    part: (range: EventRange): Part => ({
      range,
      body: range.events === all ? body : cut(range),
      indexOfLine(line) {
        const before = range.events === all ? 0 : extents()[range.first]!.line - headLines - 1
        const own = extents().slice(range.first, range.first + range.events)
        const index = own.findIndex((extent) => extent.line === line + before)
        return index === -1 ? undefined : range.first + index
      },
    }),
    /** Returns two ranges of about equal size in bytes, each with at least one event. */
    halves({ first, events }: EventRange): readonly [EventRange, EventRange] {
      const middle = (extents()[first]!.from + extents()[first + events - 1]!.next) / 2
      let count = 1
      while (count < events - 1 && extents()[first + count]!.next <= middle) count += 1
      return [
        { first, events: count },
        { first: first + count, events: events - count },
      ]
    },
  }
}

/** Consecutive events of a batch. */
export interface EventRange {
  /** The index of the first event, from 0. */
  readonly first: number
  readonly events: number
}

export function indexesOf({ first, events }: EventRange): readonly number[] {
  return Array.from({ length: events }, (_, index) => first + index)
}
