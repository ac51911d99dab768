import { RefusedError } from '../refused-error.js'
import type { ListenerTimeouts } from './timeouts.js'

/**
 * Yields the body as long as it arrives at the minimum rate; throws a `RefusedError` otherwise. Only the time
 * spent waiting for the client counts, not the time that the service needs.
 */
export function withMinimumRate(
  body: AsyncIterable<Buffer>,
  { slackMs, minBytesPerSecond }: Pick<ListenerTimeouts, 'slackMs' | 'minBytesPerSecond'>,
): AsyncGenerator<Buffer, void> {
  return inTime(body, slackMs, ({ length }) => (length / minBytesPerSecond) * 1000)
}

/** Yields the body as long as its pieces arrive within the timeout; throws a `RefusedError` otherwise. */
export function withIdleTimeout(
  body: AsyncIterable<Buffer>,
  timeoutMs: number,
): AsyncGenerator<Buffer, void> {
  return inTime(body, timeoutMs, () => Number.POSITIVE_INFINITY)
}

/** Waits at most `slackMs` for the body. The time spent waiting is returned as far as a piece earns it. */
async function* inTime(
  body: AsyncIterable<Buffer>,
  slackMs: number,
  earnedMs: (piece: Buffer) => number,
): AsyncGenerator<Buffer, void> {
  const pieces = body[Symbol.asyncIterator]()
  let leftMs = slackMs
  try {
    for (;;) {
      const requestedAt = performance.now()
      const { done, value } = await withTimeout(pieces.next(), leftMs)
      if (done) return
      leftMs = Math.min(slackMs, leftMs - (performance.now() - requestedAt) + earnedMs(value))
      yield value
    }
  } finally {
    // Not awaited: a pending read may never finish.
    void pieces.return?.()
  }
}

function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    // Data that arrived while the event loop was blocked is read before the timeout takes effect.
    const timer = setTimeout(() => setImmediate(() => reject(tooSlow())), ms)
    const settle = (how: (value: never) => void) => (value: unknown) => {
      clearTimeout(timer)
      how(value as never)
    }
    promise.then(settle(resolve), settle(reject))
  })
}

function tooSlow(): RefusedError {
  return new RefusedError(
    'too-slow',
    'The request body arrived too slowly, and none of it was stored.',
  )
}
