import { MIN_BYTES_PER_SECOND, SLACK_SECONDS, STREAM_IDLE_SECONDS } from '../../wire/limits.js'

/** Default timeouts, and the minimum data rate of a listener, suitable for untrusted clients. */
export const LISTENER_TIMEOUTS = {
  /** The timeout for the head of a request, from its first byte or from the start of the connection. */
  headMs: 20_000,
  /** The timeout for a connection without traffic, between requests or during a response. */
  idleMs: 60_000,
  /** The time that a body or response may lag behind the minimum data rate. */
  slackMs: SLACK_SECONDS * 1000,
  minBytesPerSecond: MIN_BYTES_PER_SECOND,
  /** The timeout between two pieces of a body without a declared length, whose client may itself be waiting for events. */
  streamIdleMs: STREAM_IDLE_SECONDS * 1000,
  /** The time for which the rest of an unneeded body is read after the response. */
  drainMs: 10_000,
}

export type ListenerTimeouts = Readonly<typeof LISTENER_TIMEOUTS>

/** Options of TCP servers: keep-alive detects peers that vanished without closing the connection. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 30_000 }
