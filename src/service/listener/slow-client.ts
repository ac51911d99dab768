import { RefusedError } from '../refused-error.js'
import type { ListenerTimeouts } from './timeouts.js'

type MinimumRate = Pick<ListenerTimeouts, 'slackMs' | 'minBytesPerSecond'>

/**
 * The pieces of a body as long as they keep the pace. Only the time that the service waits for them
 * counts: a sender that is held back by the service is not slow.
 */
export async function* withMinimumRate(
  body: AsyncIterable<Buffer>,
  { slackMs: behindMs, minBytesPerSecond: paceBytesPerSecond }: MinimumRate,
): AsyncGenerator<Buffer, void> {
  const pieces = body[Symbol.asyncIterator]()
  let leftMs = behindMs
  try {
    for (;;) {
      const asked = performance.now()
      const { done, value } = await within(pieces.next(), leftMs)
      if (done) return
      const earnedMs = (value.length / paceBytesPerSecond) * 1000
      leftMs = Math.min(behindMs, leftMs - (performance.now() - asked) + earnedMs)
      yield value
    }
  } finally {
    // Not waited for: a piece that is still awaited may never come.
    void pieces.return?.()
  }
}

function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    // What has come while the service was too busy to look is looked at before anybody is called slow.
    const timer = setTimeout(() => setImmediate(() => reject(tooSlow())), ms)
    const settle = (how: (value: never) => void) => (value: unknown) => {
      clearTimeout(timer)
      how(value as never)
    }
    promise.then(settle(resolve), settle(reject))
  })
}

function tooSlow(): RefusedError {
  return new RefusedError('too-slow', 'The body of the request came too slowly, or stopped coming.')
}
