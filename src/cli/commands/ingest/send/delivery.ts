import { ApiError } from '../../../../client/error.js'
import type { BatchFailed, Delivery } from '../../../../client/ingest.js'
import type { Batch } from '../../../../input/batch.js'
import type { Outcome, Shortfall, Stretch } from '../report/account.js'
import { all, answeredFate, type Fate, joined, NO_FATE, placeOf } from './outcome.js'
import { type Part, Parts } from './part.js'
import type { Refusals } from './rejection-policy.js'

interface DeliveryOptions {
  readonly batch: Batch
  readonly batchId: string
  /** What was learnt from refusals before. */
  readonly refusals: Refusals
  post(body: Buffer, batchId: string): Promise<Delivery>
  /** Why no request may be started any more. */
  obstacle(): Error | undefined
  fail(error: Error): void
}

/** The reason for a refusal, and the request that was refused. */
type Why = Pick<Shortfall, 'reason' | 'requestId'>

/** These are about what a request holds, so that a part of it may fare better. */
const SPLIT_ON: readonly number[] = [400, 413, 422]

/**
 * Brings a batch to its end. One that is refused whole stored nothing, so its parts are sent until each
 * bad event stands alone; one that was accepted in part is never sent again.
 */
export class BatchDelivery {
  private readonly options: DeliveryOptions
  private readonly parts: Parts
  private retries = 0

  constructor(options: DeliveryOptions) {
    this.options = options
    this.parts = new Parts(options.batch)
  }

  async run(): Promise<Fate & Pick<Outcome, 'retries'>> {
    const fate = await this.deliver({ first: 0, events: this.options.batch.events })
    return { ...fate, retries: this.retries }
  }

  private async deliver(stretch: Stretch): Promise<Fate> {
    const { obstacle, refusals } = this.options
    const reason = obstacle()?.message
    if (reason !== undefined) return { ...NO_FATE, unsent: [all(stretch, { reason })] }
    const part = this.parts.part(stretch)
    const isHopeless = stretch.events > 1 && refusals.isTooLarge(part.body.length)
    if (isHopeless && this.parts.canSplit) return this.deliverAll(this.parts.halves(stretch))
    const delivery = await this.post(part)
    if (delivery.kind === 'failed') return this.failed(part, delivery)
    const fate = answeredFate(part, delivery)
    refusals.noteAccepted(fate.accepted)
    return fate
  }

  /** Sends a part; a refusal that may follow a success that was not heard of has to be repeated to be believed. */
  private async post(part: Part): Promise<Delivery> {
    const send = () => this.options.post(part.body, this.idOf(part.stretch))
    const first = await send()
    this.retries += first.retries
    if (first.kind === 'accepted' || !first.mayBeStored || !isAboutEvents(first)) return first
    if (this.options.obstacle() !== undefined) return first
    const second = await send()
    this.retries += second.retries + 1
    return second.kind === 'failed' ? { ...second, mayBeStored: true } : second
  }

  private async deliverAll(stretches: readonly Stretch[]): Promise<Fate> {
    const fates: Fate[] = []
    for (const stretch of stretches) fates.push(await this.deliver(stretch))
    return joined(fates)
  }

  private async failed(part: Part, failed: BatchFailed): Promise<Fate> {
    const { error, mayBeStored } = failed
    const { stretch } = part
    const why = reasonOf(error)
    const isUnrepeated = mayBeStored && this.options.obstacle() !== undefined
    if (isUnrepeated || !isAboutEvents(failed)) {
      if (!isUnrepeated && !this.options.refusals.mayPass(error)) this.options.fail(error)
      return { ...NO_FATE, [mayBeStored ? 'unconfirmed' : 'unsent']: [all(stretch, why)] }
    }
    if (stretch.events === 1) return this.reject(stretch, { ...why, reason: bare(why.reason) })
    if (!this.parts.canSplit) return this.reject(stretch, why)
    if (error instanceof ApiError && error.status === 413) {
      this.options.refusals.noteTooLarge(part.body.length)
      return this.deliverAll(this.parts.halves(stretch))
    }
    return this.isolate(part, failed)
  }

  /** A single event that was refused alone; when all are, for the same reason, it is not they who are wrong. */
  private reject(stretch: Stretch, why: Why): Fate {
    const hopeless = this.options.refusals.noteRefused(why.reason)
    if (hopeless !== undefined) this.options.fail(hopeless)
    return { ...NO_FATE, rejected: [all(stretch, why)] }
  }

  /** Sends the events around the ones that are named, or halves. */
  private async isolate(part: Part, { named, error }: BatchFailed): Promise<Fate> {
    const { stretch } = part
    const { refusals } = this.options
    const reasons = new Map<number, Why>()
    for (const failure of named) {
      const place = placeOf(part, failure)
      const why = { ...reasonOf(error), reason: bare(failure.error) }
      if (place !== undefined) reasons.set(place, why)
    }
    const places = [...reasons.keys()].sort((a, b) => a - b)
    const [suspect] = places
    if (suspect === undefined || refusals.names === 'misleading') {
      return this.deliverAll(this.parts.halves(stretch))
    }
    if (refusals.names === 'unproved') {
      // Some count from 1, or mean something else: the first event that is named is sent alone to see.
      const alone = await this.deliver({ first: suspect, events: 1 })
      refusals.noteName(alone)
      if (alone.rejected.length === 0) {
        return joined([alone, await this.deliverAll(around(stretch, [suspect]))])
      }
      reasons.delete(suspect)
      const others = [...reasons].map(([first, why]) => this.reject({ first, events: 1 }, why))
      return joined([alone, ...others, await this.deliverAll(around(stretch, places))])
    }
    const found = [...reasons].map(([first, why]) => this.reject({ first, events: 1 }, why))
    return joined([...found, await this.deliverAll(around(stretch, places))])
  }

  /** The same id always stands for the same events: a restart that splits elsewhere must not lose any. */
  private idOf({ first, events }: Stretch): string {
    const { batch, batchId } = this.options
    return events === batch.events ? batchId : `${batchId}.${first}+${events}`
  }
}

/** Whether it is what the request holds that was refused. */
function isAboutEvents({ error, named }: BatchFailed): boolean {
  if (!(error instanceof ApiError) || !SPLIT_ON.includes(error.status)) return false
  // A parameter can be wrong too; then no event is to blame.
  return error.status !== 422 || named.length > 0
}

/** A place in a request says nothing once the event is known, and the same reason would look like many. */
function bare(reason: string): string {
  return reason.replace(/^index\W{0,3}\d+\b\W*(?=\w)/i, '')
}

function reasonOf(error: Error): Why {
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return { reason: error.message, ...(requestId !== undefined && { requestId }) }
}

/**
 * The stretches between some places. None is longer than half of the whole, so that many bad events
 * close to each other do not have the same good ones sent again and again.
 */
function around({ first, events }: Stretch, places: readonly number[]): readonly Stretch[] {
  const most = Math.ceil(events / 2)
  const end = first + events
  const found: Stretch[] = []
  let from = first
  for (const place of [...places, end]) {
    for (; from < place; from += most) {
      found.push({ first: from, events: Math.min(most, place - from) })
    }
    from = place + 1
  }
  return found
}
