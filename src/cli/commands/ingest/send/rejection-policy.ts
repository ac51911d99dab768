import { MalformedResponseError } from '../../../../wire/http/malformed-response.js'
import { CommandError } from '../../../error/command-error.js'
import type { Fate } from './outcome.js'

/** So many events refused alone, for one and the same reason and with none accepted, and the run is hopeless. */
const MOST_REFUSED_ALIKE = 20

/** More garbled answers one after the other are no accident. */
const MOST_MALFORMED = 2

/** What the refusals of a run have taught about the service. */
export class Refusals {
  /** Whether the events that a refusal names are the bad ones. */
  names: 'unproved' | 'proved' | 'misleading' = 'unproved'
  private smallestTooLarge = Number.POSITIVE_INFINITY
  private accepted = 0
  private reason: string | undefined
  private alike = 0
  private malformed = 0

  /** Whether a body is as large as one that was too large. */
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

  /** What became of an event that was named, when it was sent alone. */
  noteName({ accepted, rejected }: Fate): void {
    if (rejected.length > 0) this.names = 'proved'
    else if (accepted > 0) this.names = 'misleading'
  }

  /**
   * Whether the next batch may fare better all the same: among good answers one can be garbled on its way.
   * It is not asked for again, since a service without batch ids would store the batch twice.
   */
  mayPass(error: Error): boolean {
    if (!(error instanceof MalformedResponseError)) return false
    this.malformed += 1
    return this.accepted > 0 && this.malformed <= MOST_MALFORMED
  }

  /** An event was refused alone; returns why no other one will fare better, when that is clear. */
  noteRefused(reason: string): Error | undefined {
    this.alike = reason === this.reason ? this.alike + 1 : 1
    this.reason = reason
    if (this.accepted > 0 || this.alike < MOST_REFUSED_ALIKE) return undefined
    return new CommandError(
      `The service refuses each event with the same words, so the cause is likely not the events: ${reason}`,
    )
  }
}
