import { MIN_BYTES_PER_SECOND, SLACK_SECONDS, STREAM_IDLE_SECONDS } from '../../wire/limits.js'

/** Timeouts and the minimum data rate of a listener. */
export interface ListenerTimeouts {
  /** The timeout for the head of a request, from its first byte or from the start of the connection. */
  readonly headMs: number
  /** The timeout for a connection without traffic, between requests or during a response. */
  readonly idleMs: number
  /** The time that a body or response may lag behind the minimum data rate. */
  readonly slackMs: number
  readonly minBytesPerSecond: number
  /** The timeout between two pieces of a body without a declared length, whose client may itself be waiting for events. */
  readonly streamIdleMs: number
  /** The time for which the rest of an unneeded body is read after the response. */
  readonly drainMs: number
}

/** Default timeouts, suitable for untrusted clients. */
export const LISTENER_TIMEOUTS: ListenerTimeouts = {
  headMs: 20_000,
  idleMs: 60_000,
  slackMs: SLACK_SECONDS * 1000,
  minBytesPerSecond: MIN_BYTES_PER_SECOND,
  streamIdleMs: STREAM_IDLE_SECONDS * 1000,
  drainMs: 10_000,
}
