import { randomUUID } from 'node:crypto'
import type { Batch } from '../../../../input/batch.js'
import { type EventExtent, eventExtents, headLength } from '../../../../input/events.js'
import type { IngestCheckpoints } from '../checkpoint/checkpoints.js'
import type { Stretch } from '../report/account.js'

/** A stretch of a batch that can be the body of a request of its own. */
export interface Part {
  readonly stretch: Stretch
  readonly body: Buffer
  /** The place in the batch of the event that stands on a line of the body, counted from 1. */
  placeOnLine(line: number): number | undefined
}

/** Cuts a batch at its events. Where they lie is found out when the first part is asked for. */
export class Parts {
  private readonly batch: Batch
  private found: readonly EventExtent[] | undefined

  constructor(batch: Batch) {
    this.batch = batch
  }

  /** Whether all events were found again; in what is not JSON they may not be. */
  get canSplit(): boolean {
    return this.extents.length === this.batch.events
  }

  part(stretch: Stretch): Part {
    const isWhole = stretch.events === this.batch.events
    return {
      stretch,
      body: isWhole ? this.batch.body : this.cut(stretch),
      placeOnLine: (line) => this.placeOnLine(stretch, line),
    }
  }

  /** Two parts of about as many bytes, each with an event at least. */
  halves({ first, events }: Stretch): readonly [Stretch, Stretch] {
    const { extents } = this
    const middle = (extents[first]!.from + extents[first + events - 1]!.next) / 2
    let count = 1
    while (count < events - 1 && extents[first + count]!.next <= middle) count += 1
    return [
      { first, events: count },
      { first: first + count, events: events - count },
    ]
  }

  private cut({ first, events }: Stretch): Buffer {
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

  private placeOnLine({ first, events }: Stretch, line: number): number | undefined {
    const { extents, batch } = this
    const isWhole = events === batch.events
    const before = isWhole ? 0 : extents[first]!.line - batch.headLines - 1
    const last = first + events
    for (let place = first; place < last; place++) {
      if (extents[place]?.line === line + before) return place
    }
    return undefined
  }

  private get extents(): readonly EventExtent[] {
    this.found ??= eventExtents(this.batch)
    return this.found
  }
}

/** Ids that no other run has given, but for batches that another run has sent. */
export function batchIds(checkpoints: IngestCheckpoints): (batch: Batch) => string {
  const run = randomUUID()
  let count = 0
  return (batch) => {
    const known = checkpoints.idOf(batch)
    if (known !== undefined) return known
    count += 1
    return `${run}-${count}`
  }
}
