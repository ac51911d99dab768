import { RefusedError } from '../refused-error.js'

/**
 * Yields the body; throws a `RefusedError` when the client lets the service wait for more than `slackMs`. Only the time spent waiting
 * counts, not the time that the service needs, and it is returned as far as a piece earns it.
 */
export async function* inTime(
  body: AsyncIterable<Buffer>,
  { slackMs, earnedMs }: { readonly slackMs: number; earnedMs(piece: Buffer): number },
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
