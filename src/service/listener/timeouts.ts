/** How long the service waits for those it serves. */
export interface Patience {
  /** For the head of a request, from its first byte, or from the start of a connection. */
  readonly headMs: number
  /** For a connection that says nothing, between requests or while it takes an answer. */
  readonly silenceMs: number
  /** How far a body, or whoever takes an answer, may fall behind the pace. */
  readonly behindMs: number
  readonly paceBytesPerSecond: number
  /** How long the rest of a body is still read after an answer that did not need it. */
  readonly drainMs: number
}

/** The patience of a service that strangers can reach. */
export const PATIENCE: Patience = {
  headMs: 20_000,
  silenceMs: 60_000,
  behindMs: 30_000,
  paceBytesPerSecond: 1_024,
  drainMs: 10_000,
}
