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
export class Parts {
  private readonly batch: Batch
  private cachedExtents: readonly EventExtent[] | undefined

  constructor(batch: Batch) {
    this.batch = batch
  }

  /** True when the boundaries of all events are known, which may not be the case when an event is not JSON. */
  get canSplit(): boolean {
    return this.extents.length === this.batch.events
  }

  part(range: EventRange): Part {
    const isWhole = range.events === this.batch.events
    return {
      range,
      body: isWhole ? this.batch.body : this.cut(range),
      indexOfLine: (line) => this.indexOfLine(range, line),
    }
  }

  /** Returns two ranges of about equal size in bytes, each with at least one event. */
  halves({ first, events }: EventRange): readonly [EventRange, EventRange] {
    const { extents } = this
    const middle = (extents[first]!.from + extents[first + events - 1]!.next) / 2
    let count = 1
    while (count < events - 1 && extents[first + count]!.next <= middle) count += 1
    return [
      { first, events: count },
      { first: first + count, events: events - count },
    ]
  }

  private cut({ first, events }: EventRange): Buffer {
    const { body, contentType } = this.batch
    const { from } = this.extents[first]!
    const { to, next } = this.extents[first + events - 1]!
    switch (contentType) {
      case 'application/x-ndjson':
        return body.subarray(from, next)
      case 'text/csv':
        return Buffer.concat([body.subarray(0, headLength(this.batch)), body.subarray(from, next)])
      case 'application/json':
        return Buffer.concat([Buffer.from('['), body.subarray(from, to), Buffer.from(']')])
      default:
        return contentType satisfies never
    }
  }

  private indexOfLine({ first, events }: EventRange, line: number): number | undefined {
    const { extents, batch } = this
    const isWhole = events === batch.events
    const before = isWhole ? 0 : extents[first]!.line - batch.headLines - 1
    const last = first + events
    for (let index = first; index < last; index++) {
      if (extents[index]?.line === line + before) return index
    }
    return undefined
  }

  private get extents(): readonly EventExtent[] {
    this.cachedExtents ??= eventExtents(this.batch)
    return this.cachedExtents
  }
}

/** Consecutive events of a batch. */
export interface EventRange {
  /** The index of the first event, from 0. */
  readonly first: number
  readonly events: number
}
