import { IDENTICAL_REJECTIONS } from '../../../client/limits.js'
import { MalformedResponseError } from '../../../wire/http/response-json.js'
import { CommandError } from '../../error/command-error.js'
import type { Outcome } from './outcome.js'

/** The maximum number of consecutive malformed responses; with more, the run fails. */
const MAX_MALFORMED_RESPONSES = 2

/** Decides how to treat a rejection, based on the rejections so far. */
export class RejectionPolicy {
  /** `proved` when the events that the service names in a rejection are the invalid ones, `unproved` until this was tested. */
  namedEvents: 'unproved' | 'proved' | 'misleading' = 'unproved'
  private smallestTooLarge = Number.POSITIVE_INFINITY
  private accepted = 0
  private reason: string | undefined
  private identical = 0
  private malformed = 0

  /** True when a body is at least as large as a body that the service rejected as too large. */
  isTooLarge(bytes: number): boolean {
    return bytes >= this.smallestTooLarge
  }

  noteTooLarge(bytes: number): void {
    this.smallestTooLarge = Math.min(this.smallestTooLarge, bytes)
  }

  noteAccepted(events: number): void {
    this.accepted += events
    this.malformed = 0
  }

  /** Notes the outcome of an event that the service named and that was then sent alone. */
  noteNamedEvent({ accepted, rejected }: Outcome): void {
    if (rejected.length > 0) this.namedEvents = 'proved'
    else if (accepted > 0) this.namedEvents = 'misleading'
  }

  /**
   * True when the next batch may succeed despite the error: a malformed response among valid ones. The request is not repeated,
   * since a service without batch ids would store the batch twice.
   */
  isRecoverable(error: Error): boolean {
    if (!(error instanceof MalformedResponseError)) return false
    this.malformed += 1
    return this.accepted > 0 && this.malformed <= MAX_MALFORMED_RESPONSES
  }

  /** Notes the rejection of a single event. Returns an error when all events are likely to be rejected. */
  noteRejected(reason: string): Error | undefined {
    this.identical = reason === this.reason ? this.identical + 1 : 1
    this.reason = reason
    if (this.accepted > 0 || this.identical < IDENTICAL_REJECTIONS) return undefined
    return new CommandError(
      `The service rejects every event for the same reason, so the events are probably not the cause: ${reason}`,
    )
  }
}
