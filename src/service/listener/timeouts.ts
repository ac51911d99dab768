/** How long the service waits for those it serves. */
export interface ListenerTimeouts {
  /** For the head of a request, from its first byte, or from the start of a connection. */
  readonly headMs: number
  /** For a connection that says nothing, between requests or while it takes an answer. */
  readonly idleMs: number
  /** How far a body, or whoever takes an answer, may fall behind the pace. */
  readonly slackMs: number
  readonly minBytesPerSecond: number
  /** How long the rest of a body is still read after an answer that did not need it. */
  readonly drainMs: number
}

/** The patience of a service that strangers can reach. */
export const LISTENER_TIMEOUTS: ListenerTimeouts = {
  headMs: 20_000,
  idleMs: 60_000,
  slackMs: 30_000,
  minBytesPerSecond: 1_024,
  drainMs: 10_000,
}
